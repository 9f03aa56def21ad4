import { strToU8, zipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import type { Bundle } from './bundle.ts';
import { readFile } from './read-file.ts';

const folder = (files: Record<string, string>) =>
	readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, strToU8(file)]))),
	);
const post = async (front: string, path = 'a.md') => {
	const bundle = await folder({ [path]: `---\ntitle: A\ndate: 2024-01-02\n${front}\n---\nWords.` });
	return { ...bundle.posts[0]!, notes: [...bundle.notes.values()].flat().map(({ what }) => what) };
};

describe('what is not to be read by everybody is a draft, however it is written:', () => {
	test.each([
		'draft: true',
		'draft: "true"',
		'draft: True',
		'draft: yes',
		'draft: 1',
		'draft: "on"',
		'Draft: Y',
		'published: false',
		'published: "false"',
		'published: no',
		'published: 0',
		'publish: false',
		'public: "off"',
		'status: Draft',
		'status: DRAFT',
		'status: Private',
		'status: pending',
		'visibility: Unlisted',
		'private: "true"',
		'hidden: yes',
		'unlisted: true',
		'password: x',
		'expiryDate: 2024-01-01',
	])('%s', async (front) => {
		expect(await post(front)).toMatchObject({ published: false, publishedAt: null });
	});

	test.each(['draft: maybe', 'published: soon', 'status: odd', 'draft: []'])(
		'%s, with a note',
		async (front) => {
			const { published, notes } = await post(front);
			expect(published).toBe(false);
			expect(notes.join()).toContain('which can be read in two ways: it comes in as a draft');
		},
	);

	test.each(['_drafts/a.md', 'content/drafts/a.md', 'source/_drafts/a.md'])(
		'in the folder %s',
		async (path) => {
			expect(await post('', path)).toMatchObject({ published: false });
		},
	);

	test.each([
		'draft: false',
		'draft: "no"',
		'published: true',
		'published: 2024-03-04',
		'status: Published',
		'status: publish',
		'private: 0',
		'unlisted: "false"',
	])('but not with %s', async (front) => {
		expect(await post(front)).toMatchObject({
			published: true,
			publishedAt: expect.any(String),
			notes: [],
		});
	});

	test.each(['featured: true', 'featured: "true"', 'featured: yes', 'pinned: true', 'sticky: 100'])(
		'%s is featured',
		async (front) => {
			expect(await post(front)).toMatchObject({ published: true, featured: true });
		},
	);
});

test('dates are the same in every time zone, also in TOML, and two readings of one are told', async () => {
	for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
		vi.stubEnv('TZ', zone);
		const bundle = await folder({
			'a.md': "---\npubDate: 'Jul 08 2022'\n---\nA",
			'b.md': '---\ndate: 1/2/2023\n---\nB',
			'c.md': '+++\ndate = 2023-01-29T18:30:22\n+++\nC',
			'd.md': '+++\ndate = 2023-01-29\n[taxonomies]\ntags = ["rag"]\n+++\nD',
			'e.md': '{\n"date": "2023-01-29"\n}\nE',
		});
		expect(
			bundle.posts.map(({ publishedAt }) => publishedAt),
			zone,
		).toEqual([
			'2022-07-08T00:00:00.000Z',
			'2023-01-02T00:00:00.000Z',
			'2023-01-29T18:30:22.000Z',
			'2023-01-29T00:00:00.000Z',
			'2023-01-29T00:00:00.000Z',
		]);
		expect(bundle.posts[3]!.tags).toEqual(['rag']);
		expect([...bundle.notes].map(([key, notes]) => [key, notes[0]!.what])).toEqual([
			['b.md', 'Its date can be read in two ways: the month was taken to come first'],
		]);
	}
	const settled = await folder({
		'a.md': '---\ndate: 1/2/2023\n---\nA',
		'b.md': '---\ndate: 25/2/2023\n---\nB',
	});
	expect([settled.posts[0]!.publishedAt, settled.notes.size]).toEqual([
		'2023-02-01T00:00:00.000Z',
		0,
	]);
});

test('front matter of Hexo has no line before it, and a text that begins with a colon is none', async () => {
	const bundle = await folder({
		'a.md': 'title: Hexo\ndate: 2013-12-24 23:29:53\ntags:\n- one\n---\nWords [[ ]] and x.',
		'b.md': 'Note: this is a text\n\nand more of it.\n\n---\n\nEnd',
	});
	expect(bundle.posts).toMatchObject([
		{
			title: 'Hexo',
			tags: ['one'],
			publishedAt: '2013-12-24T23:29:53.000Z',
			content: '<p>Words [[ ]] and x.</p>',
		},
		{ title: 'b', content: expect.stringContaining('<p>Note: this is a text</p>') },
	]);
});

test("tags of Jekyll, and Hexo's categories in each other", async () => {
	const bundle = await folder({
		'_posts/2024-01-01-a.md': '---\ntags: rnn lstm attention\ncategories: deep learning\n---\nA',
		'_posts/2024-01-02-b.md': '---\ntags: [two words, one]\n---\nB',
		'source/_posts/c.md': '---\ncategories:\n  - [Arms, Hands]\n  - Other\n---\nC',
	});
	expect(bundle.posts.map(({ category, tags }) => [category, tags])).toEqual([
		['deep', ['rnn', 'lstm', 'attention', 'learning']],
		['', ['two words', 'one']],
		['Arms', ['Hands', 'Other']],
	]);
});

const old = ({ posts }: Bundle) => posts.map(({ redirects }) => redirects);

test('each program’s own addresses lead on', async () => {
	const jekyll = await folder({
		'_config.yml': 'url: https://old.example\nbaseurl: /notes',
		'_posts/2021-03-04-a.md':
			'---\ncategories: [Arms]\nredirect_from:\n  - /first/\n---\n[b]({% post_url 2021-03-05-b %}) [b](https://old.example/notes/own/b/#x)',
		'_posts/2021-03-05-b.md': '---\npermalink: /own/b/\n---\nB',
		'_posts/2021-03-06-c.md': '---\npermalink: /:year/:title.html\n---\nC',
		'_posts/2021-03-07-d.md': '---\npermalink: /:year/:unheard/\n---\nD',
	});
	expect(old(jekyll)).toEqual([
		['/notes/arms/2021/03/04/a.html', '/notes/first'],
		['/notes/own/b'],
		['/notes/2021/c.html'],
		[],
	]);
	expect(jekyll.posts[0]!.content).toBe('<p><a href="/blog/b">b</a> <a href="/blog/b#x">b</a></p>');
	const hexo = await folder({
		'_config.yml': 'permalink: :year/:title/',
		'source/_posts/a.md': '---\ndate: 2021-03-04\n---\nA',
	});
	expect(old(hexo)).toEqual([['/2021/a']]);
	const hugo = await folder({
		'content/posts/a/index.md':
			'+++\ndate = 2021-03-04\naliases = ["/old/c.html", "near"]\n+++\n[b]({{< ref "b.md" >}}) [b](../b.md#part) [gone](../gone.md)',
		'content/posts/b.md': '---\ndate: 2021-03-05\n---\nB',
	});
	expect(old(hugo)).toEqual([['/posts/a', '/old/c.html', '/posts/near'], ['/posts/b']]);
	expect(hugo.posts[0]!.content).toBe(
		'<p><a href="/blog/b">b</a> <a href="/blog/b#part">b</a> gone</p>',
	);
	const docusaurus = await folder({
		'blog/2024-01-03-c.md': '---\ntitle: C\n---\n[other](2024-01-04-d/index.mdx)',
		'blog/2024-01-04-d/index.mdx': '---\nslug: my-d\n---\nD',
		'blog/releases/1.0.md': '---\ntitle: Release\n---\nR',
	});
	expect(old(docusaurus)).toEqual([
		['/blog/2024/01/03/c'],
		['/blog/2024/01/04/my-d'],
		['/blog/releases/1.0'],
	]);
	expect(docusaurus.posts[0]!.content).toBe('<p><a href="/blog/my-d">other</a></p>');
});

test('what only other programs write is converted or told, and code stays as it is', async () => {
	const bundle = await folder({
		'a.md': [
			':::note Mind\nThis, and\n\n```js\nf(`a ==b== {width=1}`)\n```\n:::',
			'!!! warning "Hot"\n    Do not touch.',
			'{% note info %}\nHexo\n{% endnote %}',
			'A ==mark== and [[b|other]], ![[p.png|300]] ![x](p.png){width=50%}.',
			'{{< figure src="p.png" alt="A" caption="Seen" >}}',
			'## How `it` works {#my-id}\n\n[there](#my-id)',
			'{{< highlight go >}}\nx := 1\n{{< /highlight >}}',
			'```md\n:::tip\n==no==\n:::\n```',
		].join('\n\n'),
		'b.md': 'B',
		'p.png': 'x',
	});
	const { content } = bundle.posts[0]!;
	expect(content).toMatch(
		/<aside data-callout="note">\s*<p><strong>Mind<\/strong><\/p>\s*<p>This, and<\/p>\s*<pre><code class="language-js">f\(`a ==b== \{width=1\}`\)\n<\/code><\/pre>\s*<\/aside>/,
	);
	expect(content).toMatch(
		/<aside data-callout="warning">\s*<p><strong>Hot<\/strong><\/p>\s*<p>Do not touch.<\/p>/,
	);
	expect(content).toMatch(/<aside data-callout="note">\s*<p>Hexo<\/p>/);
	expect(content).toMatch(
		/<p>A <mark>mark<\/mark> and <a href="\/blog\/b">other<\/a>, <img src="[^"]*" alt=""> <img src="[^"]*" alt="x">\.<\/p>/,
	);
	expect(content).toMatch(
		/<figure><img src="[^"]*" alt="A"><figcaption>Seen<\/figcaption><\/figure>/,
	);
	expect(content).toMatch(
		/<h2>How <code>it<\/code> works<\/h2>\s*<p><a href="#how-it-works">there<\/a><\/p>/,
	);
	expect(content).toContain('<pre><code class="language-go">x := 1\n</code></pre>');
	expect(content).toContain('<code class="language-md">:::tip\n==no==\n:::\n</code>');
	const told = bundle.items.map(({ kind, notes }) => `${kind}: ${notes[0]?.what ?? ''}`);
	expect(told).toEqual(
		expect.arrayContaining([
			'box: Is a callout',
			'attribute: Left out: the look of a part',
			'wiki link: Is a picture',
		]),
	);
});

test('a link to a note that is not in the folder becomes its words, and one to a file or a site stays', async () => {
	const bundle = await folder({
		'a.md':
			'[[Nowhere]], [[Gone#part|some *words*]], [x](../old/note.md#y), [b](b.md), [p](paper.pdf), [w](https://example.com/a.md).',
		'b.md': 'B',
	});
	expect(bundle.posts[0]!.content).toBe(
		'<p>Nowhere, some <em>words</em>, x, <a href="/blog/b">b</a>, <a href="paper.pdf">p</a>, <a href="https://example.com/a.md">w</a>.</p>',
	);
	expect(bundle.items.flatMap(({ notes }) => notes.map(({ what }) => what))).toContain(
		'Leads to a note that is not in the file: its words stay, without a link',
	);
});

test('callouts of Obsidian, code in the middle of a line and remarks of MDX come as what they are', async () => {
	const { posts } = await folder({
		'a.md':
			'---\ntags: ["#one", two]\n---\n> [!warning]- Folded\n> Text\n\n> [!note] Title\n> Text\n\n> [!TIP]+\n> Text\n',
		'b.md':
			'Before {{< highlight go "linenos=table" >}}\nx\n{{< /highlight >}} after\n\n- item\n\n  {{< highlight js >}}\n  y\n  {{< /highlight >}}\n',
		'c.mdx': '{/* not\nfor readers */}\n\nWords, `{/* code */}`.\n',
	});
	const [a, b, c] = posts.map(({ content }) => content.replace(/\n/g, ''));
	expect(posts[0]!.tags).toEqual(['one', 'two']);
	expect(a).toBe(
		'<aside data-callout="warning"><p><strong>Folded</strong></p><p>Text</p></aside><aside data-callout="note"><p><strong>Title</strong></p><p>Text</p></aside><aside data-callout="tip"><p>Text</p></aside>',
	);
	expect(b).toBe(
		'<p>Before</p><pre><code class="language-go">x</code></pre><p>after</p><ul><li>item</li></ul><pre><code class="language-js">  y</code></pre>',
	);
	expect(c).toBe('<p>Words, <code>{/* code */}</code>.</p>');
});

test.each([
	[
		'MyST',
		'```{note} Mind\n:class: x\nSay `a`.\n```',
		'<aside data-callout="note"><p><strong>Mind</strong></p><p>Say <code>a</code>.</p></aside>',
	],
	[
		'MyST, shown as code',
		'````md\n```{note}\nx\n```\n````',
		'<pre><code class="language-md">```{note}x```</code></pre>',
	],
	[
		'MyST, code in a box',
		'````{tip}\n```js\n==x==\n```\n````',
		'<aside data-callout="tip"><pre><code class="language-js">==x==</code></pre></aside>',
	],
	[
		'Quarto',
		'::: {.callout-warning}\n## Hot\n\nWords\n:::',
		'<aside data-callout="warning"><p><strong>Hot</strong></p><p>Words</p></aside>',
	],
	[
		'Quarto, title as attribute',
		'::: {.callout-tip title="Cool"}\nWords\n:::',
		'<aside data-callout="tip"><p><strong>Cool</strong></p><p>Words</p></aside>',
	],
	[
		'GitBook',
		'{% hint style="danger" %}\nWords\n{% endhint %}',
		'<aside data-callout="warning"><p>Words</p></aside>',
	],
	[
		'DEV',
		'{% details More %}\n**in**\n{% enddetails %}',
		'<details><summary>More</summary><p><strong>in</strong></p></details>',
	],
	[
		'DEV, formulas',
		'{% katex %}\nx^2\n{% endkatex %}',
		'<div data-type="block-math" data-latex="x^2"></div>',
	],
	[
		'GitLab, formulas',
		'```math\nx^2\n```\n\nOf $`a+b`$.',
		'<div data-type="block-math" data-latex="x^2"></div><p>Of <span data-type="inline-math" data-latex="a+b"></span>.</p>',
	],
	[
		'Azure DevOps',
		':::mermaid\ngraph TD\nA-->B\n:::',
		'<pre><code class="language-mermaid">graph TDA-->B</code></pre>',
	],
	[
		'Hashnode',
		'%[https://youtube.com/watch?v=abc]\n\n[words](https://x.example align="left")',
		'<p><a href="https://youtube.com/watch?v=abc">https://youtube.com/watch?v=abc</a></p><p><a href="https://x.example">words</a></p>',
	],
	[
		'Medium',
		'[](https://x.example/a)',
		'<p><a href="https://x.example/a">https://x.example/a</a></p>',
	],
	[
		'Pandoc',
		'H~2~O, SO~4~, Ca^2+^, x^n^, [small]{.smallcaps}',
		'<p>H<sub>2</sub>O, SO<sub>4</sub>, Ca<sup>2+</sup>, x<sup>n</sup>, small</p>',
	],
	[
		'ranges, as written in East Asia',
		'3~5 days, 10~20% and 30~40%, 日1~2日',
		'<p>3~5 days, 10~20% and 30~40%, 日1~2日</p>',
	],
	[
		'formulas with powers',
		'$x^2+y^2$, \\(a~b~c\\), 2^10',
		'<p><span data-type="inline-math" data-latex="x^2+y^2"></span>, <span data-type="inline-math" data-latex="a~b~c"></span>, 2^10</p>',
	],
	['lists of contents', '[TOC]\n\n[[toc]]\n\n* TOC\n{:toc}\n\nWords', '<p>Words</p>'],
])('%s: comes in as it is read there', async (_, markdown, html) => {
	const { posts } = await folder({ 'a.md': `---\ntitle: A\n---\n${markdown}\n` });
	expect(posts[0]!.content.replace(/\n/g, '')).toBe(html);
});

test('a picture of Hashnode or HackMD is shown, whatever its address says of its place', async () => {
	const { posts } = await folder({
		'a.md': '![a](p.png align="center") ![b](p.png =300x200) ![c](p.png =300x "T")',
		'p.png': 'x',
	});
	expect(posts[0]!.content.match(/<img /g)).toHaveLength(3);
});

test('pages of Notion come with their properties, boxes and pictures, without the number in their names', async () => {
	const id = '0123456789abcdef0123456789abcdef';
	const bundle = await folder({
		[`Export/My page ${id}.md`]: `# My page\n\nTags: evals, rag\nCreated: March 31, 2021 10:00 AM\nStatus: Draft\nOwner: Somebody\n\n<aside>\n💡 Mind **this**.\n\n</aside>\n\n![p.png](My%20page%20${id}/p.png)\n\n[Next](Next%20${id.replace('0', '1')}.md)`,
		[`Export/My page ${id}/p.png`]: 'x',
		[`Export/Next ${id.replace('0', '1')}.md`]:
			'# Next\n\nStatus: Done\nDate: 2021-04-01\n\nWords.',
	});
	expect(bundle.posts).toMatchObject([
		{
			title: 'My page',
			slug: 'my-page',
			tags: ['evals', 'rag'],
			published: false,
			createdAt: '2021-03-31T10:00:00.000Z',
		},
		{
			title: 'Next',
			slug: 'next',
			published: true,
			publishedAt: '2021-04-01T00:00:00.000Z',
			content: '<p>Words.</p>',
		},
	]);
	expect(bundle.posts[0]!.content).toMatch(
		/^<aside data-callout="note">\s*<p>💡 Mind <strong>this<\/strong>\.<\/p>\s*<\/aside>\s*<p><img src="\/api\/media\/[^"]*" alt="p.png"><\/p>\s*<p><a href="\/blog\/next">Next<\/a><\/p>$/,
	);
	expect(bundle.items.find(({ kind }) => kind === 'property')).toMatchObject({
		outcome: 'left',
		notes: [{ detail: 'owner' }],
	});
});

test('a name is found however its letters are composed, also in an archive of macOS', async () => {
	const text = strToU8('![a](img/%C3%BCber%20uns.png) ![b](<img/über uns.png>)');
	const zipped = (form: 'NFC' | 'NFD') =>
		zipSync({ 'posts/a.md': text, ['posts/img/über uns.png'.normalize(form)]: strToU8('x') });
	// macOS does not say that its names are UTF-8: the flag of a file, in its own header and in the directory.
	const unsaid = zipped('NFD');
	const view = new DataView(unsaid.buffer);
	for (let at = 0; at < unsaid.length - 10; at++) {
		const sign = view.getUint32(at, true);
		const flags = sign === 0x04034b50 ? at + 6 : sign === 0x02014b50 ? at + 8 : undefined;
		if (flags) view.setUint16(flags, view.getUint16(flags, true) & ~0x800, true);
	}
	for (const file of [zipped('NFC'), zipped('NFD'), unsaid]) {
		const { media, posts } = await readFile(file);
		expect([media.length, posts[0]!.content.match(/<img /g)?.length]).toEqual([1, 2]);
		expect(media[0]!.name).toBe('über uns.png');
	}
});
