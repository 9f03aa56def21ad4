import { expect, test } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { markdownToHtml } from './markdown.ts';
import { programsOf } from './program.ts';
import { renderArticle } from './render.ts';
import { parseHtml, sanitizeArticle } from './sanitize.ts';

const MARKDOWN = `Text.

\`\`\`js run
console.log(1 < 2);
\`\`\`

\`\`\`output
true
\`\`\`

\`\`\`python norun: takes "minutes"
print(1)
\`\`\`

- \`\`\`python run
  x = 1
  \`\`\`

\`\`\`js
console.log(3);
\`\`\`

\`\`\`js run
console.log(2);
\`\`\`
`;

test('what is said of running a block is kept from Markdown to HTML and back', async () => {
	const html = sanitizeArticle(await markdownToHtml(MARKDOWN));
	expect(html).toContain('<code class="language-js" data-run="">');
	expect(html).toContain('data-norun="takes &#x22;minutes&#x22;"');
	expect(htmlToMarkdown(html)).toBe(MARKDOWN);
});

test('the blocks of a language are one program, each with what it prints', async () => {
	const html = sanitizeArticle(await markdownToHtml(MARKDOWN));
	expect([...programsOf(parseHtml(html))]).toEqual([
		[
			'js',
			[
				{ source: 'console.log(1 < 2);', printed: 'true' },
				{ source: 'console.log(2);', printed: '' },
			],
		],
		['python', [{ source: 'x = 1', printed: '' }]],
	]);
});

test('a block is rendered with its language, and its output as such', async () => {
	const { html } = await renderArticle(await markdownToHtml(MARKDOWN));
	expect(html.match(/<figure[^>]*>/g)).toEqual([
		'<figure class="code" data-run="js">',
		'<figure class="code" data-printed="">',
		'<figure class="code">',
		'<figure class="code" data-run="python">',
		'<figure class="code">',
		'<figure class="code" data-run="js">',
	]);
	const { html: other } = await renderArticle(
		'<pre><code class="language-rust" data-run>1</code></pre>',
	);
	expect(other).not.toContain('data-run');
});
