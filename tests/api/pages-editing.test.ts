import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { auditLog, builds, contentProblems, meta, pageRevisions, pages } from '#db/schema.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import * as api from '#src/features/pages/editing.api.ts';
import { pageStore, prunePages } from '#src/features/pages/editing.server.ts';
import { listPages, renderPage } from '#src/features/pages/pages.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { DAY } from '#src/lib/dates.ts';
import { DEFAULT_SETTINGS, provideSettings } from '#src/site.ts';
import { fetchApi } from '#tests/support/api.ts';
import { makeDrawing } from '#tests/support/factories.ts';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { useSeededDesk } from '#tests/support/seeded-desk.ts';

async function setup() {
	const { db, admin, ask } = await useSeededDesk();
	const get = (page: string) => ask(api.get, { page });
	/** Returns a page as readers see it. */
	const shown = async (slug: string) => (await listPages(db)).find((page) => page.slug === slug);
	return { db, admin, ask, get, shown };
}

const PRIVACY = 'privacy';

test('the pages of the files are listed, opened and shown', async () => {
	const { ask, get, shown } = await setup();
	const rows = await ask(api.list, {});
	expect(rows.map(({ slug, path }) => [slug, path])).toEqual([
		['states', '/ai-best-practices'],
		['about', '/about'],
		['home', '/'],
		['newsletter', '/newsletter'],
		['privacy', '/privacy'],
		['terms', '/terms'],
	]);
	expect(rows.every((row) => row.published && !row.offered && row.version === 1)).toBe(true);
	expect(rows.find(({ slug }) => slug === 'home')).toMatchObject({
		questions: 6,
		testimonials: 3,
	});
	expect(await get('terms')).toMatchObject({
		title: 'Terms of Service',
		dated: '2026-11-23',
		offer: null,
	});
	expect((await get('terms')).content).toContain('%SITE_NAME%');
	expect((await shown('home'))?.questions[0]?.question).toBe('What is Groundtruth?');
	expect((await shown('home'))?.testimonials[0]).toMatchObject({ rating: 5, invented: true });
	await expect(get('nowhere')).rejects.toMatchObject({ code: 'not_found' });
});

test('a site without the samples says its own names on pages that nobody edited', async () => {
	const { shown } = await setup();
	onTestFinished(() => provideSettings(DEFAULT_SETTINGS));
	provideSettings({ ...DEFAULT_SETTINGS, name: 'Zebra Notes', content: 'own' });
	const { content: _, ...newsletter } = (await shown('newsletter'))!;
	expect(newsletter.questions.length).toBeGreaterThan(0);
	expect(JSON.stringify(newsletter)).toContain('Zebra Notes Weekly is free');
	expect(JSON.stringify(newsletter)).not.toMatch(/%[A-Z_]+%/);
	expect((await shown('home'))?.questions).toEqual([]);
});

test('a site without the samples has its own words about itself, however little of the page is changed', async () => {
	const { db, shown } = await setup();
	onTestFinished(() => provideSettings(DEFAULT_SETTINGS));
	expect((await pageStore.get(db, 'about'))!.content).toContain('Our mission');
	provideSettings({ ...DEFAULT_SETTINGS, content: 'own' });
	expect(await pageStore.get(db, 'about')).toMatchObject({ title: 'About us', content: '' });
	expect((await pageStore.get(db, 'terms'))!.content).toContain('%SITE_NAME%');
	const [home, newsletter] = ['home', 'newsletter'].map((slug) => pageStore.get(db, slug));
	expect(await home).toMatchObject({ questions: [], testimonials: [] });
	expect((await newsletter)!.questions.length).toBeGreaterThan(0);
	expect((await pageStore.list(db)).find(({ slug }) => slug === 'home')).toMatchObject({
		questions: 0,
		testimonials: 0,
	});
	const by = { actor: 'ada@x.example', now: new Date() };
	const saved = await pageStore.update(db, 'about', { version: 1, title: 'Who I am' }, by);
	expect(saved).toMatchObject({ title: 'Who I am', content: '' });
	expect(await shown('about')).toMatchObject({ title: 'Who I am', content: '', isEdited: true });
	const content = '<p>One person.</p>';
	await pageStore.update(db, 'about', { version: 2, content }, by);
	expect(await shown('about')).toMatchObject({ content });
});

test('a page shows a drawing inline, as articles do', async () => {
	const { db, shown } = await setup();
	await makeDrawing(db, 'drawing-1');
	const content = '<p><img src="/api/media/drawing-1" alt="A corner"></p>';
	await db.update(pages).set({ content }).where(eq(pages.slug, 'about'));
	const page = (await shown('about'))!;
	const { html } = await renderPage(page.content, new Map(page.drawings));
	expect(html).toMatch(/<figure id="fig-a-corner" class="drawn">.*<svg [^>]*aria-label="A corner"/);
	expect((await shown('terms'))!.drawings).toEqual([]);
});

test('nobody else reads or changes a page there', async () => {
	await setup();
	for (const [path, method] of [
		['', 'GET'],
		['', 'POST'],
		['/about', 'GET'],
		['/about', 'PUT'],
		['/about', 'DELETE'],
		['/about/revisions', 'GET'],
		['/about/revisions/1', 'GET'],
	] as const) {
		const response = await fetchApi()(`/api/admin/pages${path}`, { method });
		expect(response.status, path).toBe(401);
	}
});

test('a text is saved, built, kept as a version, and taken back', async () => {
	const { db, ask, get, shown } = await setup();
	const before = await shown(PRIVACY);
	const { dated } = await ask(api.get, { page: PRIVACY });
	const saved = await ask(api.update, {
		page: PRIVACY,
		version: 1,
		content: '<h2>Short</h2><p onclick="x()">Write to %PRIVACY_EMAIL%.</p><script>x()</script>',
		dated: '2026-12-01',
	});
	expect(saved).toMatchObject({ version: 2, dated: '2026-12-01' });
	expect(saved.content).toBe('<h2>Short</h2><p>Write to %PRIVACY_EMAIL%.</p>');
	const page = await shown(PRIVACY);
	expect(page?.updatedAt).toBe(saved.updatedAt);
	expect((await renderPage(page!.content)).html).toContain(
		'Write to <a href="/contact">groundtruth.test/contact</a>.',
	);
	expect(await db.$count(builds)).toBe(1);
	const log = await db.select().from(auditLog).where(eq(auditLog.action, 'changed'));
	expect(log).toMatchObject([{ detail: '“Privacy Policy”: text and last updated' }]);
	const versions = await ask(api.listRevisions, { page: PRIVACY });
	expect(versions.map(({ version }) => version)).toEqual([1]);
	const { form } = await ask(api.getRevision, { page: PRIVACY, version: 1 });
	expect(form).toMatchObject({ dated, published: true, questions: [] });

	await ask(undoAction, { token: saved.undo! });
	const { updatedAt } = await get(PRIVACY);
	expect(await shown(PRIVACY)).toEqual({ ...before, updatedAt, isEdited: true });
	expect(await get(PRIVACY)).toMatchObject({ version: 3 });
	const [second, first] = await ask(api.listRevisions, { page: PRIVACY });
	expect(second).toMatchObject({ version: 2, changed: ['Text', 'Last updated'] });
	expect(second!.removed).toBeGreaterThan(1000);
	expect(first).toMatchObject({ version: 1, changed: [], removed: 0 });
	await expect(ask(api.getRevision, { page: PRIVACY, version: 9 })).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('what is typed of a page is kept until it is saved, and shows readers nothing', async () => {
	const { db, ask, get, shown } = await setup();
	const [base, before] = [await get(PRIVACY), await shown(PRIVACY)];
	const copy = {
		version: 1,
		base: { title: base.title },
		form: { title: 'Typed' },
		at: Date.now(),
	};
	const kept = () => ask(api.getUnsaved, { page: PRIVACY });
	expect(await kept()).toEqual({ copy: null });
	expect(await ask(api.keepUnsaved, { page: PRIVACY, copy })).toEqual({ isKept: true });
	expect(await kept()).toEqual({ copy });
	expect(await ask(api.getUnsaved, { page: 'terms' })).toEqual({ copy: null });
	expect([await get(PRIVACY), await shown(PRIVACY)]).toEqual([base, before]);
	expect(await db.$count(builds)).toBe(0);
	// It goes with its page to another address.
	const made = await ask(api.createPage, { title: 'Imprint' });
	await ask(api.keepUnsaved, { page: made.slug, copy });
	await ask(api.update, { page: made.slug, slug: 'who' });
	expect(await ask(api.getUnsaved, { page: 'who' })).toEqual({ copy });
	// What nobody came back to for a month goes, and so does what cannot be read.
	const old = JSON.stringify({ ...copy, keptAt: Date.now() - 31 * DAY });
	await db.insert(meta).values([
		{ key: 'unsaved:page old', value: old },
		{ key: 'unsaved:page bad', value: '{' },
	]);
	expect(await ask(api.keepUnsaved, { page: 'who', copy: null })).toEqual({ isKept: false });
	const keys = (await db.select().from(meta)).map(({ key }) => key);
	expect(keys.filter((key) => key.startsWith('unsaved:'))).toEqual([
		expect.stringContaining(`page ${base.id}`),
	]);
	await expect(ask(api.keepUnsaved, { page: 'nowhere', copy })).rejects.toMatchObject({
		code: 'not_found',
	});
});

test('two devices that type in one page keep a text each, and the newest is offered', async () => {
	const { ask } = await setup();
	const at = Date.now();
	const typed = (title: string, later: number) => ({
		...{ version: 1, base: {}, form: { title }, at: at + later },
	});
	const page = PRIVACY;
	const kept = async () => (await ask(api.getUnsaved, { page })).copy?.form['title'];
	await ask(api.keepUnsaved, { page, device: 'train', copy: typed('On the train', 0) });
	await ask(api.keepUnsaved, { page, device: 'desk', copy: typed('At the desk', 1) });
	expect(await kept()).toBe('At the desk');
	// It is saved there: what was typed on the train stays.
	await ask(api.keepUnsaved, { page, device: 'desk', copy: null });
	expect(await kept()).toBe('On the train');
	await ask(api.keepUnsaved, { page: 'terms', device: 'train', copy: typed('Terms', 0) });
	// Whoever takes it over, or throws it away, names when it was typed.
	await ask(api.keepUnsaved, { page, device: 'desk', copy: null, at });
	expect(await kept()).toBeUndefined();
	expect((await ask(api.getUnsaved, { page: 'terms' })).copy?.form['title']).toBe('Terms');
});

test('an outdated version is refused with what is stored, and the same again changes nothing', async () => {
	const { db, ask } = await setup();
	await ask(api.update, { page: 'about', version: 1, title: 'Who we are' });
	await expect(ask(api.update, { page: 'about', version: 1, title: 'Us' })).rejects.toMatchObject({
		code: 'conflict',
		stored: { title: 'Who we are', version: 2 },
	});
	const again = await ask(api.update, { page: 'about', version: 2, title: ' Who we are\n' });
	expect(again).toMatchObject({ version: 2, undo: null });
	expect(await db.$count(builds)).toBe(1);
});

test('what was answered can be sent back whole', async () => {
	const { ask, get } = await setup();
	for (const page of ['about', 'home']) {
		const stored = await get(page);
		expect(await ask(api.update, { page, ...stored })).toMatchObject({
			version: 1,
			undo: null,
		});
	}
});

test('a new page is no page until it is public; then it is served, and the footer links to it', async () => {
	const { db, ask, get, shown } = await setup();
	const made = await ask(api.createPage, { title: 'Code of conduct' });
	expect(made).toMatchObject({
		slug: 'code-of-conduct',
		path: '/code-of-conduct',
		published: false,
	});
	expect(await shown('code-of-conduct')).toBeUndefined();
	expect(await db.$count(builds)).toBe(0);
	await ask(api.update, {
		page: 'code-of-conduct',
		version: made.version,
		content: '<p>Be kind.</p>',
		published: true,
		footer: true,
	});
	expect(await shown('code-of-conduct')).toMatchObject({ content: '<p>Be kind.</p>' });
	expect((await readSite(db, new Date())).footerPages).toEqual([
		{ label: 'Code of conduct', href: '/code-of-conduct' },
	]);
	expect(await db.$count(builds)).toBe(1);

	const moved = await ask(api.update, { page: 'code-of-conduct', slug: 'Conduct!' });
	expect(moved).toMatchObject({ slug: 'conduct', path: '/conduct', version: 3 });
	await expect(get('code-of-conduct')).rejects.toMatchObject({ code: 'not_found' });
	expect((await readSite(db, new Date())).redirects).toContainEqual({
		from: '/code-of-conduct',
		to: '/conduct',
	});
	await ask(undoAction, { token: moved.undo! });
	expect(await shown('code-of-conduct')).toBeDefined();
	expect((await readSite(db, new Date())).redirects).not.toContainEqual(
		expect.objectContaining({ to: '/conduct' }),
	);
	const again = await ask(api.createPage, { title: 'Code of conduct' });
	expect(again.slug).toBe('code-of-conduct-2');
});

test('a page that is made twice is one page, until something is written in it', async () => {
	const { db, ask } = await setup();
	const before = await db.$count(pages);
	const made = await Promise.all(
		Array.from({ length: 3 }, () => ask(api.createPage, { title: 'Start here' })),
	);
	expect(new Set(made.map(({ id }) => id)).size).toBe(1);
	expect(await db.$count(pages)).toBe(before + 1);
	await ask(api.update, { page: 'start-here', content: '<p>Words.</p>' });
	const other = await ask(api.createPage, { title: 'Start here' });
	expect(other).toMatchObject({ slug: 'start-here-2', content: '' });
	const whole = { title: 'Start here', content: '<p>From elsewhere.</p>' };
	expect(await ask(api.createPage, whole)).toMatchObject({ slug: 'start-here-3' });
});

test('a deleted page is gone with its former addresses, and comes back with them and its versions', async () => {
	const { db, ask, get, shown } = await setup();
	await ask(api.createPage, { title: 'Imprint', content: '<p>A</p>', published: true });
	await ask(api.update, { page: 'imprint', slug: 'legal' });
	const stored = await get('legal');
	const { undo } = await ask(api.deletePage, { page: 'legal' });
	expect(await shown('legal')).toBeUndefined();
	expect((await readSite(db, new Date())).redirects).toEqual(
		(await readSite(db, new Date())).redirects.filter(({ to }) => to !== '/legal'),
	);
	await prunePages(db, new Date());
	await ask(undoAction, { token: undo });
	expect(await get('legal')).toEqual(stored);
	expect(await ask(api.listRevisions, { page: 'legal' })).toHaveLength(1);
	expect((await readSite(db, new Date())).redirects).toContainEqual({
		from: '/imprint',
		to: '/legal',
	});

	await ask(api.deletePage, { page: 'legal' });
	await prunePages(db, new Date(Date.now() + 31 * DAY));
	expect(await db.$count(pageRevisions)).toBe(0);
	await expect(ask(api.deletePage, { page: 'legal' })).rejects.toMatchObject({ code: 'not_found' });
	await expect(ask(api.deletePage, { page: 'about' })).rejects.toMatchObject({
		code: 'conflict',
		message: 'The site needs this page: it can be edited, not deleted.',
	});
});

test('a deletion is not undone while another page has the address', async () => {
	const { ask } = await setup();
	await ask(api.createPage, { title: 'Imprint' });
	const { undo } = await ask(api.deletePage, { page: 'imprint' });
	await ask(api.createPage, { title: 'Another', slug: 'imprint' });
	await expect(ask(undoAction, { token: undo })).rejects.toMatchObject({
		code: 'conflict',
		message: '“Another” has the name or the address of “Imprint” by now. Rename it first.',
	});
});

test('questions and testimonials are lists of their pages', async () => {
	const { ask, get, shown } = await setup();
	const { questions, testimonials } = await get('home');
	const own = { name: 'Ines', role: '', content: 'Two\nlines.', rating: 4, invented: false };
	const saved = await ask(api.update, {
		page: 'home',
		version: 1,
		questions: [{ question: 'Is %SITE_NAME% free?', answer: 'Yes.' }, ...questions.toReversed()],
		testimonials: [...testimonials.slice(1), own],
	});
	expect(saved.version).toBe(2);
	const page = await shown('home');
	expect(page?.questions[0]).toEqual({ question: 'Is Groundtruth free?', answer: 'Yes.' });
	expect(page?.questions).toHaveLength(7);
	expect(page?.testimonials.at(-1)).toEqual(own);
	await ask(undoAction, { token: saved.undo! });
	expect(await get('home')).toMatchObject({ questions, testimonials, version: 3 });
});

const question = { question: 'Q', answer: 'A' };
const praise = { name: 'N', role: 'R', content: 'C', rating: 5, invented: false };
test.each([
	['the text of a page that is code', 'home', { content: '<p>x</p>' }, 'content'],
	['another address for a page that the site needs', 'about', { slug: 'us' }, 'slug'],
	['hiding a page that the site needs', 'terms', { published: false }, 'published'],
	['questions where no page shows them', 'about', { questions: [question] }, 'questions'],
	['no title', 'about', { title: ' ' }, 'title'],
	['a day that there is not', 'about', { dated: '2026-02-30' }, 'dated'],
	['too long a text', 'about', { content: `<p>${'x'.repeat(50_001)}</p>` }, 'content'],
	[
		'a question without an answer',
		'home',
		{ questions: [{ ...question, answer: ' ' }] },
		'questions.0.answer',
	],
	['six stars', 'home', { testimonials: [{ ...praise, rating: 6 }] }, 'testimonials.0.rating'],
	[
		'too many questions',
		'home',
		{ questions: Array.from({ length: 101 }, () => question) },
		'questions',
	],
])('%s is refused at its field, and nothing is stored', async (_, page, changes, field) => {
	const { ask, get } = await setup();
	const stored = await get(page);
	const problem = await ask(api.update, { page, ...changes }).catch((error: unknown) => error);
	expect(problem).toMatchObject({ code: 'validation' });
	expect(Object.keys((problem as { fields: object }).fields)).toContain(field);
	expect(await get(page)).toEqual(stored);
});

test.each(['blog', 'Admin', 'api', '404', 'home', 'states', 'about', '404-article', 'styleguide'])(
	'a new page cannot take the address of /%s',
	async (slug) => {
		const { ask } = await setup();
		await expect(ask(api.createPage, { title: 'Mine', slug })).rejects.toMatchObject({
			code: 'validation',
			fields: { slug: 'Another part of the site has this address.' },
		});
		const made = await ask(api.createPage, { title: slug });
		expect(made.slug).toMatch(/-2$/);
	},
);

test('what no page could be made of is stored as what can be, or refused', async () => {
	const { db, ask } = await setup();
	const made = await ask(api.createPage, {
		title: 'One\u0000\u202e\ntwo <b>',
		description: '"><script>',
		content: '<p>a\u0000b</p><iframe src="https://x.test"></iframe><img src=x onerror=y()>',
		published: true,
	});
	expect(made).toMatchObject({ title: 'One two <b>', slug: 'one-two-b' });
	expect(made.content).not.toMatch(/\0|iframe|onerror/);
	await checkRows(db, new Date());
	expect(await listPages(db)).toHaveLength(7);
	const unclosed = '<p><b><u><i><code>'.repeat(2_700);
	await expect(ask(api.update, { page: made.slug, content: unclosed })).rejects.toMatchObject({
		code: 'validation',
		fields: { content: expect.stringContaining('several times as long') as string },
	});
});

test('a page that holds what no page can be made of is left out, opened, and mended by saving', async () => {
	const { db, ask, get, shown } = await setup();
	const told = vi.spyOn(console, 'error').mockImplementation(() => {});
	await db.run(sql`update pages set questions = '[{"question": 3}]' where slug = 'home'`);
	await db.run(sql`update pages set title = x'ff', content = x'ff' where slug = 'about'`);
	await checkRows(db, new Date());
	expect(told.mock.calls.flat()).toEqual([
		'The page “�” is left out: its “title” holds no text.',
		'The page “Home” is left out: its “questions” is not what it should be.',
	]);
	expect(await db.$count(contentProblems, eq(contentProblems.kind, 'page row'))).toBe(2);
	expect([await shown('home'), await shown('about')]).toEqual([undefined, undefined]);
	expect(await get('about')).toMatchObject({ title: '�', content: '�' });
	await ask(api.update, { page: 'home', questions: [question] });
	await ask(api.update, { page: 'about', title: 'About us', content: '<p>Us.</p>' });
	await checkRows(db, new Date());
	expect(await shown('home')).toMatchObject({ questions: [question] });
	expect(await shown('about')).toMatchObject({ content: '<p>Us.</p>' });
});

test('a changed file is offered and never taken by itself; kept or taken, it is offered no longer', async () => {
	const { db, ask, get } = await setup();
	const older = async (slug: string, changes: object) => {
		await db.update(pages).set(changes).where(eq(pages.slug, slug));
		await db
			.update(meta)
			.set({ value: 'older' })
			.where(eq(meta.key, `file:page/${slug}`));
		await seedContent(db, unrendered);
	};
	await older('terms', { dated: '2020-01-01' });
	expect(await get('terms')).toMatchObject({
		dated: '2020-01-01',
		offer: { dated: '2026-11-23' },
	});
	const offered = (await ask(api.list, {})).filter((row) => row.offered);
	expect(offered.map(({ slug }) => slug)).toEqual(['terms']);
	const kept = await ask(api.update, { page: 'terms', settled: true });
	expect(kept).toMatchObject({ dated: '2020-01-01', offer: null });
	await seedContent(db, unrendered);
	expect((await get('terms')).offer).toBeNull();
	await ask(undoAction, { token: kept.undo! });
	const { offer } = await get('terms');
	const taken = await ask(api.update, { page: 'terms', ...offer!, settled: true });
	expect(taken).toMatchObject({ dated: '2026-11-23', offer: null });

	await older('states', { questions: [question] });
	expect((await get('states')).offer?.questions).toHaveLength(5);
	await older('home', { title: 'Renamed by hand' });
	expect((await get('home')).offer).toBeNull();
});

test('what was deleted does not come back from a file', async () => {
	const { db } = await setup();
	await db.delete(pages).where(eq(pages.slug, 'terms'));
	expect(await seedContent(db, unrendered)).toBe(0);
	expect(await db.$count(pages, eq(pages.slug, 'terms'))).toBe(0);
});
