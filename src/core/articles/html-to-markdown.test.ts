import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { visit } from 'unist-util-visit';
import { expect, test } from 'vitest';
import { markdownToHtml } from './markdown.ts';
import { parseHtml, sanitizeArticle } from './sanitize.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';

const toArticle = async (markdown: string) => sanitizeArticle(await markdownToHtml(markdown));

test.each([
	['inline math', 'A weight of $w_i^2$ here.'],
	['block math', '$$\n\\frac{1}{n} \\sum_i x_i\n$$'],
	['a callout', '> [!NOTE] Read **this**.\n>\n> And this.'],
	['a warning', '> [!WARNING] Careful: `rm` deletes.'],
	['a footnote', 'A claim[^1] and another[^two].\n\n[^1]: Its source.\n[^two]: With *more*.\n'],
	['a table', '| a | b |\n|---|--:|\n| 1 | 2 |'],
	['code', '```python\nprint("a < b")\n```'],
	['tasks', '- [ ] to do\n- [x] done'],
	['a figure', '> [!FIGURE attention] What a head sees\n>\n> ![A grid](https://x.example/a.png)'],
	['a video', '> [!EMBED] Given twice.\n>\n> [A talk](https://youtu.be/dQw4w9WgXcQ)'],
	['a video without a caption', '> [!EMBED]\n>\n> [A talk](https://youtu.be/dQw4w9WgXcQ)'],
	[
		'a card',
		'> [!EMBED] What it is\n>\n> [![](/api/media/1) A page](https://other.example/a?b=1&c=2)',
	],
	['a gallery', '> [!GALLERY]\n>\n> > [!FIGURE] One\n> >\n> > ![A](/a.png)\n>\n> ![B](/b.png)'],
	['nested lists', '1. one\n   - a\n   - b\n2. two'],
	['a loose list', '- one\n\n  more of it\n\n- two'],
	['emphasis', 'Some *words*, **bold**, ~~gone~~ and `code`.'],
	['links and images', '[a](https://a.example "T") ![b](/api/media/1 "U")'],
	['text like markup', 'A \\* b \\_ c \\[!NOTE\\] 1\\. & $5 and $6.'],
])('%s survives the way out and back', async (_, markdown) => {
	const html = await toArticle(markdown);
	expect(await toArticle(htmlToMarkdown(html))).toBe(html);
});

test.each([
	[
		'<tr><td><ul><li>one</li><li>two</li></ul></td><td><p>first</p><p>second<br>third</p></td></tr>',
		['• one / • two', 'first / second / third'],
	],
	[
		'<tr><td><pre><code>a | b\n\nc</code></pre></td><td><blockquote><p>x</p></blockquote>y</td></tr>',
		['a | b / c', 'x / y'],
	],
	[
		'<tr><td><ol start="3"><li>a<ul><li>b</li></ul></li><li>c</li></ol></td><td><h3>H</h3>t</td></tr>',
		['3. a / • b / 4. c', 'H / t'],
	],
	[
		'<tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td><td><b>x</b><p><i>y</i></p></td></tr>',
		['a | b / c', 'x / y'],
	],
])('blocks in the cells of %s stay one row', async (rows, expected) => {
	const markdown = htmlToMarkdown(`<table><tr><th>A</th><th>B</th></tr>${rows}</table>`);
	expect(markdown.trim().split('\n')).toHaveLength(3);
	const html = await toArticle(markdown);
	const cells = [...html.matchAll(/<td>([^]*?)<\/td>/g)].map(([, cell = '']) =>
		cell.replace(/<br>\s*/g, ' / ').replace(/<[^>]*>/g, ''),
	);
	expect(cells).toEqual(expected);
});

test.each([
	'<p><code>a </code><code>b</code></p>',
	'<blockquote>\n<p>[!NOTE] is how a note begins</p>\n</blockquote>',
	'<aside data-callout="note">\n<p>[!TIP] it says</p>\n</aside>',
	'<p>Read [!NOTE] here, \\(x = 1\\), \\[a=b\\] and $5 to $6</p>',
	'<p>\\begin{align}x\\end{align}</p>',
	'<p>\\[a=b\\]</p>',
	'<h2>Braces {#id}</h2>',
	'<p>So <span data-type="inline-math" data-latex="x"></span>5 and <span data-type="inline-math" data-latex="a\\$"></span><span data-type="inline-math" data-latex="b"></span></p>',
	'<p><span data-type="inline-math" data-latex="x"></span></p>',
	'<div data-type="block-math" data-latex="\\begin{align}\na\n\\end{align}"></div>',
])('%s is the same on the way back', async (html) => {
	expect(await toArticle(htmlToMarkdown(html))).toBe(html);
});

const WORD = fc.constantFrom(
	...[
		'word',
		'Łódź',
		'مرحبا',
		'学习',
		'తెలుగు',
		'$5',
		'$x$',
		'[!NOTE]',
		'\\(x\\)',
		'\\[a=b\\]',
		'{#a}',
		'*a*',
		'_b_',
	],
	...[
		'`c`',
		'a|b',
		'<br>',
		'#',
		'1.',
		'-',
		'+',
		'\\',
		'~~d~~',
		'&amp;',
		'[e](f)',
		'![g]',
		'> h',
		':::',
		'==i==',
		'\\begin{a}',
		'|',
		'😀',
	],
);
const WORDS = fc.array(WORD, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
/** A block with what it says, line by line. */
const BLOCK = fc.oneof(
	WORDS.map((text) => ({ html: `<p>${escaped(text)}</p>`, lines: [text] })),
	fc
		.tuple(WORDS, WORDS)
		.map(([a, b]) => ({ html: `<p>${escaped(a)}<br>${escaped(b)}</p>`, lines: [a, b] })),
	WORDS.map((text) => ({ html: `<p><code>${escaped(text)}</code></p>`, lines: [text] })),
	fc.array(WORDS, { minLength: 1, maxLength: 3 }).map((items) => ({
		html: `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`,
		lines: items,
	})),
	WORDS.map((text) => ({ html: `<h2>${escaped(text)}</h2>`, lines: [text] })),
	WORDS.map((text) => ({
		html: `<blockquote><p>${escaped(text)}</p></blockquote>`,
		lines: [text],
	})),
);
const TABLE = fc.array(fc.tuple(BLOCK, BLOCK), { minLength: 1, maxLength: 3 }).map((rows) => ({
	html: `<table><tr><th>a</th><th>b</th></tr>${rows
		.map(([a, b]) => `<tr><td>${a.html}</td><td>${b.html}</td></tr>`)
		.join('')}</table>`,
	lines: ['a', 'b', ...rows.flat().flatMap(({ lines }) => lines)],
}));

test('the words of each block and each cell are kept on the way out and back', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(BLOCK, TABLE), { maxLength: 5 }), async (blocks) => {
			const html = blocks.map((block) => block.html).join('');
			const back = parseHtml(await toArticle(htmlToMarkdown(html)));
			const lines: string[] = [];
			visit(back, (node) => {
				if (node.type === 'text') lines[lines.length - 1] += node.value;
				else if (node.type === 'element' && /^(p|h2|li|td|th|br)$/.test(node.tagName))
					lines.push('');
			});
			const said = lines.map((line) => line.trim().replace(/^• /, '')).filter(Boolean);
			expect(said).toEqual(blocks.flatMap((block) => block.lines));
		}),
		{ numRuns: 300 },
	);
});

const folder = new URL('../../../content/posts/', import.meta.url);
const files = (await readdir(folder)).filter((name) => name.endsWith('.md'));

test.each(files)('%s is the same article after the way out and back', async (name) => {
	const file = await readFile(new URL(name, folder), 'utf8');
	const html = await toArticle(file.replace(/^---\n[^]*?\n---\n/, ''));
	const spaces = (text: string) => text.replace(/\s+/g, ' ');
	expect(spaces(await toArticle(htmlToMarkdown(html)))).toBe(spaces(html));
});

test('a formula directly after a dollar or a bracket stays one', async () => {
	for (const before of ['$', '(', '€']) {
		const html = `<p>costs ${before}<span data-type="inline-math" data-latex="x"></span></p>`;
		expect((await markdownToHtml(htmlToMarkdown(html))).trim()).toBe(html);
	}
});
