import sharp from 'sharp';
import { eq, sql } from 'drizzle-orm';
import { unzipSync, zipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import {
	auditLog,
	builds,
	categories,
	comments,
	contentProblems,
	drafts,
	media,
	posts,
	postTags,
	redirects,
	revisions,
	tags,
} from '#db/schema.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { readFile } from '#src/features/import-export/read-file.ts';
import { reportOf } from '#src/features/import-export/report.ts';
import {
	emptyBundle,
	importedPost,
	type Bundle,
	type ImportedPost,
} from '#src/features/import-export/bundle.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';
import { archiveOf, everything, NOON, runOf, setup } from '#tests/support/import-export.ts';

const bundleOf = (
	...given: (Partial<Omit<ImportedPost, 'draft'>> & { draft?: object })[]
): Bundle => ({
	...emptyBundle('Markdown folder'),
	posts: given.map((post, index) =>
		importedPost.parse({ key: `file-${index}.md`, title: `Post ${index}`, ...post }),
	),
});

const png = (hue: number) =>
	sharp({ create: { width: 8, height: 6, channels: 3, background: { r: hue, g: 0, b: 0 } } })
		.png()
		.toBuffer();

/** A site with one of everything. */
async function fill(db: Db) {
	const robotics = await makeCategory(db, {
		name: 'Robotics',
		description: 'Arms',
		color: '#aabbcc',
		position: 3,
	});
	const mediaId = crypto.randomUUID();
	const bytes = await png(200);
	await db.insert(media).values({
		id: mediaId,
		name: 'arm.png',
		type: 'image/png',
		width: 8,
		height: 6,
		size: bytes.length,
		alt: 'An arm',
		digest: 'of the first site',
		createdAt: new Date('2026-01-05T10:00:00Z'),
		bytes,
	});
	const drawing = Buffer.from(
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10"><path d="M0 0L20 10"/></svg>',
	);
	const drawingId = `drawing-${crypto.randomUUID()}`;
	await db.insert(media).values({
		...{ id: drawingId, name: 'slope.svg', type: 'image/svg+xml', width: 20, height: 10 },
		...{ size: drawing.length, alt: 'A slope', digest: 'of its drawing', bytes: drawing },
		createdAt: new Date('2026-01-06T10:00:00Z'),
	});
	const post = await makePost(db, {
		title: 'Kalman: "filters", <b> & more',
		slug: 'kalman',
		excerpt: 'Short.',
		content: `<p>Weigh <span data-type="inline-math" data-latex="x^2"></span>.</p><aside data-callout="note"><p>Mind.</p></aside><img src="/api/media/${mediaId}" alt="An arm"><img src="/api/media/${drawingId}" alt="A slope"><pre><code class="language-python">a &#x3C; b\n</code></pre>`,
		featuredImage: `/api/media/${mediaId}`,
		metaTitle: 'Meta',
		metaDescription: 'Described.',
		searchedAs: 'GPS, two sensors',
		related: 'a-draft, elsewhere',
		questions: 'Is it so? Yes: "so".\nWhy? Because.',
		staleAfter: '2027-03-01 prices',
		author: 'Grace',
		categoryId: robotics.id,
		featured: true,
		readTime: 9,
		publishedAt: new Date('2026-01-10T10:00:00Z'),
		createdAt: new Date('2026-01-09T10:00:00Z'),
		updatedAt: new Date('2026-01-11T10:00:00Z'),
		tags: ['Kalman', 'Filters & more'],
	});
	const draft = await makePost(db, {
		title: 'A draft',
		published: false,
		publishedAt: null,
		categoryId: robotics.id,
		createdAt: new Date('2026-01-12T10:00:00Z'),
		updatedAt: new Date('2026-01-12T10:00:00Z'),
	});
	await makePost(db, { title: 'Deleted', deletedAt: NOON, categoryId: robotics.id });
	await db.insert(drafts).values({
		postId: draft.id,
		form: { ...emptyForm, title: 'A better draft' },
		baseVersion: 1,
		updatedAt: new Date('2026-01-12T10:00:00Z'),
	});
	await db.insert(redirects).values({ slug: 'old-kalman', postId: post.id });
	const says = { postId: post.id, author: 'Ada', email: 'a@x.example', content: '=Good, "yes"' };
	const time = new Date('2026-01-20T10:00:00Z');
	await db.insert(comments).values([
		{
			...{ ...says, id: crypto.randomUUID(), notify: true, earlier: ['Bad'], editedAt: NOON },
			...{ createdAt: time, updatedAt: time },
		},
		{ ...says, id: crypto.randomUUID(), approved: false, createdAt: time, updatedAt: time },
		{
			...says,
			id: crypto.randomUUID(),
			approved: false,
			reviewedAt: NOON,
			createdAt: time,
			updatedAt: time,
		},
	]);
	await makeSubscriber(db, { email: 'r@x.example', name: 'R', source: 'List', createdAt: time });
	await makeSubscriber(db, {
		...{ email: 'some@x.example', topics: [robotics.id], wantsWhole: true, createdAt: time },
		cadence: 'monthly',
		pausedUntil: new Date('2026-04-01T10:00:00Z'),
	});
	await makeSubscriber(db, {
		email: 'left@x.example',
		active: false,
		leftAt: NOON,
		createdAt: time,
	});
	return { mediaId, drawingId };
}

test('what is exported and imported into an empty site is the same site', async () => {
	const first = await setup();
	await fill(first.db);
	const before = await everything(first.db);
	const bundle = await readFile(await archiveOf(first.admin));
	expect([bundle.items, bundle.notes.size]).toEqual([[], 0]);

	const second = await setup();
	const report = await second.send(bundle);
	expect(report.subscribers).toEqual({ added: 3, completed: 0 });
	expect([report.categories.size, report.refused.size]).toEqual([1, 0]);
	expect(report.posts.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
	expect(await everything(second.db)).toEqual(before);

	// Once more changes nothing.
	const again = await second.send(bundle);
	expect(again.posts.map(({ outcome }) => outcome)).toEqual(['known', 'known']);
	expect([again.categories.size, again.subscribers.added]).toEqual([0, 0]);
	expect(await everything(second.db)).toEqual(before);
});

test('an archive is for people and spreadsheets too, and has nothing that was deleted', async () => {
	const { db, admin } = await setup();
	const { mediaId, drawingId } = await fill(db);
	const files = unzipSync(await archiveOf(admin));
	const text = (name: string) => new TextDecoder().decode(files[name]);
	expect(Object.keys(files).sort()).toEqual(
		[
			'archive.json',
			'csv/comments.csv',
			'csv/posts.csv',
			'csv/subscribers.csv',
			'data/categories.json',
			'data/comments.json',
			'data/media.json',
			'data/posts.json',
			'data/subscribers.json',
			`media/${mediaId}.png`,
			`media/${drawingId}.svg`,
			'posts/a-draft.md',
			'posts/kalman.md',
		].sort(),
	);
	expect(text('posts/kalman.md')).toMatch(
		/^---\ntitle: 'Kalman: "filters", <b> & more'\nslug: kalman\n/,
	);
	expect(text('posts/kalman.md')).toContain('Weigh $x^2$.\n\n> [!NOTE] Mind.\n');
	expect(text('posts/a-draft.md')).toContain('draft: true\n');
	expect(text('csv/comments.csv')).toContain(`"'=Good, ""yes"""`);
	expect(JSON.stringify(Object.keys(files))).not.toContain('deleted');
	expect((await db.select().from(auditLog)).map(({ action }) => action)).toEqual([
		'exported everything',
	]);
});

test('an article that cannot be Markdown is in the archive as it is, and what cannot be read is named', async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { db, admin } = await setup();
	// Not too regular: what packs too well is taken for a bomb.
	const names = ['div', 'b', 'em', 'span', 'section', 'u', 'blockquote'];
	const content = `${Array.from({ length: 15_000 }, (_, n) => `<${names[(n * n * 31 + (n >> 3)) % 7]!}>`).join('')}Deep words.`;
	await makePost(db, { title: 'Deep', content });
	const { id } = await makePost(db, { title: 'Broken' });
	await makePost(db, { title: 'Plain' });
	await db.run(sql`update posts set excerpt = cast(x'ff' as text) where id = ${id}`);
	await checkRows(db, new Date());
	const files = unzipSync(await archiveOf(admin));
	const text = (name: string) => new TextDecoder().decode(files[name]);
	expect(text('posts/deep.md')).toContain(content);
	expect(text('posts/plain.md')).toContain('Words.');
	expect(JSON.parse(text('data/posts.json'))).toHaveLength(2);
	expect(text('report.txt').split('\n')).toEqual([
		'The article “Broken” is left out: it holds bytes that are no text. It is not in this archive.',
		'“Deep” is HTML in posts/deep.md: Its elements or formulas are nested too deeply.',
		'',
	]);
	const bundle = await readFile(await archiveOf(admin));
	expect([bundle.posts.length, bundle.items]).toEqual([2, []]);
});

test('the Markdown of an archive alone is the same articles', async () => {
	const first = await setup();
	await fill(first.db);
	const files = unzipSync(await archiveOf(first.admin));
	const folder = Object.entries(files).filter(([name]) => name.startsWith('posts/'));
	const bundle = await readFile(zipSync(Object.fromEntries(folder)));
	const second = await setup();
	await makeCategory(second.db, { name: 'Robotics' });
	await second.send(bundle);
	const words = async (db: Db) =>
		(await db.select().from(posts))
			.filter(({ deletedAt }) => !deletedAt)
			.map(({ slug, title, excerpt, published, content }) => ({
				slug,
				title,
				excerpt,
				published,
				content: content.replace(/\s+|<\/?p>/g, ' ').replace(/\s+/g, ' '),
			}))
			.sort((a, b) => a.slug.localeCompare(b.slug));
	const [draft, kalman] = await words(second.db);
	const [draftBefore, kalmanBefore] = await words(first.db);
	expect(draft).toMatchObject({ slug: 'a-draft', published: false });
	expect(draft!.content.trim()).toBe(draftBefore!.content.trim());
	expect(kalman).toMatchObject({ slug: 'kalman', title: kalmanBefore!.title, excerpt: 'Short.' });
	expect(kalman!.content).toContain('data-latex="x^2"');
	expect(kalman!.content).toContain('<aside data-callout="note">');
	expect(kalman!.content).toContain('language-python');
});

test('a preview tells what would happen and stores nothing', async () => {
	const { db, send } = await setup();
	await makePost(db, { title: 'Post 0' });
	const bundle = bundleOf({}, { category: 'Nowhere' });
	bundle.comments = [
		{ ...aComment, post: 'file-0.md' },
		{ ...aComment, post: 'file-1.md' },
	];
	const before = await db.$count(posts);
	const report = await send(bundle, { preview: true });
	expect(report.posts).toEqual([
		{
			key: 'file-0.md',
			id: expect.any(String),
			outcome: 'known',
			slug: 'post-0',
			led: 0,
			notes: [{ what: 'It is there already, and stays as it is', detail: 'post-0' }],
		},
		{
			key: 'file-1.md',
			id: null,
			outcome: 'added',
			slug: 'post-1',
			led: 0,
			notes: [
				{
					what: 'There is no category of its name: it comes into the chosen one',
					detail: '“Nowhere”',
				},
			],
		},
	]);
	const comment = reportOf(bundle, report).find(({ kind }) => kind === 'comment');
	expect(comment).toMatchObject({ found: 2, imported: 1, left: 1 });
	expect([await db.$count(posts), await db.$count(comments), await db.$count(auditLog)]).toEqual([
		before,
		0,
		0,
	]);
});

test('a preview says of what is deleted here that it can be restored', async () => {
	const { db, send } = await setup();
	const deletedAt = new Date();
	await makePost(db, { title: 'Post 0', deletedAt });
	await makePost(db, { title: 'Post 1', slug: 'post-1', deletedAt });
	await makePost(db, { title: 'Another one', slug: 'post-2', deletedAt });
	const report = await send(bundleOf({}, {}, {}), { preview: true });
	expect(report.posts.map(({ outcome, notes }) => [outcome, notes[0]!.what])).toEqual([
		['known', 'It is among the deleted posts, where it can be restored'],
		['known', 'It is among the deleted posts, where it can be restored'],
		// Another post that has its address is no reason to leave it.
		['added', 'Its address is taken, and ends with a number'],
	]);
});

const aComment = {
	post: '',
	author: 'Ada',
	email: 'a@x.example',
	content: 'Good.',
	approved: true,
	reviewedAt: null,
	createdAt: '2024-05-02T10:00:00.000Z',
};

test('posts are sanitized, completed, put into categories and published in one build', async () => {
	const { db, categoryId, send } = await setup();
	const bundle = bundleOf(
		{
			content: '<p onclick="x()">Words</p><script>alert(1)</script>',
			published: true,
			tags: ['Kalman', 'kalman', 'New'],
			category: 'robots',
			publishedAt: '2024-05-01T10:00:00.000Z',
		},
		{ title: '', published: true },
	);
	bundle.categories = [{ name: 'Robots', slug: 'robots', description: null, position: null }];
	bundle.comments = [
		{ ...aComment, post: 'file-0.md' },
		{ ...aComment, post: 'nowhere' },
	];
	const report = await send(bundle);
	expect([...report.categories]).toEqual(['Robots']);
	const [first, second] = await db.select().from(posts).orderBy(posts.slug);
	const [robots] = await db.select().from(categories).where(eq(categories.slug, 'robots'));
	expect(first).toMatchObject({
		slug: 'post-0',
		content: '<p>Words</p>',
		author: 'Groundtruth',
		categoryId: robots!.id,
		published: true,
		publishedAt: new Date('2024-05-01T10:00:00Z'),
		createdAt: new Date('2024-05-01T10:00:00Z'),
		readTime: 1,
		excerpt: null,
	});
	expect(second).toMatchObject({ title: 'Untitled', categoryId, published: false });
	expect(await db.select().from(revisions)).toMatchObject([
		{ reason: 'import' },
		{ reason: 'import' },
	]);
	expect(await db.$count(builds)).toBe(1);
	expect(await db.select().from(comments)).toMatchObject([{ postId: first!.id }]);
	expect(await db.select().from(auditLog)).toMatchObject([
		{ action: 'imported a file', detail: 'Markdown folder: a.zip' },
	]);
});

const wasPublic = { published: true, publishedAt: '2024-05-01T10:00:00.000Z' };

test('an import that breaks off leaves posts that are built and accounted for', async () => {
	const { db, send } = await setup();
	let batches = 0;
	const batch = db.batch.bind(db);
	vi.spyOn(db, 'batch').mockImplementation((statements) => {
		if (++batches === 3) throw new Error('The database is away.');
		return batch(statements);
	});
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const bundle = bundleOf(wasPublic, wasPublic);
	const run = runOf(bundle);
	await expect(send(bundle, { run })).rejects.toMatchObject({ code: 'server' });
	const entries = () => db.$count(auditLog);
	expect([await db.$count(posts), await db.$count(builds), await entries()]).toEqual([1, 1, 1]);
	// Gone on with, it is the same import.
	const { posts: results } = await send(bundle, { run });
	expect(results.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
	expect([await db.$count(posts), await entries()]).toEqual([2, 1]);
	// Another one finds them there.
	const { posts: again } = await send(bundle);
	expect(again.map(({ outcome }) => outcome)).toEqual(['known', 'known']);
	expect([await db.$count(posts), await entries()]).toEqual([2, 2]);
});

test('a tag that comes twice is one, one without a name is none, and each has a slug that an address can hold', async () => {
	const { db, send } = await setup();
	const many = '㎈'.repeat(100);
	await send(bundleOf({ tags: ['', ' ', 'Twice', 'twice', many] }, { tags: ['TWICE'] }));
	const stored = await db.select({ name: tags.name, slug: tags.slug }).from(tags);
	expect(stored.map(({ name }) => name)).toEqual(['Twice', many]);
	expect(stored.map(({ slug }) => slug.length)).toEqual([5, 100]);
	expect(await db.$count(postTags)).toBe(3);
});

test('everything can come in as drafts, and then nothing is built', async () => {
	const { db, send } = await setup();
	await send(bundleOf({ published: true, publishedAt: '2024-05-01T10:00:00.000Z' }), {
		asDrafts: true,
	});
	expect(await db.select().from(posts)).toMatchObject([{ published: false, publishedAt: null }]);
	expect(await db.$count(builds)).toBe(0);
});

test('a post over a limit comes in whole and is told', async () => {
	const { db, send } = await setup();
	const content = `<p>${'a'.repeat(60_000)}</p>`;
	const { posts: results } = await send(bundleOf({ title: 'b'.repeat(250), content }));
	expect(results[0]!.notes.map(({ detail }) => detail)).toEqual([
		'250 characters, 200 are the limit',
		'60,000 characters, 50,000 are the limit',
	]);
	const [post] = await db.select().from(posts);
	expect([post!.title.length, post!.content.length]).toEqual([250, 60_007]);
});

test('addresses that are taken get an ending, and two of one name are both kept', async () => {
	const { db, send } = await setup();
	const other = await makePost(db, { title: 'Other' });
	await db.insert(redirects).values({ slug: 'post-0', postId: other.id });
	const bundle = bundleOf({}, { slug: 'post-0-2' });
	for (const preview of [true, false]) {
		const report = await send(bundle, { preview });
		expect(report.posts.map(({ outcome, slug }) => [outcome, slug])).toEqual([
			['added', 'post-0-2'],
			['added', 'post-0-2-2'],
		]);
		const what = 'Its address is taken, and ends with a number';
		expect(report.posts[1]!.notes).toEqual([{ what, detail: 'post-0-2 → post-0-2-2' }]);
	}
	expect(await db.$count(posts)).toBe(3);
});

test('an earlier address that is too long for one is left, and the report says so', async () => {
	const { db, send } = await setup();
	const bundle = bundleOf({ redirects: ['a'.repeat(200), 'b'.repeat(201)] });
	for (const preview of [true, false]) {
		const { posts: results } = await send(bundle, { preview });
		expect(results[0]!.notes).toEqual([
			{ what: 'An earlier address of it is too long to be kept' },
		]);
	}
	expect(await db.select({ slug: redirects.slug }).from(redirects)).toEqual([
		{ slug: 'a'.repeat(200) },
	]);
	await checkRows(db, NOON);
	expect(await db.$count(contentProblems)).toBe(0);
});

test('imported addresses are slugs, and an imported draft is a whole and harmless form', async () => {
	const { db, send } = await setup();
	const content = '<p onclick="x()">Words</p>';
	const bundle = bundleOf(
		{ redirects: ['Old slug', '*', ':x?a=b', 'old-slug'], category: 'Größe 2', draft: { content } },
		{ category: '日本', draft: {} },
	);
	bundle.categories = [
		{ name: 'Size', slug: 'Größe 2', description: null, position: null },
		{ name: '日本', slug: '/', description: null, position: null },
	];
	await send(bundle);
	const stored = await db.select({ slug: redirects.slug }).from(redirects).orderBy(redirects.slug);
	expect(stored.map(({ slug }) => slug)).toEqual(['old-slug', 'x-a-b']);
	const homes = await db
		.select({ post: posts.slug, category: categories.slug })
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.orderBy(posts.slug);
	expect(homes).toEqual([
		{ post: 'post-0', category: 'grosse-2' },
		{ post: 'post-1', category: '日本' },
	]);
	const forms = (await db.select().from(drafts)).map(({ form }) => form);
	expect(forms).toEqual([{ ...emptyForm, content: '<p>Words</p>' }, emptyForm]);
});

test('an image that is there already keeps its address, and posts name that', async () => {
	const { db, send } = await setup();
	const bytes = await png(10);
	const old = crypto.randomUUID();
	const image = { name: 'a.png', alt: '', createdAt: NOON.toISOString(), bytes };
	await send({ ...bundleOf(), media: [{ ...image, id: old }] });
	const moved = crypto.randomUUID();
	const report = await send({
		...bundleOf({ content: `<img src="/api/media/${moved}" alt="">` }),
		media: [{ ...image, id: moved }],
	});
	expect(report.posts).toHaveLength(1);
	expect((await db.select().from(posts))[0]!.content).toContain(`/api/media/${old}`);
	expect(await db.$count(media)).toBe(1);
});

test.each([
	['%PDF-1.7', 'Choose a PNG, JPEG, WebP, AVIF or GIF image, or an SVG drawing.'],
	[
		'<svg onload="alert(1)"/>',
		'This drawing cannot be used: it says nothing of its size: give its svg element a viewBox.',
	],
])('%s is refused as an image, and what shows it says its name', async (text, reason) => {
	const { db, send } = await setup();
	const bytes = new TextEncoder().encode(text);
	const image = { id: crypto.randomUUID(), name: 'a.png', alt: '', createdAt: NOON.toISOString() };
	const content = `<p>A <img src="/api/media/${image.id}" alt="x > y"> b</p>`;
	const bundle = { ...bundleOf({ content }), media: [{ ...image, bytes }] };
	const report = await send(bundle);
	expect([...report.refused]).toEqual([[image.id, reason]]);
	expect(await db.$count(media)).toBe(0);
	const [post] = await db.select().from(posts);
	expect(post!.content).toBe('<p>A <em>a.png</em> b</p>');
});

test('without a category to put posts into nothing is imported', async () => {
	const { db, send } = await setup();
	await expect(send(bundleOf({}), { categoryId: 'nowhere' })).rejects.toMatchObject({
		fields: { categoryId: 'Please choose a category.' },
	});
	expect(await db.$count(posts)).toBe(0);
});

test('many posts go in several parts and all arrive', async () => {
	const { db, send } = await setup();
	const bundle = bundleOf(...Array.from({ length: 120 }, () => ({ content: '<p>Words.</p>' })));
	expect((await send(bundle)).posts).toHaveLength(120);
	expect(await db.$count(posts)).toBe(120);
});
