import { expect, test } from 'vitest';
import { emptyForm } from '#src/features/posts/editing.ts';
import {
	blocksOf,
	evidentChoices,
	fieldsBetween,
	isMadeOf,
	mergedOf,
	mergePosts,
	partsOf,
	sameForm,
	textOf,
} from './merge.ts';
import { wordsBetween } from '#src/dashboard/kit/Difference.tsx';

const BASE = '<p>One</p>\n<p>Two</p>\n<p>Three</p>';
const MINE = '<p>One</p>\n<p>Two, mine</p>\n<p>Three</p>\n<p>Four</p>';
const THEIRS = '<p>One, theirs</p>\n<p>Two</p>\n<p>Three</p>';

test('the parts of a side together are that side', () => {
	const parts = partsOf(MINE, THEIRS);
	expect(
		mergedOf(
			parts,
			parts.map(() => 'mine'),
		),
	).toBe(MINE);
	expect(
		mergedOf(
			parts,
			parts.map(() => 'theirs'),
		),
	).toBe(THEIRS);
	expect(mergedOf(parts, [])).toBe(MINE);
});

test('both keeps both, mine first', () => {
	const parts = partsOf('<p>A</p>', '<p>B</p>');
	expect(parts).toEqual([{ mine: ['<p>A</p>'], theirs: ['<p>B</p>'] }]);
	expect(mergedOf(parts, ['both'])).toBe('<p>A</p>\n<p>B</p>');
});

test('equal versions have no places to choose', () => {
	expect(partsOf(BASE, BASE)).toEqual([{ same: blocksOf(BASE) }]);
	expect(evidentChoices(partsOf(BASE, BASE), BASE)).toEqual([undefined]);
});

test('what only one side changed is that side’s; what both changed is left to the writer', () => {
	const theirs = partsOf(BASE, THEIRS);
	expect(evidentChoices(theirs, BASE)).toEqual(['theirs', undefined]);
	expect(mergedOf(theirs, evidentChoices(theirs, BASE))).toBe(THEIRS);
	const mine = partsOf(MINE, BASE);
	expect(mergedOf(mine, evidentChoices(mine, BASE))).toBe(MINE);
	const both = partsOf('<p>One A</p>', '<p>One B</p>');
	expect(evidentChoices(both, '<p>One</p>')).toEqual([undefined]);
});

test('two who write in neighboring paragraphs, or in other fields, are asked nothing', () => {
	const base = { ...emptyForm, content: BASE, tags: ['a'] };
	const mine = { ...base, content: BASE.replace('One', 'One, mine'), tags: ['a', 'x'] };
	const theirs = {
		...base,
		content: BASE.replace('Two', 'Two, theirs'),
		title: 'T',
		tags: ['y', 'a'],
	};
	const both = {
		...base,
		title: 'T',
		tags: ['y', 'a', 'x'],
		content: '<p>One, mine</p>\n<p>Two, theirs</p>\n<p>Three</p>',
	};
	expect(mergePosts(base, mine, theirs)).toEqual({ mine: both, theirs: both, isAsked: false });
});

test('where both wrote in the same paragraph only that is asked', () => {
	const base = { ...emptyForm, content: BASE };
	const mine = { ...base, content: MINE };
	const theirs = { ...base, content: BASE.replace('Two', 'Two, theirs').replace('One', 'A') };
	const merged = mergePosts(base, mine, theirs);
	expect(merged.isAsked).toBe(true);
	expect(partsOf(merged.mine.content, merged.theirs.content)).toEqual([
		{ same: ['<p>A</p>'] },
		{ mine: ['<p>Two, mine</p>'], theirs: ['<p>Two, theirs</p>'] },
		{ same: ['<p>Three</p>', '<p>Four</p>'] },
	]);
});

test('a block that the other side added is kept', () => {
	const parts = partsOf(BASE, `${BASE}\n<p>Four</p>`);
	expect(mergedOf(parts, evidentChoices(parts, BASE))).toBe(`${BASE}\n<p>Four</p>`);
});

test('words are told apart', () => {
	expect(wordsBetween('a red house', 'a blue house')).toEqual([
		{ text: 'a ', side: 'both' },
		{ text: 'red', side: 'old' },
		{ text: 'blue', side: 'new' },
		{ text: ' house', side: 'both' },
	]);
	expect(textOf('<h2>A</h2>\n<ul>\n<li>b</li>\n<li>c</li>\n</ul>')).toBe('A\n\nb\nc');
});

test('fields that differ are named; order of tags counts', () => {
	const other = { ...emptyForm, title: 'A', tags: ['x'] };
	expect(fieldsBetween(emptyForm, other)).toEqual(['title', 'tags']);
	expect(fieldsBetween({ ...other, tags: ['x', 'y'] }, { ...other, tags: ['y', 'x'] })).toEqual([
		'tags',
	]);
	expect(sameForm(emptyForm, { ...emptyForm, tags: [] })).toBe(true);
	expect(sameForm(emptyForm, { ...emptyForm, content: '<p>a</p>' })).toBe(false);
	expect(sameForm(emptyForm, { ...emptyForm, readTime: 3 })).toBe(false);
});

test('what the server made of a form is known as that form, and anything else is not', () => {
	const sent = {
		...emptyForm,
		title: ' A title ',
		content: '<p onclick="x()">One</p>',
		metaTitle: 'A title',
		tags: ['machine-learning'],
	};
	const stored = {
		...sent,
		title: 'A title',
		slug: 'a-title',
		content: '<p>One</p>',
		metaTitle: '',
		author: 'Groundtruth',
		readTime: 1,
		tags: ['Machine Learning'],
		publishedAt: '2026-11-21T00:00:00.000Z',
	};
	expect(isMadeOf(stored, sent)).toBe(true);
	expect(isMadeOf(sent, sent)).toBe(true);
	for (const other of [
		{ title: 'Another' },
		{ slug: 'another' },
		{ content: '<p>Two</p>' },
		{ excerpt: 'Written by somebody' },
		{ published: true },
		{ tags: [] },
		{ readTime: 9 },
	])
		expect(isMadeOf({ ...stored, ...other }, { ...sent, slug: 'A title', readTime: 1 })).toBe(
			false,
		);
});
