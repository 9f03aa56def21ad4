import { expect, test } from 'vitest';
import { parseHtml, sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { contentOf } from './wordpress-content.ts';

const told: string[] = [];
const html = (stored: string, footnotes = '') => {
	told.length = 0;
	const made = contentOf(stored, new Map(), footnotes, (kind, what) =>
		told.push(`${kind}: ${what}`),
	);
	const article = sanitizeArticle(made);
	// What was made is what a browser reads: nothing is moved or closed elsewhere.
	expect(sanitizeArticle(article)).toBe(article);
	return made;
};

test.each([
	[
		'One\n\nTwo\n\n<p class="intro">Three</p>\n\nFour\n\nFive',
		'<p>One</p>\n<p>Two</p>\n<p class="intro">Three</p>\n<p>Four</p>\n<p>Five</p>',
	],
	['Line.\n<h2>T</h2>\nText', '<p>Line.</p>\n<h2>T</h2>\n<p>Text</p>'],
	[
		'a\nb\n<ul>\n<li>x</li>\n<li>y\nz</li>\n</ul>\nc',
		'<p>a<br>\nb</p>\n<ul><li>x</li>\n<li>y<br>\nz</li></ul>\n<p>c</p>',
	],
	['<ol><li>a\n<li>b\n\nc</ol>', '<ol><li>a</li>\n<li><p>b</p>\n<p>c</p></li></ol>'],
	['<ul><li>a\n<ul>\n<li>b</li>\n</ul>\n</li></ul>', '<ul><li>a\n<ul><li>b</li></ul></li></ul>'],
	['<blockquote>a\n\nb</blockquote>c', '<blockquote><p>a</p>\n<p>b</p></blockquote>\n<p>c</p>'],
	['<div>\n\na\n\n<p>b</p>\n\n</div>', '<div><p>a</p>\n<p>b</p></div>'],
	['<p></p>\n\n<p>&nbsp;</p>a', '<p>a</p>'],
	['a<br />\nb<br>c', '<p>a<br>\nb<br>c</p>'],
	['<b>a\n\nb</b>', '<p><b>a</p>\n<p>b</b></p>'],
	[
		'<table>\n<tr>\n<td>a\nb</td>\n<td>c\n\nd</td>\n</tr>\n</table>',
		'<table><tr><td>a<br>\nb</td>\n<td><p>c</p>\n<p>d</p></td></tr></table>',
	],
	['a\n<hr />\nb', '<p>a</p>\n<hr />\n<p>b</p>'],
	[
		'<code>x</code> starts it\n\n<a href="/b"><img src="b.png" alt="a > b"></a>',
		'<p><code>x</code> starts it</p>\n<p><a href="/b"><img src="b.png" alt="a > b"></a></p>',
	],
	['a\r\n\r\nb\rc', '<p>a</p>\n<p>b<br>\nc</p>'],
	[
		'<!-- wp:paragraph -->\n<p>a\nb</p>\n<!-- /wp:paragraph -->\n\nc\nd',
		'<p>a\nb</p>\n<p>c<br>\nd</p>',
	],
])('%j is shown as WordPress shows it', (stored, shown) => {
	expect(html(stored)).toBe(shown);
});

test('no text of a classic article stands outside of a block, and no break beside one', () => {
	const stored =
		'Intro\nline\n<h3>Head</h3>\nBody <em>x</em>\n\n<ul>\n\t<li>one</li>\n\n\t<li>two\n<ol>\n<li>deep</li>\n</ol>\n</li>\n</ul>\nAfter\n<blockquote>Said\n<p>and said</p>\n</blockquote>\nEnd</p>\n</div>';
	const tree = parseHtml(html(stored));
	expect(tree.children.filter((node) => node.type === 'text' && node.value.trim())).toEqual([]);
	expect(html(stored)).not.toMatch(
		/<p>\s*<\/p>|<[uo]l>\s*<br|<\/li>\s*<br|<br>\s*<\/?(?:ul|ol|h3|blockquote)/,
	);
});

const CODE = 'if a < b:\n\n    print("<b> & q")';
const ESCAPED = 'if a &lt; b:\n\n    print("&lt;b&gt; &amp; q")';
test.each([
	[
		'css',
		`<!-- wp:syntaxhighlighter/code {"language":"css"} -->\n<pre class="wp-block-syntaxhighlighter-code">${ESCAPED}</pre>\n<!-- /wp:syntaxhighlighter/code -->`,
	],
	[
		'python',
		`<!-- wp:code -->\n<pre class="wp-block-code language-python"><code>${ESCAPED}</code></pre>\n<!-- /wp:code -->`,
	],
	[
		'python',
		`<pre class="wp-block-code"><code lang="python" class="language-python">${ESCAPED}</code></pre>`,
	],
	['ruby', `<pre lang="ruby">\n${CODE}\n</pre>`],
	['php', `<pre class="brush: php; title: ; notranslate">${ESCAPED}</pre>`],
	['javascript', `<pre class="lang:js decode:true ">${ESCAPED}</pre>`],
	['java', `<pre class="EnlighterJSRAW" data-enlighter-language="java">${ESCAPED}</pre>`],
	[
		'go',
		`<!-- wp:kevinbatdorf/code-block-pro {"language":"go","code":"x"} -->\n<div class="wp-block-kevinbatdorf-code-block-pro"><pre class="shiki">${ESCAPED}</pre></div>\n<!-- /wp:kevinbatdorf/code-block-pro -->`,
	],
	['bash', `<pre><code class="hljs bash">${ESCAPED}</code></pre>`],
	['python', `Text\n[code lang="python"]\n${CODE}\n[/code]\nMore`],
	['csharp', `[sourcecode language='c#' highlight="1"]\n${ESCAPED}\n[/sourcecode]`],
	['python', `[python]\n${CODE}\n[/python]`],
	['php', `[cc lang="php"]\n${CODE}\n[/cc]`],
	['sql', `[crayon lang="sql"]\n${CODE}\n[/crayon]`],
	['', `<pre>${ESCAPED}</pre>`],
])('code in %j keeps its lines, its indentation and its signs', (language, stored) => {
	const name = language && ` class="language-${language}"`;
	const written = 'if a &#x3C; b:\n\n    print("&#x3C;b> &#x26; q")';
	expect(sanitizeArticle(html(stored))).toContain(`<pre><code${name}>${written}</code></pre>`);
	expect(told.filter((one) => !one.includes('code block'))).toEqual([]);
});

test('footnotes of the block and of plugins stand at the end, and lead there and back', () => {
	const block = html(
		'<p>One<sup data-fn="0a1b" class="fn"><a href="#0a1b" id="0a1b-link">1</a></sup>, again<sup data-fn="0a1b" class="fn"><a href="#0a1b">1</a></sup>, none<sup data-fn="ff" class="fn"><a href="#ff">2</a></sup>.</p><!-- wp:footnotes /-->',
		'[{"content":"The <em>note</em> itself.","id":"0a1b"}]',
	);
	const article = sanitizeArticle(block);
	expect(article).toContain('<li id="fn-1"><p>The <em>note</em> itself.');
	expect(article).toContain('<a href="#fn-1" id="fnref-1-2" data-footnote-ref');
	expect(article).toContain('href="#fnref-1-2"');
	expect(told).toEqual(['footnote: Left out: the file holds no words of it', 'footnote: ']);
	expect(html('A[footnote]Its words.[/footnote] and [mfn]two[/mfn]')).toContain(
		'<li id="fn-2"><p>two ',
	);
});

test('formulas of WordPress and its plugins are formulas, and money is none', () => {
	const made = html(
		'Energy $latex E=mc^2&s=2$, [latex]a_1 &lt; b[/latex], \\(x\\) and $5 to $10, $$ or $$.\n\n\\[ \\int f \\]\n\n$$\\frac12$$',
	);
	expect([...made.matchAll(/data-latex="([^"]*)"/g)].map(([, latex]) => latex)).toEqual([
		'E=mc^2',
		'a_1 &lt; b',
		'x',
		'\\int f',
		'\\frac12',
	]);
	expect(made).toContain('and $5 to $10, $$ or $$.');
	expect(html('<pre>$latex x$ \\(y\\)</pre>')).not.toContain('data-latex');
});
