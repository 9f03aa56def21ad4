import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cleanPaste, looksLikeMarkdown } from './paste.ts';

const sample = (name: string) => readFile(`tests/e2e/samples/${name}`, 'utf8');
/** Without white space between blocks, which says nothing. */
const dense = (html: string) => html.replace(/>\s+(?=<)/g, '>').trim();

test.each(['word', 'google-docs'])(
	'what comes from %s keeps its structure and loses its looks',
	async (name) => {
		const clean = cleanPaste(await sample(`${name}.html`));
		const expected = dense(await sample(`${name}.article.html`));
		expect(dense(clean).startsWith(expected), `${dense(clean)}\n${expected}`).toBe(true);
		expect(clean).not.toMatch(/style=|class="Mso|<span|<o:p|&nbsp;|\u00a0|font/);
	},
);

test('a footnote of Word is a footnote of the article', async () => {
	const clean = dense(cleanPaste(await sample('word.html')));
	expect(clean).toContain('<li id="fn-1"><p>Gama et al., 2014.</p></li>');
	expect(clean.match(/Gama/g)).toHaveLength(1);
});

test.each([
	['<div>One<br><br>Two</div>', '<p>One</p><p>Two</p>'],
	['<p>One<br>two</p>', '<p>One<br>two</p>'],
	['<h1>A</h1><h2>B</h2><h6>C</h6>', '<h2>A</h2><h3>B</h3><h4>C</h4>'],
	['<h2>A</h2><h3>B</h3>', '<h2>A</h2><h3>B</h3>'],
	['<h2><b>Bold</b> heading</h2>', '<h2>Bold heading</h2>'],
	['<p><a href="javascript:alert(1)">x</a></p>', '<p>x</p>'],
	['<img src="data:image/png;base64,AAAA" alt="A">', ''],
	[
		'<p><img src="https://example.com/a.png" style="width:9px"></p>',
		'<p><img src="https://example.com/a.png" alt=""></p>',
	],
	['<script>alert(1)</script><p onclick="x()">a</p>', '<p>a</p>'],
	[
		'<pre><code class="language-python">a\n  b</code></pre>',
		'<pre><code class="language-python">a\n  b</code></pre>',
	],
	['<p>&nbsp;</p><p>a&nbsp;b</p>', '<p>a b</p>'],
	['<ul><li><p>a</p><p>b</p></li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
])('%s is pasted as %s', (html, expected) => {
	expect(dense(cleanPaste(html))).toBe(expected);
});

test.each([
	'# Title',
	'- a\n- b',
	'1. a\n2. b',
	'```\nx\n```',
	'see [this](https://a.b)',
	'so **bold** it is',
	'| a |\n| - |',
	'> said',
])('%j is Markdown', (text) => expect(looksLikeMarkdown(text)).toBe(true));

test.each([
	'Words.',
	'- a dash alone',
	'f(x) [1] (2)',
	'a * b * c',
	'#hashtag',
	'5 > 3',
	'1. only one',
	'https://example.com',
])('%j is no Markdown', (text) => expect(looksLikeMarkdown(text)).toBe(false));
