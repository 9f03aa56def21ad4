import { afterEach, expect, test, vi } from 'vitest';
import { $unsavedCopies, findUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import { PAGE, type PageForm } from '#src/features/pages/editing.ts';
import { pageWritings } from './page.store.ts';

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const base: PageForm = {
	title: 'About',
	slug: 'about',
	description: '',
	content: '<p>One.</p>\n<p>Two.</p>\n<p>Three.</p>',
	dated: '',
	published: true,
	footer: false,
	questions: [],
	testimonials: [],
};

test('what each side wrote in another paragraph is in the merged text', () => {
	const mine = { ...base, content: '<p>One, mine.</p>\n<p>Two.</p>\n<p>Three.</p>' };
	const theirs = {
		...base,
		dated: '2026-11-23',
		content: '<p>One.</p>\n<p>Two.</p>\n<p>Three, theirs.</p>\n<p>Four.</p>',
	};
	const { merged, disputed } = PAGE.merge(base, mine, theirs);
	expect(disputed).toEqual([]);
	expect(merged).toEqual({
		...base,
		dated: '2026-11-23',
		content: '<p>One, mine.</p>\n<p>Two.</p>\n<p>Three, theirs.</p>\n<p>Four.</p>',
	});
});

test('where both wrote in the same paragraph nothing is decided', () => {
	const mine = { ...base, title: 'Mine', content: base.content.replace('Two', 'Mine') };
	const theirs = { ...base, title: 'Theirs', content: base.content.replace('Two', 'Theirs') };
	const { merged, disputed } = PAGE.merge(base, mine, theirs);
	expect(disputed).toEqual(['title', 'content']);
	expect(merged).toEqual(mine);
});

test('what is typed goes to the server after a pause, and is forgotten there once it is stored', async () => {
	vi.useFakeTimers();
	const sent: unknown[] = [];
	vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
		sent.push([url, JSON.parse(init.body as string)]);
		return Response.json({ isKept: true });
	});
	const stored = { ...base, version: 2, id: 'x', path: '/x', updatedAt: '', offer: null };
	const { showStored, change, $kept } = pageWritings;
	showStored({ ...stored, slug: 'x' });
	await vi.advanceTimersByTimeAsync(10_000);
	expect(sent).toEqual([]);
	for (const title of ['T', 'Ty', 'Typed']) change('x', { form: { ...base, slug: 'x', title } });
	expect($kept.get()['x']).toBe(false);
	await vi.advanceTimersByTimeAsync(10_000);
	const copy = { version: 2, form: { title: 'Typed' }, base: { title: 'About' } };
	expect(sent).toMatchObject([['/api/admin/pages/x/unsaved', { copy }]]);
	expect($kept.get()['x']).toBe(true);
	showStored({ ...stored, slug: 'x', title: 'Typed', version: 3 });
	await vi.advanceTimersByTimeAsync(10_000);
	expect(sent.slice(1)).toMatchObject([['/api/admin/pages/x/unsaved', { copy: null }]]);
});

test('a text that is on its way to the server while its page is saved is forgotten there all the same', async () => {
	vi.useFakeTimers();
	const sent: unknown[] = [];
	const waiting: (() => void)[] = [];
	vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
		sent.push(JSON.parse(init.body as string));
		return new Promise((done) => waiting.push(() => done(Response.json({ isKept: true }))));
	});
	const stored = {
		...base,
		version: 2,
		id: 'z',
		slug: 'z',
		path: '/z',
		updatedAt: '',
		offer: null,
	};
	pageWritings.showStored(stored);
	pageWritings.change('z', { form: { ...base, slug: 'z', title: 'Typed' } });
	await vi.advanceTimersByTimeAsync(10_000);
	pageWritings.showStored({ ...stored, title: 'Typed', version: 3 });
	waiting[0]!();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(sent).toMatchObject([{ copy: { form: { title: 'Typed' } } }, { copy: null }]);
	expect(pageWritings.$kept.get()['z']).toBe(false);
});

test('what was typed on another device is offered, unless this one has it', async () => {
	const copy = (title: string, at: number) => ({ version: 1, base: {}, form: { title }, at });
	const found = () => findUnsaved($unsavedCopies.get(), 'page y')?.[1].form['title'];
	const now = Date.now();
	$unsavedCopies.set({ 'page y|other tab': { ...copy('Here', now), of: 'page y' } });
	pageWritings.offerKept('y', copy('The same', now));
	expect(found()).toBe('Here');
	pageWritings.offerKept('y', copy('Elsewhere', now + 1));
	expect(found()).toBe('Elsewhere');
	// It is of its own device until somebody goes on with it here: a save of this one leaves it there.
	vi.useFakeTimers();
	const fetched = vi.fn(async () => Response.json({ isKept: true }));
	vi.stubGlobal('fetch', fetched);
	const stored = {
		...base,
		version: 1,
		id: 'y',
		slug: 'y',
		path: '/y',
		updatedAt: '',
		offer: null,
	};
	pageWritings.showStored(stored);
	pageWritings.showStored({ ...stored, version: 2 });
	await vi.advanceTimersByTimeAsync(10_000);
	expect(fetched).not.toHaveBeenCalled();
	pageWritings.offerKept('y', null);
	expect(found()).toBe('Here');
});

test('an answer that left before the page was saved does not bring the text before back', () => {
	const stored = (version: number, title: string) => ({
		...base,
		title,
		version,
		id: 'p',
		path: '/about',
		updatedAt: '2026-11-26T00:00:00.000Z',
		offer: null,
	});
	const shown = () => pageWritings.$writings.get()['about']?.form.title;
	pageWritings.showStored(stored(2, 'Saved'));
	pageWritings.showStored(stored(1, 'Before'));
	expect(shown()).toBe('Saved');
	pageWritings.showStored(stored(3, 'Saved elsewhere'));
	expect(shown()).toBe('Saved elsewhere');
});

test.each([
	['about', true, true, 'Update'],
	['imprint', true, true, 'Update'],
	['imprint', true, false, 'Unpublish'],
	['imprint', false, true, 'Publish'],
	['imprint', false, false, 'Save draft'],
])('saving /%s, public %j and then %j, is called “%4$s”', (slug, published, then, deed) => {
	const stored = { ...base, slug, published } as Parameters<typeof pageWritings.showStored>[0];
	expect(pageWritings.deedOf!(stored, { ...base, published: then })).toBe(deed);
});
