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

/** Returns what stands as formulas in the result, and its text with `·` for each. */
async function formulasOf(markdown: string) {
	const html = await markdownToHtml(markdown);
	const formulas = [...html.matchAll(/data-type="(\w+)-math" data-latex="([^"]*)"/g)];
	const text = html.replace(/<span data-type[^>]*><\/span>/g, '·').replace(/<[^>]*>/g, '');
	return { text: text.trim(), formulas: formulas.map(([, kind, latex]) => `${kind}: ${latex}`) };
}

test.each([
	'The deficit grew from $50 to $100 billion, **really**.',
	'- Cloud: $5 or $6',
	'| Plan | Price |\n| - | - |\n| A | $5 |\n| B | $10 |',
	'US$5-US$10, C$7–C$9',
	'5$ or 6$, $ and $',
	'a $ b $ c',
	'$20,000.\n\nAnd $30.',
	'~$5/($6+$7)',
])('currency is no formula: %s', async (markdown) => {
	const { formulas, text } = await formulasOf(markdown);
	expect(formulas).toEqual([]);
	expect(text.match(/\$/g)).toHaveLength(markdown.match(/\$/g)!.length);
});

test.each([
	['$a_1$ and $E=mc^2$ at $50, the $n$th', ['inline: a_1', 'inline: E=mc^2', 'inline: n']],
	['It costs $5 where $x$ is 2', ['inline: x']],
	['Energy is \\(E=mc^2\\), *so* \\(x\\)', ['inline: E=mc^2', 'inline: x']],
	['kramdown: \\\\(a_{i}*b*c\\\\)', ['inline: a_{i}*b*c']],
	['\\[\nx = 1\n+ y\n- z\n\\]', ['block: x = 1\n+ y\n- z']],
	['so\n\\[ x^2 \\]\nthen', ['block: x^2']],
	['\\\\[ a = b \\\\]', ['block: a = b']],
	['$$x$$', ['block: x']],
	['so $$x$$ here', ['inline: x']],
	[
		'> \\begin{align}\n> a &= b \\\\\n> c\n> \\end{align}',
		['block: \\begin{align}\na &#x26;= b \\\\\nc\n\\end{align}'],
	],
	['- \\[\n  a = 1\n  \\]\n- two', ['block: a = 1']],
	['a $\\$5$ b', ['inline: \\$5']],
	['## Why $x$ {#why}', ['inline: x']],
])('formulas between other signs: %j', async (markdown, expected) => {
	const { formulas, text } = await formulasOf(markdown);
	expect(formulas).toEqual(expected);
	expect(text).not.toMatch(/[\\$]\(|\\\[|\\begin/);
});

test.each([
	['\\[not a link\\] here', '[not a link] here'],
	['\\[1\\]', '[1]'],
	['f\\(see the text below\\)', 'f(see the text below)'],
	['`\\(x\\)` and `$x$`', '\\(x\\) and $x$'],
	['\\\\\\(x\\\\\\)', '\\(x\\)'],
	['\\begin{align}\n\nx', '\\begin{align}\nx'],
	['\\[ x =\n\n- a', '[ x =\n\na'],
])('what is escaped is no formula: %j', async (markdown, expected) => {
	expect(await formulasOf(markdown)).toEqual({ text: expected, formulas: [] });
});

test('a line break in HTML is one, in a cell and elsewhere', async () => {
	expect(await markdownToHtml('| a |\n| - |\n| foo<br>bar<br />baz |')).toContain(
		'<td>foo<br>\nbar<br>\nbaz</td>',
	);
	expect(await markdownToHtml('one<BR/>two')).toBe('<p>one<br>\ntwo</p>');
});

test('an id after a heading is its id, and no words', async () => {
	expect(await markdownToHtml('## Set up {#set-up}\n\n### A *b* {: #c.d .e}')).toBe(
		'<h2 id="set-up">Set up</h2>\n<h3 id="c.d">A <em>b</em></h3>',
	);
	expect(await markdownToHtml('## Set \\{#up}')).toBe('<h2>Set {#up}</h2>');
});

test.each([
	'rust,linenos',
	'rust,ignore,no_run',
	'rust:src/main.rs',
	'{.rust}',
	'rust{1,3}',
	'rust',
])('code in %s is code in Rust', async (info) => {
	expect(await markdownToHtml(`\`\`\`${info}\nlet x;\n\`\`\``)).toContain(
		'<pre><code class="language-rust">let x;',
	);
});
