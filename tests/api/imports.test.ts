import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import {
	auditLog,
	builds,
	categories,
	comments,
	importItems,
	media,
	outbox,
	pages,
	posts,
	subscribers,
	tags,
} from '#db/schema.ts';
import { getDigest, createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { update as updatePage } from '#src/features/pages/editing.api.ts';
import { deletePost, updatePost } from '#src/features/posts/editing.api.ts';
import { getImport, undoImport } from '#src/features/import-export/import-export.api.ts';
import {
	emptyBundle,
	importedPage,
	importedPost,
	type Bundle,
} from '#src/features/import-export/bundle.ts';
import { DAY } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { makePost, makeSubscriber } from '#tests/support/factories.ts';
import { NOON, runOf, setup } from '#tests/support/import-export.ts';

const bundleOf = (...given: object[]): Bundle => ({
	...emptyBundle('WordPress export'),
	posts: given.map((post, index) =>
		importedPost.parse({ key: `file-${index}`, title: `Post ${index}`, ...post }),
	),
});
const at = (days: number) => new Date(NOON.getTime() + days * DAY).toISOString();

test('what was public elsewhere is no news, and what is first published here is', async () => {
	vi.stubEnv('INDEXNOW_KEY', 'a'.repeat(32));
	vi.stubEnv('SITE_URL', 'https://x.example');
	const { db, admin, send } = await setup();
	await createIssue(db, NOON);
	vi.setSystemTime(new Date(at(1)));
	await send(
		bundleOf(
			{ published: true, publishedAt: at(0.5) },
			{ published: false },
			{ published: true, publishedAt: at(2) },
		),
	);
	const told = async () =>
		(await getDigest(db, new Date())).next.posts.map(({ title }) => title).sort();
	expect(await told()).toEqual([]);
	expect(await db.$count(builds)).toBe(1);
	// Search engines knew it before.
	expect(await db.$count(outbox, eq(outbox.kind, 'indexnow'))).toBe(0);

	const [draft] = await db.select().from(posts).where(eq(posts.slug, 'post-1'));
	await call(updatePost, { id: draft!.id, published: true }, admin);
	expect(await told()).toEqual(['Post 1']);
	// One that was waiting for its day is published here as well.
	vi.setSystemTime(new Date(at(3)));
	expect(await told()).toEqual(['Post 1', 'Post 2']);
	const issue = await createIssue(db, new Date(at(14)));
	expect(issue!.posts.map(({ title }) => title).sort()).toEqual(['Post 1', 'Post 2']);
});

test('a featured image with an address that no form takes does not come in', async () => {
	const { db, send } = await setup();
	const addresses = [
		'javascript:alert(1)',
		'//evil.example/a.png',
		'a.png',
		'/a.png',
		'https://x.example/a.png',
	];
	const { posts: results } = await send(
		bundleOf(...addresses.map((featuredImage) => ({ featuredImage }))),
	);
	const stored = await db.select({ image: posts.featuredImage }).from(posts).orderBy(posts.slug);
	expect(stored.map(({ image }) => image)).toEqual([null, null, null, '/a.png', addresses[4]]);
	expect(results.map(({ notes }) => notes.map(({ detail }) => detail))).toEqual([
		['javascript:alert(1)'],
		['//evil.example/a.png'],
		['a.png'],
		[],
		[],
	]);
});

test('an imported text over the limit is corrected and saved, and grows by a tenth at most', async () => {
	const { db, admin, send } = await setup();
	const text = (words: number) => `<p>${'word '.repeat(words)}</p>`;
	await send(
		bundleOf({
			content: text(20_000),
			title: 't'.repeat(300),
			tags: Array.from({ length: 30 }, (_, n) => `tag ${n}`),
		}),
	);
	const [{ id } = { id: '' }] = await db.select({ id: posts.id }).from(posts);
	const saved = await call(updatePost, { id, content: text(20_100), excerpt: 'New' }, admin);
	expect(saved.excerpt).toBe('New');
	const grown = call(updatePost, { id, content: text(25_000) }, admin);
	await expect(grown).rejects.toMatchObject({
		fields: { content: 'Use 110,548 characters or fewer' },
	});
	// Markup counts nothing, and what was made short stays short.
	const marked = `<p>${'<strong>w</strong> '.repeat(24_999)}</p>`;
	expect(marked.length).toBeGreaterThan(400_000);
	await call(updatePost, { id, content: marked, title: 'Short' }, admin);
	await expect(call(updatePost, { id, content: text(20_000) }, admin)).rejects.toMatchObject({
		fields: { content: 'Use 50,000 characters or fewer' },
	});
	await expect(call(updatePost, { id, title: 't'.repeat(201) }, admin)).rejects.toMatchObject({
		fields: { title: 'Use 200 characters or fewer' },
	});
});

const png = (hue: number) =>
	sharp({ create: { width: 8, height: 6, channels: 3, background: { r: hue, g: 0, b: 0 } } })
		.png()
		.toBuffer();

async function imported() {
	const site = await setup();
	const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
	const image = { name: 'a.png', alt: '', createdAt: NOON.toISOString() };
	await makePost(site.db, { title: 'Was here', tags: ['Old'] });
	vi.setSystemTime(new Date(NOON.getTime() + 1000));
	const show = (id: string) => `<p>Words</p><img src="/api/media/${id}" alt="">`;
	const bundle: Bundle = {
		...bundleOf(
			{
				category: 'one',
				tags: ['Old', 'New'],
				content: show(ids[0]),
				published: true,
				publishedAt: at(-9),
			},
			{ category: 'two', tags: ['Kept'], content: show(ids[1]) },
			{ category: 'one', content: '<p>Words</p>' },
		),
		categories: ['one', 'two', 'empty'].map((slug) => ({
			name: slug.toUpperCase(),
			slug,
			description: null,
			position: null,
		})),
		media: [
			{ ...image, id: ids[0], bytes: await png(10) },
			{ ...image, id: ids[1], bytes: await png(20) },
		],
		comments: [
			{
				post: 'file-0',
				author: 'Ada',
				email: 'ada@x.example',
				content: 'Good.',
				approved: true,
				reviewedAt: null,
				createdAt: at(-8),
			},
		],
		subscribers: ['a@x.example', 'b@x.example'].map((email) => ({
			email,
			name: null,
			lastName: null,
			source: null,
			active: true,
			createdAt: at(-20),
			leftAt: null,
		})),
	};
	const run = runOf(bundle);
	await site.send(bundle, { run });
	vi.setSystemTime(new Date(NOON.getTime() + 60_000));
	const idOf = async (slug: string) =>
		(await site.db.select({ id: posts.id }).from(posts).where(eq(posts.slug, slug)))[0]!.id;
	return { ...site, run, bundle, ids, idOf };
}

test('an import is one entry of the log and is undone as a whole, and then the file is new again', async () => {
	const { db, admin, run, bundle, send } = await imported();
	expect(await db.select().from(auditLog)).toMatchObject([
		{ action: 'imported a file', subject: `import ${run.id}`, detail: 'WordPress export: a.zip' },
	]);
	const removes = { posts: 3, pages: 0, categories: 3, tags: 2, images: 2, subscribers: 2 };
	expect(await call(getImport, { id: run.id }, admin)).toMatchObject({ removes, keeps: [] });
	expect(await call(undoImport, { id: run.id }, admin)).toMatchObject({ removes, keeps: [] });
	const left = () =>
		Promise.all(
			[posts, categories, tags, media, comments, subscribers].map((table) => db.$count(table)),
		);
	// The post that was here, its category and the one that posts go to, and its tag.
	expect(await left()).toEqual([1, 2, 1, 0, 0, 0]);
	expect(await db.$count(importItems)).toBe(0);
	expect((await db.select().from(auditLog)).at(-1)).toMatchObject({
		action: 'undid an import',
		detail: 'a.zip: 3 posts removed, 0 kept',
	});
	// Undone once is undone; its parts are not taken any more, and another import of the file is whole.
	await call(undoImport, { id: run.id }, admin);
	expect(await db.$count(auditLog)).toBe(2);
	await expect(send(bundle, { run })).rejects.toMatchObject({ code: 'conflict' });
	const again = await send(bundle);
	expect(again.posts.map(({ outcome }) => outcome)).toEqual(['added', 'added', 'added']);
	expect(await left()).toEqual([4, 5, 3, 2, 1, 2]);
});

test('pages come in once, under addresses that are free, and go again unless they were changed here', async () => {
	const { db, admin, send } = await setup();
	const [first, second] = ['Speaking', 'Privacy'].map((title) =>
		importedPage.parse({
			...{ key: title, title, slug: title.toLowerCase(), published: true },
			content: `<p>${title}.</p><script>alert(1)</script>`,
		}),
	);
	const bundle: Bundle = { ...emptyBundle('Ghost export'), pages: [first!, second!] };
	const run = runOf(bundle);
	const had = await db.$count(pages);
	expect((await send(bundle, { run, preview: true })).pages).toMatchObject([
		{ outcome: 'added', notes: [] },
		{ outcome: 'added', notes: [{ detail: 'privacy → privacy-2' }] },
	]);
	expect(await db.$count(pages)).toBe(had);
	await send(bundle, { run });
	await send(bundle, { run });
	const made = async () =>
		(await db.select().from(pages).orderBy(pages.slug)).filter(({ title }) =>
			['Speaking', 'Privacy'].includes(title),
		);
	expect(await made()).toMatchObject([
		{ slug: 'privacy-2', published: false, content: '<p>Privacy.</p>' },
		{ slug: 'speaking', published: true, content: '<p>Speaking.</p>' },
	]);
	// Another import of the file finds them.
	const again = await send(bundle, { run: { ...run, id: crypto.randomUUID() } });
	expect(again.pages.map(({ outcome }) => outcome)).toEqual(['known', 'known']);

	const page = await call(updatePage, { page: 'speaking', version: 1, title: 'Talks' }, admin);
	expect(page.title).toBe('Talks');
	expect(await call(undoImport, { id: run.id }, admin)).toMatchObject({
		removes: { pages: 1 },
		keeps: [{ name: 'Page “Talks”', why: 'changed here since' }],
	});
	expect(await db.$count(pages)).toBe(had + 1);
});

test('what was changed here since stays with all that it needs, and is named', async () => {
	const { db, admin, run, idOf, ids } = await imported();
	await call(updatePost, { id: await idOf('post-1'), title: 'Mine now' }, admin);
	await call(deletePost, { id: await idOf('post-2') }, admin);
	const now = new Date();
	await db.insert(comments).values({
		postId: await idOf('post-0'),
		author: 'Bob',
		email: 'bob@x.example',
		content: 'A reader of here.',
		createdAt: now,
		updatedAt: now,
	});
	await db.insert(outbox).values({
		kind: 'welcome',
		key: 'a@x.example',
		recipient: 'a@x.example',
		payload: {},
		createdAt: now,
	});
	await makeSubscriber(db, { email: 'own@x.example' });
	const { removes, keeps } = await call(undoImport, { id: run.id }, admin);
	expect(removes).toEqual({
		posts: 1,
		pages: 0,
		categories: 1,
		tags: 0,
		images: 0,
		subscribers: 1,
	});
	expect(new Set(keeps)).toEqual(
		new Set([
			{ name: '“Post 0”', why: 'has comments of readers' },
			{ name: '“Mine now”', why: 'changed here since' },
			{ name: 'Category “ONE”', why: 'has posts that stay' },
			{ name: 'Category “TWO”', why: 'has posts that stay' },
			{ name: '2 images', why: 'shown by posts that stay' },
			{ name: '1 subscriber', why: 'signed up here since' },
		]),
	);
	const titles = (await db.select().from(posts)).map(({ title }) => title).sort();
	expect(titles).toEqual(['Mine now', 'Post 0', 'Was here']);
	expect((await db.select({ id: media.id }).from(media)).map(({ id }) => id).sort()).toEqual(
		[...ids].sort(),
	);
	expect((await db.select().from(subscribers)).map(({ email }) => email).sort()).toEqual([
		'a@x.example',
		'own@x.example',
	]);
	// What stays is still no news.
	expect(await db.$count(importItems, eq(importItems.wasPublic, true))).toBe(1);
});

test('there is no import of an unknown id to look at, to undo or to add to', async () => {
	const { db, admin } = await setup();
	await expect(call(getImport, { id: 'none' }, admin)).rejects.toMatchObject({ code: 'not_found' });
	// Nobody comes in with an import that has no entry in the log.
	const rows = [
		{
			email: 'a@x.example',
			name: null,
			lastName: null,
			source: null,
			active: true,
			createdAt: null,
			leftAt: null,
		},
	];
	const unknown = { rows, preview: false, reactivate: false, importId: 'none' };
	await expect(call(importSubscribers, unknown, admin)).rejects.toMatchObject({ code: 'conflict' });
	expect(await db.$count(subscribers)).toBe(0);
	await expect(call(undoImport, { id: 'none' }, admin)).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('a part that is sent again, because its answer was lost, is stored once', async () => {
	const { db, run, bundle, send } = await imported();
	bundle.comments[0]!.id = crypto.randomUUID();
	const before = [await db.$count(posts), await db.$count(media), await db.$count(auditLog)];
	const { posts: results } = await send(bundle, { run });
	expect(results.map(({ outcome, slug }) => [outcome, slug])).toEqual([
		['added', 'post-0'],
		['added', 'post-1'],
		['added', 'post-2'],
	]);
	await send(bundle, { run });
	expect([await db.$count(posts), await db.$count(media), await db.$count(auditLog)]).toEqual(
		before,
	);
	// The first one had no id.
	expect(await db.$count(comments)).toBe(2);
});
