import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { outbox } from '#db/schema.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import {
	callBuilder,
	claimBuilds,
	endBuilds,
	recordBuiltUntil,
} from '#src/core/builds/builds.server.ts';
import { websubCourier } from '#src/core/builds/websub.server.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';
import { standIn } from '#tests/support/stand-in.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Bodies that the hub was sent, and its answers: these statuses, then 204. */
let sent: URLSearchParams[];
let statuses: number[];
let close: () => void;
let address: string;
let db: Db;
let admin: typeof fetch;
let form: PostForm;

beforeEach(async () => {
	[sent, statuses] = [[], []];
	const hub = await standIn(({ body }) => {
		sent.push(new URLSearchParams(body));
		return statuses.shift() ?? 204;
	});
	close = hub.close;
	address = `${hub.address}/hub`;
	vi.setSystemTime(NOON);
	setBuilder({ build: () => {}, prewarm: () => {} });
	use({ WEBSUB_HUB: address });
	db = await useTestDb();
	await recordBuiltUntil(db, NOON);
	admin = await asAdmin(db);
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	form = { ...emptyForm, title: 'Kalman', content: '<p>Words.</p>', categoryId, published: true };
});
afterEach(() => close());

const use = (more: Record<string, string>) =>
	setEnv(
		parseEnv({
			SITE_URL,
			SECRET: 'a secret that only the tests know',
			DATABASE_URL: ':memory:',
			...more,
		}),
	);
const rows = () =>
	db.select().from(outbox).where(eq(outbox.kind, 'websub')).orderBy(outbox.createdAt);
const work = () =>
	deliver(db, {
		couriers: {
			build: (delivery, now) => callBuilder(db, delivery, now),
			websub: websubCourier(db, getEnv()),
		},
	});
const goLive = async () => endBuilds(db, await claimBuilds(db, new Date()), new Date(), undefined);

test('the hub is told once of what a build published, when the feeds show it', async () => {
	const { id } = await call(api.createPost, form, admin);
	await call(api.updatePost, { id, title: 'Kalman filters' }, admin);
	await work();
	expect(sent).toEqual([]);
	await goLive();
	later(MINUTE);
	for (const _ of [1, 2, 3]) await work();
	expect(sent.map((body) => [body.get('hub.mode'), ...body.getAll('hub.url')])).toEqual([
		['publish', `${SITE_URL}/rss.xml`, `${SITE_URL}/atom.xml`, `${SITE_URL}/feed.json`],
	]);
	expect(await rows()).toMatchObject([{ deliveredAt: expect.any(Date), failedAt: null }]);
	// The next change is told of as well.
	await call(api.updatePost, { id, title: 'Kalman filters again' }, admin);
	await goLive();
	await work();
	expect(sent).toHaveLength(2);
});

test('what readers do not see is not told of, and neither is a site without a hub', async () => {
	await call(api.createPost, { ...form, published: false }, admin);
	expect(await rows()).toEqual([]);
	use({});
	await call(api.createPost, form, admin);
	expect(await rows()).toEqual([]);
});

test('a hub that fails is asked again, and one that refuses is not', async () => {
	await call(api.createPost, form, admin);
	await goLive();
	statuses = [500, 503];
	for (const _ of [1, 2, 3, 4]) {
		await work();
		later(HOUR);
	}
	expect(sent).toHaveLength(3);
	await call(api.createPost, { ...form, title: 'Another' }, admin);
	await goLive();
	statuses = [422];
	for (const _ of [1, 2]) {
		await work();
		later(HOUR);
	}
	expect(sent).toHaveLength(4);
	expect((await rows()).map(({ lastError, failedAt }) => [lastError, failedAt !== null])).toEqual([
		[null, false],
		['The hub answers 422.', true],
	]);
});

test('a build that never goes live is told of to nobody', async () => {
	await call(api.createPost, form, admin);
	later(7 * DAY + HOUR);
	await work();
	expect(sent).toEqual([]);
	expect(await rows()).toMatchObject([{ dueAt: null, lastError: 'No build went live.' }]);
});
