import { expect, test } from 'vitest';
import { markdownPath } from './markdown-path.ts';

test.each([
	['text/markdown', '/blog/x.md'],
	['text/markdown, text/html;q=0.9, */*;q=0.1', '/blog/x.md'],
	['TEXT/MARKDOWN; charset=utf-8', '/blog/x.md'],
	['text/html;q=0.5,text/markdown;q=0.5', '/blog/x.md'],
	['text/html, text/markdown;q=0.9', undefined],
	['text/markdown;q=0', undefined],
	['text/markdown;q=none', undefined],
	['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', undefined],
	['*/*', undefined],
	['text/markdown, */*', '/blog/x.md'],
	['text/markdown;q=0.5, */*', undefined],
	['text/markdown;q=0.5, text/*;q=0.9, */*;q=0.1', undefined],
	['text/markdown;q=0.5, text/html;q=0.4, */*', '/blog/x.md'],
	['text/*', undefined],
	['', undefined],
])('Accept: %s', (accept, path) => {
	expect(markdownPath('/blog/x', accept)).toBe(path);
});

test.each(['/', '/blog', '/blog/x.md', '/blog/x/y', '/about', '/blog/x.html'])(
	'%s has no Markdown',
	(path) => {
		expect(markdownPath(path, 'text/markdown')).toBeUndefined();
	},
);

test('guides of states have one', () => {
	expect(markdownPath('/ai-best-practices/ohio', 'text/markdown')).toBe(
		'/ai-best-practices/ohio.md',
	);
});
