import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

const ID = '0123456789abcdef0123456789abcdef';
const OTHER = ID.replace('0', '1');

/** A page as Notion's “Export as HTML” writes it. */
const page = (title: string, properties: string, body: string, head = '') =>
	`<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${title}</title><style>.checkbox-on{}</style></head><body><article id="6603f57d-9663-404e-92a4-18a4dc03f813" class="page sans"><header>${head}<div class="page-header-icon"><span class="icon">🧪</span></div><h1 class="page-title">${title}</h1><p class="page-description"></p><table class="properties"><tbody>${properties}</tbody></table></header><div class="page-body">${body}</div></article><span class="sans" style="font-size:14px;padding-top:2em"></span></body></html>`;
const row = (kind: string, name: string, value: string) =>
	`<tr class="property-row property-row-${kind}"><th><span class="icon property-icon"><svg viewBox="0 0 16 16"><path d="M1 1"></path></svg></span>${name}</th><td>${value}</td></tr>`;
const choice = (name: string) =>
	`<span class="selected-value select-value-color-blue">${name}</span>`;

const zip = (files: Record<string, string>) =>
	readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)]))),
	);
/** Reads a page of this body, and returns its text without line breaks between blocks. */
async function text(body: string): Promise<string> {
	const { posts } = await zip({ [`Page ${ID}.html`]: page('Page', '', body) });
	return posts[0]!.content.replace(/>\n+</g, '><');
}

test('a page of Notion as HTML comes with its properties, its picture and links to its neighbors', async () => {
	const bundle = await zip({
		[`Export/My page ${ID}.html`]: page(
			'My page',
			row('multi_select', 'Tags', choice('evals') + choice('rag')) +
				row('created_time', 'Created', '<time>@March 31, 2021 10:00 AM</time>') +
				row('select', 'Category', choice('MLOps')) +
				row('select', 'Status', choice('Draft')) +
				row('person', 'Owner', '<span class="user">Somebody</span>') +
				row('text', 'Empty', ''),
			`<figure id="a" class="image"><a href="My%20page%20${ID}/p%201.png"><img style="width:611px" src="My%20page%20${ID}/p%201.png"/></a><figcaption>What it <strong>shows</strong></figcaption></figure><figure id="b" class="link-to-page"><a href="Next%20${OTHER}.html"><span class="icon">📄</span>Next</a></figure>`,
			`<img class="page-cover-image" src="My%20page%20${ID}/cover.png" style="object-position:center 50%"/>`,
		),
		[`Export/My page ${ID}/p 1.png`]: 'x',
		[`Export/My page ${ID}/cover.png`]: 'y',
		[`Export/Next ${OTHER}.html`]: page(
			'Next',
			row('checkbox', 'Published', '<div class="checkbox checkbox-on"></div>') +
				row('date', 'Date', '<time>@April 1, 2021 → April 3, 2021</time>'),
			'<p id="c" class="">Words.</p>',
		),
		[`Export/All ${ID.replace('0', '2')}.html`]: page(
			'All',
			'',
			'<div class="collection-content"><h4 class="collection-title">Posts</h4><table class="collection-content"><tbody><tr><td>Next</td></tr></tbody></table></div>',
		),
	});
	expect(bundle.posts).toMatchObject([
		{
			title: 'My page',
			slug: 'my-page',
			tags: ['evals', 'rag'],
			category: 'MLOps',
			published: false,
			createdAt: '2021-03-31T10:00:00.000Z',
			featuredImage: expect.stringMatching(/^\/api\/media\//),
		},
		{
			title: 'Next',
			slug: 'next',
			published: true,
			publishedAt: '2021-04-01T00:00:00.000Z',
			content: '<p>Words.</p>',
		},
	]);
	expect(bundle.media.map(({ name }) => name).sort()).toEqual(['cover.png', 'p 1.png']);
	expect(bundle.posts[0]!.content).toMatch(
		/^<figure><img src="\/api\/media\/[^"]*" alt=""><figcaption>What it <strong>shows<\/strong><\/figcaption><\/figure><p><a href="\/blog\/next">.*Next<\/a><\/p>$/,
	);
	expect(bundle.items.filter(({ kind }) => kind === 'property')).toMatchObject([
		{ where: 'My page', notes: [{ detail: 'owner' }] },
	]);
	expect(bundle.items.find(({ where }) => where?.startsWith('Export/All'))).toMatchObject({
		outcome: 'left',
		notes: [{ what: 'It is a list of other pages, and no post' }],
	});
});

test.each([
	[
		'a callout',
		'<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="a"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%">Mind <strong>this</strong>.<ul id="b" class="bulleted-list"><li style="list-style-type:disc">One</li></ul></div></figure>',
		'<aside data-callout="warning"><p>Mind <strong>this</strong>.</p><ul><li>One</li></ul></aside>',
	],
	[
		'toggles in each other',
		'<ul id="a" class="toggle"><li><details open=""><summary>Why?</summary><p id="b" class="">Because.</p><ul id="c" class="toggle"><li><details open=""><summary>Really?</summary>Yes.</details></li></ul></details></li></ul>',
		'<details><summary>Why?</summary><p>Because.</p><details><summary>Really?</summary><p>Yes.</p></details></details>',
	],
	[
		'a heading that opens, with a list in it',
		'<details open=""><summary style="font-weight:600;font-size:1.875em;line-height:1.3;margin:0">Part one</summary><div class="indented"><p id="a" class="">Inside.</p><ul id="b" class="bulleted-list"><li style="list-style-type:disc">One</li></ul></div></details>',
		'<details><summary>Part one</summary><p>Inside.</p><ul><li>One</li></ul></details>',
	],
	[
		'links that lead nowhere',
		'<p id="a" class=""><a href="https://www.notion.soundefined">Gone</a> and <a href="Bad%E0%A4%A.html">broken</a></p><figure id="b" class="image"><img src="Bad%E0%A4%A.png"/></figure>',
		'<p>Gone and broken</p>[Picture: Bad%E0%A4%A.png]',
	],
	[
		'code',
		'<script src="https://cdnjs.cloudflare.com/ajax/libs/prism/1.29.0/prism.min.js"></script><pre id="a" class="code code-wrap"><code class="language-Python" style="white-space:pre-wrap">if a &lt; b:\n\n    print(a)</code></pre><pre id="b" class="code"><code class="language-Plain Text">x</code></pre>',
		'<pre><code class="language-python">if a &#x3C; b:\n\n    print(a)</code></pre><pre><code>x</code></pre>',
	],
	[
		'a table',
		'<table id="a" class="simple-table"><thead class="simple-table-header"><tr id="b"><th id="c" class="simple-table-header-color simple-table-header">Name</th></tr></thead><tbody><tr id="d"><td id="e" class=""><mark class="highlight-red">Red</mark></td></tr></tbody></table>',
		'<table><thead><tr><th>Name</th></tr></thead><tbody><tr><td>Red</td></tr></tbody></table>',
	],
	[
		'lists of one item each, and tasks',
		'<ol type="1" id="a" class="numbered-list" start="1"><li>One</li></ol><ol type="1" id="b" class="numbered-list" start="2"><li>Two</li></ol><ul id="c" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Done</span><div class="indented"></div></li></ul><ul id="d" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">Open</span></li></ul>',
		'<ol start="1"><li>One</li><li>Two</li></ol><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled checked> Done</li><li class="task-list-item"><input type="checkbox" disabled> Open</li></ul>',
	],
	[
		'formulas',
		'<style>@import url("katex.css")</style><p id="a" class="">So <span data-token-index="1" contenteditable="false" class="notion-text-equation-token" style="display:inline-block"><span></span><span><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></span></span>.</p><figure id="b" class="equation"><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math></span></span></span></div></figure>',
		'<p>So <span data-type="inline-math" data-latex="x_1"></span>.</p><div data-type="block-math" data-latex="E=mc^2"></div>',
	],
	[
		'columns, colors, blank lines, days and a table of contents',
		'<nav id="a" class="block-color-gray table_of_contents"><div class="table_of_contents-item"><a class="table_of_contents-link" href="#x">One</a></div></nav><div id="b" class="column-list"><div id="c" style="width:50%" class="column"><p id="d" class="block-color-red">Left, on <time>@January 5, 2024</time></p></div><div id="e" style="width:50%" class="column"><p id="f" class=""><mark class="highlight-yellow_background">Right</mark></p></div></div><p id="g" class="">\n</p>',
		'<p>Left, on January 5, 2024</p><p><mark>Right</mark></p>',
	],
	[
		'a bookmark and a file',
		'<figure id="a"><a href="https://example.com/a" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">A title</div><div class="bookmark-description">What it is</div></div></div><img src="https://example.com/a.png" class="bookmark-image"/></a><figcaption>Read it</figcaption></figure><blockquote id="b" class="">Said.</blockquote>',
		'<p><a href="https://example.com/a">A title</a></p><p>What it is</p><p>Read it</p><blockquote>Said.</blockquote>',
	],
	[
		'choices and persons in a table, and a page with a picture as its sign',
		'<table class="collection-content"><tbody><tr><td><span class="selected-value select-value-color-blue">College</span><span class="selected-value select-value-color-brown">Inner circle</span></td><td><span class="user"><img src="a.jpg" class="icon user-icon"/>Ada</span></td></tr></tbody></table><figure class="link-to-page"><a href="https://example.com/b"><img class="icon" src="b.svg"/>media</a></figure>',
		'<table><tbody><tr><td>College, Inner circle</td><td>Ada</td></tr></tbody></table><p><a href="https://example.com/b">media</a></p>',
	],
])('%s', async (_, given, wanted) => {
	expect(await text(given)).toBe(wanted);
});

test('one page comes without an archive, and a page of another program does not', async () => {
	const { posts } = await readFile(strToU8(page('Alone', '', '<p id="a" class="">Words.</p>')));
	expect(posts).toMatchObject([{ title: 'Alone', content: '<p>Words.</p>' }]);
	await expect(readFile(strToU8('<html><body><p>Words.</p></body></html>'))).rejects.toThrow(
		'none of the files that can be imported',
	);
});
