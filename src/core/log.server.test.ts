import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

const CODE = `
	const { structureLogs } = await import('#src/core/log.server.ts');
	const request = structureLogs(Number(process.argv[1]));
	console.log('fine');
	console.warn('odd');
	console.error('wrong');
	request({ id: '1', method: 'GET', route: 'page', status: 503, ms: 1, bytes: 1 });
`;

/** Returns what a process logs into a file. */
async function logged(journal: (file: number) => string | undefined): Promise<string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'log-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = openSync(join(folder, 'log'), 'a');
	const stream = journal(file);
	closeSync(file);
	await run(
		'/bin/sh',
		[
			'-c',
			`exec "$0" --input-type=module -e "$1" 1 >> "${join(folder, 'log')}"`,
			process.execPath,
			CODE,
		],
		{ env: { ...process.env, ...(stream && { JOURNAL_STREAM: stream }) } },
	);
	return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
}

test("lines for systemd's journal begin with their priority, and no others do", async () => {
	const identity = (file: number) => {
		const { dev, ino } = fstatSync(file);
		return `${dev}:${ino}`;
	};
	const lines = await logged(identity);
	expect(lines.map((line) => line.slice(0, 3))).toEqual(['<6>', '<4>', '<3>', '<3>']);
	expect(JSON.parse(lines[2]!.slice(3))).toMatchObject({ level: 'error', msg: 'wrong' });
	for (const stream of [undefined, '1:2']) {
		const plain = await logged(() => stream);
		expect(plain.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual([
			...['info', 'warn', 'error', 'error'],
		]);
	}
});

test('what JSON has no words for is logged as a text', async () => {
	const code = `
		const { structureLogs } = await import('#src/core/log.server.ts');
		structureLogs(1);
		const circle = { name: 'round' };
		circle.itself = circle;
		console.log('a circle', { circle, count: 2n });
	`;
	const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code]);
	const line = JSON.parse(stdout) as Record<string, string>;
	expect(line).toMatchObject({ level: 'info', msg: 'a circle', count: '2n' });
	expect(line['circle']).toContain("name: 'round'");
});

test('a process goes on where nobody reads what it logs any more', async () => {
	const code = `
		const { stat } = await import('node:fs/promises');
		const { structureLogs } = await import('#src/core/log.server.ts');
		structureLogs(1);
		const line = 'x '.repeat(50_000);
		for (let times = 0; times < 200; times++) {
			console.log(line);
			// As lines are written: by a thread of Node's.
			await stat('.');
		}
		process.stderr.write('done');
	`;
	const args = ['-c', '"$0" --input-type=module -e "$1" | head -c 1', process.execPath, code];
	const { stdout, stderr } = await run('/bin/sh', args);
	expect([stdout, stderr]).toEqual(['{', 'done']);
});

test('a process goes on, and ends, where what it logs cannot be written', async () => {
	const code = `
		const { startLog } = await import('#src/core/start-log.server.ts');
		const { once } = await import('node:events');
		await startLog(1);
		console.log('x '.repeat(50_000));
		process.stderr.write('ready');
		await once(process.stdin, 'data');
		console.log('more words');
		// Node tells of it in another turn.
		await new Promise(setImmediate);
		console.log('the last words');
		process.exit(7);
	`;
	const args = ['--input-type=module', '-e', code];
	const full = openSync('/dev/full', 'w');
	onTestFinished(() => closeSync(full));
	const cases = [full, 'pipe' as const].flatMap((stdout) =>
		['json', 'text'].map((format) => ({ stdout, format })),
	);
	for (const { stdout, format } of cases) {
		const env = { ...process.env, LOG_FORMAT: format };
		const child = spawn(process.execPath, args, { env, stdio: ['pipe', stdout, 'pipe'] });
		onTestFinished(() => void child.kill('SIGKILL'));
		child.stdout?.destroy();
		await once(child.stderr!, 'data');
		child.stdin!.write('go on');
		expect([format, ...(await once(child, 'exit'))]).toEqual([format, 7, null]);
	}
});

test('what has been logged is whole, however slowly and in whatever pieces it is read', async () => {
	const code = `
		const { structureLogs } = await import('#src/core/log.server.ts');
		structureLogs(1);
		for (let line = 0; line < 2000; line++) console.log('строка ' + line, '— 🙂 '.repeat(100));
	`;
	const script =
		'"$0" --input-type=module -e "$1" | while IFS= read -r l; do printf "%s\\n" "$l"; done';
	const { stdout } = await run('/bin/sh', ['-c', script, process.execPath, code], {
		maxBuffer: 1e7,
	});
	const lines = stdout.trim().split('\n');
	expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
		Array.from({ length: 2000 }, (_, line) => `строка ${line} ${'— 🙂 '.repeat(100)}`.trim()),
	);
});
