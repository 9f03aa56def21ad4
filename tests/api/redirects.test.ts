import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { redirects } from '#db/schema.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { claimBuilds, endBuilds, requestBuild } from '#src/core/builds/builds.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import * as posting from '#src/features/posts/editing.api.ts';
import { storeHits } from '#src/features/redirects/hits.server.ts';
import { ruleOf } from '#src/features/redirects/redirect.ts';
import * as api from '#src/features/redirects/redirects.api.ts';
import { readSite } from '#src/features/site/load.server.ts';
import * as taxonomy from '#src/features/taxonomy/taxonomy.api.ts';
import { call, parse, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { storedSite } from '#tests/support/stored-site.ts';

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const list = (query: object = {}) =>
		ask(api.listRedirects, parse(api.listRedirects.input, { sort: 'from', ...query }));
	return { db, ask, list };
}

/** Returns where a build at this moment leads, by former address. */
async function built(db: Db) {
	const { redirects: all } = await readSite(db, new Date());
	return Object.fromEntries(all.map(({ from, to }) => [from, to]));
}

const refusal = (fields: object) => ({ code: 'validation', fields });

test('one is made, changed, removed and undone, and each build leads by it', async () => {
	const { db, ask, list } = await setup();
	const made = await ask(api.saveRedirect, { from: ' /old/ ', to: '/about#team' });
	expect(made).toMatchObject({ from: '/old', to: '/about#team', origin: 'desk', hits: 0 });
	expect(await built(db)).toEqual({ '/old': '/about#team' });
	const same = await ask(api.saveRedirect, { from: '/old', to: '/about#team' });
	expect(same.undo).toBeNull();

	const changed = await ask(api.saveRedirect, { from: '/old', to: 'https://elsewhere.example/x' });
	expect(await built(db)).toEqual({ '/old': 'https://elsewhere.example/x' });
	await ask(undoAction, { token: changed.undo! });
	expect(await built(db)).toEqual({ '/old': '/about#team' });

	const removed = await ask(api.deleteRedirect, { from: '/old' });
	expect(await built(db)).toEqual({});
	await expect(ask(api.deleteRedirect, { from: '/old' })).rejects.toMatchObject({
		code: 'not_found',
	});
	await ask(undoAction, { token: removed.undo });
	const { rows } = await list();
	expect(rows).toEqual([expect.objectContaining({ from: '/old', createdAt: made.createdAt })]);
	const log = await ask(listAudit, parse(listAudit.input, { q: 'redirects' }));
	expect(log.rows.map(({ action, detail }) => `${action} ${detail}`)).toEqual([
		'undid removed the way from /old to /about#team',
		'removed the way from /old to /about#team',
		'undid redirected /old to https://elsewhere.example/x',
		'redirected /old to https://elsewhere.example/x',
		'redirected /old to /about#team',
	]);
});

test('one is told to wait until a build that has it is live', async () => {
	const { db, ask, list } = await setup();
	const waiting = async () =>
		(await list()).rows.flatMap(({ from, waits }) => (waits ? [from] : []));
	const first = await ask(api.saveRedirect, { from: '/a', to: '/about' });
	expect(first.waits).toBe(true);
	const at = (seconds: number) => new Date(Date.parse(first.createdAt) + seconds * 1000);
	const ids = await claimBuilds(db, at(1));
	await ask(api.saveRedirect, { from: '/b', to: '/about' });
	// The build had read the redirects before this one was made.
	await db.run(sql`update path_redirects set created_at = ${at(2).getTime()} where path = '/b'`);
	expect(await waiting()).toEqual(['/a', '/b']);
	await endBuilds(db, ids, at(10));
	expect(await waiting()).toEqual(['/b']);
	const [next] = await claimBuilds(db, at(20));
	await endBuilds(db, [next!], at(30), 'It failed.');
	expect(await waiting()).toEqual(['/b']);
	await db.batch(requestBuild(db, 'Again', at(40)));
	await endBuilds(db, await claimBuilds(db, at(50)), at(60));
	expect(await waiting()).toEqual([]);
	// One that leads elsewhere waits as well.
	await db.run(sql`update path_redirects set created_at = created_at - 100000`);
	await db.run(
		sql`update builds set requested_at = requested_at - 100000, started_at = started_at - 100000`,
	);
	const { undo, waits } = await ask(api.saveRedirect, { from: '/a', to: '/contact' });
	expect(waits).toBe(true);
	await ask(undoAction, { token: undo! });
	expect((await list()).rows.find(({ from }) => from === '/a')).toMatchObject({ to: '/about' });
});

test('what cannot be one is refused beside its field, and nothing is stored', async () => {
	const { db, ask, list } = await setup();
	await makePost(db, { slug: 'here', published: true });
	await makeCategory(db, { name: 'Vision', slug: 'vision' });
	await ask(api.saveRedirect, { from: '/a', to: '/b' });
	await ask(api.saveRedirect, { from: '/b', to: '/c' });
	const bad = (from: string, to: string) => ask(api.saveRedirect, { from, to });
	await expect(bad('/c', '/a')).rejects.toMatchObject(
		refusal({ to: 'This would lead in a circle: /c → /a → /b → /c' }),
	);
	await expect(bad('/x', '/x/')).rejects.toMatchObject(
		refusal({ to: 'This would lead in a circle: /x → /x' }),
	);
	for (const there of ['/blog/here', '/category/vision', '/contact', '/about'])
		await expect(bad(there, '/b')).rejects.toMatchObject(
			refusal({ from: expect.stringContaining(`${there} is there now`) }),
		);
	await expect(bad('old', 'javascript:alert(1)')).rejects.toMatchObject(
		refusal({ from: expect.any(String), to: expect.any(String) }),
	);
	await expect(bad('', '/b')).rejects.toMatchObject(refusal({ from: 'Write an address' }));
	expect((await list()).total).toBe(2);
});

test('those of imports and of new addresses are listed, searched, removed and brought back', async () => {
	const { db, ask, list } = await setup();
	const { id } = await makePost(db, { slug: 'now', published: true });
	await db.insert(redirects).values([
		{ slug: '/2019/05/then', postId: id },
		{ slug: 'first', postId: id },
	]);
	const category = await makeCategory(db, { name: 'Old topic', slug: 'old-topic' });
	await ask(taxonomy.updateCategory, { id: category.id, slug: 'new-topic' });
	await ask(api.saveRedirect, { from: '/mine', to: '/blog/now' });
	const all = await list();
	expect(all.rows.map(({ from, to, origin }) => [from, to, origin])).toEqual([
		['/2019/05/then', '/blog/now', 'moved'],
		['/blog/first', '/blog/now', 'renamed'],
		['/category/old-topic', '/category/new-topic', 'renamed'],
		['/mine', '/blog/now', 'desk'],
	]);
	expect(all.counts).toEqual({ desk: 1, moved: 1, renamed: 2 });
	expect((await list({ q: 'topic' })).rows.map(({ from }) => from)).toEqual([
		'/category/old-topic',
	]);
	expect((await list({ origin: 'moved' })).total).toBe(1);
	await expect(
		ask(api.saveRedirect, { from: '/2019/05/then', to: '/about' }),
	).rejects.toMatchObject(refusal({ from: expect.stringContaining('leads to /blog/now already') }));

	const before = await built(db);
	for (const from of ['/2019/05/then', '/blog/first', '/category/old-topic']) {
		const { undo } = await ask(api.deleteRedirect, { from });
		expect(await built(db)).not.toHaveProperty([from]);
		await ask(undoAction, { token: undo });
		expect(await built(db)).toEqual(before);
	}
	// What has its address again is no former address.
	await ask(posting.updatePost, { id, slug: 'first' });
	expect((await list({ q: 'first' })).rows.map(({ from, to }) => [from, to])).toEqual([
		['/2019/05/then', '/blog/first'],
		['/blog/now', '/blog/first'],
	]);
});

test('a file saves what can be one, says why of the rest, and is undone as a whole', async () => {
	const { db, ask, list } = await setup();
	await ask(api.saveRedirect, { from: '/known', to: '/about' });
	const text = 'old,new\n/a,/b\n/known /about\n/b;/a\n/a,/c\n/contact,/contact/\n/p?x=1 /c\n,,\n';
	const refused = [
		[4, '/b', 'This would lead in a circle: /b → /a → /b'],
		[5, '/a', 'A line above has this address'],
		[6, '/contact', expect.stringContaining('is there now')],
		[7, '/p?x=1', expect.stringContaining('Leave out what follows ?')],
	].map(([line, from, reason]) => ({ line, from, reason }));
	const looked = await ask(api.importRedirects, { text, preview: true });
	expect(looked).toEqual({ saved: 1, known: 1, refused, undo: null });
	expect((await list()).total).toBe(1);
	const done = await ask(api.importRedirects, { text, preview: false });
	expect(done).toEqual({ ...looked, undo: expect.any(String) });
	expect((await list()).rows.map(({ from }) => from)).toEqual(['/a', '/known']);
	await ask(undoAction, { token: done.undo! });
	expect(await built(db)).toEqual({ '/known': '/about' });
	await expect(
		ask(api.importRedirects, { text: 'nothing here\n', preview: false }),
	).rejects.toMatchObject(refusal({ text: expect.any(String) }));
});

test('a host leads by them, a moved folder as well, and counts each use', async () => {
	const { db, ask, list } = await setup();
	for (const [from, to] of [
		['/2023/*/:slug', '/blog/:slug'],
		['/2023/about', '/about'],
		['/archive/*', '/blog/:splat'],
		['/shop', 'https://elsewhere.example/shop?a=%26'],
		['/search-old', '/search?q=a%26b'],
	] as const)
		await ask(api.saveRedirect, { from, to });
	const dir = await mkdtemp(join(tmpdir(), 'redirects-'));
	const { redirects: all } = await readSite(db, new Date());
	await writeFile(
		join(dir, '_redirects'),
		all.map(({ from, to }) => `${ruleOf(from)} ${to} 301\n`).join(''),
	);
	const site = await storedSite(dir);
	const get = async (path: string) => {
		const url = new URL(path, 'https://example.com');
		const response = await site.respond(new Request(url), url);
		return [response.status, response.headers.get('Location')];
	};
	expect(await get('/2023/04/leakage?ref=x')).toEqual([301, '/blog/leakage?ref=x']);
	expect(await get('/2023/about/')).toEqual([301, '/about']);
	expect(await get('/2023/04/05/leakage')).toEqual([404, null]);
	expect(await get('/archive/a/b')).toEqual([301, '/blog/a/b']);
	expect(await get('/shop')).toEqual([301, 'https://elsewhere.example/shop?a=%26']);
	await get('/2023/05/drift');
	const now = new Date('2026-11-29T10:00:00Z');
	await storeHits(db, now);
	const [most] = (await list({ sort: '-hits' })).rows;
	expect(most).toMatchObject({ from: '/2023/*/:slug', hits: 2, lastHitAt: now.toISOString() });
	await get('/2023/04/leakage');
	await storeHits(db, now);
	expect((await list({ q: '*' })).rows.map(({ from, hits }) => [from, hits])).toEqual([
		['/2023/*/:slug', 3],
		['/archive/*', 1],
	]);
	await rm(dir, { recursive: true });
	await rm(`${dir}.store`, { recursive: true });
});

test('a damaged row is left out of builds and named', async () => {
	const { db, ask, list } = await setup();
	const failures = vi.spyOn(console, 'error').mockImplementation(() => {});
	await ask(api.saveRedirect, { from: '/good', to: '/about' });
	await db.$client.execute(
		`insert into path_redirects (path, target) values ('/bad', cast(x'ff' as text)), ('/*', '/about')`,
	);
	await checkRows(db, new Date());
	expect(failures).toHaveBeenCalledWith(expect.stringContaining('“/bad” is left out'));
	expect(await built(db)).toEqual({ '/good': '/about' });
	expect((await list()).rows.map(({ from, to }) => [from, to])).toEqual([
		['/*', '/about'],
		['/bad', '\uFFFD'],
		['/good', '/about'],
	]);
	await ask(api.saveRedirect, { from: '/bad', to: '/about' });
	await ask(api.deleteRedirect, { from: '/*' });
	expect((await list()).rows.map(({ from, to }) => [from, to])).toEqual([
		['/bad', '/about'],
		['/good', '/about'],
	]);
});
