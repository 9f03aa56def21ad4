import { expect, test } from 'vitest';
import { cutPages } from './list-page.ts';
import {
	blogAddress,
	joinParts,
	parseBlogQuery,
	PART_SIZE,
	partPaths,
	selectRows,
	type BlogRow,
} from './blog-list.ts';

const categories = [{ slug: 'vision' }, { slug: 'language' }];
const row = (slug: string, category: string, score: number): BlogRow => ({
	slug,
	category,
	score,
	title: slug,
	excerpt: null,
	author: 'Groundtruth',
	readTime: 5,
	publishedAt: null,
});
const rows = [row('new', 'vision', 1), row('middle', 'language', 9), row('old', 'vision', 1)];

test('a query and its address are the same thing', () => {
	for (const query of [
		{ category: '', trending: false },
		{ category: 'vision', trending: false },
		{ category: 'language', trending: true },
	]) {
		expect(parseBlogQuery(new URL(blogAddress(query), 'http://test').search, categories)).toEqual(
			query,
		);
	}
	expect(blogAddress({ category: '', trending: false })).toBe('/blog');
});

test('an unknown category or sort means all, newest first', () => {
	expect(parseBlogQuery('?category=nope&sort=oldest', categories)).toEqual({
		category: '',
		trending: false,
	});
});

test('a category keeps its rows only, newest first', () => {
	const slugs = selectRows(rows, { category: 'vision', trending: false }).map(({ slug }) => slug);
	expect(slugs).toEqual(['new', 'old']);
});

test('trending sorts by score, newest first among equals, and leaves the list as it was', () => {
	const slugs = selectRows(rows, { category: '', trending: true }).map(({ slug }) => slug);
	expect(slugs).toEqual(['middle', 'new', 'old']);
	expect(rows[0]?.slug).toBe('new');
});

test('a long list comes in parts, which together are the list', () => {
	const all = Array.from({ length: 2 * PART_SIZE + 7 }, (_, n): BlogRow => ({
		...row(`a${n}`, 'vision', 0),
		publishedAt: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
	}));
	const cuts = cutPages(all, PART_SIZE);
	expect(partPaths(all.length)).toEqual(['/blog.json', '/blog-2.json', '/blog-3.json']);
	expect(cuts.map(({ page }) => page).sort()).toEqual([1, 2, 3]);
	const [newest, ...older] = cuts.map(({ rows }) => rows);
	expect(joinParts([newest!, ...older])).toEqual(all);
	expect(joinParts([newest!, ...older.reverse()])).toEqual(all);
	const viewed = { ...all.at(-1)!, score: 5 };
	expect(joinParts([[...newest!, viewed], ...older])).toEqual([...all.slice(0, -1), viewed]);
	expect(partPaths(0)).toEqual(['/blog.json']);
	expect(partPaths(PART_SIZE)).toEqual(['/blog.json']);
});
