import { eq, ne } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { builds, changedPosts, mentions, outbox, posts, settings } from '#db/schema.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import * as api from '#src/features/networks/networks.api.ts';
import { NETWORKS } from '#src/features/networks/networks.ts';
import {
	connectNetwork,
	countResponses,
	disconnectNetwork,
	networkCourier,
	placeOnNetworks,
	queuePosts,
} from '#src/features/networks/networks.server.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { getEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { BLUESKY, MASTODON, startNetworks, type Mood } from '#tests/support/networks.ts';
import { randomBy } from '#tests/support/random.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
/** The doubles are on this machine. */
const HERE = { allowIPAddressList: ['127.0.0.1'] };
const ANN = { actor: 'ann', now: new Date(START) };

/** A site with both accounts. */
async function setup(...rules: Parameters<typeof startNetworks>) {
	vi.setSystemTime(START);
	const db = await useTestDb();
	const networks = await startNetworks(...rules);
	const server = networks.address;
	setEnv({ ...getEnv(), SITE_URL: server });
	await connectNetwork(db, { network: 'bluesky', server, ...BLUESKY }, ANN, HERE);
	await connectNetwork(db, { network: 'mastodon', server, ...MASTODON }, ANN, HERE);
	const { id: categoryId } = await makeCategory(db);
	const publish = (title: string, at: number, more = {}) =>
		makePost(db, {
			title,
			categoryId,
			publishedAt: new Date(at),
			createdAt: new Date(at),
			...more,
		});
	/** Does what the schedule does at a time; what was published until then is live. */
	async function tick(time: number) {
		vi.setSystemTime(time);
		const now = new Date(time);
		await db
			.insert(builds)
			.values({ state: 'live', cause: 'x', requestedAt: now, startedAt: now, endedAt: now });
		await queuePosts(db, now);
		const couriers = Object.fromEntries(
			NETWORKS.map((network) => [network, networkCourier(db, network, HERE)]),
		);
		await deliver(db, { couriers });
	}
	return { db, publish, tick, ...networks };
}

test(
	'of 100 articles that come and go while the servers answer, refuse and die, each is posted once, and none that is gone',
	{ timeout: 60_000 },
	async () => {
		// A server that hangs is left after a twentieth of the time.
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const waits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
		const random = randomBy(7);
		vi.spyOn(Math, 'random').mockImplementation(random);
		const said = vi.spyOn(console, 'error').mockImplementation(() => {});
		vi.spyOn(console, 'log').mockImplementation(() => {});
		const shown = new Set<string>();
		const broken: string[] = [];
		let asked = 0;
		let isOver = false;
		const moodOf = (link: string): Mood => {
			if (link.endsWith('refused')) return { status: 422 };
			if (isOver) return 'answers';
			if (++asked === 50) return 'hangs';
			const chance = random();
			if (chance < 0.1) return { status: 401 };
			if (chance < 0.2) return { status: 429, retryAfter: '600' };
			if (chance < 0.3) return { status: 503 };
			if (chance < 0.4) return 'ends';
			if (chance < 0.65) return 'ends-after';
			return 'answers';
		};
		const { db, publish, tick, records, statuses, address } = await setup(
			moodOf,
			(link) => shown.has(link) || broken.push(link),
		);
		const linkOf = (slug: string) => `${address}/blog/${slug}`;
		type Article = { id: string; slug: string; isOut: boolean };
		const articles: Article[] = [];
		const show = async ({ id, slug }: Article, published: boolean) => {
			await db.update(posts).set({ published }).where(eq(posts.id, id));
			if (published) shown.add(linkOf(slug));
			else shown.delete(linkOf(slug));
		};
		for (let step = 1; step < 3 * 72; step++) {
			const time = START + step * 20 * MINUTE;
			vi.setSystemTime(time);
			if (articles.length < 100 && step > 2) {
				const slug =
					articles.length % 20 === 19 ? `a${articles.length}-refused` : `a${articles.length}`;
				const { id } = await publish(slug, time - MINUTE, {
					slug,
					excerpt: 'It is so. '.repeat(60),
				});
				const article = { id, slug, isOut: articles.length % 10 === 3 };
				articles.push(article);
				shown.add(linkOf(slug));
				if (article.isOut) await placeOnNetworks(db, id, false, new Date(time));
			}
			// One is taken back or shown again, and one gets another title.
			const one = articles[Math.floor(random() * articles.length)];
			if (one && random() < 0.5) await show(one, !shown.has(linkOf(one.slug)));
			if (one && random() < 0.3)
				await db
					.update(posts)
					.set({ title: `Renamed ${step}` })
					.where(eq(posts.id, one.id));
			await tick(time);
		}
		isOver = true;
		const end = START + 3 * DAY;
		for (let hour = 0; hour < 6; hour++) await tick(end + hour * HOUR);
		const linksOf = (made: typeof records) => [...made.values()].map(({ link }) => link).sort();
		expect(broken).toEqual([]);
		expect(asked).toBeGreaterThan(200);
		expect(waits).toHaveBeenCalledWith(10 * SECOND);
		expect(new Set([...records.values()].map(({ picture }) => picture)).size).toBe(2);
		expect(said).toHaveBeenCalled();
		for (const made of [records, statuses]) {
			const links = linksOf(made);
			expect(new Set(links).size).toBe(links.length);
			for (const { slug, isOut } of articles) {
				const isPosted = links.includes(linkOf(slug));
				if (isOut || slug.endsWith('refused')) expect([slug, isPosted]).toEqual([slug, false]);
				else if (shown.has(linkOf(slug))) expect([slug, isPosted]).toEqual([slug, true]);
			}
			expect(links.length).toBeGreaterThan(60);
		}
		// Each is known by its address, but where the article was taken back while its answer was lost.
		const known = (await db.select().from(mentions)).filter(({ url }) => url !== '');
		const made = [...records, ...statuses];
		const refs = new Set(known.map(({ ref }) => ref));
		expect(made.filter(([ref, { link }]) => shown.has(link) && !refs.has(ref))).toEqual([]);
		expect([...refs].filter((ref) => !made.some(([one]) => one === ref))).toEqual([]);
	},
);

test('a post says what the article says, and leads to it', async () => {
	const { db, publish, tick, records, statuses, uploads, address } = await setup();
	await publish('Old', START - DAY);
	await publish('Größe zählt', START + MINUTE, { excerpt: 'Was sie zeigt.', slug: 'groesse' });
	await publish('Bare', START + MINUTE, { excerpt: null });
	await tick(START + 2 * MINUTE);
	expect(records.size).toBe(0);
	await tick(START + 4 * MINUTE);
	const url = `${address}/blog/groesse`;
	expect([...records.values()]).toMatchObject(
		expect.arrayContaining([expect.objectContaining({ link: url, text: 'Was sie zeigt.' })]),
	);
	expect([...statuses.values()].map(({ text }) => text).sort()).toEqual([
		`Bare\n\n${address}/blog/bare`,
		`Größe zählt\n\nWas sie zeigt.\n\n${url}`,
	]);
	expect([...records.values()].map(({ picture }) => picture)).toEqual([true, true]);
	expect(uploads).toEqual(['image/png', 'image/png']);
	expect(await db.$count(outbox)).toBe(4);
});

test.each([
	['too large', 'answers', 976_561],
	['refused', { status: 400 }, 1000],
	['put off', { status: 429 }, 1000],
	['lost', 'ends-after', 1000],
] as const)('where the picture is %s, the post has none', async (_, mood, bytes) => {
	const { publish, tick, records } = await setup(
		(link) => (link ? 'answers' : mood),
		undefined,
		bytes,
	);
	await publish('New', START + MINUTE);
	await tick(START + 4 * MINUTE);
	expect([...records.values()].map(({ picture }) => picture)).toEqual([false]);
});

test.each([
	['of many bytes', '👨‍👩‍👧‍👦'.repeat(400), 119],
	['of many accents', `a${'\u0301'.repeat(9)}`.repeat(400), 157],
])('a text %s is cut to what the network takes', async (_, excerpt, characters) => {
	const { publish, tick, records } = await setup();
	await publish('New', START + MINUTE, { excerpt });
	await tick(START + 4 * MINUTE);
	const { text } = [...records.values()][0]!;
	expect([...new Intl.Segmenter().segment(text)]).toHaveLength(characters + 1);
	expect(excerpt.startsWith(text.slice(0, -1))).toBe(true);
});

test('an article is told of by an account that was renamed, in a session after one that was over, and once', async () => {
	const over: Mood[] = [];
	const { db, publish, tick, records, account } = await setup((link) =>
		link ? (over.pop() ?? 'answers') : 'answers',
	);
	vi.spyOn(console, 'error').mockImplementation(() => {});
	vi.spyOn(console, 'log').mockImplementation(() => {});
	await disconnectNetwork(db, 'mastodon', ANN);
	account.handle = 'new.bsky.social';
	over.push({ status: 400, error: 'ExpiredToken' });
	await publish('New', START + MINUTE);
	await tick(START + 4 * MINUTE);
	expect(await db.select().from(outbox)).toMatchObject([
		{ failedAt: null, lastError: '401: ExpiredToken' },
	]);
	await tick(START + HOUR);
	const made = await db.select().from(mentions);
	expect(made).toMatchObject([{ ref: [...records.keys()][0] }]);
	// Where it was posted is known again at the first try.
	await db.delete(mentions);
	await db.delete(outbox);
	await tick(START + 2 * HOUR);
	expect(await db.select().from(outbox)).toMatchObject([{ attempts: 1, lastError: null }]);
	expect(await db.select().from(mentions)).toMatchObject(
		made.map(({ url, ref }) => ({ url, ref })),
	);
	expect(records.size).toBe(1);
});

test('an account that is deactivated is not connected, and keeps its posts until it is back', async () => {
	const { db, publish, tick, records, account, address } = await setup();
	await disconnectNetwork(db, 'mastodon', ANN);
	await publish('New', START + MINUTE);
	await tick(START + HOUR);
	account.status = 'deactivated';
	const hidden = [...records];
	records.clear();
	await expect(
		connectNetwork(db, { network: 'bluesky', server: address, ...BLUESKY }, ANN, HERE),
	).rejects.toMatchObject({
		fields: { secret: expect.stringContaining('The account is deactivated.') },
	});
	vi.spyOn(console, 'error').mockImplementation(() => {});
	await expect(countResponses(db, new Date(START + 3 * HOUR), HERE)).rejects.toThrow('Bluesky');
	delete account.status;
	for (const [ref, post] of hidden) records.set(ref, { ...post, likes: 2 });
	await countResponses(db, new Date(START + 4 * HOUR), HERE);
	expect(await db.select().from(mentions)).toMatchObject([{ ref: hidden[0]![0], likes: 2 }]);
});

test('responses are counted, and a post that is gone at its network is linked no more, nor posted again', async () => {
	const { db, publish, tick, records, statuses } = await setup();
	await publish('New', START + MINUTE);
	await publish('Gone', START + MINUTE);
	await tick(START + HOUR);
	const shown = () => db.select().from(mentions).where(ne(mentions.url, ''));
	expect(await shown()).toHaveLength(4);
	const [record, lost] = records.keys();
	const [liked, deleted] = statuses.keys();
	Object.assign(records.get(record!)!, { replies: 2, likes: 1 });
	Object.assign(statuses.get(liked!)!, { likes: 5 });
	records.delete(lost!);
	statuses.delete(deleted!);
	const later = new Date(START + 3 * HOUR);
	await countResponses(db, later, HERE);
	expect((await shown()).map(({ ref, replies, likes }) => [ref, replies, likes])).toEqual(
		expect.arrayContaining([
			[record, 2, 1],
			[liked, 0, 5],
		]),
	);
	expect(await shown()).toHaveLength(2);
	// Of counts that stay, no page is made anew.
	const writes = () => db.select().from(changedPosts).orderBy(changedPosts.write);
	const before = await writes();
	await countResponses(db, later, HERE);
	expect(await writes()).toEqual(before);
	await tick(START + 5 * HOUR);
	expect([records.size, statuses.size]).toEqual([1, 1]);
});

test('a network that cannot be asked keeps its counts, and the other is counted', async () => {
	const { db, publish, tick, records, statuses, refuse } = await setup();
	await publish('New', START + MINUTE);
	await tick(START + HOUR);
	for (const post of [...records.values(), ...statuses.values()]) post.likes = 3;
	await countResponses(db, new Date(START + 3 * HOUR), HERE);
	for (const post of [...records.values(), ...statuses.values()]) post.likes = 4;
	vi.spyOn(console, 'error').mockImplementation(() => {});
	refuse('app.bsky.feed.getPosts');
	await expect(countResponses(db, new Date(START + 4 * HOUR), HERE)).rejects.toThrow(
		'1 of 2 steps failed: Bluesky.',
	);
	expect(
		(await db.select().from(mentions)).map(({ network, likes }) => [network, likes]).sort(),
	).toEqual([
		['bluesky', 3],
		['mastodon', 4],
	]);
});

test('nothing is posted before its page is live, nor from addresses of this machine', async () => {
	const { db, publish, records, address } = await setup();
	await publish('New', START + MINUTE);
	vi.setSystemTime(START + 5 * MINUTE);
	await queuePosts(db, new Date());
	await deliver(db, { couriers: { bluesky: networkCourier(db, 'bluesky', HERE) } });
	expect(records.size).toBe(0);
	expect(await db.select().from(outbox)).toMatchObject([
		{ dueAt: new Date(START + 6 * MINUTE) },
		{},
	]);
	await expect(
		connectNetwork(db, { network: 'mastodon', server: address, ...MASTODON }, ANN),
	).rejects.toMatchObject({
		code: 'validation',
		fields: { secret: expect.stringContaining('cannot be reached') },
	});
});

test('an account is tried before it is kept, is sealed, and can be forgotten', async () => {
	const { db, address, publish, tick, records, statuses } = await setup();
	const admin = await asAdmin(db);
	await expect(
		connectNetwork(
			db,
			{ network: 'bluesky', server: address, handle: BLUESKY.handle, secret: 'wrong' },
			ANN,
			HERE,
		),
	).rejects.toMatchObject({
		fields: { secret: expect.stringContaining('Invalid identifier or password') },
	});
	const kept = JSON.stringify(await db.select().from(settings));
	expect(kept).toContain(BLUESKY.handle);
	for (const secret of [BLUESKY.secret, MASTODON.secret]) expect(kept).not.toContain(secret);
	const [bluesky, mastodon] = await call(api.listNetworks, {}, admin);
	expect(bluesky).toMatchObject({ account: { name: 'ann.bsky.social' }, failure: null, posts: [] });
	expect(mastodon!.account!.name).toMatch(/^@ann@127/);
	expect(JSON.stringify([bluesky, mastodon])).not.toContain('secret');
	await call(api.disconnectNetwork, { network: 'bluesky' }, admin);
	const { id } = await publish('New', START + MINUTE);
	await tick(START + HOUR);
	expect([records.size, statuses.size]).toEqual([0, 1]);
	expect((await call(api.listNetworks, {}, admin))[1]!.posts).toMatchObject([{ title: 'New' }]);
	expect(await call(api.placeOnNetworks, { id, isIn: false }, admin)).toEqual({ id, isIn: false });
});

test.each([
	'GET /api/admin/networks',
	'POST /api/admin/networks',
	'DELETE /api/admin/networks/bluesky',
	'PUT /api/admin/networks/posts/x',
])('%s is for the admin', async (line) => {
	await useTestDb();
	const [method, path] = line.split(' ');
	expect((await fetchApi()(path!, { method: method! })).status).toBe(401);
});
