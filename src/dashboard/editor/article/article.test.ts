// @vitest-environment jsdom
import { readdir, readFile } from 'node:fs/promises';
import { Node as ProseNode } from '@tiptap/pm/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { parseHtml, sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { closeArticle, openArticle, readArticle, schema, substance } from './article.ts';

/** The HTML after it was opened, kept as JSON, and written again; and how many blocks the editor has no words for. */
function roundTrip(html: string) {
	const { doc, written } = openArticle(html);
	doc.check();
	const again = ProseNode.fromJSON(schema, JSON.parse(JSON.stringify(doc)));
	const opaque = again.children.filter(({ type }) => type.name === 'html').length;
	return { kept: closeArticle(again, written), anew: closeArticle(again), opaque };
}

const posts = 'content/posts';
const files = await readdir(posts);

test.each(files)('opening and saving %s changes nothing', async (file) => {
	const markdown = (await readFile(`${posts}/${file}`, 'utf8')).replace(/^---\n[^]*?\n---\n/, '');
	const seeded = sanitizeArticle(await markdownToHtml(markdown));
	const { kept, anew, opaque } = roundTrip(seeded);
	expect(opaque).toBe(0);
	expect(anew).toBe(seeded);
	expect(kept).toBe(seeded);
});

test.each([
	['a tight list in a list', '- one\n  1. two\n  2. three\n- four'],
	['a loose list', '- one\n\n  more\n\n- two'],
	['a list that starts at 3', '3. three\n4. four'],
	['tasks', '- [x] done\n- [ ] *open*'],
	['loose tasks', '- [x] done\n\n- [ ] open\n\n  because'],
	['a table', '| a | b |\n| :- | -: |\n| **1** | `x` |'],
	['a callout', '> [!TIP]\n> Read $x$.\n>\n> - twice'],
	['a quotation', '> One\n>\n> > Two'],
	['marks in marks', '**a *b ~~c~~*** and *a **b** c* and [`x` **y**](https://example.com "T")'],
	['code without a language', '```\na < b && c\n\n```'],
	['code in a language', '```c++\nint a;\n```'],
	['math', '$a<b$ and\n\n$$\nx\ny\n$$'],
	['a line break', 'one\\\ntwo'],
	['a rule', 'one\n\n---\n\ntwo'],
	['an image', '![A chart](/api/media/1 "T")'],
	[
		'footnotes, one of them named and used twice',
		'A[^b], B[^1], again[^b].\n\n[^1]: One.\n\n[^b]: Two\n\n    - in a list',
	],
])('%s in Markdown is the same after editing', async (_, markdown) => {
	const html = sanitizeArticle(await markdownToHtml(markdown));
	expect(roundTrip(html)).toEqual({ kept: html, anew: html, opaque: 0 });
});

test.each([
	'<figure data-embed="">\n<a href="https://youtu.be/dQw4w9WgXcQ">A talk</a>\n<figcaption>Given <em>twice</em>.</figcaption>\n</figure>',
	'<figure data-embed="">\n<a href="https://vimeo.com/76979871"><img src="/a.png" alt="A stage" width="10" height="5"> A talk</a>\n</figure>',
	'<figure data-gallery="">\n<figure>\n<img src="/a.png" alt="A">\n<figcaption>One</figcaption>\n</figure>\n<figure>\n<img src="/b.png" alt="B">\n</figure>\n</figure>',
	'<figure>\n<img src="/a.png" alt="A" width="10" height="5">\n<figcaption>Said <em>so</em>.</figcaption>\n</figure>',
	'<figure>\n<img src="/a.png" alt="">\n</figure>',
	'<figure data-explainer="gradient-descent">\n<figcaption>Loss by step.</figcaption>\n<table>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n</figure>',
	'<figure data-explainer="dice">\n<figcaption>Dice.</figcaption>\n</figure>',
	'<p>H<sub>2</sub>O, x<sup>2</sup>, <kbd>Esc</kbd>, <mark>seen</mark>, <abbr title="one">1</abbr></p>',
	'<table>\n<tbody>\n<tr>\n<td colspan="2">1</td>\n</tr>\n<tr>\n<th scope="row">a</th>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
])('%s is editable and stays', (html) => {
	expect(roundTrip(html)).toEqual({ kept: html, anew: html, opaque: 0 });
});

test.each([
	'<details>\n<summary>More</summary>\n<p>Hidden</p>\n</details>',
	'<dl>\n<dt>Word</dt>\n<dd>Meaning</dd>\n</dl>',
	'<h5>Deep</h5>',
	'<figure>\n<img src="/a.png" alt="A">\n<img src="/b.png" alt="B">\n</figure>',
	'<figure>\n<p>First the thing.</p>\n<figcaption>Then the words.</figcaption>\n</figure>',
	'<p>An <img src="/a.png" alt="A"> in a line</p>',
	'<p>Some <samp>output</samp>, a <q>quote</q>, a <var>v</var></p>',
	'<p><ruby>漢<rt>kan</rt></ruby></p>',
	'<div><p>One</p><p>Two</p></div>',
])('%s, which the editor has no words for, stays as it is', (html) => {
	const { kept, anew, opaque } = roundTrip(`<p>Before</p>\n${html}\n<p>After</p>`);
	expect(opaque).toBe(1);
	expect(anew).toBe(`<p>Before</p>\n${html}\n<p>After</p>`);
	expect(kept).toBe(anew);
});

test('blocks that were not touched are written as they were, touched ones as the editor writes', () => {
	const html = '<p>One\nline, <b>bold</b></p><ul><li>a</li></ul><p>Two <i>2</i></p>';
	const { doc, written } = openArticle(html);
	expect(closeArticle(doc, written)).toBe(
		'<p>One\nline, <b>bold</b></p>\n<ul><li>a</li></ul>\n<p>Two <i>2</i></p>',
	);
	const touched = doc.copy(
		doc.content.replaceChild(
			2,
			schema.nodes['paragraph']!.create(null, [
				schema.text('Three '),
				schema.text('3', [schema.marks['italic']!.create()]),
			]),
		),
	);
	expect(closeArticle(touched, written)).toBe(
		'<p>One\nline, <b>bold</b></p>\n<ul><li>a</li></ul>\n<p>Three <em>3</em></p>',
	);
});

test('a text without elements is a paragraph; nothing is an empty document', () => {
	expect(roundTrip('only words')).toEqual({
		kept: '<p>only words</p>',
		anew: '<p>only words</p>',
		opaque: 0,
	});
	expect(roundTrip('')).toEqual({ kept: '', anew: '', opaque: 0 });
	expect(roundTrip('<p></p><p>a</p><p></p>')).toMatchObject({ anew: '<p>a</p>' });
});

test('a footnote that is put before another one takes its number', () => {
	const { doc, written } = openArticle(
		'<p>A<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n' +
			'<section data-footnotes="" class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2>\n<ol>\n<li id="fn-1">\n<p>One. <a href="#fnref-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>',
	);
	const { paragraph, footnoteRef, footnotes, footnote } = schema.nodes;
	const section = doc.lastChild!;
	const more = schema.nodes['doc']!.create(null, [
		paragraph!.create(null, footnoteRef!.create({ name: 'new' })),
		doc.firstChild!,
		footnotes!.create(null, [
			...section.children,
			footnote!.create({ name: 'new' }, paragraph!.create(null, schema.text('New.'))),
			footnote!.create({ name: 'lost' }, paragraph!.create(null, schema.text('No mark.'))),
		]),
	]);
	const html = closeArticle(more, written);
	expect(html).toContain(
		'<p>A<sup><a href="#fn-1" id="fnref-1" data-footnote-ref="" aria-describedby="footnote-label">2</a></sup></p>',
	);
	expect(html).toMatch(
		/<li id="fn-new">[^]*<li id="fn-1">[^]*Back to reference 2[^]*<li id="fn-lost">\n<p>No mark\.<\/p>/,
	);
	expect(roundTrip(html)).toEqual({ kept: html, anew: html, opaque: 0 });
});

test('what is pasted keeps its words also where its elements are unknown', () => {
	const doc = readArticle('<dl><dt>Word</dt><dd>Meaning</dd></dl><p>a <samp>b</samp></p>');
	doc.check();
	expect(doc.children.map(({ type }) => type.name)).not.toContain('html');
	expect(doc.textContent).toBe('WordMeaninga b');
});

test('whatever an article holds, opening it loses nothing', { timeout: 30_000 }, () => {
	const word = fc.constantFrom('a', 'b c', ' d', 'e ', '<', '&', '"', '\n');
	const { html } = fc.letrec<{ html: string; inline: string }>((tie) => ({
		inline: fc.oneof(
			{ weight: 3, arbitrary: word.map((text) => text.replace('<', '&lt;').replace('&', '&amp;')) },
			fc
				.tuple(
					fc.constantFrom('b', 'em', 'code', 'a href="/x"', 'sub', 'samp', 'del', 'span'),
					tie('inline'),
					tie('inline'),
				)
				.map(([tag, one, two]) => `<${tag}>${one}${two}</${tag.split(' ')[0]}>`),
			fc.constantFrom(
				'<br>',
				'<img src="/a.png" alt="x">',
				'<span data-type="inline-math" data-latex="x"></span>',
			),
		),
		html: fc.oneof(
			fc
				.tuple(
					fc.constantFrom('p', 'h2', 'h5', 'li', 'pre', 'td', 'figcaption', 'dt', 'div'),
					fc.array(tie('inline'), { maxLength: 3 }),
				)
				.map(([tag, parts]) => `<${tag}>${parts.join('')}</${tag}>`),
			fc
				.tuple(
					fc.constantFrom(
						'ul',
						'ol',
						'blockquote',
						'aside data-callout="tip"',
						'figure',
						'table',
						'div',
						'details',
						'section',
					),
					fc.array(tie('html'), { maxLength: 3 }),
				)
				.map(([tag, parts]) => `<${tag}>${parts.join('')}</${tag.split(' ')[0]}>`),
			tie('inline'),
		),
	}));
	fc.assert(
		fc.property(fc.array(html, { maxLength: 4 }), (parts) => {
			const article = sanitizeArticle(parts.join(''));
			const { doc, written } = openArticle(article);
			doc.check();
			const kept = closeArticle(doc, written);
			expect(substance(parseHtml(kept))).toBe(substance(parseHtml(article)));
			const again = openArticle(kept);
			expect(closeArticle(again.doc, again.written)).toBe(kept);
		}),
		{ numRuns: 100 },
	);
});

test('anchors and directions of blocks are kept, and stay words that can be edited', () => {
	const html = sanitizeArticle(
		'<p dir="rtl">مرحبا <a href="#a">x</a> <a href="#b">y</a> <a href="#c">z</a></p>' +
			'<h2 id="a" dir="rtl">A</h2><blockquote id="b"><p>B</p></blockquote><ul dir="rtl"><li id="c">C</li></ul>',
	);
	const { doc, written } = openArticle(html);
	expect(doc.children.map(({ type }) => type.name)).toEqual([
		'paragraph',
		'heading',
		'blockquote',
		'bulletList',
	]);
	expect(closeArticle(doc).replace(/\n/g, '')).toBe(html);
	expect(closeArticle(doc, written).replace(/\n/g, '')).toBe(html);
});
