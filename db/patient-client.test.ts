import { createClient, type Client, type ResultSet } from '@libsql/client';
import Database from 'libsql';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { drizzle } from 'drizzle-orm/libsql';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import './statements.ts';
import { readingBeside, refusalOf, withSnapshot, setOpener, type Db } from './client.ts';
import { openPatiently } from './patient-client.ts';
import * as schema from './schema.ts';

const PATIENCE_MS = 200;
let folder: string;
let client: Client;
let other: Client;
const refusal = () => refusalOf(drizzle(client, { schema }));
const count = async (by: Client) =>
	Number((await by.execute('select count(*) from numbers')).rows[0]![0]);

/** Every way in which the product writes. */
const WRITES: Record<string, (number: number) => Promise<unknown>> = {
	statement: (number) => client.execute('insert into numbers values (?)', [number]),
	answer: (number) => client.execute('insert into numbers values (?) returning number', [number]),
	batch: (number) => client.batch([{ sql: 'insert into numbers values (?)', args: [number] }]),
	'reading batch': (number) =>
		client.batch([
			'select count(*) from numbers',
			{ sql: 'insert into numbers values (?)', args: [number] },
		]),
	migration: (number) => client.migrate([`insert into numbers values (${number})`]),
};

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'patient-'));
	const url = `file:${join(folder, 'a.db')}`;
	client = openPatiently(url, PATIENCE_MS);
	other = createClient({ url, concurrency: 1, timeout: 50 });
	await client.execute('pragma journal_mode = wal');
	await client.execute('create table numbers (number)');
});
afterEach(async () => {
	client.close();
	other.close();
	await rm(folder, { recursive: true, force: true });
});

/** Lets another connection hold the lock while `work` runs. */
async function locked(work: () => Promise<void>): Promise<void> {
	const transaction = await other.transaction('write');
	await transaction.execute('insert into numbers values (-1)');
	await work();
	await transaction.rollback();
}

test.for(Object.entries(WRITES))(
	'after a %s found the database locked, what is acknowledged is there for others, again and again',
	async ([, write]) => {
		for (let round = 0; round < 3; round++) {
			const before = await count(other);
			await locked(async () => {
				await expect(write(0)).rejects.toThrow('database is locked');
				await expect(write(0)).rejects.toThrow('database is locked');
				expect(await count(client)).toBe(before);
			});
			expect(refusal()).toContain('database is locked');
			let added = 0;
			for (const one of Object.values(WRITES)) {
				await one(1);
				expect(await count(other)).toBe(before + ++added);
			}
			expect(refusal()).toBeUndefined();
			// The lock is free for others as well.
			await other.execute('insert into numbers values (2)');
		}
	},
);

test('a write that finds the database locked waits, and nobody with it who reads', async () => {
	const reads: number[] = [];
	let writing: Promise<unknown> | undefined;
	client.close();
	client = openPatiently(`file:${join(folder, 'a.db')}`, 20_000);
	await locked(async () => {
		writing = Promise.all(Object.values(WRITES).map((write) => write(1)));
		for (let time = 0; time < 5; time++) {
			await sleep(20);
			reads.push(await count(client));
			await client.execute('with some as (select number from numbers) select * from some');
		}
	});
	await writing;
	expect(reads).toEqual([0, 0, 0, 0, 0]);
	expect(await count(other)).toBe(Object.keys(WRITES).length);
});

test('many that wait behind a lock are refused together, not one after another', async () => {
	await locked(async () => {
		const prepare = vi.spyOn(Database.prototype, 'prepare');
		const writes = await Promise.allSettled(Array.from({ length: 200 }, () => WRITES['batch']!(1)));
		const begun = prepare.mock.calls.filter(([text]) => /^begin/i.test(text));
		prepare.mockRestore();
		expect(writes.filter(({ status }) => status === 'rejected')).toHaveLength(200);
		// Each of them would block everything for 20 ms.
		expect(begun.length).toBeGreaterThan(0);
		expect(begun.length).toBeLessThan(100);
	});
	expect(await count(other)).toBe(0);
});

test('a full file refuses what does not fit, says so, and goes on when there is room', async () => {
	const { rows } = await client.execute('pragma page_count');
	await client.execute(`pragma max_page_count = ${Number(rows[0]![0])}`);
	const large = () => client.batch(['insert into numbers values (hex(zeroblob(1e5)))']);
	await expect(large()).rejects.toThrow('SQLITE_FULL');
	await expect(large()).rejects.toThrow('SQLITE_FULL');
	await client.execute('insert into numbers values (1)');
	expect(await count(other)).toBe(1);
	// What is small still fits, so the disk is full all the same.
	expect(refusal()).toContain('SQLITE_FULL');
	await client.execute('pragma max_page_count = 1000000');
	await large();
	expect(await count(other)).toBe(2);
});

test('a connection that can only read is replaced once another can write', async () => {
	await client.execute('pragma query_only = on');
	for (const write of Object.values(WRITES)) await write(1).catch(() => {});
	expect(await count(other)).toBe(Object.keys(WRITES).length - 1);
	expect(refusal()).toBeUndefined();
	expect((await client.execute('pragma synchronous')).rows).toEqual([{ synchronous: 1 }]);
	expect((await client.execute('pragma foreign_keys')).rows).toEqual([{ foreign_keys: 1 }]);
});

test('a connection in which a statement stays in progress acknowledges nothing before it is replaced', async () => {
	let connection: Database.Database | undefined;
	const prepare = vi.spyOn(Database.prototype, 'prepare');
	await client.execute('select 1');
	connection = prepare.mock.contexts[0] as Database.Database;
	prepare.mockRestore();
	await locked(() => expect(WRITES['statement']!(0)).rejects.toThrow('database is locked'));
	// `run` of what returns rows stops at the first one.
	connection.prepare('insert into numbers values (9) returning number, number').run();
	connection = undefined;
	expect(await count(client)).toBe(1);
	expect(await count(other)).toBe(0);
	await WRITES['statement']!(1);
	await WRITES['batch']!(2);
	expect((await other.execute('select number from numbers')).rows).toEqual([
		{ number: 1 },
		{ number: 2 },
	]);
});

test('a snapshot that cannot be taken leaves no connection behind', async () => {
	const db: Db = drizzle(client, { schema });
	const opened = openPatiently(`file:${join(folder, 'a.db')}`, PATIENCE_MS);
	setOpener(db, () => opened);
	vi.spyOn(opened, 'transaction').mockRejectedValue(new Error('SQLITE_BUSY'));
	await expect(withSnapshot(db, async () => {})).rejects.toThrow('SQLITE_BUSY');
	expect(opened.closed).toBe(true);
});

/** Follows the threads that are started from now on. */
function followThreads(): Worker[] {
	const threads: Worker[] = [];
	const follow = (thread: Worker) => threads.push(thread);
	process.on('worker', follow);
	onTestFinished(() => void process.off('worker', follow));
	return threads;
}

test('what is read beside is what is read here, with all kinds of values, and what was just written', async () => {
	const threads = followThreads();
	await client.execute('insert into numbers values (?)', ['ü']);
	const all = `select 1 as one, 2.5 as half, 'ü' as text, null as none, x'00ff' as bytes, 'last' as one,
		? as given, (select group_concat(number) from numbers) as stored`;
	const [here, beside] = [
		await client.execute(all, ['x']),
		await readingBeside(() => client.execute({ sql: all, args: ['x'] })),
	];
	const read = ({ rows, columns, columnTypes, rowsAffected }: ResultSet) => ({
		...{ columns, columnTypes, rowsAffected },
		named: rows.map((row) => ({ ...row })),
		listed: rows.map((row) => Array.prototype.slice.call(row) as unknown),
	});
	expect(read(beside)).toEqual(read(here));
	expect(read(beside).named[0]).toMatchObject({ one: 1, text: 'ü', stored: 'ü' });
	expect(threads).toHaveLength(1);
	await readingBeside(async () => {
		await client.execute('insert into numbers values (1)');
		expect(await count(client)).toBe(2);
		const [first, second] = await client.batch(['select 1', 'select count(*) from numbers']);
		expect([first!.rows[0]![0], second!.rows[0]![0]]).toEqual([1, 2]);
		await expect(client.execute('select * from nowhere')).rejects.toMatchObject({
			message: 'SQLITE_ERROR: no such table: nowhere',
			code: 'SQLITE_ERROR',
		});
		// What only looks like a read writes nothing.
		await expect(
			client.batch(['select 1', 'with a as (select 1) select * from a']),
		).resolves.toHaveLength(2);
	});
	expect(threads).toHaveLength(1);
});

test('a thread that ends while it reads is no failure: its question is answered here, the next one by another thread', async () => {
	const threads = followThreads();
	const long = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000)
		select count(*) from n`;
	await readingBeside(async () => {
		const answers = Array.from({ length: 3 }, () => client.execute(long));
		await vi.waitFor(() => expect(threads).toHaveLength(1));
		await threads[0]!.terminate();
		for (const { rows } of await Promise.all(answers)) expect(rows[0]![0]).toBe(300_000);
		expect((await client.execute('select 7')).rows[0]![0]).toBe(7);
	});
	expect(threads).toHaveLength(2);
	const ended = once(threads[1]!, 'exit');
	client.close();
	await ended;
});
