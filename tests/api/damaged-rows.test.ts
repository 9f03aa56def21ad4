import { isUtf8 } from 'node:buffer';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { getTableConfig, SQLiteTable, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { strToU8, zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import * as schema from '#db/schema.ts';
import { deliverFor, queueDue } from '#functions/lib/deliver.ts';
import maintain from '#functions/maintenance.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import * as moderation from '#src/features/comments/moderation.api.ts';
import { readFile } from '#src/features/import-export/read-file.ts';
import { collectData } from '#src/features/privacy/privacy.server.ts';
import { getPreferences, unsubscribe } from '#src/features/newsletter/newsletter.server.ts';
import * as editing from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { call } from '#src/lib/endpoint.ts';
import { fetchApi, paths } from '#tests/support/api.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';
import { archiveOf, setup as setupImports } from '#tests/support/import-export.ts';

const ADA = 'ada@example.com';

/** Tables whose rows only this program and its files make, or that pages read after `checkRows` has looked at them. */
const OWN = ['users', 'settings', 'meta', 'states', 'issues', 'rendered_posts', 'content_problems'];

const tables = Object.values(schema).filter((table) => is(table, SQLiteTable));
const textsOf = (table: SQLiteTable) =>
	Object.values(getTableColumns(table) as Record<string, SQLiteColumn>).filter(({ dataType }) =>
		['string', 'json'].includes(dataType),
	);

/** Adds a byte that is no text to every text of every table, apart from keys, addresses and names of kinds. */
async function damage(db: Db): Promise<string[]> {
	await db.run(sql`drop trigger audit_log_update`);
	const damaged = [];
	for (const table of tables) {
		if (OWN.includes(getTableName(table))) continue;
		const { foreignKeys } = getTableConfig(table);
		const refers = foreignKeys.flatMap((key) => key.reference().columns);
		for (const column of textsOf(table)) {
			const { name, dataType } = column;
			const isKey = column.primary || refers.includes(column) || /_id$|^slug$|^digest$/.test(name);
			if (isKey || ['email', 'recipient', 'kind', 'state', 'key', 'type'].includes(name)) continue;
			const bad =
				dataType === 'json'
					? sql`rtrim(cast(${column} as text), '}') || ',"more":"' || x'ff' || '"}'`
					: sql`${column} || x'ff'`;
			await db.run(sql`update ${table} set ${sql.identifier(name)} = ${bad}`);
			damaged.push(`${getTableName(table)}.${name}`);
		}
	}
	return damaged;
}

/** A site with a row in every table that people outside write to. */
async function setup() {
	const { db, admin, categoryId } = await setupImports();
	const post = await makePost(db, { id: 'p1', title: 'One', tags: ['Speed'], categoryId });
	await call(
		editing.saveDraft,
		{ id: 'p1', form: { ...emptyForm, title: 'One' }, version: null, baseVersion: 1 },
		admin,
	);
	await call(editing.discardDraft, { id: 'p1' }, admin);
	await call(
		editing.saveDraft,
		{ id: 'p1', form: { ...emptyForm, title: 'Two' }, version: null, baseVersion: 1 },
		admin,
	);
	const now = new Date();
	await db.insert(schema.comments).values([
		{ id: 'c1', postId: 'p1', author: 'Ada', email: ADA, content: 'Good.', createdAt: new Date(0) },
		{ id: 'c2', postId: 'p1', author: 'Ada', email: ADA, content: 'Old.', createdAt: now },
	]);
	await makeSubscriber(db, { email: ADA, name: 'Ada', lastName: 'L', source: 'Form' });
	await db.insert(schema.enrollments).values({ email: ADA, nextAt: now });
	await db
		.insert(schema.contactMessages)
		.values({ name: 'Ada', email: ADA, topic: 'Other', message: 'Hello' });
	await db.insert(schema.outbox).values({
		id: 'o1',
		kind: 'contact',
		key: 'o1',
		recipient: ADA,
		payload: { name: 'Ada', email: ADA, topic: 'Other', message: 'Hello' },
		dueAt: now,
	});
	await db.insert(schema.redirects).values({ slug: 'earlier', postId: 'p1' });
	await db.insert(schema.media).values({
		id: 'm1',
		name: 'a.png',
		type: 'image/png',
		width: 1,
		height: 1,
		size: 1,
		digest: 'd',
		bytes: Buffer.alloc(1),
	});
	await db.insert(schema.imports).values({ id: 'i1', name: 'a.zip', kind: 'Markdown' });
	await db.insert(schema.importItems).values({ importId: 'i1', kind: 'post', itemId: 'p1' });
	return { db, admin, post };
}

test('bytes that are no text, in any row that others wrote, end no request and no job', async () => {
	// What the export leaves out is logged.
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { db, admin } = await setup();
	const [revision] = await db.select({ id: schema.revisions.id }).from(schema.revisions);
	const damaged = await damage(db);
	expect(damaged).toEqual(
		expect.arrayContaining([
			'comments.content',
			'contact_messages.message',
			'subscribers.name',
			'outbox.payload',
			'sessions.user_agent',
			'audit_log.detail',
			'drafts.form',
			'posts.title',
			'tags.name',
			'media.name',
		]),
	);

	expect(await (await fetchApi()('/api/posts/p1/comments')).json()).toHaveLength(2);
	const ids: Record<string, string> = { posts: 'p1', mail: 'o1', media: 'm1', imports: 'i1' };
	const read = (await paths()).filter(
		(path) => path.startsWith('/api/admin/') && !path.includes('*'),
	);
	for (const path of read) {
		const address = path
			.replace(/(\w+)\/:id/, (_, kind: string) => `${kind}/${ids[kind]}`)
			.replace(':revision', revision!.id);
		const response = await admin(`${address}?ids=m1`);
		expect(response.status, address).not.toBe(500);
		await response.arrayBuffer();
	}
	expect(
		await call(moderation.listAllComments, { page: 1, sort: '-created', q: '' }, admin),
	).toMatchObject({
		rows: [
			{ author: 'Ada�', content: 'Old.�' },
			{ author: 'Ada�', content: 'Good.�' },
		],
	});
	const { undo } = await call(moderation.deleteComments, { ids: ['c1'] }, admin);
	expect(await call(undoAction, { token: undo! }, admin)).toMatchObject({ changed: 1 });
	await archiveOf(admin);

	const now = new Date();
	expect(await collectData(db, ADA, now)).toMatchObject({
		newsletter: { name: 'Ada�' },
		messages: [{ message: 'Hello�' }],
	});
	await getPreferences(db, ADA, now);
	await queueDue(() => true);
	await deliverFor(0);
	await maintain();
	await unsubscribe(db, { list: 'weekly', email: ADA, seesData: false }, now);
	await call(editing.updatePost, { id: 'p1', title: 'Mended', content: '<p>x</p>' }, admin);
});

test('a time that is none keeps nothing else from the lists', async () => {
	const { db, admin } = await setup();
	await db.run(sql`update comments set created_at = 9223372036854775807 where id = 'c1'`);
	await db.run(sql`update comments set created_at = 'once' where id = 'c2'`);
	await db.run(sql`update subscribers set created_at = 'once'`);
	await db.run(sql`update outbox set payload = 'nope', created_at = 'once'`);
	for (const name of ['comments', 'subscribers', 'enrollments', 'mail', 'audit'])
		expect((await admin(`/api/admin/${name}`)).status, name).toBe(200);
});

/** The texts of the database that are not UTF-8. */
async function badTexts(db: Db): Promise<string[]> {
	const bad = [];
	for (const table of tables) {
		for (const column of textsOf(table)) {
			const rows = await db.all<{ bytes: ArrayBuffer }>(
				sql`select cast(${column} as blob) as bytes from ${table} where ${column} is not null`,
			);
			if (rows.some(({ bytes }) => !isUtf8(bytes)))
				bad.push(`${getTableName(table)}.${column.name}`);
		}
	}
	return bad;
}

test('whatever bytes a request or a file holds, what is stored is text', async () => {
	const { db, admin, categoryId, send } = await setupImports();
	const { id: postId } = await makePost(db, { id: 'p1', categoryId });
	const api = fetchApi();
	const bytes = (text: string) => Buffer.from(text.replaceAll('?', '\u00ff'), 'latin1');
	const post = (path: string, body: string, type: string, headers = {}) =>
		api(path, { method: 'POST', body: bytes(body), headers: { 'Content-Type': type, ...headers } });
	const json = 'application/json';
	const form = 'application/x-www-form-urlencoded';
	/** Sends what visitors send, with a sign in it. */
	const sendAll = async (sign: string) => {
		const answers = [
			await post(
				'/api/comments',
				`{"postId":"${postId}","author":"A${sign}","email":"a@example.com","content":"One ${sign} \\ud800 two"}`,
				json,
			),
			await post(
				'/api/comments',
				`postId=${postId}&author=Bo${sign && '%ff%fe'}&email=b%40example.com&content=Three+${sign && '%c3%28'}+four`,
				form,
			),
			await post('/api/subscribers', `{"email":"c@example.com","source":"F${sign} \\udfff"}`, json),
			await post(
				'/api/contact',
				`{"name":"A${sign}","email":"e@example.com","topic":"Correction","message":"Long enough ${sign} text"}`,
				json,
			),
		];
		return answers.map(({ status }) => status);
	};
	expect(await sendAll('?')).toEqual([400, 400, 400, 400]);
	expect(await sendAll('')).toEqual([201, 201, 201, 201]);
	const { status } = await post(
		'/api/subscribers?source=%ff%80',
		'{"email":"d@example.com"}',
		json,
	);
	expect(status).toBe(201);
	await post('/api/admin/login', '{"email":"f@example.com","password":"?"}', json, {
		'User-Agent': 'Mozilla/5.0 \u00ff\u00fe',
		'X-Forwarded-For': '\u00ff',
		Cookie: 'session=\u00ff',
	});
	for (const sign of ['?', '']) {
		const asked = [
			[
				'/api/admin/posts',
				`{"title":"T${sign} \\ud83d","content":"<p>x${sign}</p>","tags":["S${sign}"],"categoryId":"${categoryId}"}`,
			],
			[
				'/api/admin/subscribers/import',
				`{"rows":[{"email":"g@example.com","name":"N${sign} \\ud83d","lastName":null,"source":null,"active":true,"createdAt":null,"leftAt":null}],"consent":"C","preview":false,"reactivate":false}`,
			],
		];
		for (const [path, body] of asked) {
			const { status } = await admin(path!, {
				method: 'POST',
				headers: { 'Content-Type': json },
				body: bytes(body!),
			});
			expect([path, status < 300]).toEqual([path, sign === '']);
		}
	}
	const markdown = Buffer.concat([
		strToU8('---\ntitle: "Name '),
		Buffer.from([0xff, 0xc3, 0x28]),
		strToU8('"\ntags: [Tag'),
		Buffer.from([0xfe]),
		strToU8(']\n---\n\nWords '),
		Buffer.from([0x80, 0xed, 0xa0, 0x80]),
	]);
	const report = await send(await readFile(zipSync({ 'posts/a.md': new Uint8Array(markdown) })));
	expect(report.posts.map(({ outcome }) => outcome)).toEqual(['added']);
	expect(await db.$count(schema.comments)).toBe(2);
	expect(await db.$count(schema.subscribers)).toBe(3);
	expect(await badTexts(db)).toEqual([]);
	await db.run(sql`update comments set content = cast(x'ff' as text) where author like 'A%'`);
	expect(await badTexts(db)).toEqual(['comments.content']);
});
