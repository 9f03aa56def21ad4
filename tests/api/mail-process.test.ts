import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { OutageError, PermanentError } from '#src/core/outbox/outbox.ts';
import { BounceError, type Email } from '#src/core/outbox/transport.server.ts';
import { mailProcess } from '#src/host/mail-process.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { ROOT } from '#tests/support/host.ts';
import { startSmtp } from '#tests/support/smtp.ts';

vi.mock('node:child_process', async (original) => {
	const real = await original<typeof import('node:child_process')>();
	return { ...real, fork: vi.fn(real.fork) };
});

/** Processes start slowly on a busy machine. */
const WAIT = { timeout: 30_000 };
vi.setConfig({ testTimeout: 90_000 });

const letter = (id: string, to = `${id}@example.com`): Email => ({
	...{ id, to, from: 'Us <us@example.com>', subject: 'A word', html: '<p>Hello.</p>' },
	...{ text: 'Hello.', messageId: `<${id}@example.com>`, headers: {} },
});

/** Stops the timers of this process, which those of the test's mail server are too. */
function stopClock() {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
}

/** The transport of a server with this mail server and a database in a folder of its own. */
async function setup(smtpUrl: string) {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-mail-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const env = { DATABASE_URL: `file:${join(folder, 'site.db')}`, SMTP_URL: smtpUrl };
	for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
	const accepted = acceptedDeliveries(env)!;
	const transport = mailProcess(accepted);
	onTestFinished(() => transport.close());
	return { folder, env, accepted, transport };
}

test('a process sends for the server, and says as what a refusal counts', async () => {
	const refused = { gone: 'recipient', never: 'message', later: 'recipient' } as const;
	const refusal = (at: string) => (address: string) =>
		refused[address.split('@')[0] as keyof typeof refused] !== at
			? undefined
			: address.startsWith('later')
				? { code: 451, message: '4.3.0 Try again later' }
				: { code: 550, message: at === 'recipient' ? '5.1.1 No such user' : '5.7.1 Not wanted' };
	const smtp = await startSmtp({ recipient: refusal('recipient'), message: refusal('message') });
	const { accepted, transport } = await setup(smtp.url);
	const outcome = (id: string) => transport.send(letter(id)).catch((error: unknown) => error);
	const [sent, gone, never, later] = await Promise.all(
		['sent', 'gone', 'never', 'later'].map(outcome),
	);
	expect(sent).toBeUndefined();
	expect(gone).toBeInstanceOf(BounceError);
	expect((gone as BounceError).isGone).toBe(true);
	expect(never).toBeInstanceOf(PermanentError);
	expect(later).toMatchObject({ name: 'Error', message: expect.stringContaining('Try again') });
	expect(['sent', 'gone', 'never', 'later'].map((id) => accepted.has(id))).toEqual([
		...[true, false, false, false],
	]);
	expect(smtp.received.map(({ to }) => to)).toEqual(['sent@example.com']);
	// After a pause it opens connections anew.
	transport.close();
	expect(await outcome('again')).toBeUndefined();
	expect(smtp.received).toHaveLength(2);
});

test('a mail server that is away is an outage', async () => {
	const { transport } = await setup('smtp://127.0.0.1:1');
	await expect(transport.send(letter('a'))).rejects.toBeInstanceOf(OutageError);
});

test('what a killed server handed over is sent to the end, and kept as accepted', async () => {
	const killed = Promise.withResolvers<void>();
	const smtp = await startSmtp({ beforeAnswer: () => killed.promise });
	const { folder, env, accepted } = await setup(smtp.url);
	const program = join(folder, 'server.ts');
	await writeFile(
		program,
		`import { acceptedDeliveries } from '${ROOT}src/core/outbox/accepted.server.ts';
		import { mailProcess } from '${ROOT}src/host/mail-process.ts';
		const transport = mailProcess(acceptedDeliveries(${JSON.stringify(env)}));
		for (const email of ${JSON.stringify([letter('a'), letter('b')])}) void transport.send(email);`,
	);
	const server = fork(program, { cwd: ROOT, execArgv: [] });
	await vi.waitFor(() => expect(smtp.received).toHaveLength(2), WAIT);
	server.kill('SIGKILL');
	await once(server, 'exit');
	expect(accepted.has('a')).toBe(false);
	killed.resolve();
	await vi.waitFor(
		() => expect([accepted.has('a'), accepted.has('b')]).toEqual([true, true]),
		WAIT,
	);
	expect(await readdir(join(folder, 'site.accepted'))).toHaveLength(2);
	expect(smtp.received).toHaveLength(2);
});

test('a worker that is done leaves the connections to one that still sends', async () => {
	const held = Promise.withResolvers<void>();
	const smtp = await startSmtp({ beforeAnswer: () => held.promise });
	const { transport } = await setup(smtp.url);
	const names = Array.from({ length: 8 }, (_, index) => `n${index}`);
	const sent = Promise.allSettled(names.map((name) => transport.send(letter(name))));
	await vi.waitFor(() => expect(smtp.received).toHaveLength(5), WAIT);
	transport.close();
	held.resolve();
	const failures = (await sent).filter(({ status }) => status === 'rejected');
	expect(failures).toEqual([]);
	expect(smtp.received).toHaveLength(8);
});

test('an email that is sent slowly is answered, whatever another worker does meanwhile', async () => {
	const held = Promise.withResolvers<void>();
	const smtp = await startSmtp({ beforeAnswer: () => held.promise });
	const { transport } = await setup(smtp.url);
	const sent = transport.send(letter('a'));
	await vi.waitFor(() => expect(smtp.received).toHaveLength(1), WAIT);
	stopClock();
	transport.close();
	vi.advanceTimersByTime(2 * MINUTE);
	held.resolve();
	await sent;
});

test('the process ends a minute after the last email, also while workers come and go', async () => {
	const smtp = await startSmtp();
	const { transport } = await setup(smtp.url);
	await transport.send(letter('a'));
	const child = vi.mocked(fork).mock.results.at(-1)!.value as ChildProcess;
	const ended = once(child, 'exit');
	stopClock();
	for (let worker = 0; worker < 4; worker++) {
		transport.close();
		vi.advanceTimersByTime(20 * SECOND);
	}
	expect(child.connected).toBe(false);
	await ended;
});

test('where no process can be started, the server stays, and starts one for the email once that is possible', async () => {
	const { folder } = await setup('smtp://127.0.0.1:1');
	const program = join(folder, 'server.ts');
	await writeFile(
		program,
		`import { closeSync, openSync } from 'node:fs';
		import { mailProcess } from '${ROOT}src/host/mail-process.ts';
		const transport = mailProcess({ has: () => false, add() {}, delete() {} });
		const taken = [];
		try {
			for (;;) taken.push(openSync('/dev/null', 'r'));
		} catch {}
		const email = ${JSON.stringify(letter('a'))};
		const tell = ({ name, message }) => process.stdout.write(name + ': ' + message + '\\n');
		await transport.send(email).catch(tell);
		transport.close();
		await new Promise(setImmediate);
		for (const file of taken) closeSync(file);
		await transport.send(email).catch(tell);
		transport.close();`,
	);
	const limited = ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, program];
	const { stdout } = await promisify(execFile)('sh', limited, { cwd: ROOT });
	expect(stdout).toMatch(
		/^OutageError: The process that sends email is not running\.\nOutageError: .*ECONNREFUSED.*\n$/,
	);
});
