import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HALF_RESTORED, migrateDb, openDb } from '#db/local.ts';
import { comments, posts, subscribers } from '#db/schema.ts';
import { prepareDb } from '#src/build/prepare.ts';
import { archiveTo, restoreArchive } from '#src/cli/archives.ts';
import { recordAudit } from '#src/core/audit/audit.server.ts';
import { Archive } from '#src/features/archive/read.server.ts';
import {
	choosePreference,
	recordBounce,
	unsubscribe,
} from '#src/features/newsletter/newsletter.server.ts';
import { eraseData } from '#src/features/privacy/privacy.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { backup, inspectCopy, intoOneFile, restore } from '#src/cli/backup.ts';
import { rowsOf } from '#tests/support/archive.ts';
import { dieAfter } from '#tests/support/die-after.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';

const NOW = new Date('2026-03-01T12:34:56Z');
let folder: string;
let url: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'backup-'));
	url = `file:${join(folder, 'site.db')}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A database with two posts, a comment and three subscribers, still open. */
async function fill() {
	const db = await openDb(url);
	await migrateDb(db);
	const { id: postId } = await makePost(db, { title: 'One' });
	await makePost(db, { title: 'Two' });
	await db.insert(comments).values({ postId, author: 'Ada', email: 'a@b.c', content: 'Good.' });
	for (let index = 0; index < 3; index++) await makeSubscriber(db);
	return db;
}

test('a copy is made while the database is open, and restored it holds the same', async () => {
	const db = await fill();
	const { file, counts } = await backup(url, join(folder, 'copies'), NOW);
	expect(file).toBe(join(folder, 'copies', 'site-2026-03-01-123456.db'));
	expect(counts).toBe(
		'2 posts, 2 categories, 1 comment, 3 subscribers, 0 enrollments, 0 images, 0 admins',
	);
	await db.delete(posts);
	const emptied = await backup(url, join(folder, 'emptied'), NOW);
	db.$client.close();

	const target = `file:${emptied.file}`;
	const done = await restore(target, file, { force: true, now: NOW });
	expect(done).toEqual({
		...{ counts, away: 0 },
		previousFile: `${emptied.file}.20260301123456.before`,
	});
	const restored = await openDb(target);
	expect(await restored.$count(posts)).toBe(2);
	expect(await restored.$count(comments)).toBe(1);
	expect((await restored.select().from(posts)).map(({ title }) => title).sort()).toEqual([
		'One',
		'Two',
	]);
	restored.$client.close();
	// What was there before is there still.
	const before = await openDb(`file:${done.previousFile}`);
	expect(await before.$count(posts)).toBe(0);
	before.$client.close();
});

test('who left, bounced or erased everything after a copy was made is not made active by it', async () => {
	const db = await fill();
	for (const name of ['left', 'refused', 'erased', 'stays', 'came-back'])
		await makeSubscriber(db, { email: `${name}@x.example` });
	const start = Date.now() + MINUTE;
	const at = (minutes: number) => new Date(start + minutes * MINUTE);
	await unsubscribe(db, { list: 'weekly', email: 'came-back@x.example', seesData: false }, at(1));
	const earlier = await backup(url, join(folder, 'earlier'), NOW);
	const archive = join(folder, 'earlier.zip');
	await archiveTo(db, archive, { now: NOW });
	await choosePreference(db, 'came-back@x.example', 'weekly-join', at(2));
	const event = { actor: 'admin', action: 'signed in', subject: 'admin', detail: '' };
	await recordAudit(db, event, at(2));
	const { file } = await backup(url, folder, NOW);
	await unsubscribe(db, { list: 'weekly', email: 'left@x.example', seesData: false }, at(3));
	await recordBounce(db, 'refused@x.example', true, at(3));
	await eraseData(db, 'erased@x.example', at(3));
	await makeSubscriber(db, { email: 'short@x.example', active: false, leftAt: at(4) });
	const { file: current } = await backup(url, join(folder, 'current'), NOW);
	db.$client.close();
	const target = `file:${current}`;
	const active = async () => {
		const restored = await openDb(target);
		const rows = await restored.select().from(subscribers).orderBy(subscribers.email);
		await intoOneFile(restored);
		restored.$client.close();
		return rows.flatMap(({ email, active }) =>
			email.endsWith('x.example') ? [[email.split('@')[0], active]] : [],
		);
	};
	const expected = (cameBack: boolean) => [
		['came-back', cameBack],
		['left', false],
		['refused', false],
		['short', false],
		['stays', true],
	];
	expect(await restore(target, file, { force: true, now: NOW })).toMatchObject({ away: 3 });
	expect(await active()).toEqual(expected(true));
	// Of an earlier day, and as an archive: who had left then, and came back since, asks again.
	expect(await restore(target, earlier.file, { force: true, now: at(5) })).toMatchObject({
		away: 3,
	});
	expect(await active()).toEqual(expected(false));
	const opened = await Archive.open(archive);
	const options = { databaseUrl: target, force: true, now: at(6) };
	expect(await restoreArchive(opened, options)).toMatchObject({ away: 3 });
	opened.close();
	expect(await active()).toEqual(expected(false));
});

test('a copy is restored where there is no database', async () => {
	const db = await fill();
	const { file } = await backup(url, folder, NOW);
	db.$client.close();
	const other = `file:${join(folder, 'other.db')}`;
	expect((await restore(other, file, { force: false, now: NOW })).previousFile).toBeUndefined();
	const restored = await openDb(other);
	expect(await restored.$count(subscribers)).toBe(3);
	restored.$client.close();
});

test('a database is not replaced without force, nor while somebody has it open', async () => {
	const db = await fill();
	const { file } = await backup(url, folder, NOW);
	await makeSubscriber(db);
	await expect(restore(url, file, { force: true, now: NOW })).rejects.toThrow(
		'A server has this database open: stop it first.',
	);
	expect(await db.$count(subscribers)).toBe(4);
	db.$client.close();
	const other = await backup(`file:${file}`, join(folder, 'other'), NOW);
	await expect(restore(`file:${other.file}`, file, { force: false, now: NOW })).rejects.toThrow(
		/--force/,
	);
	const names = await readdir(folder, { recursive: true });
	expect(names.filter((name) => /before|restoring/.test(name))).toEqual([]);
});

test('what is no copy of ours is refused, and the database stays', async () => {
	const db = await fill();
	db.$client.close();
	const text = join(folder, 'text.db');
	await writeFile(text, 'This is no database at all, but long enough to look like a file.');
	for (const file of [text, join(folder, 'nowhere.db')]) {
		await expect(restore(url, file, { force: true, now: NOW })).rejects.toThrow(/is no|no file/);
	}
	const after = await openDb(url);
	expect(await after.$count(posts)).toBe(2);
	after.$client.close();
});

test('a copy never takes the place of another', async () => {
	const db = await fill();
	const { file } = await backup(url, folder, NOW);
	const { mtimeMs } = await stat(file);
	await expect(backup(url, folder, NOW)).rejects.toThrow(/is there already/);
	expect((await stat(file)).mtimeMs).toBe(mtimeMs);
	db.$client.close();
});

test('a database elsewhere is not copied', async () => {
	await expect(backup('libsql://db.example', folder, NOW)).rejects.toThrow(/npm run archive/);
	await expect(backup(url, folder, NOW)).rejects.toThrow(/There is no database/);
});

test(
	'killed at ten moments of a restore, there is the database of before or the restored one',
	{ tags: ['nightly'], timeout: 120_000 },
	async () => {
		const db = await fill();
		// Of a file that was open here, the process under test would say that a server has it.
		const before = await backup(url, join(folder, 'before'), NOW);
		await makePost(db, { title: 'Three' });
		await db.run(sql`insert into contact_messages (id, name, email, topic, message)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
		select 'm' || i, 'Ada', 'ada@example.com', 'Other', printf('%.2000c', 'x') from n`);
		const { file } = await backup(url, join(folder, 'copies'), NOW);
		db.$client.close();
		const target = join(folder, 'used.db');
		await copyFile(before.file, target);
		const { size } = await stat(file);
		const sizeOf = (name: string) =>
			stat(name).then(
				(found) => found.size,
				() => -1,
			);
		const start = () => {
			const child = fork('src/cli/main.ts', ['restore', file, '--force'], {
				env: { ...process.env, DATABASE_URL: `file:${target}` },
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			});
			return { child, closed: once(child, 'close') };
		};
		const postsNow = async () => {
			const looked = join(folder, `looked-${randomUUID()}.db`);
			await copyFile(target, looked);
			const [, count] = /^(\d) posts/.exec(await inspectCopy(looked))!;
			return Number(count);
		};
		let interrupted = 0;
		for (let moment = 0; moment < 10; moment++) {
			const { child, closed } = start();
			let isClosed = false;
			void closed.then(() => (isClosed = true));
			while (!isClosed && (await sizeOf(`${target}.restoring`)) < (moment / 9) * size)
				await sleep(1);
			child.kill('SIGKILL');
			await closed;
			if ((await sizeOf(`${target}.restoring`)) >= 0) interrupted++;
			expect([2, 3]).toContain(await postsNow());
		}
		expect(interrupted).toBeGreaterThan(0);
		await start().closed;
		expect(await postsNow()).toBe(3);
		expect((await readdir(folder)).filter((name) => /restoring/.test(name))).toEqual([]);
	},
);

test(
	'killed while it restores an archive into a file, there is the database of before or the restored one',
	{ tags: ['nightly'], timeout: 120_000 },
	async () => {
		const db = await fill();
		// Of a file that was open here, the process under test would say that a server has it.
		const { file: before } = await backup(url, join(folder, 'before'), NOW);
		const rowsBefore = await rowsOf(db);
		await makePost(db, { title: 'Three' });
		const rowsAfter = await rowsOf(db);
		const archive = join(folder, 'site.zip');
		await archiveTo(db, archive, { now: NOW });
		db.$client.close();
		const target = join(folder, 'used.db');

		/** Runs the command until it has printed a line that begins like this, or to its end. */
		async function restoreUntil(beginning?: string): Promise<void> {
			const child = fork('src/cli/main.ts', ['restore-archive', archive, '--force'], {
				env: { ...process.env, DATABASE_URL: `file:${target}` },
				execArgv: beginning ? dieAfter(beginning) : [],
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			});
			await once(child, 'close');
		}
		/** Copies a database, because the process under test must find it closed. */
		async function copyOf(file: string): Promise<string> {
			const looked = join(folder, `looked-${randomUUID()}.db`);
			for (const ending of ['', '-wal'])
				await copyFile(file + ending, looked + ending).catch(() => {});
			return looked;
		}
		async function rowsIn(file: string) {
			const opened = await openDb(`file:${await copyOf(file)}`);
			const rows = await rowsOf(opened);
			opened.$client.close();
			return rows;
		}
		const leftBehind = async () =>
			(await readdir(folder)).filter((name) => name.startsWith('used.db.restoring'));

		/** Makes sure that nobody takes what was left behind for a site, or for a copy of one. */
		async function refuseHalf(): Promise<void> {
			const file = await copyOf(`${target}.restoring`);
			const half = await openDb(`file:${file}`);
			try {
				expect(await half.values(sql.raw(HALF_RESTORED))).toHaveLength(1);
				await expect(prepareDb(half)).rejects.toThrow(/npm run restore-archive FILE/);
				await expect(restore(url, file, { force: true, now: NOW })).rejects.toThrow(
					/is what an interrupted restore of an archive left/,
				);
			} finally {
				half.$client.close();
			}
		}

		for (const [isThere, beginning] of [
			[false, 'Restoring posts'],
			[true, 'Restoring categories'],
			[true, 'Restoring posts'],
			[true, 'Restoring subscribers'],
		] as const) {
			await rm(target, { force: true });
			if (isThere) await copyFile(before, target);
			await restoreUntil(beginning);
			expect((await readdir(folder)).includes('used.db')).toBe(isThere);
			if (isThere) expect(await rowsIn(target)).toEqual(rowsBefore);
			await refuseHalf();
		}
		await restoreUntil();
		expect(await rowsIn(target)).toEqual(rowsAfter);
		expect(await leftBehind()).toEqual([]);
	},
);
