import { expect, test } from 'vitest';
import { graphOf, graphText } from './graph.ts';

const graph = graphOf('https://groundtruth.test');
const post = {
	slug: 'one',
	card: '/social/blog/one.png?v=1',
	title: 'One',
	description: null,
	author: 'Groundtruth',
	section: 'Robotics',
	tags: ['a'],
	publishedAt: '2026-03-01T10:00:00.000Z',
	updatedAt: '2026-03-02T10:00:00.000Z',
	wordCount: 1200,
	readTime: 6,
	comments: 2,
};

test('a hostile title cannot end its script element', () => {
	const title = '</script><script>alert(1)</script><!--';
	const text = graphText([graph.article({ ...post, title })]);
	expect(text).not.toContain('<');
	const [article] = (JSON.parse(text) as { '@graph': { headline: string }[] })['@graph'];
	expect(article!.headline).toBe(title);
});

test('a headline has at most 110 characters', () => {
	const headlineOf = (title: string) => graph.article({ ...post, title }).headline as string;
	const title = `${'ten words. '.repeat(9)}and the last`;
	expect(headlineOf(title.slice(0, 109))).toBe(title.slice(0, 109));
	for (const long of [title.repeat(2), 'x'.repeat(150), `${'word '.repeat(40)}`])
		expect(headlineOf(long).length).toBeLessThanOrEqual(110);
});

test('an article tells its times, its length and who wrote it', () => {
	expect(graph.article(post)).toMatchObject({
		'@type': 'Article',
		datePublished: post.publishedAt,
		dateModified: post.updatedAt,
		timeRequired: 'PT6M',
		image: [{ url: 'https://groundtruth.test/social/blog/one.png?v=1' }],
		wordCount: 1200,
		commentCount: 2,
		author: { '@type': 'Organization', name: 'Groundtruth' },
		mainEntityOfPage: 'https://groundtruth.test/blog/one',
	});
	// It would mean that the article is no longer available.
	expect(graph.article(post)).not.toHaveProperty('expires');
	expect(graph.article(post)).not.toHaveProperty('description');
	expect(graph.article({ ...post, author: 'Grace' })).toMatchObject({
		author: { '@type': 'Person', name: 'Grace' },
	});
});

test('a rating is claimed only where there is one', () => {
	expect(graph.organization()).not.toHaveProperty('aggregateRating');
	expect(graph.organization({ ratingValue: 4.8, reviewCount: 247 })).toMatchObject({
		aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.8, reviewCount: 247 },
	});
});

test('a figure that no source publishes has no value in the dataset', () => {
	const dataset = graph.dataset({
		name: 'n',
		description: 'd',
		path: '/ai-best-practices/wyoming',
		place: 'Wyoming',
		modified: '2026-03-01T10:00:00.000Z',
		measures: [
			{ label: 'AI jobs', unit: 'jobs', value: null },
			{ label: 'Population', unit: 'people', value: 576_851 },
		],
		sources: [],
	});
	expect(dataset).toMatchObject({
		variableMeasured: [
			{ '@type': 'PropertyValue', name: 'AI jobs', unitText: 'jobs' },
			{ '@type': 'PropertyValue', name: 'Population', unitText: 'people', value: 576_851 },
		],
	});
	expect(JSON.stringify(dataset)).not.toContain('null');
});
