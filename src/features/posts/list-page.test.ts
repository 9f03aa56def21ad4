import { expect, test } from 'vitest';
import {
	contentsOf,
	cutPages,
	firstOf,
	inReadingOrder,
	isBegun,
	laterPages,
	listTitle,
	OLDEST_PAGE,
	seriesSections,
	topicsOf,
	type ListPage,
} from './list-page.ts';
import { PAGE_SIZE, type Card } from './post.ts';

/** Whole numbers from `count` down to 1: the newest first, as articles are. */
const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => count - index);
const SIZES = Array.from({ length: 8 * PAGE_SIZE }, (_, count) => count);

test.each([
	[0, [[1, 0]]],
	[24, [[1, 24]]],
	[
		25,
		[
			[1, 24],
			[2, 1],
		],
	],
	[
		60,
		[
			[1, 24],
			[3, 12],
			[2, 24],
		],
	],
	[
		72,
		[
			[1, 24],
			[3, 24],
			[2, 24],
		],
	],
])('a list of %i has these pages, with so many articles', (count, pages) => {
	expect(cutPages(rowsOf(count)).map(({ page, rows }) => [page, rows.length])).toEqual(pages);
});

test('each article is on one page, in order, and only the page before the first may have room', () => {
	for (const count of SIZES) {
		const pages = cutPages(rowsOf(count));
		expect(pages.flatMap(({ rows }) => rows)).toEqual(rowsOf(count));
		const [first, second, ...others] = pages.map(({ rows }) => rows.length);
		expect(first).toBe(Math.min(count, PAGE_SIZE));
		if (second !== undefined) expect(second).toBeGreaterThan(0);
		expect(Math.max(0, ...others.map((length) => Math.abs(length - PAGE_SIZE)))).toBe(0);
	}
});

test('the addresses are as many and the same as when pages were counted from the newest', () => {
	for (const count of SIZES) {
		const numbers = cutPages(rowsOf(count)).map(({ page }) => page);
		const before = Array.from(
			{ length: Math.max(1, Math.ceil(count / PAGE_SIZE)) },
			(_, at) => at + 1,
		);
		expect(numbers.toSorted((a, b) => a - b)).toEqual(before);
	}
});

test('each page names the pages beside it', () => {
	for (const count of SIZES) {
		const pages = cutPages(rowsOf(count));
		for (const [at, { newer, older }] of pages.entries())
			expect([newer, older]).toEqual([pages[at - 1]?.page ?? null, pages[at + 1]?.page ?? null]);
		expect(pages.at(-1)!.page).toBe(pages.length > 1 ? OLDEST_PAGE : 1);
	}
});

test('a new article changes the first page, the one that takes what leaves it, and at most one more', () => {
	for (const count of SIZES) {
		const before = new Map(cutPages(rowsOf(count)).map((page) => [page.page, page]));
		const after = cutPages(rowsOf(count + 1));
		const changed = after.filter(
			(page) => JSON.stringify(page) !== JSON.stringify(before.get(page.page)),
		);
		const expected = new Set([after[0], after[1]]);
		// One that is full, and has another before it now.
		if (after.length > before.size) expected.add(after[2]);
		expected.delete(undefined);
		expect(changed).toEqual([...expected]);
	}
});

test('an article that has left the first page stays on the page where it is', () => {
	const pageOf = new Map<number, number>();
	for (const count of SIZES) {
		for (const { page, rows } of cutPages(rowsOf(count)).slice(1)) {
			for (const row of rows) {
				expect(pageOf.get(row) ?? page).toBe(page);
				pageOf.set(row, page);
			}
		}
	}
});

test('a page with few articles goes on with some of the next, where there is one', () => {
	const pagesOf = (count: number) =>
		cutPages(rowsOf(count)).map((page) => ({ ...page, total: null }) as unknown as ListPage);
	const [first, few, older] = pagesOf(49);
	expect(laterPages([first!, few!, older!])).toEqual([{ list: few, next: older }, { list: older }]);
	expect(firstOf(older!)).toEqual(older!.rows.slice(0, 6));
	// The last page has none behind it, and a full one needs none.
	expect(laterPages(pagesOf(25))).toEqual([{ list: pagesOf(25)[1] }]);
	expect(laterPages(pagesOf(72)).map(({ next }) => next)).toEqual([undefined, undefined]);
	expect(laterPages(pagesOf(5))).toEqual([]);
});

test('the first page is headed by how many articles there are, others by when theirs are from', () => {
	const titleOf = (total: number | null, ...times: (string | null)[]) => {
		const rows = times.map((publishedAt) => ({ publishedAt })) as never[];
		return listTitle({ rows, total, page: 2, newer: 1, older: null });
	};
	expect(titleOf(1)).toBe('1 Article');
	expect(titleOf(60)).toBe('60 Articles');
	const [may2, may20] = ['2025-05-02T10:00:00Z', '2025-05-20T10:00:00Z'];
	const spaced = (text: string) => text.replaceAll(/\s/g, ' ');
	expect(spaced(titleOf(null, may20, may2, null))).toBe('Articles from May 2 – 20, 2025');
	expect(titleOf(null, may2, may2)).toBe('Articles from May 2, 2025');
	expect(titleOf(null, null)).toBe('Older articles');
});

/** A row of the category of this name. */
const row = (name: string, marks = '') =>
	({ category: { name, slug: name.toLowerCase() }, marks, readTime: 7 }) as Card;

test('what is in a list is said in a sentence, where there is something to say', () => {
	const rows = [row('A', 'runs'), row('B', 'explainer runs'), row('B'), row('C')];
	expect(contentsOf(rows)).toBe(
		'2 are in B, 1 in A, 1 in other categories; 2 have code that runs. 28 minutes of reading.',
	);
	expect(contentsOf([row('A'), row('A'), row('B'), row('B')])).toBe(
		'2 are in A, 2 in B. 28 minutes of reading.',
	);
	expect(contentsOf([row('A'), row('B'), row('C')])).toBe(
		'One each in A, B, and C. 21 minutes of reading.',
	);
	expect(contentsOf([row('A'), row('B'), row('C'), row('D')])).toBe(
		'1 is in A, 1 in B, 2 in other categories. 28 minutes of reading.',
	);
	expect(contentsOf([row('A', 'runs'), row('A')])).toBe(
		'Both are in A; 1 has code that runs. 14 minutes of reading.',
	);
	expect(contentsOf([row('A'), row('A'), row('A')])).toBe('All 3 are in A. 21 minutes of reading.');
	expect(contentsOf(rows.slice(3))).toBeNull();
});

/** A part of a series. */
const part = (name: string, part: number) => ({ ...row('A'), place: { name, part, total: 9 } });

test('a list to read in order has the parts of a series together, and begins where one begins', () => {
	const rows = [part('Often', 4), row('A'), part('Begun', 3), part('Often', 2)];
	rows.push(part('Rare', 1), part('Begun', 1), part('Often', 3), row('B'));
	const [often4, one, begun3, often2, rare, begun1, often3, other] = rows;
	const ordered = inReadingOrder(rows);
	expect(ordered).toEqual([begun1, begun3, often2, often3, often4, rare, one, other]);
	expect(isBegun(ordered)).toBe(true);
	// A single first part does not go before a series that has more.
	expect(isBegun(inReadingOrder(rows.filter(({ place }) => place?.name !== 'Begun')))).toBe(false);
	expect(inReadingOrder([one!, other!])).toEqual([one, other]);
	expect(isBegun([])).toBe(false);
});

test('a page by series has each article once, single ones last and newest first', () => {
	const rows = [part('Rare', 1), part('Often', 4), row('A'), part('Often', 2)];
	const facts = [
		{ name: 'Often', slug: 'often', parts: 9, minutes: 60, here: 2 },
		{ name: 'Rare', slug: 'rare', parts: 9, minutes: 60, here: 1 },
	];
	expect(seriesSections(rows, facts, 'Others')).toEqual([
		{
			...{ name: 'Often', slug: 'often', href: '/series/often', hides: 'series' },
			...{ label: '2 of 9 parts', rows: [rows[3], rows[1]] },
		},
		{ name: 'Others', slug: 'rest', rows: [rows[0], rows[2]] },
	]);
	expect(seriesSections(rows.slice(0, 3), facts, 'Others')).toEqual([]);
});

test('a page by topics has each article once, and begins with what is newest', () => {
	const rows = [row('B'), row('A'), row('B'), row('B')];
	expect(topicsOf(rows)).toEqual([
		{ name: 'B', slug: 'b', href: '/category/b', rows: [rows[0], rows[2], rows[3]] },
		{ name: 'A', slug: 'a', href: '/category/a', rows: [rows[1]] },
	]);
	// Neither their headings nor links to these.
	for (const few of [[], [row('A'), row('A')], rows.slice(0, 3)]) expect(topicsOf(few)).toEqual([]);
});
