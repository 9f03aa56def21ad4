import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { markdownToHtml } from './markdown.ts';
import { sanitizeArticle } from './sanitize.ts';
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

const folder = new URL('../../../content/posts/', import.meta.url);
const files = (await readdir(folder)).filter((name) => name.endsWith('.md'));

test.each(files)('%s is the same article after the way out and back', async (name) => {
	const file = await readFile(new URL(name, folder), 'utf8');
	const html = await toArticle(file.replace(/^---\n[^]*?\n---\n/, ''));
	const spaces = (text: string) => text.replace(/\s+/g, ' ');
	expect(spaces(await toArticle(htmlToMarkdown(html)))).toBe(spaces(html));
});
