import { expect, test } from 'vitest';
import { plainText, previewOf } from './plain-text.ts';

const sender = { siteUrl: 'https://blog.example', campaign: 'a', page: '/blog/post' };
const UTM = 'utm_source=newsletter&utm_medium=email&utm_campaign=a';

test('paths are addresses, figures are words, and code stays as it is', () => {
	const markdown = [
		'See [this](/blog/other#part), [below](#end) and [elsewhere](https://example.com/a).',
		'A snake\\_case name is 5 \\* 3 for \\$5, `a\\*b` and $\\{x\\}$.',
		'```vega-lite\n{\n  "title": "Errors \\"fall\\"",\n  "description": "From 9 to 1.",\n  "data": {"values": [{"title": "x"}]}\n}\n```',
		'```mermaid\n%% title: A loop\n%% description: It ends.\nflowchart LR\n  a --> b\n```',
		'```js run\nconst link = "[a](/b)"; // \\*\n```',
		'> [!FIGURE descent]\n> Loss after each step.\n>\n> | a |\n> | - |\n> | 1 |',
		'> [!FIGURE descent] Loss after each step.\n>\n> 1',
		'> [!NOTE]\n> Mind this.',
		'> [!TIP] Mind that.',
		'The end.',
	].join('\n\n');
	expect(plainText(markdown, sender)).toBe(
		[
			`See [this](https://blog.example/blog/other?${UTM}#part), [below](https://blog.example/blog/post?${UTM}#end) and [elsewhere](https://example.com/a).`,
			'A snake_case name is 5 * 3 for $5, `a\\*b` and $\\{x\\}$.',
			'Figure: Errors "fall"\nFrom 9 to 1.',
			'Figure: A loop\nIt ends.',
			'```js run\nconst link = "[a](/b)"; // \\*\n```',
			'> Loss after each step.\n>\n> | a |\n> | - |\n> | 1 |',
			'> Loss after each step.\n>\n> 1',
			'> Note:\n> Mind this.',
			'> Tip: Mind that.',
			'The end.',
		].join('\n\n'),
	);
});

test('blank lines in a figure cost no more than others, and what is no JSON ends nothing', () => {
	const { user } = process.cpuUsage();
	const blank = '\n'.repeat(100_000);
	expect(plainText(`\`\`\`mermaid\n${blank}%% title: A loop\n\`\`\``, sender)).toBe(
		'Figure: A loop',
	);
	expect(plainText(`\`\`\`vega-lite\n${blank}"title": "A"\n\`\`\``, sender)).toBe('Figure: A');
	const broken = '```vega-lite\n"title": "\\q"\n"description": "B"\n```';
	expect(plainText(broken, sender)).toBe('B');
	expect(process.cpuUsage().user - user).toBeLessThan(2e6);
});

test('a card is its title, its address and its words', () => {
	const card =
		'Hello.\n\n> [!EMBED] How high the water stands.\n>\n> [![](/api/media/a) Tides](http://card.example/tides)';
	const text = plainText(card, sender);
	expect(text).toBe(
		'Hello.\n\n> How high the water stands.\n>\n> [Tides](http://card.example/tides)',
	);
	expect(previewOf(text)).toBe('Hello. How high the water stands. Tides');
});

test('what an inbox shows is a line of words', () => {
	expect(previewOf('## News\n\n- **Three** articles, and [a word](https://a.example/b).')).toBe(
		'News Three articles, and a word.',
	);
});
