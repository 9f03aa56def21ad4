/** Mail through death: workers that are killed at random while a real SMTP server fails at random. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isNotNull, isNull } from 'drizzle-orm';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, letters, outbox, subscribers } from '#db/schema.ts';
import { steerLetter } from '#src/features/newsletter/letters.server.ts';
import { fastClock } from './fast-clock.ts';
import { PromptServer } from './prompt-server.ts';

export type Outcome = {
	kills: number;
	refused: number;
	dropped: number;
	seconds: number;
	/** How many recipients got how many emails. */
	recipients: Record<number, number>;
	/** Recipients of several emails that did not all have one Message-ID, and those who should have got none. */
	strangers: number;
	/** Rows that are not delivered. */
	open: number;
};

const WORKERS = 3;
const REFUSED = 0.1;
const DROPPED = 0.04;
/** How much faster the clock of the letter runs, so that leases of the dead and retries are not waited for that long. */
const SPEED = 10;
/** Longest pause between two kills, in milliseconds. */
const PAUSE_MS = 300;

/**
 * Sends a letter to the `count` readers of a topic, among others who left or chose another, and kills a worker at random
 * until `kills` died and nothing is left to send. The letter is paused in the middle and resumed.
 */
export async function crash({ count, kills }: { count: number; kills: number }): Promise<Outcome> {
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-crash-'));
	const url = `file:${join(folder, 'crash.db')}`;
	const db = await openDb(url);
	await migrateDb(db);
	const addresses = (name: string) =>
		Array.from({ length: count }, (_, n) => `${name}${n}@example${n % 40}.com`);
	const emails = addresses('reader');
	await db.insert(categories).values({ id: 'vision', name: 'Vision', slug: 'vision' });
	const readers = [
		// Who chose nothing wants everything.
		...emails.map((email, n) => ({ email, topics: n % 2 ? ['vision'] : [] })),
		...addresses('other').map((email) => ({ email, topics: ['robotics'] })),
		...addresses('left').map((email) => ({ email, active: false })),
	];
	for (let from = 0; from < readers.length; from += 500)
		await db.insert(subscribers).values(readers.slice(from, from + 500));
	await db.insert(letters).values({
		...{ id: 'letter', subject: 'A word', topic: 'vision' },
		...{ content: '<p>Hello.</p>', html: '<p>Hello.</p>', text: 'Hello.' },
	});
	const sink = await startSink();
	const started = Date.now();
	const workers = new Set<ChildProcess>();
	/** Those that have begun to deliver. */
	const working = new Set<ChildProcess>();
	const start = () => {
		const file = fileURLToPath(new URL('crash-worker.ts', import.meta.url));
		const worker = fork(file, [url, sink.url, String(started), String(SPEED)], {
			stdio: 'inherit',
		});
		workers.add(worker);
		worker.once('message', () => working.add(worker));
		worker.once('exit', () => workers.delete(worker) && working.delete(worker));
	};
	const isOpen = async () =>
		(await db.$count(letters, isNull(letters.queuedAt))) +
			(await db.$count(outbox, isNotNull(outbox.dueAt))) >
		0;
	const steer = (action: 'pause' | 'resume') =>
		steerLetter(db, 'letter', action, 'the owner', fastClock(started, SPEED));
	let killed = 0;
	let isPaused = false;
	while (killed < kills || (await isOpen())) {
		// Paused for the middle third, while workers go on dying.
		const wantsPause = killed >= kills / 3 && killed < (kills * 2) / 3;
		if (wantsPause !== isPaused) {
			isPaused = wantsPause;
			await steer(isPaused ? 'pause' : 'resume');
		}
		while (workers.size < WORKERS) start();
		await sleep(Math.random() * PAUSE_MS);
		if (killed >= kills) continue;
		const alive = [...working];
		const victim = alive[Math.floor(Math.random() * alive.length)];
		if (victim?.kill('SIGKILL')) {
			await once(victim, 'exit');
			killed++;
		}
	}
	const ends = [...workers].map((worker) => once(worker, 'exit'));
	for (const worker of workers) worker.kill('SIGKILL');
	await Promise.all(ends);
	const open = count - (await db.$count(outbox, isNotNull(outbox.deliveredAt)));
	db.$client.close();
	// Processes that outlived their worker have ended then.
	await sink.close();
	await rm(folder, { recursive: true, force: true });
	const recipients: Record<number, number> = { 0: 0, 1: 0, 2: 0 };
	let strangers = 0;
	for (const email of emails) {
		const ids = sink.received.get(email) ?? [];
		recipients[ids.length] = (recipients[ids.length] ?? 0) + 1;
		if (new Set(ids).size > 1) strangers++;
	}
	strangers += [...sink.received.keys()].filter((email) => !emails.includes(email)).length;
	return {
		kills: killed,
		refused: sink.failures.refused,
		dropped: sink.failures.dropped,
		seconds: (Date.now() - started) / 1000,
		recipients,
		strangers,
		open,
	};
}

/** A server that refuses some recipients for now, hangs up on some messages, and keeps who got which Message-ID. */
async function startSink() {
	const received = new Map<string, string[]>();
	const failures = { refused: 0, dropped: 0 };
	const server = new PromptServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		logger: false,
		disableReverseLookup: true,
		onRcptTo(_address, _session, done) {
			if (Math.random() >= REFUSED) return done();
			failures.refused++;
			done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
		},
		onData(stream, session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				if (Math.random() < DROPPED) {
					failures.dropped++;
					for (const one of server.connections)
						if (one.session.id === session.id) one._socket.destroy();
					return;
				}
				const head = Buffer.concat(chunks).toString('latin1');
				const to = session.envelope.rcptTo[0]!.address;
				const id = /^Message-ID: (.*)$/m.exec(head)?.[1] ?? '';
				received.set(to, [...(received.get(to) ?? []), id.trim()]);
				done();
			});
		},
	});
	server.on('error', () => {});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	return {
		url: `smtp://127.0.0.1:${port}`,
		received,
		failures,
		close: () => new Promise<void>((resolve) => server.close(resolve)),
	};
}
