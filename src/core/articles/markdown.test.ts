import { expect, test } from 'vitest';
import { markdownToHtml } from './markdown.ts';
import { renderArticle } from './render.ts';
import { sanitizeArticle } from './sanitize.ts';

test('math and callouts become the elements that the editor knows', async () => {
	expect(await markdownToHtml('$a < b$')).toBe(
		'<p><span data-type="inline-math" data-latex="a < b"></span></p>',
	);
	expect(await markdownToHtml('$$\nx\n$$')).toBe(
		'<div data-type="block-math" data-latex="x"></div>',
	);
	expect(await markdownToHtml('> [!NOTE]\n> Mind.')).toBe(
		'<aside data-callout="note">\n<p>Mind.</p>\n</aside>',
	);
});

test('a figure has its first paragraph as caption, and the name of its explainer, also after sanitizing', async () => {
	const markdown = '> [!FIGURE gradient-descent]\n> Loss by *step*.\n>\n> | a |\n> | - |\n> | 1 |';
	const html = await markdownToHtml(markdown);
	expect(html).toMatch(
		/^<figure data-explainer="gradient-descent">\n<figcaption>Loss by <em>step<\/em>\.<\/figcaption>\n<table>/,
	);
	expect(sanitizeArticle(html)).toBe(html);
	expect((await renderArticle(html)).html).toContain('<figure data-explainer="gradient-descent">');
	expect(await markdownToHtml('> [!FIGURE]\n> Said.')).toBe(
		'<figure>\n<figcaption>Said.</figcaption>\n</figure>',
	);
	expect(await markdownToHtml('> [!FIGURE A"b]\n> Said.')).toMatch(/^<blockquote>/);
});

test('prices are no math', async () => {
	expect(await markdownToHtml('It costs \\$5, then \\$6.')).toBe('<p>It costs $5, then $6.</p>');
});

test('a footnote leads there and back, also after sanitizing', async () => {
	const html = sanitizeArticle(await markdownToHtml('Said.[^1]\n\n[^1]: By whom.'));
	expect(html).toContain('<a href="#fn-1" id="fnref-1"');
	expect(html).toContain('<li id="fn-1">');
	expect(html).toContain('href="#fnref-1"');
});

test('HTML in Markdown is dropped', async () => {
	expect(await markdownToHtml('a <b onclick="x">b</b>\n\n<script>alert(1)</script>')).toBe(
		'<p>a b</p>',
	);
});

test('what Markdown makes survives the sanitizer whole', async () => {
	const markdown = `## Title

1. one

Between.

2. two

- [x] done

| a | b |
| :- | -: |
| 1 | 2 |

~~gone~~ and \`code\`

\`\`\`python
x = 1
\`\`\`

> [!WARNING]
> $x$
`;
	const html = await markdownToHtml(markdown);
	expect(sanitizeArticle(html)).toBe(html);
});
