import { asc, eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import {
	auditLog,
	builds,
	comments,
	drafts,
	outbox,
	postCounts,
	posts,
	redirects,
	revisions,
	tags,
} from '#db/schema.ts';
import maintain from '#functions/maintenance.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { emptyForm, type PostForm } from '#src/features/posts/editing.ts';
import { POST_FIELDS, type TextName } from '#src/features/posts/fields.ts';
import { pageDigest } from '#src/features/posts/posts.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import type { PostState } from '#src/core/posts/post-state.ts';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, tagPost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(NOON.getTime() + ms);

async function setup() {
	vi.setSystemTime(NOON);
	const build = vi.fn();
	setBuilder({ build, prewarm: () => {} });
	const db = await useTestDb();
	const category = await makeCategory(db, { name: 'Robotics' });
	const admin = await asAdmin(db);
	const form: PostForm = {
		...emptyForm,
		title: 'A first title',
		content: '<p>Words.</p>',
		categoryId: category.id,
	};
	const create = (values: Partial<PostForm> = {}) =>
		call(api.createPost, { ...form, ...values }, admin);
	const update = (
		id: string,
		values: Partial<PostForm> & { version?: number; draftVersion?: number | null },
	) => call(api.updatePost, { id, ...values }, admin);
	const get = (id: string) => call(api.getEditedPost, { id }, admin);
	const publicPost = (slug: string) => fetchApi()(`/api/posts/${slug}`);
	const deeds = async () =>
		(await db.select().from(auditLog).orderBy(asc(auditLog.id))).map(({ action }) => action);
	const autosave = (id: string, content: string, version: number | null) =>
		call(api.saveDraft, { id, form: { ...form, content }, version, baseVersion: 1 }, admin);
	return { db, category, admin, form, create, update, get, publicPost, deeds, autosave, build };
}

test('what is left empty is completed, and what is unknown ignored', async () => {
	const { db, category, admin } = await setup();
	const response = await admin('/api/admin/posts', {
		method: 'POST',
		body: JSON.stringify({
			title: '  On  Crème brûlée!  ',
			excerpt: 'Short.',
			categoryId: category.id,
			readTime: 'abc',
			content: `<p>${'word '.repeat(401)}</p>`,
			id: 'mine',
			version: 7,
			evil: true,
		}),
	});
	expect(response.status).toBe(201);
	const post = (await response.json()) as object;
	expect(post).toMatchObject({
		slug: 'on-creme-brulee',
		metaTitle: 'On  Crème brûlée!',
		metaDescription: 'Short.',
		author: 'Groundtruth',
		readTime: 3,
		published: false,
		featured: false,
		publishedAt: null,
		featuredImage: null,
		state: 'draft',
		version: 1,
		tags: [],
		category: { name: 'Robotics', slug: 'robotics' },
		form: { metaTitle: '', metaDescription: '' },
	});
	expect(post).not.toHaveProperty('evil');
	expect((await db.select().from(posts))[0]).toMatchObject({
		metaTitle: null,
		id: expect.not.stringMatching('mine'),
	});
});

test.each([
	['title', { title: '', published: true }, 'Please enter a title.'],
	['title', { title: 'x'.repeat(201) }, 'Use 200 characters or fewer'],
	['excerpt', { excerpt: 'x'.repeat(501) }, 'Use 500 characters or fewer'],
	['content', { content: 'x'.repeat(50_001) }, 'Use 50,000 characters or fewer'],
	['searchedAs', { searchedAs: 'x'.repeat(501) }, 'Use 500 characters or fewer'],
	[
		'questions',
		{ questions: 'Why? Because.\nAnd how' },
		'Write each question on a line of its own',
	],
	['staleAfter', { staleAfter: 'in March' }, 'Begin with a day, such as 2027-03-01'],
	['staleAfter', { staleAfter: '2027-13-01 prices' }, 'Begin with a day, such as 2027-03-01'],
	['slug', { slug: 'x'.repeat(101) }, 'Use 100 characters or fewer'],
	['categoryId', { categoryId: '', published: true }, 'Please choose a category.'],
	['categoryId', { categoryId: 'nowhere' }, 'Please choose a category.'],
	['featuredImage', { featuredImage: 'javascript:alert(1)' }, 'The address of an image starts'],
	['featuredImage', { featuredImage: '//evil.example/x.png' }, 'The address of an image starts'],
	['featuredImage', { featuredImage: '/\t/evil.example/x.png' }, 'The address of an image starts'],
	['content', { content: '<b>'.repeat(16_000) }, 'This HTML is nested too deep'],
	['content', { content: '<ul>'.repeat(12_000) }, 'This HTML is nested too deep'],
	['content', { content: '<p><b><u><i><code>'.repeat(2_700) }, 'This HTML becomes several times'],
	['publishedAt', { publishedAt: 'soon' }, 'Use a date and a time'],
])('%s is refused with its own sentence, and nothing is stored', async (field, values, message) => {
	const { db, create } = await setup();
	const error = await create(values).catch((refusal: unknown) => refusal);
	expect(error).toMatchObject({
		code: 'validation',
		fields: { [field]: expect.stringContaining(message) },
	});
	expect(await db.$count(posts)).toBe(0);
	expect(await db.$count(auditLog)).toBe(0);
});

test('what is nested too deep for any reader is saved without those elements, and with its text', async () => {
	const { create } = await setup();
	const { form } = await create({ content: `${'<blockquote>'.repeat(1_160)}Deep words.` });
	expect(form.content).toBe(
		`${'<blockquote>'.repeat(100)}Deep words.${'</blockquote>'.repeat(100)}`,
	);
});

test('a draft needs no title and no category; readers see neither it nor the category that it waits in', async () => {
	const { db, create, update, get, category } = await setup();
	const shown = async () =>
		((await (await fetchApi()('/api/categories')).json()) as { slug: string }[]).map(
			({ slug }) => slug,
		);
	const post = await create({ title: '', categoryId: '' });
	expect(post).toMatchObject({
		title: 'Untitled',
		slug: 'untitled',
		state: 'draft',
		category: { name: 'Uncategorized', slug: 'uncategorized' },
	});
	expect((await create({ title: ' ', categoryId: '' })).categoryId).toBe(post.categoryId);
	expect(await shown()).toEqual(['robotics']);
	expect((await readSite(db, NOON)).categories.map(({ slug }) => slug)).toEqual(['robotics']);
	expect((await fetchApi()('/api/categories/uncategorized/posts')).status).toBe(404);

	const refusal = await update(post.id, { published: true }).catch((error: unknown) => error);
	expect(refusal).toMatchObject({
		fields: { title: 'Please enter a title.', categoryId: 'Please choose a category.' },
	});
	expect((await get(post.id)).state).toBe('draft');
	const published = await update(post.id, {
		title: 'A real title',
		slug: '',
		categoryId: category.id,
		published: true,
	});
	expect(published).toMatchObject({ state: 'published', slug: 'a-real-title' });

	// What came with it from elsewhere stays there, and then readers see it.
	const came = await makePost(db, { categoryId: post.categoryId });
	expect((await update(came.id, { excerpt: 'Short.' })).state).toBe('published');
	expect(await shown()).toEqual(['robotics', 'uncategorized']);
});

test('the list shows a draft by the title and the category that were autosaved', async () => {
	const { admin, create, category, form, update } = await setup();
	const post = await create({ title: '', categoryId: '' });
	const autosave = (title: string, categoryId: string, version: number | null) =>
		call(
			api.saveDraft,
			{ id: post.id, form: { ...form, title, categoryId }, version, baseVersion: 1 },
			admin,
		);
	const listed = async (q = '') => (await call(api.listAdminPosts, { q }, admin)).rows;
	await autosave(`  ${'A title '.repeat(40)}`, category.id, null);
	expect(await listed('A title')).toMatchObject([
		{ title: expect.stringMatching(/^A title A/), category: { name: 'Robotics' } },
	]);
	await autosave('', 'nowhere', 1);
	expect(await listed()).toMatchObject([{ title: 'Untitled', category: { name: 'Robotics' } }]);
	await update(post.id, { ...form, published: true });
	await autosave('Another one', category.id, null);
	expect(await listed()).toMatchObject([{ title: 'A first title', hasDraft: true }]);
});

test('a field as long as its limit is stored whole', async () => {
	const { create } = await setup();
	const longest = { title: 'x'.repeat(200), excerpt: 'x'.repeat(500), slug: 'x'.repeat(100) };
	const post = await create({ ...longest, content: `<p>${'x'.repeat(49_993)}</p>` });
	expect(post).toMatchObject(longest);
	expect(post.content).toHaveLength(50_000);
});

test('slugs are unique, also those that earlier posts had, and reserved words get a number', async () => {
	const { db, create, update } = await setup();
	const first = await create();
	expect((await create()).slug).toBe('a-first-title-2');
	expect((await create({ slug: 'A first title' })).slug).toBe('a-first-title-3');
	await update(first.id, { published: true });
	await update(first.id, { slug: 'renamed' });
	expect(await db.select().from(redirects)).toMatchObject([
		{ slug: 'a-first-title', postId: first.id },
	]);
	expect((await create()).slug).toBe('a-first-title-4');
	expect((await update(first.id, { slug: 'a-first-title' })).slug).toBe('a-first-title');
	expect(await db.select().from(redirects)).toMatchObject([{ slug: 'renamed' }]);
	expect((await create({ slug: 'page' })).slug).toBe('page-2');
	expect((await create({ title: '人工智能' })).slug).toBe('人工智能');
	const long = `${'long-'.repeat(39)}title`;
	expect((await create({ title: long })).slug).toHaveLength(99);
	const second = (await create({ title: long })).slug;
	expect([second.length <= 100, second.endsWith('-2')]).toEqual([true, true]);
});

test('ten posts of one title at once get ten slugs', async () => {
	const { create } = await setup();
	const made = await Promise.all(Array.from({ length: 10 }, () => create({ tags: ['New'] })));
	expect(new Set(made.map(({ slug }) => slug)).size).toBe(10);
	expect(new Set(made.flatMap((post) => post.tags.map(({ id }) => id))).size).toBe(1);
});

test('a new post that is sent twice is one post, and what became of it stays', async () => {
	const { db, form, admin, update, deeds } = await setup();
	const id = crypto.randomUUID();
	const send = (values: Partial<PostForm> = {}) =>
		call(api.createPost, { ...form, ...values, id }, admin);
	const made = await Promise.all([send(), send(), send()]);
	expect(made.map((post) => [post.id, post.slug])).toEqual(Array(3).fill([id, 'a-first-title']));
	await update(id, { title: 'By somebody else' });
	expect(await send({ title: 'Mine' })).toMatchObject({ title: 'By somebody else', version: 2 });
	expect(await db.$count(posts)).toBe(1);
	expect(await deeds()).toEqual(['created', 'saved']);
});

test('a draft that changes its slug leaves no redirect', async () => {
	const { db, create, update } = await setup();
	const { id } = await create();
	await update(id, { slug: 'other' });
	expect(await db.$count(redirects)).toBe(0);
});

test('tags keep their order, known ones are found whatever their case, unknown ones are made', async () => {
	const { db, create, update } = await setup();
	const other = await makePost(db);
	await tagPost(db, other.id, 'Machine Learning');
	const post = await create({ tags: ['Zebra', 'machine-learning', 'C++', 'C', 'zebra'] });
	expect(post.tags.map(({ name, slug }) => [name, slug])).toEqual([
		['Zebra', 'zebra'],
		['Machine Learning', 'machine-learning'],
		['C++', 'c'],
		['C', 'c-2'],
	]);
	expect(await db.$count(tags)).toBe(4);
	const changed = await update(post.id, { tags: ['C', 'Zebra'] });
	expect(changed.form.tags).toEqual(['C', 'Zebra']);
	expect(
		(await call(api.completeTags, { q: 'learn' }, await asAdmin(db))).map(({ name, posts }) => [
			name,
			posts,
		]),
	).toEqual([['Machine Learning', 1]]);
});

test('a title suffix is never stored', async () => {
	const { create } = await setup();
	const post = await create({ metaTitle: 'A first title - Complete Guide 2025' });
	expect(post.form.metaTitle).toBe('');
	expect((await create({ metaTitle: 'Other - Complete Guide 2026' })).form.metaTitle).toBe('Other');
});

test('hostile HTML is stored by no call', async () => {
	const { db, create, update, autosave } = await setup();
	const evil = '<p onclick="evil()">x<script>evil()</script></p>';
	const post = await create({ content: evil, published: true });
	expect(post.content).toBe('<p>x</p>');
	await update(post.id, { content: evil });
	await autosave(post.id, evil, null);
	const stored = [
		await db.select().from(posts),
		await db.select().from(drafts),
		await db.select().from(revisions),
	];
	expect(JSON.stringify(stored)).not.toMatch(/evil|onclick/);
});

test('publishing is one batch with its revision, its audit row, its build and the call of that', async () => {
	const { db, create, publicPost, deeds, build } = await setup();
	const post = await create({ published: true });
	expect(post).toMatchObject({
		state: 'published',
		publishedAt: NOON.toISOString(),
		path: '/blog/a-first-title',
	});
	expect((await publicPost('a-first-title')).status).toBe(200);
	expect(await db.select().from(revisions)).toMatchObject([{ reason: 'publish', form: post.form }]);
	expect(await db.select().from(auditLog)).toMatchObject([
		{
			actor: ADMIN_EMAIL,
			action: 'published',
			subject: `post ${post.id}`,
			detail: '“A first title”',
		},
	]);
	const [row] = await db.select().from(builds);
	expect(row).toMatchObject({ state: 'queued', cause: 'Published “A first title”' });
	expect(await db.select().from(outbox)).toMatchObject([
		{ kind: 'build', key: row!.id, deliveredAt: NOON },
	]);
	expect(build).toHaveBeenCalledTimes(1);
	expect(await deeds()).toEqual(['published']);
});

test('what fails leaves nothing behind', async () => {
	const { db, create } = await setup();
	const batch = db.batch.bind(db);
	vi.spyOn(console, 'error').mockImplementation(() => {});
	vi.spyOn(db, 'batch').mockImplementation((statements) =>
		batch([...statements, db.run('select nothing from nowhere')] as never),
	);
	await expect(create({ published: true, tags: ['New'] })).rejects.toMatchObject({
		code: 'server',
	});
	for (const table of [posts, tags, revisions, auditLog, builds, outbox]) {
		expect(await db.$count(table)).toBe(0);
	}
});

test('a draft asks for no build, is not public and can be found by the admin only', async () => {
	const { db, create, publicPost } = await setup();
	const { slug } = await create();
	expect((await publicPost(slug)).status).toBe(404);
	expect(await db.$count(builds)).toBe(0);
});

test('a burst of changes waits for one build, which names them', async () => {
	const { db, create, update } = await setup();
	const { id } = await create({ published: true });
	await update(id, { title: 'A second title' });
	await create({ title: 'Another', published: true });
	expect(await db.select().from(builds)).toMatchObject([
		{ cause: 'Published “A first title”; Changed “A second title”; Published “Another”' },
	]);
	expect(await db.$count(outbox)).toBe(1);
	await db.update(builds).set({ state: 'building' });
	await update(id, { title: 'A third title' });
	expect(await db.$count(builds)).toBe(2);
});

test('a save with an old version is refused and changes nothing; without a version it wins', async () => {
	const { db, create, update, deeds } = await setup();
	const post = await create({ published: true });
	expect((await update(post.id, { title: 'Mine', version: 1 })).version).toBe(2);
	await expect(update(post.id, { title: 'Theirs', version: 1, tags: ['x'] })).rejects.toMatchObject(
		{
			code: 'conflict',
		},
	);
	expect((await db.select().from(posts))[0]).toMatchObject({ title: 'Mine', version: 2 });
	expect(await db.$count(tags)).toBe(0);
	expect(await deeds()).toEqual(['published', 'changed']);
	expect((await update(post.id, { title: 'Theirs' })).version).toBe(3);
});

test('of ten saves of the same version at once one is stored', async () => {
	const { db, create, update } = await setup();
	const { id } = await create();
	const saves = Array.from({ length: 10 }, (_, n) =>
		update(id, { title: `Title ${n}`, version: 1 }),
	);
	const results = await Promise.allSettled(saves);
	expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	expect((await db.select().from(posts))[0]?.version).toBe(2);
	expect(await db.$count(auditLog)).toBe(2);
});

test('fields that are not sent keep what they have', async () => {
	const { create, update } = await setup();
	const post = await create({ excerpt: 'Kept.', tags: ['Kept'], readTime: 9, featured: true });
	const changed = await update(post.id, { published: true });
	expect(changed.form).toEqual({ ...post.form, published: true, publishedAt: NOON.toISOString() });
});

test('a time in the future schedules, taking back unpublishes, and the first time of publication stays', async () => {
	const { db, create, update, publicPost, deeds } = await setup();
	const soon = later(5 * MINUTE).toISOString();
	const { id, slug } = await create({ published: true, publishedAt: soon });
	expect((await publicPost(slug)).status).toBe(404);
	expect(await db.$count(builds)).toBe(0);
	vi.setSystemTime(later(5 * MINUTE));
	expect((await publicPost(slug)).status).toBe(200);
	const taken = await update(id, { published: false });
	expect(taken).toMatchObject({ state: 'unpublished', publishedAt: soon });
	expect((await publicPost(slug)).status).toBe(404);
	vi.setSystemTime(later(DAY));
	expect(await update(id, { published: true })).toMatchObject({
		state: 'published',
		publishedAt: soon,
	});
	expect(await deeds()).toEqual(['scheduled', 'unpublished', 'published']);
});

test('a time that a draft was given and never used does not make it an unpublished post', async () => {
	const { create, update } = await setup();
	const { id } = await create({ publishedAt: later(DAY).toISOString() });
	const scheduled = await update(id, { published: true, publishedAt: later(DAY).toISOString() });
	expect(scheduled.state).toBe('scheduled');
	expect((await update(id, { published: false })).state).toBe('draft');
});

test('a planned time that is taken away publishes now', async () => {
	const { create, update } = await setup();
	const { id } = await create({ published: true, publishedAt: later(DAY).toISOString() });
	const { state, form } = await update(id, { publishedAt: '' });
	expect([state, form.publishedAt]).toEqual(['published', NOON.toISOString()]);
});

test('an autosave is stored apart: the post stays as it is', async () => {
	const { create, autosave, get, publicPost } = await setup();
	const { id, slug } = await create({ published: true });
	expect(await autosave(id, '<p>New words.</p>', null)).toEqual({
		version: 1,
		updatedAt: NOON.toISOString(),
	});
	expect(await autosave(id, '<p>Newer words.</p>', 1)).toMatchObject({ version: 2 });
	const post = await get(id);
	expect([post.content, post.version, post.state]).toEqual(['<p>Words.</p>', 1, 'published']);
	expect(post.draft).toMatchObject({
		form: { content: '<p>Newer words.</p>' },
		version: 2,
		baseVersion: 1,
	});
	expect(((await (await publicPost(slug)).json()) as { content: string }).content).toBe(
		'<p>Words.</p>',
	);
});

test('an autosave that is nested too deep says so, and what was saved before stays', async () => {
	const { create, autosave, get } = await setup();
	const { id } = await create();
	await autosave(id, '<p>Kept.</p>', null);
	await expect(autosave(id, '<b>'.repeat(16_000), 1)).rejects.toMatchObject({
		code: 'validation',
		fields: { content: expect.stringContaining('nested too deep') },
	});
	expect((await get(id)).draft).toMatchObject({ form: { content: '<p>Kept.</p>' }, version: 1 });
});

test('signs that are written longer do not make an article too long', async () => {
	const { create } = await setup();
	const content = `<p>${'Q&amp;A '.repeat(5_500)}</p>`;
	const post = await create({ content });
	expect(post.form.content.length).toBeGreaterThan(content.length);
});

test('two windows notice each other: a stale autosave is refused', async () => {
	const { create, autosave, get } = await setup();
	const { id } = await create();
	await autosave(id, 'one', null);
	await expect(autosave(id, 'two', null)).rejects.toMatchObject({ code: 'conflict' });
	await autosave(id, 'three', 1);
	await expect(autosave(id, 'four', 1)).rejects.toMatchObject({ code: 'conflict' });
	expect((await get(id)).draft?.form.content).toBe('three');
	await expect(autosave('nowhere', 'five', null)).rejects.toMatchObject({ code: 'not_found' });
});

test('an autosave refuses nothing that can be typed', async () => {
	const { create, admin, form, get } = await setup();
	const { id } = await create();
	const long = {
		...form,
		title: '',
		slug: 'Not / a slug',
		excerpt: 'x'.repeat(9000),
		categoryId: '',
	};
	await call(api.saveDraft, { id, form: long, version: null, baseVersion: 1 }, admin);
	expect((await get(id)).draft?.form).toEqual(long);
});

test('a pause of ten minutes keeps what was written before it', async () => {
	const { create, autosave, admin } = await setup();
	const { id } = await create();
	await autosave(id, '<p>One.</p>', null);
	vi.setSystemTime(later(10 * MINUTE - 1));
	await autosave(id, '<p>Two.</p>', 1);
	expect(await call(api.listRevisions, { id }, admin)).toEqual([]);
	vi.setSystemTime(later(20 * MINUTE - 1));
	await autosave(id, '<p>Three.</p>', 2);
	const [revision, ...others] = await call(api.listRevisions, { id }, admin);
	expect(others).toEqual([]);
	expect(revision).toMatchObject({
		reason: 'pause',
		title: 'A first title',
		createdAt: later(10 * MINUTE - 1).toISOString(),
		...{ added: 1, removed: 0 },
	});
	const { form } = await call(api.getRevision, { id, revision: revision!.id }, admin);
	expect(form.content).toBe('<p>Two.</p>');
});

const WORDS = Array.from({ length: 180 }, (_, at) => `word${at}`);
const paragraph = (words: readonly string[]) => `<p>${words.join(' ')}</p>`;

test('steady writing keeps a version every five minutes', async () => {
	const { create, autosave, admin } = await setup();
	const { id } = await create();
	for (let at = 0; at < 130; at++) {
		vi.setSystemTime(later(at * 10 * SECOND));
		await autosave(id, paragraph(WORDS.slice(0, 30 + at)), at === 0 ? null : at);
	}
	const list = await call(api.listRevisions, { id }, admin);
	expect(list).toHaveLength(4);
	expect(list.map(({ added, removed }) => [added > 0, removed])).toEqual(Array(4).fill([true, 0]));
	const { form } = await call(api.getRevision, { id, revision: list[0]!.id }, admin);
	expect(form.content).toContain('word130');
});

test.each([
	['all of it', '<p>oops</p>', 1],
	['all but nothing', '', 1],
	['most of it', paragraph(WORDS.slice(0, 80)), 1],
	['other words in its place', paragraph(WORDS.map((word) => `other${word}`)), 1],
	['less than half', paragraph(WORDS.slice(0, 120)), 0],
	['nothing, in another order', paragraph(WORDS.toReversed()), 0],
])('a save that takes away %s keeps what there was', async (_, content, kept) => {
	const { create, autosave, admin } = await setup();
	const { id } = await create();
	await autosave(id, paragraph(WORDS), null);
	vi.setSystemTime(later(4 * SECOND));
	await autosave(id, content, 1);
	const list = await call(api.listRevisions, { id }, admin);
	expect(list).toHaveLength(kept);
	for (const { id: revision } of list) {
		const { form } = await call(api.getRevision, { id, revision }, admin);
		expect(form.content).toBe(paragraph(WORDS));
	}
});

test('letters of scripts without spaces count as words where much is taken away', async () => {
	const { create, autosave, admin } = await setup();
	const { id } = await create();
	await autosave(id, '<p>我们用梯度下降法训练模型，然后评估它的结果和误差。</p>', null);
	await autosave(id, '<p>好</p>', 1);
	expect(await call(api.listRevisions, { id }, admin)).toHaveLength(1);
});

test('a draft that a program replaces is kept where much of it goes', async () => {
	const { create, update, admin } = await setup();
	const { id } = await create({ content: paragraph(WORDS) });
	await update(id, { content: '<p>oops</p>' });
	expect(await call(api.listRevisions, { id }, admin)).toMatchObject([{ reason: 'pause' }]);
});

test('defaults that a program sends back follow what it changed', async () => {
	const { create, update, get } = await setup();
	const post = await create({ title: 'Fourth title', excerpt: 'Fourth words.' });
	const { metaTitle, metaDescription } = {
		metaTitle: 'Fourth title',
		metaDescription: 'Fourth words.',
	};
	await update(post.id, {
		title: 'Fifth title',
		excerpt: 'Fifth words.',
		metaTitle,
		metaDescription,
	});
	expect((await get(post.id)).form).toMatchObject({ metaTitle: '', metaDescription: '' });
	await update(post.id, { metaTitle: 'Own', metaDescription: 'Own words.' });
	await update(post.id, { title: 'Sixth title', metaTitle: 'Own', metaDescription: 'Own words.' });
	expect((await get(post.id)).form).toMatchObject({
		metaTitle: 'Own',
		metaDescription: 'Own words.',
	});
});

test('no control character is stored, in a title, an excerpt, a text or a tag', async () => {
	const { create, admin } = await setup();
	const signs = '\u0000\u0008\u000b\u000c\u001f\u007f\u0085\ufffe\uffff';
	const post = await create({
		title: `A${signs} ti${signs}tle`,
		excerpt: `One${signs}`,
		content: `<p>Text${signs} here</p>`,
		tags: [`ta${signs}g`],
		author: `Gr${signs}ace`,
	});
	expect(JSON.stringify(post)).not.toMatch(/(?!\\n)\p{Cc}|\\u00|\\[bf]|[\ufffe\uffff]/u);
	// NUL is a space, and what breaks lines is another.
	expect(post.form).toMatchObject({ title: 'A   ti  tle', author: 'Gr  ace' });
	const line = await create({ title: 'Two\nlines\tof it' });
	expect(line.form.title).toBe('Two lines of it');
	const comment = await admin('/api/admin/posts', {
		method: 'POST',
		body: '{"title":"raw \u0085\u009f sign","content":"x"}',
	});
	expect(((await comment.json()) as { form: { title: string } }).form.title).toBe('raw   sign');
});

test('saving the text takes the place of the draft; a switch in the list leaves it', async () => {
	const { create, autosave, update, get } = await setup();
	const { id } = await create();
	await autosave(id, '<p>Draft.</p>', null);
	await update(id, { featured: true });
	expect((await get(id)).draft).not.toBeNull();
	await update(id, { content: '<p>Saved.</p>' });
	expect((await get(id)).draft).toBeNull();
});

test.each([
	['the one that the writer knows is in it', 2, 0],
	['another one becomes a revision', 1, 1],
	['one where the writer knows none becomes a revision', null, 1],
	['one of which nothing is said becomes a revision', undefined, 1],
])('a save takes a fresh draft away: %s', async (_name, draftVersion, kept) => {
	const { create, autosave, update, get, admin } = await setup();
	const { id } = await create();
	await autosave(id, '<p>One.</p>', null);
	await autosave(id, '<p>Two, elsewhere.</p>', 1);
	const values = { content: '<p>Mine.</p>', version: 1 };
	await update(id, draftVersion === undefined ? values : { ...values, draftVersion });
	expect(await get(id)).toMatchObject({ draft: null, form: { content: '<p>Mine.</p>' } });
	const list = await call(api.listRevisions, { id }, admin);
	expect(list).toHaveLength(kept);
	for (const revision of list) {
		const { form } = await call(api.getRevision, { id, revision: revision.id }, admin);
		expect(form.content).toBe('<p>Two, elsewhere.</p>');
	}
});

test('a discarded draft is kept as a revision', async () => {
	const { create, autosave, admin, get } = await setup();
	const { id } = await create();
	await autosave(id, '<p>Draft.</p>', null);
	await call(api.discardDraft, { id }, admin);
	expect((await get(id)).draft).toBeNull();
	expect(await call(api.listRevisions, { id }, admin)).toMatchObject([{ reason: 'pause' }]);
});

test('a form that was stored before a field came has that field empty', async () => {
	const { db, create, get, admin } = await setup();
	const { id } = await create();
	const stored = { title: 'From before', content: '<p>Old.</p>', tags: ['a'] };
	await db.insert(drafts).values({ postId: id, form: stored, baseVersion: 1, updatedAt: NOON });
	await db.insert(revisions).values({ id: 'r1', postId: id, reason: 'pause', form: stored });
	const whole = { ...emptyForm, ...stored };
	expect((await get(id)).draft?.form).toEqual(whole);
	expect((await call(api.getRevision, { id, revision: 'r1' }, admin)).form).toEqual(whole);
	await call(api.restoreRevision, { id, revision: 'r1' }, admin);
	expect((await get(id)).draft?.form).toMatchObject({
		metaTitle: '',
		author: '',
		slug: 'a-first-title',
	});
});

test('a public answer has the fields that are marked public, and no other column', async () => {
	const { create, publicPost } = await setup();
	const { slug } = await create({ published: true });
	const fields = Object.entries(POST_FIELDS).filter(([, field]) => 'isPublic' in field);
	expect(Object.keys((await (await publicPost(slug)).json()) as object).sort()).toEqual(
		[...fields.map(([name]) => name), 'id', 'category', 'createdAt', 'updatedAt'].sort(),
	);
});

test('a change of what search finds a post by, and of nothing else, makes its rendering stale', async () => {
	const { db } = await setup();
	const [trigger] = await db.all<{ sql: string }>(
		sql`select sql from sqlite_master where name = 'posts_stale'`,
	);
	const [, columns] = /UPDATE OF (.*) ON/.exec(trigger!.sql)!;
	const searched = Object.entries(POST_FIELDS).filter(([, field]) => 'isSearched' in field);
	const columnOf = (name: string) => posts[name as TextName].name;
	expect(columns!.split(', ').sort()).toEqual(searched.map(([name]) => columnOf(name)).sort());
});

test('a restored revision becomes the draft; the page, the address and the state stay', async () => {
	const { db, create, update, admin, autosave } = await setup();
	const post = await create({ published: true });
	await update(post.id, { title: 'A second title', content: '<p>Second.</p>', slug: 'second' });
	await autosave(post.id, '<p>Being written.</p>', null);
	const before = await db.select().from(posts);
	const list = await call(api.listRevisions, { id: post.id }, admin);
	expect(list.map(({ title }) => title)).toEqual(['A second title', 'A first title']);
	const input = { id: post.id, revision: list[1]!.id };
	const restored = await call(api.restoreRevision, input, admin);
	expect(restored.draft).toMatchObject({
		version: 2,
		baseVersion: 2,
		form: { title: 'A first title', content: '<p>Words.</p>', slug: 'second', published: true },
	});
	expect(await db.select().from(posts)).toEqual(before);
	expect(await db.$count(builds, eq(builds.state, 'queued'))).toBe(1);
	const kept = await db.select().from(revisions).where(eq(revisions.reason, 'restore'));
	expect(kept.map(({ form }) => form['content'])).toEqual(['<p>Being written.</p>']);
	await expect(
		call(api.restoreRevision, { id: post.id, revision: 'nowhere' }, admin),
	).rejects.toMatchObject({ code: 'not_found' });
});

test('a deleted post is gone from everything public and comes back as it was', async () => {
	const { db, create, admin, get, publicPost, deeds } = await setup();
	const post = await create({ published: true, featured: true, tags: ['Kept'] });
	const list = async (path: string) => (await (await fetchApi()(path)).json()) as unknown[];
	const lists = [
		'/api/posts',
		'/api/posts/featured',
		'/api/posts/trending',
		'/api/posts/most-shared',
		'/api/categories/robotics/posts',
	];
	await call(api.deletePost, { id: post.id }, admin);
	expect((await publicPost(post.slug)).status).toBe(404);
	for (const path of lists) expect(await list(path), path).toEqual([]);
	expect(await get(post.id)).toMatchObject({ state: 'deleted', deletedAt: NOON.toISOString() });
	await expect(call(api.updatePost, { id: post.id, title: 'x' }, admin)).rejects.toMatchObject({
		code: 'conflict',
	});
	vi.setSystemTime(later(30 * DAY - 1));
	await maintain();
	const restored = await call(api.restorePost, { id: post.id }, admin);
	expect(restored).toMatchObject({
		state: 'published',
		tags: post.tags,
		publishedAt: post.publishedAt,
	});
	for (const path of lists) expect(await list(path), path).toHaveLength(1);
	expect(await deeds()).toEqual(['published', 'deleted', 'restored']);
	expect((await db.select().from(builds))[0]?.cause).toBe(
		'Published “A first title”; Deleted “A first title”; Restored “A first title”',
	);
});

test('after thirty days a deleted post is removed for good', async () => {
	const { db, create, admin, deeds } = await setup();
	const { id } = await create();
	const kept = await create();
	await call(api.deletePost, { id }, admin);
	vi.setSystemTime(later(30 * DAY));
	await expect(call(api.restorePost, { id }, admin)).rejects.toMatchObject({
		code: 'not_found',
	});
	await maintain();
	expect(await db.select({ id: posts.id }).from(posts)).toEqual([{ id: kept.id }]);
	expect((await deeds()).at(-1)).toBe('removed');
});

const FAULTS = [
	`title = cast(x'41ff' as text)`,
	`title = x'41'`,
	`excerpt = x'ff'`,
	`content = cast(x'ff' as text)`,
	`content = '${'<div>'.repeat(5000)}'`,
	`slug = cast(x'61ff' as text)`,
	`slug = 'a/../b'`,
	`updated_at = 'once'`,
	`created_at = 9223372036854775807`,
	`published_at = 'soon'`,
	`version = 9223372036854775807`,
	`read_time = 'long'`,
];

/** Stores a post as another program might have stored it, and has a build look at it. */
async function setupFaulty(change: string) {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const context = await setup();
	const { db, create } = context;
	const { id } = await create({ published: true, title: 'One', content: '<p>Words.</p>' });
	await db.run(sql.raw(`update posts set ${change} where id = '${id}'`));
	await checkRows(db, NOON);
	await db.delete(builds);
	const stored = async () =>
		(
			await db.all<{ row: string }>(
				sql`select hex(title) || hex(excerpt) || hex(content) || quote(read_time) as row from posts where id = ${id}`,
			)
		)[0]?.row;
	const list = async (state: PostState) =>
		(await call(api.listAdminPosts, { state }, context.admin)).rows;
	return { ...context, id, stored, list };
}

test.each(FAULTS)(
	'an article with %.60s can be unpublished, deleted, restored and removed for good',
	async (change) => {
		const { db, admin, id, update, stored, list } = await setupFaulty(change);
		const before = await stored();
		const { rows: all } = await call(api.listAdminPosts, {}, admin);
		const { version } = all[0]!;
		await update(id, { published: false, version });
		expect((await list('published')).length + (await list('scheduled')).length).toBe(0);
		// Its page may still be there.
		expect(await db.$count(builds)).toBe(1);
		expect(await stored()).toBe(before);
		await call(api.deletePost, { id }, admin);
		expect((await list('deleted')).map((post) => post.id)).toEqual([id]);
		await call(api.restorePost, { id }, admin);
		expect(await list('deleted')).toEqual([]);
		expect(await stored()).toBe(before);
		await call(api.deletePost, { id }, admin);
		vi.setSystemTime(later(30 * DAY));
		await maintain();
		expect(await db.$count(posts)).toBe(0);
	},
);

test.each(FAULTS)('an article with %.60s is mended by saving it', async (change) => {
	const { db, admin, id, update, get, publicPost } = await setupFaulty(change);
	const { form, version } = await get(id);
	const slug = 'mended';
	const content = '<p>Mended.</p>';
	await update(id, { ...form, title: 'Mended', readTime: 3, slug, content, version });
	await checkRows(db, NOON);
	const { rows: listed } = await call(api.listAdminPosts, {}, admin);
	expect(listed.map(({ problem }) => problem)).toEqual([null]);
	expect((await publicPost(slug)).status).toBe(200);
	// No earlier address is kept that never was one.
	const left = await db.select({ slug: redirects.slug }).from(redirects);
	expect(left.filter((one) => one.slug !== 'one')).toEqual([]);
});

test.each([
	['GET', ''],
	['PUT', ''],
	['DELETE', ''],
	['POST', '/restore'],
	['GET', '/revisions'],
	['GET', '/revisions/r1'],
	['POST', '/revisions/r1/restore'],
	['POST', '/preview'],
])('%s of a post that is not there: 404 (%s)', async (method, path) => {
	const { db, admin } = await setup();
	const response = await admin(`/api/admin/posts/nowhere${path}`, { method });
	expect(response.status).toBe(404);
	expect(await db.$count(auditLog)).toBe(0);
});

test('the digest that the page must show changes with each save, and by nothing else', async () => {
	const { db, create, update, get, autosave } = await setup();
	const { id, digest } = await create({ published: true });
	await autosave(id, 'x', null);
	expect((await get(id)).digest).toBe(digest);
	vi.setSystemTime(later(1));
	const changed = await update(id, { title: 'Other' });
	expect(changed.digest).not.toBe(digest);
	expect(changed.digest).toBe(pageDigest((await db.select().from(posts))[0]!));
});

test('the list is paged, sorted and filtered, and counts every state', async () => {
	const { db, category, admin, form } = await setup();
	const categoryId = category.id;
	const make = (title: string, values: object) => makePost(db, { title, categoryId, ...values });
	const day = (n: number) => later(-n * DAY);
	await make('public', { updatedAt: day(1), publishedAt: day(9) });
	const draft = await make('Draft 100%', {
		published: false,
		publishedAt: null,
		updatedAt: day(2),
		tags: ['T'],
	});
	await make('scheduled', { publishedAt: later(DAY), updatedAt: day(3) });
	await make('unpublished', {
		published: false,
		publishedAt: day(5),
		updatedAt: day(4),
		excerpt: 'Findable',
	});
	await make('deleted', { deletedAt: NOON, updatedAt: NOON });
	await makePost(db, { title: 'elsewhere', updatedAt: day(6) });
	const written = { ...form, title: draft.title };
	await call(api.saveDraft, { id: draft.id, form: written, version: null, baseVersion: 1 }, admin);
	const list = async (query: object) => {
		const { rows: found, total } = await call(api.listAdminPosts, query, admin);
		expect(total).toBe(found.length);
		return found.map(({ title }) => title);
	};
	const all = await call(api.listAdminPosts, {}, admin);
	expect(all.counts).toEqual({
		all: 5,
		draft: 1,
		scheduled: 1,
		published: 2,
		unpublished: 1,
		deleted: 1,
		offered: 0,
		due: 0,
	});
	expect(all.rows.map(({ title, state, hasDraft }) => [title, state, hasDraft])).toEqual([
		['public', 'published', false],
		['Draft 100%', 'draft', true],
		['scheduled', 'scheduled', false],
		['unpublished', 'unpublished', false],
		['elsewhere', 'published', false],
	]);
	for (const state of ['draft', 'scheduled', 'published', 'unpublished', 'deleted'] as const) {
		const found = await call(api.listAdminPosts, { state }, admin);
		expect(
			found.rows.map((post) => post.state),
			state,
		).toEqual(Array(all.counts[state]).fill(state));
	}
	expect(await list({ q: '100%' })).toEqual(['Draft 100%']);
	expect(await list({ q: '100% draft' })).toEqual(['Draft 100%']);
	expect(await list({ q: '%' })).toEqual(['Draft 100%']);
	expect(await list({ q: 'findable' })).toEqual(['unpublished']);
	expect(await list({ tag: 't' })).toEqual(['Draft 100%']);
	expect(await list({ category: 'nowhere' })).toEqual([]);
	expect((await list({ category: 'robotics' })).includes('elsewhere')).toBe(false);
	expect((await list({ sort: 'title' }))[0]).toBe('Draft 100%');
	expect((await list({ sort: 'updated' }))[0]).toBe('elsewhere');
	const paged = await call(api.listAdminPosts, { pageSize: 2, page: 3 }, admin);
	expect(paged).toMatchObject({ total: 5, page: 3, pageSize: 2, rows: [{ title: 'elsewhere' }] });
	expect((await call(api.listAdminPosts, { pageSize: 2, page: 99 }, admin)).page).toBe(3);
});

test('a duplicate is a draft with an address of its own, and nothing that readers did', async () => {
	const { db, admin, create, autosave, publicPost, build } = await setup();
	const tags = ['Robots', 'Kalman'];
	const first = await create({
		...{ published: true, featured: true, tags, excerpt: 'Short.', searchedAs: 'kf' },
		publishedAt: later(-DAY).toISOString(),
	});
	await db.insert(comments).values({
		...{ postId: first.id, author: 'Ada', email: 'a@x.example', content: 'Yes.' },
	});
	await db.insert(postCounts).values({ postId: first.id, day: 1, views: 5 });
	const builds = build.mock.calls.length;
	const copy = await call(api.copyPost, { id: first.id }, admin);
	expect(copy).toMatchObject({
		...{ title: 'A first title (copy)', slug: 'a-first-title-copy', state: 'draft' },
		form: {
			...{ content: '<p>Words.</p>', excerpt: 'Short.', searchedAs: 'kf', tags },
			...{ published: false, featured: false, publishedAt: '' },
		},
		draft: null,
	});
	expect(copy.id).not.toBe(first.id);
	expect((await publicPost(copy.slug)).status).toBe(404);
	expect(await db.$count(comments, eq(comments.postId, copy.id))).toBe(0);
	expect(await db.$count(postCounts, eq(postCounts.postId, copy.id))).toBe(0);
	expect(await db.$count(revisions, eq(revisions.postId, copy.id))).toBe(0);
	expect(build).toHaveBeenCalledTimes(builds);
	// Once more, and as the editor shows it.
	await autosave(first.id, '<p>Unsaved.</p>', null);
	expect(await call(api.copyPost, { id: first.id }, admin)).toMatchObject({
		...{ title: 'A first title (copy 2)', slug: 'a-first-title-copy-2' },
		form: { content: '<p>Unsaved.</p>' },
	});
	expect((await admin('/api/admin/posts/none/copy', { method: 'POST', body: '{}' })).status).toBe(
		404,
	);
	expect(await db.$count(posts)).toBe(3);
});
