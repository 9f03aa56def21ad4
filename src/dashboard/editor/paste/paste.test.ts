// @vitest-environment jsdom
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { closeArticle, readArticle } from '#src/dashboard/editor/article/article.ts';
import type { Pictures } from './local-pictures.ts';
import { cleanMarkdown, cleanPaste, looksLikeMarkdown } from './paste.ts';

const sample = (name: string) => readFile(`tests/e2e/samples/${name}`, 'utf8');
/** Without white space between blocks, which says nothing. */
const dense = (html: string) => html.replace(/>\s+(?=<)/g, '>').trim();

test.each(['word', 'google-docs'])(
	'what comes from %s keeps its structure and loses its looks',
	async (name) => {
		const clean = cleanPaste(await sample(`${name}.html`)).html;
		const expected = dense(await sample(`${name}.article.html`));
		expect(dense(clean).startsWith(expected), `${dense(clean)}\n${expected}`).toBe(true);
		expect(clean).not.toMatch(/style=|class="Mso|<span|<o:p|&nbsp;|\u00a0|font/);
	},
);

test('a footnote of Word is a footnote of the article', async () => {
	const clean = dense(cleanPaste(await sample('word.html')).html);
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
	[
		'<p><img src="/api/media/a" style="width:9px" alt="A"></p>',
		'<p><img src="/api/media/a" alt="A"></p>',
	],
	['<script>alert(1)</script><p onclick="x()">a</p>', '<p>a</p>'],
	[
		'<pre><code class="language-python">a\n  b</code></pre>',
		'<pre><code class="language-python">a\n  b</code></pre>',
	],
	['<p>&nbsp;</p><p>a&nbsp;b</p>', '<p>a b</p>'],
	['<ul><li><p>a</p><p>b</p></li></ul>', '<ul><li><p>a</p><p>b</p></li></ul>'],
])('%s is pasted as %s', (html, expected) => {
	expect(dense(cleanPaste(html).html)).toBe(expected);
});

test('pictures come along where they are in the text, and elsewhere are links that say so', () => {
	const pictures: Pictures = new Map();
	const { html: clean } = cleanPaste(
		`<p>See <img src="data:image/png;base64,AAAA" alt="A"></p>
		<p><span><img src="https://lh7-rt.googleusercontent.com/docsz/x?key=1" width="624" alt="A chart"></span></p>
		<figure><img src="https://example.com/b.png"><figcaption>Below</figcaption></figure>
		<a href="/blog"><img src="https://example.com/c.png" alt="C"></a>
		<p><img src="file:///C:/Users/x/clip_image002.jpg"></p>`,
		false,
		pictures,
	);
	expect([...pictures]).toEqual([['/pasted/1', 'data:image/png;base64,AAAA']]);
	expect(dense(clean)).toBe(
		'<p>See <img src="/pasted/1" alt="A"></p>' +
			'<p><a href="https://lh7-rt.googleusercontent.com/docsz/x?key=1">A chart</a>' +
			' [The picture stays at lh7-rt.googleusercontent.com: upload it to show it.]</p>' +
			'<p><a href="https://example.com/b.png">Picture</a> [The picture stays at example.com: upload it to show it.]</p>' +
			'<p>Below</p><p><a href="/blog">C</a></p>' +
			'<p>[Picture: the picture was not copied. Upload it to show it.]</p>',
	);
});

/** Returns the article's HTML after a paste. */
const pasted = (html: string) =>
	dense(closeArticle(readArticle(cleanPaste(html).html))).replaceAll('\n', '');

test.each([
	[
		'tasks of GitHub',
		`<ul class="contains-task-list"><li class="task-list-item" style="x"><input type="checkbox" class="task-list-item-checkbox" disabled checked> Done</li>
		<li class="task-list-item"><input type="checkbox" disabled> Open</li><li>Plain</li></ul>`,
		'<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Done</li>' +
			'<li class="task-list-item"><input type="checkbox" disabled> Open</li></ul><ul><li>Plain</li></ul>',
	],
	[
		'an alert of GitHub',
		'<div class="markdown-alert markdown-alert-caution" dir="auto"><p class="markdown-alert-title"><svg></svg>Caution</p><p>Mind it.</p></div>',
		'<aside data-callout="warning"><p>Mind it.</p></aside>',
	],
	[
		'a callout of Notion',
		'<figure class="block-color-gray_background callout" style="display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%"><p>Try it.</p></div></figure>',
		'<aside data-callout="tip"><p>Try it.</p></aside>',
	],
	[
		'a callout of Notion, copied',
		'<aside>⚠️ Mind it.</aside>',
		'<aside data-callout="warning"><p>Mind it.</p></aside>',
	],
	[
		'to-dos of Notion',
		`<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span></li></ul>
		<ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Open</span></li></ul>`,
		'<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Done</li></ul>' +
			'<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul>',
	],
	[
		'to-dos of Notion, copied',
		'<ul><li>[x] Done</li><li>[ ] Open<ul><li>[x] inner</li></ul></li></ul>',
		'<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> Done</li>' +
			'<li class="task-list-item"><input type="checkbox" disabled> Open<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled> inner</li></ul></li></ul>',
	],
	[
		'a toggle of Notion',
		'<ul class="toggle"><li><details open=""><summary>Why</summary><p>Because.</p></details></li></ul>',
		'<details><summary>Why</summary><p>Because.</p></details>',
	],
	[
		'numbers of Word right after its bullets',
		`<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>A</p>
		<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.</span>B</p>
		<p class=MsoListParagraph style='mso-list:l1 level2 lfo2'><span style='mso-list:Ignore'>a)</span>C</p>
		<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>2.</span>D</p>`,
		'<ul><li>A</li></ul><ol><li>B<ol><li>C</li></ol></li><li>D</li></ol>',
	],
])('%s are what they were', (_name, html, expected) => {
	expect(pasted(html)).toBe(expected);
});

test('Markdown gives the title that is missing, and its other headings stay headings', async () => {
	const html = await markdownToHtml(
		'# Title\n\nWords.\n\n# Part\n\n## Section\n\n> [!IMPORTANT]\n> Mind it.\n\n![A](https://example.com/a.png)',
	);
	const body =
		'<p>Words.</p><h2>Part</h2><h3>Section</h3><aside data-callout="note"><p>Mind it.</p></aside>' +
		'<p><a href="https://example.com/a.png">A</a> [The picture stays at example.com: upload it to show it.]</p>';
	const filled = cleanMarkdown(html, true);
	expect([filled.title, dense(filled.html)]).toEqual(['Title', body]);
	const kept = cleanMarkdown(html, false);
	expect([kept.title, dense(kept.html)]).toEqual(['', `<h2>Title</h2>${body}`]);
	const plain = cleanMarkdown(await markdownToHtml('# Title\n\n## Section'), true);
	expect([plain.title, dense(plain.html)]).toEqual(['Title', '<h2>Section</h2>']);
});

test.each([
	['Word', '<p class=MsoTitle>My title<o:p></o:p></p><h1>Part</h1><p class=MsoNormal>Words.</p>'],
	[
		'Google Docs',
		'<b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span style="font-size:20pt">My title</span></h1><br><h1 dir="ltr"><span>Part</span></h1><p dir="ltr"><span>Words.</span></p></b>',
	],
	['Notion', '<meta charset="utf-8"><h1>My title</h1>\n<h1>Part</h1>\n<p>Words.</p>'],
	[
		'GitHub',
		'<div class="markdown-heading" dir="auto"><h1 tabindex="-1" class="heading-element" dir="auto">My title</h1><a id="user-content-my-title" class="anchor" href="#my-title"><svg class="octicon"></svg></a></div><h1>Part</h1><p dir="auto">Words.</p>',
	],
])('a title that begins what comes from %s fills the one that is missing', (_name, html) => {
	const filled = cleanPaste(html, true);
	expect([filled.title, dense(filled.html)]).toEqual(['My title', '<h2>Part</h2><p>Words.</p>']);
	expect(dense(cleanPaste(html).html)).toBe('<h2>My title</h2><h2>Part</h2><p>Words.</p>');
});

test('a player of a known site and its address on a line of its own are embedded; within words it is a link', () => {
	const address = 'https://youtu.be/dQw4w9WgXcQ';
	const link = `<a href="${address}">${address}</a>`;
	const figure = (title: string) =>
		`<figure data-embed=""><a href="${address}">${title}</a></figure>`;
	const pasted = (html: string) => dense(cleanPaste(html).html);
	expect(pasted(`<div><iframe src="${address}" title="A talk"></iframe></div>`)).toBe(
		figure('A talk'),
	);
	expect(pasted(`<p>${link}</p>`)).toBe(figure('Video on YouTube'));
	expect(dense(cleanMarkdown(`<p>${link}</p>`, false).html)).toBe(figure('Video on YouTube'));
	expect(pasted(`<p>See ${link}</p>`)).toBe(`<p>See ${link}</p>`);
	expect(pasted('<p>a</p><iframe src="https://b.example/c" title="D"></iframe>')).toBe(
		'<p>a</p><p><a href="https://b.example/c">D</a></p>',
	);
	expect(pasted('<p>a</p><iframe src="javascript:x" title="D"></iframe>')).toBe('<p>a</p><p>D</p>');
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
