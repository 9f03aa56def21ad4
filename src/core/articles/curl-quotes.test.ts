import { expect, test } from 'vitest';
import { curlQuotesIn } from './curl-quotes.ts';
import { markdownToHtml } from './markdown.ts';
import { renderArticle } from './render.ts';
import { parseArticle, sanitizeArticle, writeArticle } from './sanitize.ts';

function curled(html: string): string {
	const tree = parseArticle(html);
	curlQuotesIn(tree);
	return writeArticle(tree).replaceAll('&#x22;', '"').replaceAll('&#x27;', "'");
}

test.each([
	['around an element', '<p>"<em>Once</em>" is rare.</p>', '<p>“<em>Once</em>” is rare.</p>'],
	['in an element', '<p><em>"Once"</em> is rare.</p>', '<p><em>“Once”</em> is rare.</p>'],
	['half in an element', '<p><em>"Once</em> upon".</p>', '<p><em>“Once</em> upon”.</p>'],
	['around a link', `<p>("<a href="/x">It's</a>")</p>`, '<p>(“<a href="/x">It’s</a>”)</p>'],
	['behind code', "<p><code>fit</code>'s way</p>", '<p><code>fit</code>’s way</p>'],
	['around code', '<p>"<code>a"b</code>" is</p>', '<p>“<code>a"b</code>” is</p>'],
	['behind a name', "<p><i>Custer</i>'s stand</p>", '<p><i>Custer</i>’s stand</p>'],
	['before a note', '<p>"So"<sup><a href="#fn-1" data-footnote-ref="">1</a></sup> it is</p>', null],
	['behind a line', '<p>One<br>"two"</p>', '<p>One<br>“two”</p>'],
	['in an item', '<ul><li>"One"</li><li>"Two"</li></ul>', '<ul><li>“One”</li><li>“Two”</li></ul>'],
	['open to its end', '<p>"One</p><p>"Two"</p>', '<p>“One</p><p>“Two”</p>'],
	['in a cell', '<table><tbody><tr><td>"a"</td><td>"b"</td></tr></tbody></table>', null],
	['in a caption', '<figure><figcaption>"a"</figcaption></figure>', null],
	['loose beside a block', '"a"<p>"b"</p>"c"', '“a”<p>“b”</p>“c”'],
])('quotation marks are curly: %s', (_where, html, expected) => {
	const result = curled(html);
	if (expected !== null) expect(result).toBe(expected);
	expect(result.replace(/<code>.*<\/code>|<[^>]*>/g, '')).not.toMatch(/["']/);
	expect(curled(result)).toBe(result);
});

test.each([
	[`<pre><code class="language-js" data-run="">say("it's");</code></pre>`],
	[`<pre><code class="language-output">"it's"</code></pre>`],
	[`<p><code>"it's"</code> <kbd>'</kbd> <samp>"a"</samp> <tt>"a"</tt> <var>x'</var></p>`],
	[`<p title="it's"><img src="/a.png" alt="&quot;it's&quot;" title="it's"></p>`],
	[`<p><a href="/it's?q=%22" title="&quot;a&quot;">There</a></p>`],
	[`<p><a href="https://example.com/it's">https://example.com/it's</a></p>`],
	[`<p>A 12" record of 5'10"</p>`],
])('%s stays as it is', (html) => {
	const tree = parseArticle(html);
	const before = writeArticle(tree);
	curlQuotesIn(tree);
	expect(writeArticle(tree)).toBe(before);
});

const MARKDOWN = `## "Don't" isn't \`don't\`

She said "it's *'fine'*", and \`x = "it's"\` too; $f'(x)$ is the slope, [it's](https://example.com/it's "it's").[^1]

- "one"

> [!TIP]
> It's "new".

| it's | "b" |
| --- | --- |
| 'c' | \`'d'\` |

\`\`\`python run
print("it's")
\`\`\`

\`\`\`output
it's
\`\`\`

\`\`\`mermaid
%% title: It's "drawn"
graph LR
  A["it's"] --> B
\`\`\`

[^1]: It's "noted".
`;

test('an article is rendered with curly quotation marks, and its anchors stay', async () => {
	const content = sanitizeArticle(await markdownToHtml(MARKDOWN));
	const { html, headings, text } = await renderArticle(content);
	expect(headings).toEqual([{ depth: 2, slug: 'don-t-isn-t-don-t', text: "“Don’t” isn’t don't" }]);
	expect(text).toContain(`She said “it’s ‘fine’”, and x = "it's" too;`);
	expect(html).toContain('id="fig-it-s-drawn"');
	expect(html).toMatch(/<figcaption>.*It’s “drawn”/);
	expect(html).toContain('href="https://example.com/it&#x27;s" title="it&#x27;s"');
	expect(html).toContain('<td>‘c’</td>');
	expect(html).toContain('<p>It’s “new”.</p>');
	expect(html).toContain('It’s “noted”.');
	const code = html.match(/<pre.*?<\/pre>/gs)!.join('\n');
	expect(code).not.toMatch(/[“”‘’]/);
	expect(html).toContain('>it’s</text>');
});

test('the labels and the table of a plot have curly marks, and its file has what was typed', async () => {
	const plot = {
		title: 'Plot',
		mark: 'bar',
		data: { values: [{ name: "Student's t", share: 1 }] },
		encoding: {
			x: { field: 'share', type: 'quantitative' },
			y: { field: 'name', type: 'nominal' },
		},
	};
	const { html } = await renderArticle(
		await markdownToHtml(`\`\`\`vega-lite\n${JSON.stringify(plot)}\n\`\`\``),
	);
	expect(html.match(/>Student’s t<\/text>/g)).toHaveLength(2);
	expect(html).toContain('<td>Student’s t</td>');
	expect(html).toContain(encodeURIComponent("Student's t").replace("'", '&#x27;'));
});

test('what is typed curly is rendered as what is typed straight', async () => {
	const straight = '<h2>It\'s</h2><p>"It\'s so", she said.</p>';
	const curly = '<h2>It’s</h2><p>“It’s so”, she said.</p>';
	expect(await renderArticle(straight)).toEqual(await renderArticle(curly));
});
