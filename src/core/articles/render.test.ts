import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { digest } from '#src/lib/digest.ts';
import { markdownToHtml } from './markdown.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { RENDERER_VERSION, RESERVED_IDS, renderArticle } from './render.ts';
import { sanitizeArticle } from './sanitize.ts';

const parser = unified().use(rehypeParse, { fragment: true });

/** Everything of a piece of HTML that could run, load or restyle something, as a browser would read it. */
function dangersOf(html: string): string[] {
	const found: string[] = [];
	visit(parser.parse(html), 'element', ({ tagName, properties }) => {
		if (
			/^(script|style|iframe|object|embed|form|button|svg|base|meta|link|video|audio|template|math)$/.test(
				tagName,
			)
		) {
			found.push(tagName);
		}
		for (const [name, value] of Object.entries(properties)) {
			const text = String(value).replace(/[\s\0-\x1f]/g, '');
			if (/^(on|style|srcDoc|srcSet|formAction|action|target)/i.test(name)) found.push(name);
			if (/^(javascript|data|vbscript|blob|file):/i.test(text)) found.push(`${name}=${text}`);
		}
	});
	return found;
}

const ATTACKS = [
	'<script>alert(1)</script>',
	'<scr<script>ipt>alert(1)</scr</script>ipt>',
	'<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
	'<img src=x onerror=alert(1)>',
	'<img src="javascript:alert(1)">',
	'<img src="data:image/svg+xml,<svg onload=alert(1)>">',
	'<img srcset="javascript:alert(1) 1x" src=x>',
	'<image src=x onerror=alert(1)>',
	'<a href="javascript:alert(1)">x</a>',
	'<a href="JaVaScRiPt:alert(1)">x</a>',
	'<a href=" javascript:alert(1)">x</a>',
	'<a href="java\nscript:alert(1)">x</a>',
	'<a href="java\tscript:alert(1)">x</a>',
	'<a href="&#106;avascript&colon;alert(1)">x</a>',
	'<a href="\u0001javascript:alert(1)">x</a>',
	'<a href="data:text/html,<script>alert(1)</script>">x</a>',
	'<a href="vbscript:msgbox(1)">x</a>',
	'<a href="https://example.com" onclick="alert(1)" target="_blank" style="position:fixed">x</a>',
	'<svg onload=alert(1)><script>alert(1)</script></svg>',
	'<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
	'<svg><animate onbegin=alert(1) attributeName=x></svg>',
	'<math><mi xlink:href="data:x,<script>alert(1)</script>"></math>',
	'<iframe src="javascript:alert(1)"></iframe>',
	'<iframe srcdoc="<script>alert(1)</script>"></iframe>',
	'<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
	'<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
	'<input autofocus onfocus=alert(1)><input type="image" src=x onerror=alert(1)>',
	'<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
	'<link rel="stylesheet" href="https://evil.example/x.css"><style>@import "https://evil.example/x.css"</style>',
	'<p style="background:url(javascript:alert(1))">x</p>',
	'<details open ontoggle=alert(1)>x</details>',
	'<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>',
	'<body onload=alert(1)><marquee onstart=alert(1)>x</marquee>',
	'<template><script>alert(1)</script></template>',
	'<textarea><script>alert(1)</script></textarea><title><img src=x onerror=alert(1)></title>',
	'<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
	'<!--><img src=x onerror=alert(1)>-->',
	'<![CDATA[<img src=x onerror=alert(1)>]]>',
	'<xmp><img src=x onerror=alert(1)></xmp><plaintext><img src=x onerror=alert(1)>',
	'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
	'<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
	'<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
	'<p title="&quot;><img src=x onerror=alert(1)>">x</p>',
	'<pre><code class="language-js"><img src=x onerror=alert(1)></code></pre>',
	'<pre><code class="language-js onclick">&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>',
	'<figure data-explainer="x" onclick=alert(1)><figcaption onclick=alert(1)>x</figcaption></figure>',
	'<span data-type="inline-math" data-latex="\\href{javascript:alert(1)}{x}"></span>',
	'<div data-type="block-math" data-latex="<img src=x onerror=alert(1)>"></div>',
	'<div data-type="block-math" data-latex="\\includegraphics{javascript:alert(1)}"></div>',
];

describe('sanitizing', () => {
	test.each(ATTACKS)('nothing of %j survives', (attack) => {
		expect(dangersOf(sanitizeArticle(`<p>before</p>${attack}`))).toEqual([]);
	});

	test.each(ATTACKS)('sanitizing %j twice changes nothing', (attack) => {
		const once = sanitizeArticle(`<p>before</p>${attack}`);
		expect(sanitizeArticle(once)).toBe(once);
	});

	test.each(ATTACKS)('no page runs %j, even where it was stored as it is', async (attack) => {
		const { html, text } = await renderArticle(`<p>before</p>${attack}`);
		// Math is drawn by ourselves, after sanitizing.
		const dangers = dangersOf(html).filter((danger) => danger !== 'math' && danger !== 'style');
		expect(dangers).toEqual([]);
		expect(text).toMatch(/^before/);
	});

	test('the seams of the page cannot be taken: no ids, names or classes of others', () => {
		const html =
			'<p id="main" class="fixed inset-0" name="body">x</p><a name="x" id="comments">y</a>';
		expect(sanitizeArticle(html)).toBe('<p>x</p><a>y</a>');
	});

	test('what an article is made of stays', () => {
		const html = [
			'<h2>Title</h2><p>A <strong>bold</strong> <em>word</em>, <code>code</code>, <del>gone</del> <mark>seen</mark>.</p>',
			'<p><a href="https://example.com" title="t">out</a> <a href="/blog">in</a> <a href="#part">part</a> <a href="mailto:a@example.com">mail</a></p>',
			'<ul><li>one</li></ul><ol start="3"><li>three</li></ol><blockquote><p>said</p></blockquote><hr>',
			'<table><thead><tr><th align="right">a</th></tr></thead><tbody><tr><td align="right">1</td></tr></tbody></table>',
			'<figure><img src="/a.png" alt="A" width="1" height="2"><figcaption>A</figcaption></figure>',
			'<pre><code class="language-python">print(1)</code></pre>',
			'<aside data-callout="warning"><p>Mind.</p></aside>',
			'<span data-type="inline-math" data-latex="x^2"></span>',
		].join('\n');
		expect(sanitizeArticle(html)).toBe(html);
	});
});

describe('headings', () => {
	test('every heading has an id of its own, and a link to itself', async () => {
		const { html, headings } = await renderArticle(
			'<h2>Why it works</h2><h3>Why it works</h3><h2>Why it works 2</h2><h4>Ünïcode &amp; <code>code</code></h4><h2>机器</h2><h2>!</h2>',
		);
		const slugs = headings.map(({ slug }) => slug);
		expect(slugs).toEqual([
			'why-it-works',
			'why-it-works-2',
			'why-it-works-2-2',
			'unicode-code',
			'section',
			'section-2',
		]);
		for (const slug of slugs) expect(html.split(` id="${slug}"`)).toHaveLength(2);
		expect(html).toContain('href="#why-it-works-2" class="anchor"');
		expect(headings[0]).toEqual({ depth: 2, slug: 'why-it-works', text: 'Why it works' });
		expect(headings[3]).toMatchObject({ depth: 4, text: 'Ünïcode & code' });
	});

	test('the ids of the page around the article and of footnotes are left alone', async () => {
		const article = await markdownToHtml(
			'## Comments\n\n## Footnote label\n\n## fn 1\n\nSaid.[^1]\n\n[^1]: By whom.',
		);
		const { html, headings } = await renderArticle(article);
		expect(headings.map(({ slug }) => slug)).toEqual(['comments-2', 'footnote-label-2', 'fn-1-2']);
		const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(html).toContain('href="#fn-1"');
	});
});

describe('code', () => {
	test('code is highlighted by classes, never by styles', async () => {
		const { html } = await renderArticle(
			'<pre><code class="language-python">def f(x): return "a" # b</code></pre>',
		);
		expect(html).toContain('<figcaption>Python</figcaption>');
		expect(html).toContain('<span class="t-k">def</span>');
		expect(html).toMatch(/<span class="t-s">"a"<\/span>/);
		expect(html).not.toContain('style=');
	});

	test('a line that is longer than people write is shown plain, and the others are highlighted', async () => {
		const long = `x = "${'a'.repeat(1000)}"`;
		const { html } = await renderArticle(
			`<pre><code class="language-python">def f(): pass\n${long}\nreturn 1</code></pre>`,
		);
		expect(html).toContain(`\n${long}\n`);
		expect(html.match(/t-k/g)).toHaveLength(3);
	});

	test('what takes long to highlight is shown plain once an article had its share', async () => {
		const line = '&lt;'.repeat(1000);
		const block = `<pre><code class="language-bash">${`${line}\n`.repeat(45)}</code></pre>`;
		const small = '<pre><code class="language-python">def f(): pass</code></pre>';
		const { user } = process.cpuUsage();
		const { html } = await renderArticle(block + small.repeat(3) + block);
		// Without a limit each of the blocks took half a minute.
		expect(process.cpuUsage().user - user).toBeLessThan(10e6);
		expect(html.match(/t-k/g)).toHaveLength(6);
		expect(html.match(/"t-/g)).toHaveLength(html.match(/"t-[a-z]"/g)!.length);
		expect(html).toContain('<span class="t-f">f</span>(): <span');
	});

	test('an unknown language is shown as it is', async () => {
		const { html } = await renderArticle(
			'<pre><code class="language-klingon">a &lt; b\n\nc</code></pre>',
		);
		expect(html).toBe(
			'<figure class="code"><pre tabindex="0"><code>a &#x3C; b\n\nc</code></pre></figure>',
		);
	});

	test('code keeps every character', async () => {
		const source = 'x = {"a": [1, 2]}  # <b> & \'c\'\n\n\tif x:\n\t\tpass\n';
		const escaped = source.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
		const { html } = await renderArticle(`<pre><code class="language-py">${escaped}</code></pre>`);
		const code: string[] = [];
		visit(parser.parse(html), 'element', (node) => {
			if (node.tagName === 'code') visit(node, 'text', ({ value }) => void code.push(value));
		});
		expect(code.join('')).toBe(source.trimEnd());
	});
});

describe('math, callouts and tables', () => {
	test('math becomes MathML, in the line and as a block', async () => {
		const { html } = await renderArticle(
			await markdownToHtml('So $x^2$ is\n\n$$\n\\frac{a}{b}\n$$'),
		);
		expect(html).toMatch(/<span class="math"><math alttext="x\^2">.*<msup>/s);
		// One that is cut can be scrolled by keyboard.
		expect(html).toMatch(
			/<div class="math-block" tabindex="0" role="group" aria-label="Formula"><math[^>]*display="block".*<mfrac>/s,
		);
		expect(html).toMatch(/<math[^>]* alttext="\\frac{a}{b}"/);
		expect(html).not.toContain('$');
	});

	test("a heading's name is its words, without those of its link", async () => {
		const { html, headings } = await renderArticle(
			'<h2>Why <code>x</code> words</h2><h2>Why x</h2><h3>Why x words</h3>',
		);
		expect(html).toContain(
			'<h2 id="why-x-words">Why <code>x</code> words<a href="#why-x-words" class="anchor" aria-hidden="true" tabindex="-1"></a></h2>',
		);
		expect(headings.map(({ text }) => text)).toEqual(['Why x words', 'Why x', 'Why x words']);
	});

	test('math that is wrong is shown, not thrown', async () => {
		const { html } = await renderArticle(
			'<span data-type="inline-math" data-latex="\\frac{a}{"></span>',
		);
		expect(html).toContain('\\frac{a}{');
	});

	test.each(['note', 'tip', 'warning'])('a %s says what it is', async (kind) => {
		const markdown = `> [!${kind.toUpperCase()}]\n> Mind the gap.`;
		const { html } = await renderArticle(await markdownToHtml(markdown));
		const label = kind[0]!.toUpperCase() + kind.slice(1);
		expect(html).toContain(`<aside data-callout="${kind}"><p class="callout-label">${label}</p>`);
		expect(html).not.toContain('[!');
	});

	test('a quotation stays a quotation', async () => {
		const { html } = await renderArticle(await markdownToHtml('> [!DANGER]\n> Said.\n\n> Plain.'));
		expect(html).not.toContain('<aside');
		expect(html.match(/<blockquote>/g)).toHaveLength(2);
	});

	test('a wide table scrolls by itself', async () => {
		const { html } = await renderArticle(
			await markdownToHtml('| a | b |\n| --- | --: |\n| 1 | 2 |'),
		);
		expect(html).toMatch(/^<div class="table-scroll" tabindex="0"[^>]*><table>/);
		expect(html).toContain('<td class="align-right">2</td>');
	});

	test('cells hold formulas', async () => {
		const { html } = await renderArticle(
			await markdownToHtml('| $k$ | b |\n| --- | --- |\n| $q$ | 2 |'),
		);
		expect(html).toContain('<mi>k</mi>');
		expect(html).toContain('<mi>q</mi>');
		expect(html).not.toContain('data-latex');
	});
});

test("the words of an article are its text, a line per block, without code's markup", async () => {
	const { text } = await renderArticle(
		'<h2>Why</h2><p>One <strong>bold</strong> word.</p><ul><li>first</li><li>second</li></ul><pre><code class="language-js">let x = 1;</code></pre>',
	);
	expect(text).toBe('Why\nOne bold word.\nfirst\nsecond\nlet x = 1;');
});

test('plain text and headings have the words of notes, and not their numbers', async () => {
	const html = await markdownToHtml('## Cost[^1]\n\nIt pays;[^1] often.\n\n[^1]: Not always.');
	const { headings, text } = await renderArticle(sanitizeArticle(html));
	expect(headings).toEqual([{ depth: 2, slug: 'cost', text: 'Cost' }]);
	expect(text).toBe('Cost\nIt pays; often.\nFootnotes\nNot always.');
});

test('tables that are broader than the text say so, and no others', async () => {
	const wide = async (markdown: string) =>
		(await renderArticle(sanitizeArticle(await markdownToHtml(markdown)))).html.split(' data-wide')
			.length - 1;
	const row = (...cells: string[]) => `| ${cells.join(' | ')} |\n`;
	const table = (cell: string) => row('a', 'b') + row('---', '---') + row('1', cell);
	expect(await wide(table('word '.repeat(10)))).toBe(0);
	expect(await wide(table('word '.repeat(20)))).toBe(1);
});

test('an empty article is rendered as one', async () => {
	expect(await renderArticle('')).toEqual({ html: '', headings: [], text: '' });
});

test('what the renderer makes belongs to its version: raise RENDERER_VERSION when this changes', async () => {
	const markdown = `## Heading one

"It's" text with **bold**, \`code\`, a [link](https://example.com), a footnote[^1] and $e^{i\\pi} + 1 = 0$.

> [!TIP]
> A tip.

\`\`\`python
def f(x: int) -> str:
    return f"{x}"  # comment
\`\`\`

\`\`\`ts
const answer: number = 42;
\`\`\`

| a | b |
| --- | --: |
| 1 | 2 |

$$
\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}
$$

- [x] done
- [ ] open

![An image](/image.png)

\`\`\`vega-lite
{
  "title": "Growth",
  "description": "1, 2 and 4 at steps 1, 2 and 3.",
  "data": {"values": [{"step": 1, "size": 1}, {"step": 2, "size": 2}, {"step": 3, "size": 4}]},
  "mark": {"type": "line", "point": true},
  "encoding": {
    "x": {"field": "step", "type": "quantitative"},
    "y": {"field": "size", "type": "quantitative"}
  }
}
\`\`\`

[^1]: The note.
`;
	const { html, headings, text } = await renderArticle(
		sanitizeArticle(await markdownToHtml(markdown)),
	);
	expect(html).toContain('drawn-wide');
	expect([RENDERER_VERSION, digest(html, JSON.stringify(headings), text)]).toEqual([
		'27',
		'5ecbc169e235f59d47ff9762cb926576a3b20280574c99b12bb89b942ce54412',
	]);
});

test('what is nested more than 100 deep loses its elements and keeps its text, also where it was stored before', async () => {
	const nested = (depth: number) =>
		'<blockquote>'.repeat(depth) +
		'Deep <b>wo</b>rds &amp; <i>more</i>.' +
		'</blockquote>'.repeat(depth);
	const flat = `${'<blockquote>'.repeat(100)}Deep words &#x26; more.${'</blockquote>'.repeat(100)}`;
	for (const depth of [100, 101, 1000, 1500]) {
		expect(sanitizeArticle(nested(depth)), String(depth)).toBe(flat);
		const { html, text } = await renderArticle(nested(depth));
		expect([html, text.trim()], String(depth)).toEqual([flat, 'Deep words & more.']);
		expect(htmlToMarkdown(nested(depth)), String(depth)).toContain('Deep words & more.');
	}
	const most = nested(99);
	expect(sanitizeArticle(most)).toContain('<b>wo</b>');
	expect(sanitizeArticle(flat)).toBe(flat);
});

test('a heading does not take the id of a part of the page', async () => {
	const { headings } = await renderArticle('<h2>Share</h2><h2>Comments</h2>');
	expect(headings.map(({ slug }) => slug)).toEqual(['share-2', 'comments-2']);
});

/** The fragments of an article's links that lead nowhere, and the ids that stand twice, on a page with these ids. */
async function anchorsOf(content: string) {
	const stored = sanitizeArticle(content);
	expect(sanitizeArticle(stored)).toBe(stored);
	const { html } = await renderArticle(stored);
	const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
	const links = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => decodeURIComponent(id!));
	return {
		html,
		dead: links.filter((id) => !ids.includes(id)),
		twice: ids.filter((id, at) => ids.indexOf(id) !== at || RESERVED_IDS.includes(id)),
		links,
	};
}

test.each([
	['a heading', '<p><a href="#how">x</a></p><h2 id="how">How it works</h2>', 'how-it-works'],
	['a paragraph', '<p><a href="#para">x</a></p><p id="para">Here</p>', 'para'],
	['a name', '<p><a href="#old">x</a></p><p>So <a name="old"></a>here</p>', 'old'],
	['an item', '<ol><li id="fn1">Note <a href="#fn1">x</a></li></ol>', 'fn1'],
	['an id of the page', '<p><a href="#main">x</a></p><p id="main">Here</p>', 'main-2'],
	['a quotation', '<p><a href="#q">x</a></p><blockquote id="q"><p>Here</p></blockquote>', 'q'],
	['a table', '<p><a href="#t">x</a></p><table id="t"><tr><td>Here</td></tr></table>', 't'],
	['a cell', '<p><a href="#c">x</a></p><table><tr><td id="c">Here</td></tr></table>', 'c'],
	['signs', '<p><a href="#h.1%3Aa">x</a></p><p><span id="h.1:a">Here</span></p>', 'h-1-a'],
	['letters', '<p><a href="#%D0%BE%D0%BD">x</a></p><p id="он">Here</p>', 'он'],
	[
		'two of one block',
		'<p><a href="#a">x</a> <a href="#b">y</a></p><p id="a"><b id="b">Z</b></p>',
		'a',
	],
	[
		'another with its id first',
		'<p><a href="#how">x</a></p><h2>How</h2><p id="how">Here</p>',
		'how-2',
	],
])('a link to %s of the article leads there after saving', async (_, content, id) => {
	const { dead, twice, links } = await anchorsOf(content);
	expect(dead).toEqual([]);
	expect(twice).toEqual([]);
	expect(links).toContain(id);
});

test('notes of other programs lead there and back', async () => {
	const { dead, twice } = await anchorsOf(
		'<p>Said<sup id="fnref1"><a href="#fn1">1</a></sup> and<sup id="fnref2"><a href="#fn2">2</a></sup></p>' +
			'<ol><li id="fn1">One <a href="#fnref1">back</a></li><li id="fn2">Two <a href="#fnref2">back</a></li></ol>',
	);
	expect(dead).toEqual([]);
	expect(twice).toEqual([]);
});

test('whatever headings say, no id stands twice on the page', async () => {
	const headings = [
		...RESERVED_IDS,
		'Menu',
		'Changes',
		'Setup',
		'Setup',
		'Setup 2',
		'学习',
		'评估',
	];
	const { twice } = await anchorsOf(headings.map((text) => `<h2>${text}</h2>`).join(''));
	expect(twice).toEqual([]);
});

test('an id that nothing of the article leads to is dropped', () => {
	expect(sanitizeArticle('<h2 id="a">A</h2><p id="b"><a name="c">B</a></p>')).toBe(
		'<h2>A</h2><p><a>B</a></p>',
	);
});

test('words from right to left are said to be, code is not, and what the author says is kept', async () => {
	const { html } = await renderArticle(
		'<h2>كيف تعمل؟</h2><p>(GPT-4) 2026</p><p>الشبكات GPT</p><ul><li>واحد</li></ul><p>English</p>' +
			'<pre><code>כן</code></pre><table><tr><td>שלום</td></tr></table><p dir="ltr">العربية</p>',
	);
	expect(
		[...html.matchAll(/<(\w+)[^>]*? dir="(\w+)"/g)].map(([, tag, dir]) => `${tag} ${dir}`),
	).toEqual(['h2 rtl', 'p rtl', 'ul rtl', 'table rtl', 'p ltr']);
});
