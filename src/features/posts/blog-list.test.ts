import { expect, test } from 'vitest';
import { blogAddress, parseBlogQuery, selectRows, type BlogRow } from './blog-list.ts';

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
