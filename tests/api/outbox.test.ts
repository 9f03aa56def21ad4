import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { outbox } from '#db/schema.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { consumeAttempt } from '#src/core/limits/limits.server.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { emailCourier } from '#src/core/outbox/mail.server.ts';
import { paceOf } from '#src/core/outbox/kinds.ts';
import { MAX_ATTEMPTS, OutageError, PermanentError } from '#src/core/outbox/outbox.ts';
import {
	countOutbox,
	deliver,
	enqueue,
	DELIVERY_CONCURRENCY,
	recallDeliveries,
	type Delivery,
} from '#src/core/outbox/outbox.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { useTestDb } from '#tests/support/db.ts';

const SECRET = 'a secret that only the tests know';
const START = new Date('2026-01-01T12:00:00Z');
const later = (ms: number) => new Date(START.getTime() + ms);
const letter = (key: string) => ({ kind: 'welcome' as const, key, payload: { key } });

test('what was queued is delivered once, however often it is queued and the outbox is worked', async () => {
	const db = await useTestDb();
	const taken: string[] = [];
	const couriers = { welcome: async ({ key }: { key: string }) => void taken.push(key) };
	await db.batch([enqueue(db, letter('a'), START), enqueue(db, letter('a'), START)]);
	await enqueue(db, letter('b'), START);
	expect(await deliver(db, { couriers, now: () => START })).toBe(2);
	expect(await deliver(db, { couriers, now: () => later(MINUTE) })).toBe(0);
	expect(taken.sort()).toEqual(['a', 'b']);
	const [row] = await db.select().from(outbox).where(eq(outbox.key, 'a'));
	expect(row).toMatchObject({ dueAt: null, deliveredAt: START, failedAt: null, attempts: 1 });
});

test('nothing leaves before it is due, and kinds that nobody carries wait', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), later(1));
	await enqueue(db, { ...letter('b'), kind: 'build' }, START);
	const couriers = { welcome: async () => {} };
	expect(await deliver(db, { couriers, now: () => START })).toBe(0);
	expect(await deliver(db, { couriers, now: () => later(1) })).toBe(1);
	const [parcel] = await db.select().from(outbox).where(eq(outbox.kind, 'build'));
	expect(parcel).toMatchObject({ attempts: 0, deliveredAt: null });
});

test('a failure is kept with its reason, tried again within 15 seconds, and given up in the end', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), START);
	let now = START;
	let tries = 0;
	const couriers = {
		welcome: async () => {
			tries++;
			throw new Error('The line is busy.');
		},
	};
	await deliver(db, { couriers, now: () => now });
	const [failed] = await db.select().from(outbox);
	expect(failed).toMatchObject({ attempts: 1, lastError: 'The line is busy.', leasedUntil: null });
	expect(failed!.dueAt!.getTime() - START.getTime()).toBeLessThanOrEqual(15 * SECOND);
	for (let index = 0; index < MAX_ATTEMPTS + 5; index++) {
		now = new Date(now.getTime() + 90 * MINUTE);
		await deliver(db, { couriers, now: () => now });
	}
	expect(tries).toBe(MAX_ATTEMPTS);
	const [dead] = await db.select().from(outbox);
	expect(dead).toMatchObject({ dueAt: null, deliveredAt: null, attempts: MAX_ATTEMPTS });
	expect(dead!.failedAt).not.toBeNull();
});

test('a refusal for good is not tried again', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), START);
	const couriers = {
		welcome: async () => {
			throw new PermanentError('No such person.');
		},
	};
	await deliver(db, { couriers, now: () => START });
	const [row] = await db.select().from(outbox);
	expect(row).toMatchObject({ dueAt: null, failedAt: START, lastError: 'No such person.' });
});

test('new deliveries go before those that failed', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('old'), START);
	let isFailing = true;
	const taken: string[] = [];
	const couriers = {
		welcome: async ({ key }: { key: string }) => {
			if (isFailing) throw new Error('Not now.');
			taken.push(key);
		},
	};
	await deliver(db, { couriers, now: () => START });
	for (let index = 0; index < 10; index++) {
		await enqueue(db, letter(`new ${index}`), later(MINUTE));
	}
	isFailing = false;
	await deliver(db, { couriers, now: () => later(MINUTE) });
	expect(taken.at(-1)).toBe('old');
	expect(taken).toHaveLength(11);
});

test('two workers at once never take the same delivery', async () => {
	const db = await useTestDb();
	for (let index = 0; index < 60; index++) await enqueue(db, letter(String(index)), START);
	const taken: string[] = [];
	const couriers = {
		welcome: async ({ key }: { key: string }) => {
			await new Promise((resolve) => setTimeout(resolve, 1));
			taken.push(key);
		},
	};
	const work = () => deliver(db, { couriers, now: () => START });
	const counts = await Promise.all([work(), work(), work()]);
	expect(counts.reduce((sum, count) => sum + count)).toBe(60);
	expect(new Set(taken).size).toBe(60);
	expect(taken).toHaveLength(60);
});

test('what a dead worker held is taken over when its lease has run out, and its late word does not count', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), START);
	const begun = Promise.withResolvers<void>();
	const hangs = Promise.withResolvers<void>();
	const hanging = {
		welcome: () => {
			begun.resolve();
			return hangs.promise;
		},
	};
	const first = deliver(db, { couriers: hanging, now: () => START });
	await begun.promise;
	const couriers = { welcome: async () => {} };
	expect(await deliver(db, { couriers, now: () => later(MINUTE) })).toBe(0);
	expect(await deliver(db, { couriers, now: () => later(2 * MINUTE) })).toBe(1);
	hangs.reject(new Error('Too late.'));
	expect(await first).toBe(0);
	const [row] = await db.select().from(outbox);
	expect(row).toMatchObject({ dueAt: null, failedAt: null, lastError: null });
});

test('an email that another worker took over while the sending process started is not sent', async () => {
	const db = await useTestDb();
	await enqueue(db, { ...letter('a'), recipient: 'ada@example.com' }, START);
	const begun = Promise.withResolvers<void>();
	const started = Promise.withResolvers<void>();
	const open = () => {
		begun.resolve();
		return started.promise;
	};
	const send = vi.fn(async () => {});
	const rendered = { subject: '', html: '', text: '', links: { leave: '', preferences: '' } };
	const courier = emailCourier(
		db,
		{ ...getEnv(), SECRET },
		{ open, send, close: () => {} },
		async () => rendered,
		async () => {},
	);
	const first = deliver(db, { couriers: { welcome: courier }, now: () => START });
	await begun.promise;
	const other = { couriers: { welcome: async () => {} }, now: () => later(2 * MINUTE) };
	expect(await deliver(db, other)).toBe(1);
	started.resolve();
	expect(await first).toBe(0);
	expect(send).not.toHaveBeenCalled();
});

test('what was accepted is not sent again after its worker died before it could record that', async () => {
	const db = await useTestDb();
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-accepted-'));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const accepted = acceptedDeliveries({ DATABASE_URL: `file:${join(folder, 'site.db')}` })!;
	const sent: string[] = [];
	const couriers = {
		welcome: async ({ key }: Delivery, _now: Date, markSending: () => Promise<void>) => {
			await markSending();
			sent.push(key);
		},
	};
	const dying = (id: string) => {
		accepted.add(id);
		throw new Error('killed');
	};
	await enqueue(db, letter('a'), START);
	const first = deliver(db, { couriers, accepted: { ...accepted, add: dying }, now: () => START });
	await expect(first).rejects.toThrow('killed');
	// A letter may be paused meanwhile, which takes the place of the note.
	await db.update(outbox).set({ lastError: 'The letter is paused.' });
	const afterLease = { couriers, now: () => later(3 * MINUTE) };
	expect(await deliver(db, { ...afterLease, accepted })).toBe(1);
	expect(sent).toEqual(['a']);
	expect(await db.select().from(outbox)).toMatchObject([{ dueAt: null, lastError: null }]);
	// One that was underway without an answer is sent again, because losing it would be worse.
	await enqueue(db, letter('b'), START);
	const second = deliver(db, {
		couriers,
		accepted: { ...accepted, add: () => dying('another') },
		now: () => START,
	});
	await expect(second).rejects.toThrow('killed');
	expect(await deliver(db, { ...afterLease, accepted })).toBe(1);
	expect(sent).toEqual(['a', 'b', 'b']);
	expect(await readdir(join(folder, 'site.accepted'))).toEqual(['another']);
});

test('a worker that may wait retries as soon as it is due, and no longer than it may', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), START);
	let now = START;
	let tries = 0;
	const couriers = {
		welcome: async () => {
			tries++;
			throw new Error('Not yet.');
		},
	};
	const wait = async (ms: number) => void (now = new Date(now.getTime() + ms));
	const until = later(20 * SECOND);
	expect(await deliver(db, { couriers, now: () => now, random: () => 0.5, wait, until })).toBe(0);
	expect(tries).toBe(2);
	expect(now).toEqual(later(12 * SECOND));
});

test('a worker starts nothing after its time, and gives back what it holds as if it had not been tried', async () => {
	const db = await useTestDb();
	for (let index = 0; index < 40; index++) await enqueue(db, letter(String(index)), START);
	let now = later(SECOND);
	const until = later(10 * SECOND);
	const started: Date[] = [];
	const couriers = {
		welcome: async () => {
			started.push(now);
			await new Promise((resolve) => setTimeout(resolve, 1));
			now = new Date(now.getTime() + SECOND);
		},
	};
	const delivered = await deliver(db, { couriers, now: () => now, until });
	expect(started.filter((at) => at >= until)).toEqual([]);
	expect(delivered).toBe(started.length);
	const open = await db.select().from(outbox).where(isNotNull(outbox.dueAt));
	expect(open).toHaveLength(40 - delivered);
	for (const row of open) {
		expect(row).toMatchObject({ attempts: 0, dueAt: START, leasedUntil: null, lastError: null });
	}
});

test('a worker that is told to stop lets what is underway arrive, starts nothing more and gives back the rest', async () => {
	const db = await useTestDb();
	for (let index = 0; index < 20; index++) await enqueue(db, letter(String(index)), START);
	const ending = new AbortController();
	const done: string[] = [];
	const couriers = {
		welcome: async ({ key }: { key: string }) => {
			await new Promise((resolve) => setTimeout(resolve, 20));
			ending.abort();
			done.push(key);
		},
	};
	const work = { couriers, now: () => START, until: later(DAY), signal: ending.signal };
	const delivered = await deliver(db, work);
	expect(delivered).toBe(DELIVERY_CONCURRENCY);
	expect(done).toHaveLength(DELIVERY_CONCURRENCY);
	expect(await db.$count(outbox, and(eq(outbox.attempts, 0), isNull(outbox.leasedUntil)))).toBe(15);
	expect(await deliver(db, work)).toBe(0);
	expect(await deliver(db, { ...work, signal: new AbortController().signal })).toBe(15);
});

test('while a third party rests, a worker sleeps until the rest ends or until what is for others is due', async () => {
	const db = await useTestDb();
	vi.spyOn(console, 'error').mockImplementation(() => {});
	for (let index = 0; index < 8; index++) await enqueue(db, letter(String(index)), START);
	await enqueue(db, { ...letter('parcel'), kind: 'build' }, later(8 * SECOND));
	let now = START;
	const tries: Record<string, number[]> = { welcome: [], build: [] };
	const note = (kind: string) => void tries[kind]!.push(now.getTime() - START.getTime());
	const couriers = {
		welcome: async () => {
			note('welcome');
			throw new OutageError('Nobody answers.');
		},
		build: async () => note('build'),
	};
	const waits: number[] = [];
	const wait = async (ms: number) => {
		if (waits.push(ms) > 20) throw new Error('It spins.');
		now = new Date(now.getTime() + ms);
	};
	const until = later(9 * SECOND);
	expect(await deliver(db, { couriers, now: () => now, random: () => 0.5, wait, until })).toBe(1);
	expect(tries).toEqual({
		welcome: [0, 0, 0, 0, 0, 5000, 5000, 5000],
		build: [8000],
	});
	expect(waits).toHaveLength(2);
});

test('what a clock put off is due again, and stays with whoever is sending it', async () => {
	const db = await useTestDb();
	await enqueue(db, letter('a'), later(3 * HOUR));
	await recallDeliveries(db, START);
	let sent = 0;
	let arrive = () => {};
	const couriers = {
		welcome: async (_delivery: Delivery, _now: Date, begin: () => Promise<void>) => {
			await begin();
			sent++;
			await new Promise<void>((resolve) => (arrive = resolve));
		},
	};
	const first = deliver(db, { couriers, now: () => START });
	await vi.waitFor(() => expect(sent).toBe(1));
	await recallDeliveries(db, later(SECOND));
	expect(
		await deliver(db, { couriers: { welcome: async () => {} }, now: () => later(SECOND) }),
	).toBe(0);
	arrive();
	expect(await first).toBe(1);
	expect(await db.select().from(outbox)).toMatchObject([{ deliveredAt: START, attempts: 1 }]);

	// A lease of the clock that had gone ahead is nobody's.
	await enqueue(db, letter('b'), later(3 * HOUR));
	await db
		.update(outbox)
		.set({ leasedUntil: later(3 * HOUR) })
		.where(eq(outbox.key, 'b'));
	await recallDeliveries(db, START);
	expect(await deliver(db, { couriers: { welcome: async () => {} }, now: () => START })).toBe(1);
});

test('no statement of the queue reads what was closed long ago', async () => {
	const db = await useTestDb();
	const spy = vi.spyOn(db.$client, 'execute');
	await deliver(db, { couriers: { welcome: async () => {} }, until: later(DAY), now: () => START });
	await recallDeliveries(db, START);
	await countOutbox(db, START);
	const queue = spy.mock.calls.length;
	const pace = paceOf('welcome');
	for (let index = 0; index < pace.count; index++) {
		await consumeAttempt(db, pace, SECRET, 'example.com', START);
	}
	await enqueue(db, { ...letter('a'), recipient: 'ada@example.com' }, START);
	const transport = { send: async () => {}, close: () => {} };
	const rendered = { subject: '', html: '', text: '', links: { leave: '', preferences: '' } };
	const env = { ...getEnv(), SECRET };
	const courier = emailCourier(
		db,
		env,
		transport,
		async () => rendered,
		async () => {},
	);
	expect(await deliver(db, { couriers: { welcome: courier }, now: () => START })).toBe(0);
	const statements = (spy.mock.calls as unknown[][])
		.map(([one]) => one as { sql: string; args: [] })
		.filter((one, index) => index < queue || one.sql.includes('instr('))
		.filter((one) => !one.sql.includes('"meta"'));
	expect(statements).toHaveLength(7 + 1);
	for (const { sql, args } of statements) {
		const plan = await db.$client.execute({ sql: `explain query plan ${sql}`, args });
		const steps = JSON.stringify(plan.rows);
		expect(steps, sql).toMatch(/USING (COVERING )?INDEX outbox_(due|failed)/);
		expect(steps, sql).not.toMatch(/SCAN outbox(?! USING)|outbox_once/);
	}
});

test('of many deliveries others get their turn after a few, and none is written for a domain whose pace is used up', async () => {
	const db = await useTestDb();
	const pace = paceOf('welcome');
	for (let index = 0; index < pace.count - 2; index++)
		await consumeAttempt(db, pace, SECRET, 'example.com', START);
	for (let index = 0; index < 60; index++)
		await enqueue(db, { ...letter(`${index}`), recipient: `a${index}@example.com` }, START);
	for (let index = 0; index < 30; index++)
		await enqueue(db, { ...letter(`b${index}`), recipient: `b${index}@b${index}.example` }, START);
	let turn = 0;
	let next = setImmediate(function count() {
		turn++;
		next = setImmediate(count);
	});
	onTestFinished(() => clearImmediate(next));
	const written: { turn: number; to: string }[] = [];
	const rendered = { subject: '', html: '', text: '', links: { leave: '', preferences: '' } };
	const courier = emailCourier(
		db,
		{ ...getEnv(), SECRET },
		{ send: async () => {}, close: () => {} },
		async ({ recipient }) => {
			written.push({ turn, to: recipient! });
			return rendered;
		},
		async () => {},
	);
	expect(await deliver(db, { couriers: { welcome: courier }, now: () => START })).toBe(32);
	const full = written.filter(({ to }) => to.endsWith('@example.com'));
	// Two fit, and those that were begun together with the first that did not.
	expect(full.length).toBeLessThan(2 + DELIVERY_CONCURRENCY);
	for (const those of Map.groupBy(written, (one) => one.turn).values())
		expect(those.length).toBeLessThanOrEqual(DELIVERY_CONCURRENCY);
	const now = later(pace.windowMs + SECOND);
	expect(await deliver(db, { couriers: { welcome: courier }, now: () => now })).toBe(58);
});

test('a mail server that is away is told of once, its letters age from when they were queued, and its return is told', async () => {
	const db = await useTestDb();
	const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
	const said = vi.spyOn(console, 'log').mockImplementation(() => {});
	const dead = async () => {
		throw new OutageError('connect ECONNREFUSED 127.0.0.1:2599');
	};
	await enqueue(db, letter('a'), START);
	await enqueue(db, letter('b'), later(MINUTE));
	// Due tomorrow, which is no outage.
	await enqueue(db, { ...letter('c'), dueAt: sql`${later(DAY).getTime()}` }, later(-HOUR));
	for (const minute of [0, 1, 10, 90])
		await deliver(db, { couriers: { welcome: dead }, now: () => later(minute * MINUTE) });
	expect(failed.mock.calls).toEqual([
		['Emails cannot be delivered and wait: connect ECONNREFUSED 127.0.0.1:2599'],
	]);
	// Each try has put them off into the future.
	expect(await countOutbox(db, later(91 * MINUTE))).toMatchObject({
		waiting: 3,
		oldest: START,
		sent: null,
	});

	const now = later(6 * HOUR);
	expect(await deliver(db, { couriers: { welcome: async () => {} }, now: () => now })).toBe(2);
	expect(said.mock.calls).toEqual([['Emails can be delivered again.']]);
	expect(await countOutbox(db, now)).toMatchObject({ waiting: 1, oldest: null, sent: now });
});
