import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import deliver from '#functions/deliver.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { deliver as deliverAll } from '#src/core/outbox/outbox.server.ts';
import {
	callBuilder,
	endBuilds,
	recordBuiltUntil,
	requestDueBuild,
	claimBuilds,
} from '#src/core/builds/builds.server.ts';
import { indexnowCourier } from '#src/core/builds/indexnow.server.ts';
import { recordBuild } from '#src/core/builds/health.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { standIn } from '#tests/support/stand-in.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);
const KEY = 'a1b2c3d4-e5f6';

/** Requests that IndexNow was sent, and its answers: these statuses, then 200. */
let sent: { method: string; path: string; body: unknown }[];
let statuses: number[];
let hooks: number;
let close: () => void;
let address: string;
let db: Db;
let admin: typeof fetch;
let form: PostForm;

beforeEach(async () => {
	[sent, statuses, hooks] = [[], [], 0];
	const server = await standIn(({ method, path, body }) => {
		if (path === '/hook') {
			hooks++;
			return 200;
		}
		sent.push({ method, path, body: JSON.parse(body) });
		return statuses.shift() ?? 200;
	});
	({ address, close } = server);
	vi.setSystemTime(NOON);
	setBuilder({ build: () => {}, prewarm: () => {} });
	use();
	db = await useTestDb();
	await recordBuiltUntil(db, NOON);
	admin = await asAdmin(db);
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	form = { ...emptyForm, title: 'Kalman', content: '<p>Words.</p>', categoryId, published: true };
});
afterEach(() => close());

function use(more: Record<string, string> = {}) {
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
			INDEXNOW_KEY: KEY,
			INDEXNOW_URL: `${address}/indexnow`,
			...more,
		}),
	);
}

const create = (values: Partial<PostForm> = {}) =>
	call(api.createPost, { ...form, ...values }, admin);
const update = (id: string, values: Partial<PostForm>) =>
	call(api.updatePost, { id, ...values }, admin);
const rows = () => db.select().from(outbox).where(eq(outbox.kind, 'indexnow'));
const told = () => sent.map(({ body }) => (body as { urlList: string[] }).urlList);

/** Carries what is due; a failure is not waited for. */
const work = () =>
	deliverAll(db, {
		couriers: {
			build: (delivery, now) => callBuilder(db, delivery, now),
			indexnow: indexnowCourier(db, getEnv()),
		},
	});

/** Ends the builds that wait, and works the outbox. */
async function goLive(reason?: string) {
	await endBuilds(db, await claimBuilds(db, new Date()), new Date(), reason);
	await work();
}

/** A post that the pages show, and that search engines were told of. */
async function published(values: Partial<PostForm> = {}) {
	const post = await create(values);
	await goLive();
	sent.length = 0;
	vi.setSystemTime(later(MINUTE));
	return post;
}

test('a new article is told of once, as soon as its page is live', async () => {
	await create();
	await work();
	expect(sent).toEqual([]);
	expect(await rows()).toMatchObject([{ attempts: 0, dueAt: later(MINUTE), lastError: null }]);
	const running = await claimBuilds(db, NOON);
	vi.setSystemTime(later(MINUTE));
	await work();
	expect(sent).toEqual([]);
	vi.setSystemTime(later(2 * MINUTE));
	await endBuilds(db, running, new Date());
	await deliver();
	await deliver();
	expect(sent).toEqual([
		{
			method: 'POST',
			path: '/indexnow',
			body: {
				host: 'groundtruth.test',
				key: KEY,
				keyLocation: `${SITE_URL}/${KEY}.txt`,
				urlList: [`${SITE_URL}/blog/kalman`],
			},
		},
	]);
	expect(await rows()).toMatchObject([{ attempts: 1, dueAt: null, deliveredAt: new Date() }]);
});

test('a renamed article is told of by both addresses', async () => {
	const { id } = await published();
	await update(id, { slug: 'filters' });
	await goLive();
	expect(told()).toEqual([[`${SITE_URL}/blog/kalman`, `${SITE_URL}/blog/filters`]]);
});

test('an article that was taken back, deleted or restored is told of', async () => {
	const { id } = await published();
	await update(id, { published: false });
	await goLive();
	await update(id, { published: true });
	await goLive();
	await call(api.deletePost, { id }, admin);
	await goLive();
	await call(api.restorePost, { id }, admin);
	await goLive();
	expect(told()).toEqual(Array(4).fill([`${SITE_URL}/blog/kalman`]));
});

test('what no page shows is not told of: a draft, and an article before its time', async () => {
	const { id } = await create({ published: false });
	await update(id, { title: 'Other' });
	await call(api.deletePost, { id }, admin);
	await create({ title: 'Particles', publishedAt: later(MINUTE).toISOString() });
	await goLive();
	expect(await rows()).toEqual([]);
	vi.setSystemTime(later(MINUTE));
	await requestDueBuild(db, new Date());
	await goLive();
	expect(told()).toEqual([[`${SITE_URL}/blog/particles`]]);
});

test('a burst of changes is told of once, each address once', async () => {
	const { id } = await create();
	for (const title of ['One', 'Two', 'Three']) await update(id, { title });
	await create({ title: 'Particles' });
	await goLive();
	expect(told()).toEqual([[`${SITE_URL}/blog/kalman`, `${SITE_URL}/blog/particles`]]);
});

test('what changes while a build runs is told of after the next one', async () => {
	await create();
	const running = await claimBuilds(db, NOON);
	await create({ title: 'Particles' });
	await endBuilds(db, running, NOON);
	await work();
	expect(told()).toEqual([[`${SITE_URL}/blog/kalman`]]);
	await goLive();
	expect(told()).toHaveLength(1);
	vi.setSystemTime(later(MINUTE));
	await work();
	expect(told()[1]).toEqual([`${SITE_URL}/blog/particles`]);
});

test('a build that fails is told of by the next one that does not, within a week', async () => {
	await create();
	await goLive('The disk is full.');
	vi.setSystemTime(later(7 * DAY));
	await work();
	expect([sent, await rows()]).toMatchObject([[], [{ attempts: 0 }]]);
	await makePost(db, { id: 'p2', title: 'Particles' });
	await update('p2', { title: 'More particles' });
	await goLive();
	expect(told().flat().sort()).toEqual([`${SITE_URL}/blog/particles`]);
	vi.setSystemTime(later(7 * DAY + MINUTE));
	await work();
	expect(told().flat().sort()).toEqual([`${SITE_URL}/blog/kalman`, `${SITE_URL}/blog/particles`]);
});

test('after a week without a build nobody waits any more', async () => {
	await create();
	await goLive('The disk is full.');
	vi.setSystemTime(later(7 * DAY + 1));
	await work();
	expect(sent).toEqual([]);
	expect(await rows()).toMatchObject([
		{ dueAt: null, deliveredAt: null, failedAt: null, lastError: 'No build went live.' },
	]);
});

test.each([400, 403, 404, 422])('a %i is final', async (status) => {
	statuses = [status];
	await create();
	await goLive();
	vi.setSystemTime(later(DAY));
	await work();
	expect(sent).toHaveLength(1);
	expect(await rows()).toMatchObject([
		{ dueAt: null, failedAt: NOON, lastError: `${status}: <p>Whatever</p>` },
	]);
});

test.each([429, 500, 503])('a %i is tried again', async (status) => {
	statuses = [status, 202];
	await create();
	await goLive();
	expect(await rows()).toMatchObject([{ attempts: 1, deliveredAt: null, failedAt: null }]);
	vi.setSystemTime(later(MINUTE));
	await work();
	expect(sent).toHaveLength(2);
	expect(await rows()).toMatchObject([{ attempts: 2, deliveredAt: later(MINUTE) }]);
});

test.each([
	{ INDEXNOW_KEY: '' },
	{ SITE_URL: 'http://127.0.0.1:8888' },
	{ SITE_URL: 'http://localhost:8888' },
])('with %j nothing is told, and what waits is given up', async (env) => {
	await create();
	use(env);
	await create({ title: 'Particles' });
	await goLive();
	expect(sent).toEqual([]);
	expect(await rows()).toMatchObject([
		{ payload: { paths: ['/blog/kalman'] }, dueAt: null, lastError: 'IndexNow is not set up.' },
	]);
});

test('where a build hook builds the site, it has three minutes to be online', async () => {
	use({ BUILD_HOOK_URL: `${address}/hook` });
	await create();
	await work();
	expect([hooks, sent]).toEqual([1, []]);
	await recordBuiltUntil(db, NOON);
	await recordBuild(db, later(MINUTE));
	for (const minute of [1, 2, 3]) {
		vi.setSystemTime(later(minute * MINUTE));
		await work();
	}
	expect(sent).toEqual([]);
	vi.setSystemTime(later(4 * MINUTE));
	await work();
	expect(told()).toEqual([[`${SITE_URL}/blog/kalman`]]);
});
