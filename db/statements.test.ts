import { createClient } from '@libsql/client';
import Database from 'libsql';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import './statements.ts';

let folder: string;
const open = () => createClient({ url: `file:${join(folder, 'a.db')}`, concurrency: 1 });

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'statements-'));
	const db = open();
	await db.executeMultiple('create table things (name, size); insert into things values (1, 2)');
	db.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps the statements of a connection, but for rare ones and those of all columns', () => {
	const [one, other] = [0, 1].map(() => new Database(join(folder, 'a.db')));
	const isKept = (text: string) => one!.prepare(text) === one!.prepare(text);
	expect(isKept('select name, count(*) from things where size = ?')).toBe(true);
	expect(isKept('update things set size = ?')).toBe(true);
	expect(isKept('select * from things')).toBe(false);
	expect(isKept('select size, things.* from things')).toBe(false);
	expect(isKept('delete from things returning *')).toBe(false);
	expect(isKept('pragma user_version')).toBe(false);
	const text = 'select size from things';
	expect(one!.prepare(text)).not.toBe(other!.prepare(text));
	for (let number = 0; number < 300; number++) one!.prepare(`select ${number}`);
	const again = one!.prepare(text);
	expect(one!.prepare(text)).toBe(again);
	one!.close();
	other!.close();
});

it('gives each call what it asks with its own values', async () => {
	const db = open();
	for (let size = 0; size < 3; size++) {
		const { rowsAffected } = await db.execute({ sql: 'update things set size = ?', args: [size] });
		expect(rowsAffected).toBe(1);
		const sql = 'select size, ? as given from things';
		expect((await db.execute({ sql, args: [`${size}`] })).rows).toEqual([
			{ size, given: `${size}` },
		]);
	}
	db.close();
});

it('sees what another connection wrote, and what became of its tables', async () => {
	const [one, other] = [open(), open()];
	const count = async () => (await one.execute('select count(*) as n from things')).rows[0]?.n;
	expect(await count()).toBe(1);
	await other.execute('insert into things values (3, 4)');
	expect(await count()).toBe(2);
	const all = async () => Object.keys((await one.execute('select * from things')).rows[0]!);
	const named = () => one.execute('select name, size from things');
	expect(await all()).toEqual(['name', 'size']);
	expect((await named()).columns).toEqual(['name', 'size']);
	await one.execute('alter table things add column weight default 5');
	expect(await all()).toEqual(['name', 'size', 'weight']);
	await other.execute('alter table things drop column size');
	await expect(named()).rejects.toThrow('no such column: size');
	await other.execute('drop table things');
	await expect(count()).rejects.toThrow('no such table: things');
	one.close();
	other.close();
});

it('goes on after a statement failed, in and outside of a batch', async () => {
	const db = open();
	await db.execute('create unique index names on things (name)');
	const insert = (name: number) => ({
		sql: 'insert into things values (?, 0) returning name',
		args: [name],
	});
	await expect(db.execute(insert(1))).rejects.toThrow('UNIQUE');
	await expect(db.batch([insert(2), insert(1)], 'write')).rejects.toThrow('UNIQUE');
	expect((await db.execute(insert(2))).rows).toEqual([{ name: 2 }]);
	await db.execute('vacuum');
	expect((await db.batch([insert(3), insert(4)], 'write')).map(({ rows }) => rows)).toEqual([
		[{ name: 3 }],
		[{ name: 4 }],
	]);
	db.close();
});

it('reads on while what it read before is collected', async () => {
	const db = open();
	const numbers =
		'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select i from n';
	const { setFlagsFromString } = await import('node:v8');
	const { runInNewContext } = await import('node:vm');
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	for (let round = 0; round < 20; round++) {
		const { rows } = await db.execute({ sql: numbers, args: [1000] });
		expect(rows.at(-1)).toEqual({ i: 1000 });
		expect(rows).toHaveLength(1000);
		collect();
	}
	db.close();
});

it('is used by the client', async () => {
	const prepare = vi.spyOn(Database.prototype, 'prepare');
	const db = open();
	await db.execute('select name from things');
	expect(prepare).toHaveBeenCalledWith('select name from things');
	prepare.mockRestore();
	db.close();
});

it('keeps no connection that is closed with an error of it that somebody keeps', async () => {
	const errors: unknown[] = [];
	const attempt = (work: () => unknown) => {
		try {
			work();
		} catch (error) {
			errors.push(error);
		}
	};
	const use = () => {
		const connection = new Database(':memory:');
		connection.exec('create table numbers (number unique)');
		attempt(() => connection.prepare('select * from nothing'));
		for (let time = 0; time < 2; time++)
			attempt(() => connection.prepare('insert into numbers values (1)').run([]));
		connection.close();
		return new WeakRef(connection);
	};
	const used = use();
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	// Another thread of V8 may hold it for a while, and no runner may print it: a closed one that is looked into ends the process.
	const isKept = () => {
		collect();
		return used.deref() !== undefined;
	};
	await expect.poll(isKept, { timeout: 10_000 }).toBe(false);
	expect(errors).toHaveLength(2);
});
