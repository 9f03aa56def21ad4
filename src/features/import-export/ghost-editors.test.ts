import { expect, test } from 'vitest';
import { lexicalToHtml, mobiledocToHtml } from './ghost-editors.ts';

const told: string[] = [];
const tell = (kind: string, what: string, detail?: string) =>
	void told.push([kind, what, detail].join(': '));
const text = (words: string, format = 0) => ({ type: 'extended-text', text: words, format });
const lexical = (...children: object[]) =>
	lexicalToHtml(JSON.stringify({ root: { type: 'root', children } }), tell);

test.each([
	[
		'words and their looks',
		{
			type: 'paragraph',
			children: [text('A <b>'), text('b', 1), text('c', 18), { type: 'linebreak' }, text('d', 4)],
		},
		'<p>A &lt;b&gt;<strong>b</strong><code><em>c</em></code><br><s>d</s></p>',
	],
	['a heading', { type: 'extended-heading', tag: 'h3', children: [text('H')] }, '<h3>H</h3>'],
	[
		'a heading with a false tag',
		{ type: 'heading', tag: 'script', children: [text('H')] },
		'<h2>H</h2>',
	],
	[
		'lists in lists',
		{
			type: 'list',
			tag: 'ol',
			children: [
				{
					type: 'listitem',
					children: [
						text('1'),
						{ type: 'list', tag: 'ul', children: [{ type: 'listitem', children: [text('a')] }] },
					],
				},
			],
		},
		'<ol><li>1<ul><li>a</li></ul></li></ol>',
	],
	[
		'a link',
		{
			type: 'paragraph',
			children: [{ type: 'link', url: 'https://x.example/?a=1&b="', children: [text('x')] }],
		},
		'<p><a href="https://x.example/?a=1&amp;b=&quot;">x</a></p>',
	],
	[
		'a quotation',
		{ type: 'extended-quote', children: [text('Q')] },
		'<blockquote><p>Q</p></blockquote>',
	],
	[
		'a picture',
		{ type: 'image', src: '__GHOST_URL__/a.png', alt: 'A', caption: '<b>Seen</b>' },
		'<figure><img src="__GHOST_URL__/a.png" alt="A"><figcaption><b>Seen</b></figcaption></figure>',
	],
	[
		'code',
		{ type: 'codeblock', code: 'a < b', language: 'c++"' },
		'<pre><code class="language-c++">a &lt; b\n</code></pre>',
	],
	[
		'Markdown',
		{ type: 'markdown', markdown: '# M\n<sub>x</sub>' },
		'<h1>M</h1>\n<p><sub>x</sub></p>',
	],
	['HTML', { type: 'html', html: '<p>H</p>' }, '<p>H</p>'],
	['a rule', { type: 'horizontalrule' }, '<hr>'],
	[
		'a callout',
		{ type: 'callout', calloutText: 'Mind' },
		'<aside data-callout="note"><p>Mind</p></aside>',
	],
	[
		'a bookmark',
		{ type: 'bookmark', url: 'https://x.example', metadata: { title: 'T', description: 'D' } },
		'<p><a href="https://x.example">T</a></p><div>D</div>',
	],
	[
		'a film',
		{ type: 'video', src: '/v.mp4', caption: 'C' },
		'<figure><video src="/v.mp4" title=""></video><figcaption>C</figcaption></figure>',
	],
])('%s of the editor is HTML', async (_, node, html) => {
	expect(await lexical(node)).toBe(html);
});

test('a card that says nothing is told', async () => {
	told.length = 0;
	expect(await lexical({ type: 'newcard' }, { type: 'paywall' })).toBe('');
	expect(told).toEqual([
		'card: Left out: it is not known here: newcard',
		'card: Left out: it divides what members read: paywall',
	]);
});

test('the earlier editor is HTML as well', async () => {
	const source = {
		version: '0.3.1',
		markups: [['strong'], ['a', ['href', 'https://x.example']], ['script']],
		atoms: [['soft-return', '', {}]],
		cards: [
			['card-markdown', { markdown: '*M*' }],
			['image', { src: '/a.png', alt: '' }],
			['hr', {}],
		],
		sections: [
			[1, 'h2', [[0, [], 0, 'H']]],
			[
				1,
				'p',
				[
					[0, [0], 0, 'a '],
					[0, [1], 2, 'b'],
					[1, [], 0, 0],
					[0, [2], 1, '<c>'],
				],
			],
			[3, 'ul', [[[0, [], 0, 'one']], [[0, [], 0, 'two']]]],
			[10, 0],
			[10, 1],
			[10, 2],
		],
	};
	expect(await mobiledocToHtml(JSON.stringify(source), tell)).toBe(
		'<h2>H</h2><p><strong>a <a href="https://x.example">b</a></strong><br><span>&lt;c&gt;</span></p><ul><li>one</li><li>two</li></ul><p><em>M</em></p><figure><img src="/a.png" alt=""></figure><hr>',
	);
});

test.each(['', 'no JSON', '{}', '[]', '{"root":1}', '{"sections":1}'])(
	'%j is none of both',
	async (source) => {
		expect(await lexicalToHtml(source, tell)).toBeUndefined();
		expect(await mobiledocToHtml(source, tell)).toBeUndefined();
	},
);
