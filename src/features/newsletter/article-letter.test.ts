import { expect, test } from 'vitest';
import { articleLetter } from './article-letter.ts';

const URL = 'https://example.com/blog/a?b="c"';

test('an article is sent whole, with a link to its page', () => {
	const article = { title: 'Drift', excerpt: 'Why', content: '<p>Words.</p>' };
	expect(articleLetter(article, URL)).toEqual({
		subject: 'Drift',
		preview: 'Why',
		content:
			'<p>Words.</p><p><a href="https://example.com/blog/a?b=&quot;c&quot;">Read it on the site</a></p>',
	});
});

test('of a long one the letter has what lists show', () => {
	const article = { title: 'x'.repeat(200), excerpt: 'A < B', content: 'y'.repeat(40_001) };
	const letter = articleLetter(article, 'https://example.com/blog/a');
	expect(letter.subject).toHaveLength(150);
	expect(letter.content).toBe(
		'<p>A &lt; B</p><p><a href="https://example.com/blog/a">Read on</a></p>',
	);
});
