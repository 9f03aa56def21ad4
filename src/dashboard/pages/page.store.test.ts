import { expect, test } from 'vitest';
import { PAGE, type PageForm } from '#src/features/pages/editing.ts';
import { pageWritings } from './page.store.ts';

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
