import { expect, test } from 'vitest';
import type { PageForm } from '#src/features/pages/editing.ts';
import { mergePages } from './page.store.ts';

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
	const { merged, disputed } = mergePages(base, mine, theirs);
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
	const { merged, disputed } = mergePages(base, mine, theirs);
	expect(disputed).toEqual(['title', 'content']);
	expect(merged).toEqual(mine);
});
