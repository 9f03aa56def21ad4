import { eq } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openServers, setDb, type Db } from '#db/client.ts';
import { migrateDb } from '#db/local.ts';
import { comments, posts } from '#db/schema.ts';
import * as commentsApi from '#src/features/comments/comments.api.ts';
import * as postsApi from '#src/features/posts/posts.api.ts';
import { SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import { openSession, withCookie } from '#tests/support/admin.ts';
import { fetchApi, functions } from '#tests/support/api.ts';
import { makePost } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { Sqld } from '#tests/support/sqld.ts';

/** Less than one server is waited for: who answers within it has not waited for one that hangs. */
const AT_ONCE = 4 * SECOND;

let primary: Sqld;
let replicas: [Sqld, Sqld];
let db: Db;
let postId: string;
let slug: string;

beforeAll(async () => {
	primary = await Sqld.start();
	replicas = await Promise.all([Sqld.start({ primary }), Sqld.start({ primary })]);
	db = openServers([[primary.url]], { patience: 60 * SECOND });
	await migrateDb(db);
	({ id: postId, slug } = await makePost(db, { title: 'Kalman filters' }));
	await replicated();
	// Not while somebody is timed.
	await functions();
});
afterAll(async () => {
	setDb();
	await Promise.all([primary, ...replicas].map((server) => server.remove()));
});

beforeEach(() => {
	const DATABASE_URL = primary.url;
	const DATABASE_READ_URL = replicas.map(({ url }) => url).join(', ');
	vi.stubEnv('DATABASE_URL', DATABASE_URL);
	vi.stubEnv('DATABASE_READ_URL', DATABASE_READ_URL);
	const SECRET = 'a secret that only the tests know';
	setEnv(parseEnv({ SITE_URL, SECRET, DATABASE_URL, DATABASE_READ_URL }));
	setDb();
});

/** Waits until both replicas have what the primary has. */
async function replicated(): Promise<void> {
	const count = async ({ url }: Sqld) => {
		const one = openServers([[url]]);
		return Promise.all([one.$count(posts), one.$count(comments)]).catch(() => []);
	};
	const wanted = String(await count(primary));
	for (const replica of replicas) {
		while (String(await count(replica)) !== wanted) await sleep(50);
	}
}

let readers = 0;
const comment = () => ({
	postId,
	author: 'Ada',
	email: `ada-${++readers}@example.com`,
	content: `A word from reader ${readers}.`,
});
const post = (input = comment()) => call(commentsApi.createComment, input, fetchApi());
const send = (input = comment()) =>
	fetchApi()('/api/comments', {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(input),
	});
const listed = async () =>
	(await call(commentsApi.listComments, { id: postId }, fetchApi())).map(({ content }) => content);
const titles = async () =>
	(await call(postsApi.listPosts, {}, fetchApi())).map(({ title }) => title);

/** How long `work` takes. */
async function lasting(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {});

test('public reads come from replicas, also while the primary hangs', async () => {
	primary.freeze();
	try {
		const took = await lasting(async () => {
			for (let time = 0; time < 4; time++) expect(await titles()).toEqual(['Kalman filters']);
			expect((await fetchApi()(`/api/posts/${slug}`)).status).toBe(200);
			expect((await fetchApi()('/api/posts/search?q=kalman')).status).toBe(200);
			expect((await fetchApi()('/api/categories')).status).toBe(200);
		});
		expect(took).toBeLessThan(AT_ONCE);
	} finally {
		primary.thaw();
	}
});

test('whoever has commented finds the comment at once, from the primary', async () => {
	for (const replica of replicas) replica.freeze();
	try {
		const took = await lasting(async () => {
			const { content } = await post();
			expect(await listed()).toContain(content);
		});
		expect(took).toBeLessThan(AT_ONCE);
	} finally {
		for (const replica of replicas) replica.thaw();
	}
});

// Before any test that ends the primary: a replica of one that just started again hangs with it for a while.
test('while the primary hangs nobody waits for long, and nothing is stored twice', async () => {
	const input = comment();
	quiet();
	primary.freeze();
	let took: number;
	try {
		took = await lasting(async () => expect((await send(input)).status).toBe(503));
		// It is known by now that the primary hangs.
		expect(await lasting(listed)).toBeLessThan(AT_ONCE);
	} finally {
		primary.thaw();
	}
	expect(took).toBeLessThan(15 * SECOND);
	expect((await send(input)).status).toBe(201);
	const rows = await db.select().from(comments).where(eq(comments.email, input.email));
	expect(rows).toHaveLength(1);
});

test('an image is there as soon as it is uploaded, before replicas have heard of it', async () => {
	for (const replica of replicas) await replica.kill();
	for (const replica of replicas) await replica.start();
	const admin = withCookie(await openSession(db));
	const data = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
	const made = await admin('/api/admin/media', {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ name: 'dot.gif', data }),
	});
	const { url } = (await made.json()) as { url: string };
	expect((await fetchApi()(url)).status).toBe(200);
});

test('with replicas the CDN keeps no answer for more than a minute, without them until it is purged', async () => {
	const kept = async () =>
		(await fetchApi()('/api/posts')).headers.get('Netlify-CDN-Cache-Control');
	expect(await kept()).toBe('public, durable, s-maxage=60');
	setEnv(parseEnv({ SITE_URL, DATABASE_URL: primary.url }));
	expect(await kept()).toBe('public, durable, s-maxage=31536000');
});

test(
	'a replica that is gone or hangs is passed over, and not tried each time',
	{ tags: ['nightly'] },
	async () => {
		const [first, second] = replicas;
		await first.kill();
		for (let time = 0; time < 4; time++) expect(await titles()).toEqual(['Kalman filters']);
		await first.start();
		second.freeze();
		try {
			// One of two finds out.
			await titles();
			await titles();
			const took = await lasting(async () => {
				for (let time = 0; time < 6; time++) expect(await titles()).toEqual(['Kalman filters']);
			});
			expect(took).toBeLessThan(AT_ONCE);
		} finally {
			second.thaw();
		}
	},
);

test('without any replica the primary answers', async () => {
	for (const replica of replicas) await replica.kill();
	expect(await titles()).toEqual(['Kalman filters']);
	for (const replica of replicas) await replica.start();
	await replicated();
	expect(await titles()).toEqual(['Kalman filters']);
});

test('without the primary reads go on, writes are refused for now and heal by themselves', async () => {
	const { content: earlier } = await post();
	await replicated();
	const before = await db.$count(comments);
	const cookie = await openSession(db);
	await primary.kill();
	const log = quiet();

	expect(await titles()).toEqual(['Kalman filters']);
	expect(await listed()).toContain(earlier);

	const refused = await send();
	expect(refused.status).toBe(503);
	expect(refused.headers.get('Retry-After')).toBe('5');
	expect(refused.headers.get('Cache-Control')).toBe('no-store');
	expect(await refused.json()).toEqual({
		error: { code: 'unavailable', message: MESSAGES.unavailable },
	});
	expect(log.mock.calls.flat().join()).toMatch(/^The database cannot be reached: [^\n]+\.$/);

	const typed = { ...comment(), content: 'Words that took an hour.' };
	const page = await fetchApi()('/api/comments', {
		method: 'POST',
		headers: { Accept: 'text/html' },
		body: new URLSearchParams(typed),
	});
	expect(page.status).toBe(503);
	expect(page.headers.get('Retry-After')).toBe('5');
	const html = await page.text();
	expect(html).toContain('Words that took an hour.');
	expect(html).toContain(MESSAGES.unavailable);

	expect((await withCookie(cookie)('/api/admin/posts')).status).toBe(503);

	await primary.start();
	expect(await db.$count(comments)).toBe(before);
	const { content } = await post();
	expect(await listed()).toContain(content);
	expect((await withCookie(cookie)('/api/admin/posts')).status).toBe(200);
	await replicated();
});

test('with no server at all, reads are refused as well, and heal', async () => {
	quiet();
	await Promise.all([primary, ...replicas].map((server) => server.kill()));
	const refused = await fetchApi()('/api/posts');
	expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
	await primary.start();
	expect(await titles()).toEqual(['Kalman filters']);
	await Promise.all(replicas.map((replica) => replica.start()));
	await replicated();
	expect(await titles()).toEqual(['Kalman filters']);
});

test('half a character is stored as one that is unknown, and what only looks like it as it is', async () => {
	const { content } = await post({ ...comment(), content: 'Half \ud83d, \\ud83d, whole 🎓.' });
	expect(content).toBe('Half \ufffd, \\ud83d, whole 🎓.');
});

test('what is wrong with a query is a bug, not an outage', async () => {
	const log = quiet();
	await db.run('alter table comments rename to elsewhere');
	try {
		const response = await send();
		expect([response.status, response.headers.get('Retry-After')]).toEqual([500, null]);
		expect(log).toHaveBeenCalledOnce();
	} finally {
		await db.run('alter table elsewhere rename to comments');
	}
});
