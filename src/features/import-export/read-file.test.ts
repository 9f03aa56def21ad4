import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';
import { reportOf } from './report.ts';
import type { Report } from './send.ts';
import { overLimits, type Bundle, type ImportedPost } from './bundle.ts';

const text = (content: string) => readFile(strToU8(content));
const folder = (files: Record<string, string>) =>
	readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, strToU8(file)]))),
	);

/** Returns the report of importing a bundle into an empty site. */
const asNew = ({ posts, pages, categories }: Bundle): Report => ({
	categories: new Set(categories.map(({ name }) => name)),
	posts: posts.map(({ key, slug, redirects }) => ({
		...{ key, id: null, outcome: 'added', slug, notes: [] },
		led: redirects.length,
	})),
	pages: pages.map(({ key }) => ({ key, outcome: 'added', notes: [] })),
	subscribers: { added: 0, completed: 0 },
	refused: new Map(),
});

/** Counts the items of a kind that were imported unchanged, changed or not at all. */
const counts = (bundle: Bundle, kind: string) => {
	const { imported, changed, left } = reportOf(bundle, asNew(bundle)).find(
		(group) => group.kind === kind,
	) ?? { imported: 0, changed: 0, left: 0 };
	return [imported, changed, left];
};

test('a folder of Markdown files is posts, by its front matter', async () => {
	const bundle = await folder({
		'README.md': '# About this folder',
		'posts/2024-05-01-first-post.md':
			'---\ntitle: "First: a post"\ndate: 2024-05-01\ncategories: [Robotics, Other]\ntags: Kalman, Filters\ndescription: Short.\nfeatured: true\nauthor:\n  name: Grace\nimage: { src: /a.png, alt: A }\n---\nWords with $x$ and **weight**.\n',
		'second/index.mdx': '# Second\r\n\r\nWords.\r\n',
		'draft.md': '---\ndraft: true\npubDate: 2024-01-01\n---\nNot yet.',
		'broken.md': '---\ntitle: [unclosed\n---\nWords.',
		'toml.md': '+++\ntitle = "Hugo"\n+++\nWords.',
		'notes.txt': 'x',
	});
	expect(bundle.kind).toBe('Markdown folder');
	expect(bundle.posts).toMatchObject([
		{
			key: 'posts/2024-05-01-first-post.md',
			title: 'First: a post',
			slug: 'first-post',
			excerpt: 'Short.',
			content:
				'<p>Words with <span data-type="inline-math" data-latex="x"></span> and <strong>weight</strong>.</p>',
			featuredImage: '',
			author: 'Grace',
			category: 'Robotics',
			tags: ['Kalman', 'Filters', 'Other'],
			published: true,
			featured: true,
			publishedAt: '2024-05-01T00:00:00.000Z',
		},
		{ title: 'Second', slug: 'second', content: '<p>Words.</p>', published: true, tags: [] },
		{ title: 'draft', published: false, publishedAt: null },
		{ title: 'Hugo' },
	]);
	expect(bundle.categories).toMatchObject([{ name: 'Robotics', slug: 'robotics' }]);
	expect(bundle.posts[3]).toMatchObject({ title: 'Hugo', slug: 'toml', content: '<p>Words.</p>' });
	expect(counts(bundle, 'post')).toEqual([3, 1, 2]);
	expect(counts(bundle, 'other file')).toEqual([0, 0, 1]);
	expect(bundle.items.map(({ where, notes }) => [where, notes[0]!.what])).toEqual([
		['README.md', 'It is about the folder, and no post'],
		['broken.md', expect.stringMatching(/^The file cannot be read: /)],
		['notes.txt', 'No post, and no image that can be stored'],
	]);
});

const ghost = {
	db: [
		{
			meta: { version: '5.0' },
			data: {
				posts: [
					{
						id: '1',
						title: 'Ghostly',
						slug: 'ghostly',
						html: '<p>Words <img src="__GHOST_URL__/content/images/a.png"></p>',
						feature_image: '__GHOST_URL__/content/images/b.png',
						featured: 1,
						type: 'post',
						status: 'published',
						custom_excerpt: 'Short.',
						published_at: '2024-05-01T10:00:00.000Z',
						created_at: '2024-04-01T10:00:00.000Z',
						updated_at: '2024-06-01T10:00:00.000Z',
					},
					{ id: '2', title: 'About', type: 'page', html: '<p>Us</p>', status: 'published' },
					{ id: '3', title: 'Plain', plaintext: 'One <b>\n\nTwo', status: 'draft', type: 'post' },
				],
				posts_meta: [{ post_id: '1', meta_title: 'Meta', meta_description: 'Described.' }],
				tags: [
					{ id: 't1', name: 'Robotics' },
					{ id: 't2', name: '#internal', visibility: 'internal' },
					{ id: 't3', name: 'Kalman' },
				],
				posts_tags: [
					{ post_id: '1', tag_id: 't3', sort_order: 1 },
					{ post_id: '1', tag_id: 't1', sort_order: 0 },
					{ post_id: '1', tag_id: 't2', sort_order: 2 },
				],
				users: [{ id: 'u1', name: 'Grace' }],
				posts_authors: [{ post_id: '1', author_id: 'u1', sort_order: 0 }],
			},
		},
	],
};

test("Ghost's posts come with tags, author and dates; so do its pages", async () => {
	const bundle = await text(JSON.stringify(ghost));
	expect(bundle.kind).toBe('Ghost export');
	expect(bundle.posts).toMatchObject([
		{
			title: 'Ghostly',
			slug: 'ghostly',
			excerpt: 'Short.',
			content: '<p>Words [Picture: a.png]</p>',
			featuredImage: '',
			metaTitle: 'Meta',
			metaDescription: 'Described.',
			author: 'Grace',
			category: 'Robotics',
			tags: ['Robotics', 'Kalman'],
			published: true,
			featured: true,
			publishedAt: '2024-05-01T10:00:00.000Z',
			updatedAt: '2024-06-01T10:00:00.000Z',
		},
		{ title: 'Plain', content: '<p>One &#x3C;b></p>\n<p>Two</p>', published: false },
	]);
	expect(counts(bundle, 'post')).toEqual([0, 2, 0]);
	expect(counts(bundle, 'page')).toEqual([1, 0, 0]);
	expect(counts(bundle, 'tag')).toEqual([2, 0, 1]);
	expect(counts(bundle, 'author')).toEqual([0, 1, 0]);
	expect(counts(bundle, 'picture')).toEqual([0, 0, 1]);
});

const item = (fields: string) => `<item><title><![CDATA[A & B]]></title>${fields}</item>`;
/** A file of WordPress around items. */
const exportOf = (items: string) =>
	`<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>${items}</channel></rss>`;

const wordpress = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5" -->
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<wp:author><wp:author_login><![CDATA[grace]]></wp:author_login><wp:author_display_name><![CDATA[Grace Hopper]]></wp:author_display_name></wp:author>
<wp:category><wp:category_nicename>robotics</wp:category_nicename><wp:cat_name><![CDATA[Robotics]]></wp:cat_name></wp:category>
<wp:category><wp:category_nicename>uncategorized</wp:category_nicename><wp:cat_name><![CDATA[Uncategorized]]></wp:cat_name></wp:category>
${item(`<dc:creator><![CDATA[grace]]></dc:creator>
<content:encoded><![CDATA[<!-- wp:paragraph -->
First lines
go on.

[caption id="a" align="left"]<img src="https://old.example/a.png" /> A picture[/caption]

[gallery ids="1,2"]
<!-- /wp:paragraph -->]]></content:encoded>
<excerpt:encoded><![CDATA[Short &amp; <b>sweet</b>]]></excerpt:encoded>
<wp:post_id>7</wp:post_id><wp:post_date_gmt>2024-05-01 10:00:00</wp:post_date_gmt>
<wp:post_modified_gmt>2024-06-01 10:00:00</wp:post_modified_gmt>
<wp:post_name>a-and-b</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
<category domain="category" nicename="robotics"><![CDATA[Robotics]]></category>
<category domain="post_tag" nicename="kalman"><![CDATA[Kalman]]></category>
<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>
<wp:comment><wp:comment_author><![CDATA[Ada]]></wp:comment_author><wp:comment_author_email>Ada@X.example</wp:comment_author_email>
<wp:comment_date_gmt>2024-05-02 10:00:00</wp:comment_date_gmt><wp:comment_content><![CDATA[Nice<br>work &amp; more]]></wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_type>comment</wp:comment_type></wp:comment>
<wp:comment><wp:comment_author>Spam</wp:comment_author><wp:comment_date_gmt>2024-05-02 10:00:00</wp:comment_date_gmt><wp:comment_content>x</wp:comment_content><wp:comment_approved>spam</wp:comment_approved></wp:comment>
<wp:comment><wp:comment_author>Ping</wp:comment_author><wp:comment_date_gmt>2024-05-02 10:00:00</wp:comment_date_gmt><wp:comment_content>x</wp:comment_content><wp:comment_approved>1</wp:comment_approved><wp:comment_type>pingback</wp:comment_type></wp:comment>`)}
${item('<wp:post_id>8</wp:post_id><wp:post_type>page</wp:post_type><wp:status>publish</wp:status>')}
${item('<wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:attachment_url>https://old.example/b.png</wp:attachment_url>')}
${item('<wp:post_id>10</wp:post_id><wp:post_type>post</wp:post_type><wp:status>draft</wp:status><wp:post_date_gmt>0000-00-00 00:00:00</wp:post_date_gmt><content:encoded><![CDATA[<p>Later</p>]]></content:encoded>')}
</channel></rss>`;

test("WordPress's posts come with their comments; what is none is counted and told", async () => {
	const bundle = await text(wordpress);
	expect(bundle.kind).toBe('WordPress export');
	expect(bundle.categories).toMatchObject([{ name: 'Robotics', slug: 'robotics' }]);
	expect(bundle.posts).toMatchObject([
		{
			key: 'WordPress 7',
			title: 'A & B',
			slug: 'a-and-b',
			excerpt: 'Short & sweet',
			content:
				'<p>First lines<br>\ngo on.</p>\n<p><a href="https://old.example/a.png">Picture: a.png</a></p>\n<p>A picture</p>\n<p>[gallery ids="1,2"]</p>',
			featuredImage: 'https://old.example/b.png',
			author: 'Grace Hopper',
			category: 'Robotics',
			tags: ['Kalman'],
			published: true,
			publishedAt: '2024-05-01T10:00:00.000Z',
			updatedAt: '2024-06-01T10:00:00.000Z',
		},
		{ key: 'WordPress 10', published: false, publishedAt: null, content: '<p>Later</p>' },
	]);
	expect(bundle.comments).toEqual([
		{
			id: expect.any(String),
			post: 'WordPress 7',
			parentId: null,
			author: 'Ada',
			email: 'ada@x.example',
			content: 'Nice\nwork & more',
			approved: true,
			reviewedAt: null,
			createdAt: '2024-05-02T10:00:00.000Z',
		},
	]);
	expect(counts(bundle, 'post')).toEqual([1, 1, 0]);
	expect(counts(bundle, 'page')).toEqual([1, 0, 0]);
	expect(counts(bundle, 'comment')).toEqual([1, 0, 1]);
	expect(counts(bundle, 'ping')).toEqual([0, 0, 1]);
	expect(counts(bundle, 'attachment')).toEqual([0, 0, 1]);
	expect(counts(bundle, 'category')).toEqual([1, 0, 1]);
	expect(counts(bundle, 'author')).toEqual([0, 1, 0]);
	expect(counts(bundle, 'shortcode')).toEqual([0, 1, 0]);
	expect(counts(bundle, 'picture')).toEqual([0, 1, 0]);
});

test('a packed export is read like the file itself', async () => {
	expect((await folder({ 'export/site.xml': wordpress })).posts).toHaveLength(2);
	expect((await folder({ 'ghost.json': JSON.stringify(ghost) })).posts).toHaveLength(2);
});

test('a file that declares entities is refused', async () => {
	const bomb = wordpress.replace(
		'<rss',
		'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss',
	);
	await expect(text(bomb)).rejects.toMatchObject({ code: 'validation', message: /entities/ });
});

test.each(['', 'hello', '{"a":1}', '[]', '<html></html>', '<rss></rss>'])(
	'%j is none of the files that can be imported',
	async (content) => {
		await expect(text(content)).rejects.toMatchObject({
			code: 'validation',
			message: /^This is none of the files/,
		});
	},
);

test('an archive without a post is none either', async () => {
	await expect(folder({ 'a.png': 'x' })).rejects.toMatchObject({ message: /^This is none/ });
});

const post = (values: Partial<ImportedPost>) => {
	const empty = { title: '', excerpt: '', content: '', slug: '' };
	return { ...empty, ...values } as ImportedPost;
};

test.each([
	['title', 200],
	['excerpt', 500],
	['content', 50_000],
	['slug', 100],
] as const)('a %s of %i characters is within the limit, one more is told', (field, limit) => {
	expect(overLimits(post({ [field]: 'a'.repeat(limit) }))).toEqual([]);
	expect(overLimits(post({ [field]: 'a'.repeat(limit + 1) }))).toEqual([
		{
			what: `Its ${field} is longer than the editor takes of new posts: it stays whole`,
			detail: expect.stringContaining(`${(limit + 1).toLocaleString('en-US')} characters`),
		},
	]);
});

const notesOf = (bundle: Bundle, key: string) =>
	(bundle.notes.get(key) ?? []).map(({ what }) => what);

test('what not everybody could read comes in as a draft, from every program', async () => {
	const wp = (fields: string) =>
		item(
			`<content:encoded>Secret</content:encoded><wp:post_type>post</wp:post_type><wp:post_date_gmt>2024-05-01 10:00:00</wp:post_date_gmt>${fields}`,
		);
	const wordpress = await text(
		exportOf(
			wp(
				'<wp:post_id>1</wp:post_id><wp:status>publish</wp:status><wp:post_password>enter</wp:post_password>',
			) +
				wp('<wp:post_id>2</wp:post_id><wp:status>private</wp:status>') +
				wp('<wp:post_id>3</wp:post_id><wp:status>pending</wp:status>') +
				wp(
					'<wp:post_id>4</wp:post_id><wp:status>publish</wp:status><wp:post_password></wp:post_password>',
				),
		),
	);
	expect(wordpress.posts.map(({ published }) => published)).toEqual([false, false, false, true]);
	expect(notesOf(wordpress, 'WordPress 1')).toEqual([
		'A password protected it: it comes in as a draft',
	]);
	expect(notesOf(wordpress, 'WordPress 2')).toEqual(['It was private: it comes in as a draft']);

	const members = (visibility: string) => ({
		id: visibility,
		title: visibility,
		html: '<p>x</p>',
		status: 'published',
		visibility,
	});
	const posts = [
		...['public', 'members', 'paid', 'tiers'].map(members),
		{ ...members('sent'), visibility: 'public', status: 'sent' },
	];
	const ghost = await text(JSON.stringify({ data: { posts } }));
	expect(ghost.posts.map(({ published }) => published)).toEqual([true, false, false, false, false]);
	expect(notesOf(ghost, 'Ghost paid')).toEqual(['It was for members only: it comes in as a draft']);

	const markdown = await folder({
		'a.md': '---\npassword: x\n---\nA',
		'b.md': '---\nprivate: true\n---\nB',
		'c.md': '---\nvisibility: hidden\n---\nC',
	});
	expect(markdown.posts.map(({ published }) => published)).toEqual([false, false, false]);
});

test('dates come from the file name where the front matter has none, and are never made up', async () => {
	const bundle = await folder({
		'_posts/2014-05-06-a-title.md': 'A',
		'_posts/2014-05-07-b.md': '---\ndate: the other day\n---\nB',
		'c.md': '---\ndate: the other day\n---\nC',
		'd.md': 'D',
	});
	expect(bundle.posts.map(({ publishedAt }) => publishedAt)).toEqual([
		'2014-05-06T00:00:00.000Z',
		'2014-05-07T00:00:00.000Z',
		null,
		null,
	]);
	expect(notesOf(bundle, '_posts/2014-05-07-b.md')).toEqual([
		'Its date cannot be understood: the one of the file’s name stands for it',
	]);
	expect(notesOf(bundle, 'c.md')).toEqual(['Its date cannot be understood']);
	const squarespace = await text(
		exportOf(
			item(
				'<content:encoded>Words</content:encoded><pubDate>Tue, 06 May 2014 10:20:30 +0000</pubDate><wp:post_type>post</wp:post_type><wp:status>publish</wp:status>',
			),
		),
	);
	expect(squarespace.posts[0]!.publishedAt).toBe('2014-05-06T10:20:30.000Z');
});

test('titles of WordPress are HTML, and what Liquid means is written out', async () => {
	const titled = '<item><title><![CDATA[Media &amp; <em>Text</em> &#8211; 1 &lt; 2]]></title>';
	const bundle = await text(exportOf(`${titled}<wp:post_type>post</wp:post_type></item>`));
	expect(bundle.posts[0]!.title).toBe('Media & Text – 1 < 2');
	const jekyll = await folder({
		'_config.yml': 'repository: https://code.example/x',
		'_posts/2014-05-06-two.md': 'Two',
		'_posts/2014-05-07-three.md':
			'[Two]({% post_url 2014-05-06-two %}), [code]({{ site.repository }})',
	});
	expect(jekyll.posts[1]!.content).toBe(
		'<p><a href="/blog/two">Two</a>, <a href="https://code.example/x">code</a></p>',
	);
	expect(counts(jekyll, 'template tag')).toEqual([0, 2, 0]);
});

test('an empty post is not published', async () => {
	const bundle = await text(
		JSON.stringify({
			data: { posts: [{ id: 1, title: 'Nothing', status: 'published' }, { id: 2 }] },
		}),
	);
	expect(bundle.posts).toMatchObject([{ title: 'Nothing', published: false }]);
	expect(counts(bundle, 'post')).toEqual([0, 1, 1]);
});

test('images beside the texts come along, from every program', async () => {
	const bytes = 'image';
	const paths = async (files: Record<string, string>) => {
		const bundle = await folder(files);
		const names = new Map(bundle.media.map(({ id, name }) => [`/api/media/${id}`, name]));
		const shown = [...bundle.posts[0]!.content.matchAll(/src="([^"]*)"/g)].map(([, src]) =>
			names.get(src!),
		);
		return { bundle, shown: [...shown, names.get(bundle.posts[0]!.featuredImage)] };
	};
	const markdown = await paths({
		'posts/one/index.md':
			'---\nimage: /img/d.png\n---\n![A](./a.png) ![B](../b%20c.png)\n\n<img src="/img/d.png"> ![E](data:image/png;base64,aW1hZ2U=)',
		'posts/one/a.png': bytes,
		'posts/b c.png': bytes,
		'static/img/d.png': bytes,
		'static/unused.png': bytes,
	});
	expect(markdown.shown).toEqual(['a.png', 'b c.png', 'd.png', 'image.png', 'd.png']);
	expect(counts(markdown.bundle, 'image')).toEqual([4, 0, 1]);
	expect(counts(markdown.bundle, 'picture')).toEqual([4, 0, 0]);
	// A drawing is one of the images; the server reads it and writes it anew.
	const inline = 'data:image/svg+xml;utf8,%3Csvg%20/%3E';
	const drawn = await paths({ 'a.md': `![A drawing](a.svg) ![B](${inline})`, 'a.svg': '<svg/>' });
	expect(drawn.shown).toEqual(['a.svg', 'image.svg', undefined]);
	expect(drawn.bundle.media.map(({ id }) => id.startsWith('drawing-'))).toEqual([true, true]);
	expect(new TextDecoder().decode(drawn.bundle.media[1]!.bytes)).toBe('<svg />');
	const html =
		'<img src="__GHOST_URL__/content/images/size/w600/2020/a.png"><img src="https://old.example/content/images/2020/b.png">';
	const ghost = await paths({
		'blog/ghost.json': JSON.stringify({
			data: {
				posts: [
					{ id: 1, title: 'A', html, feature_image: '__GHOST_URL__/content/images/2021/a.png' },
				],
			},
		}),
		'blog/content/images/2020/a.png': bytes,
		'blog/content/images/2021/a.png': bytes,
		'blog/content/images/2020/b.png': bytes,
	});
	expect(ghost.shown).toEqual(['a.png', 'b.png', 'a.png']);
	expect(ghost.bundle.media).toHaveLength(3);
	const wordpress = await paths({
		'export.xml': exportOf(
			item(
				'<wp:post_type>post</wp:post_type><content:encoded><![CDATA[<img src="https://old.example/wp-content/uploads/2020/05/a-300x200.png"><img src="https://cdn.example/a.png">]]></content:encoded>',
			),
		),
		'uploads/2020/05/a.png': bytes,
	});
	// Of another site only what lies in folders of the same names.
	expect(wordpress.shown).toEqual(['a.png', undefined]);
	expect(counts(wordpress.bundle, 'picture')).toEqual([1, 1, 0]);
});

test.each([
	['{\n"db": [{\n"data": {"posts"', /ends in the middle, at line 3/],
	['{\n"db": [\n1,,2]}', /looks like JSON, and is broken at line 3/],
	[wordpress.slice(0, -400), /ends in the middle, at line \d+: it may be cut off/],
	[
		'<rss><!-- wordpress.org/export/ --><x></rss>',
		/looks like a WordPress export, and is broken at line 1/,
	],
])('a broken file says what and where', async (content, message) => {
	await expect(text(content)).rejects.toMatchObject({ code: 'validation', message });
});

test('an earlier archive, whose manifest has the name of its site, is known by what is in it', async () => {
	const data = { 'data/categories.json': '[{"key":"c1","name":"Vision","slug":"vision"}]' };
	const earlier = '{"version":1,"site":"Groundtruth","exportedAt":"2026-01-01T00:00:00.000Z"}';
	const bundle = await folder({ 'groundtruth.json': earlier, ...data });
	expect(bundle).toMatchObject({ kind: 'Site archive', categories: [{ slug: 'vision' }] });
	// As other programs have them.
	const others = {
		'package.json': '{"version":"1.0.0"}',
		'broken.json': '{',
		'index.md': '# Hello',
	};
	expect((await folder(others)).kind).toBe('Markdown folder');
});

test('an archive of this site with a broken part says which, and where', async () => {
	const files = { 'archive.json': '{"version":1}', 'data/posts.json': '[\n{"key":' };
	await expect(folder(files)).rejects.toMatchObject({
		message: /^data\/posts\.json of this archive: This file ends in the middle, at line 2/,
	});
	await expect(folder({ 'archive.json': '{}' })).rejects.toMatchObject({ code: 'validation' });
	const whole = JSON.stringify({ format: 'groundtruth archive', version: 1, tables: {} });
	await expect(folder({ 'archive.json': whole })).rejects.toMatchObject({
		message: /^This is a whole archive.*restore-archive.*“Export everything”/,
	});
});

test('an export that is packed once more, in parts, is one folder', async () => {
	const id = (number: number) => String(number).padStart(32, 'a1');
	const page = (title: string, more = '') =>
		strToU8(`# ${title}\n\nTags: evals\n\nWords.${more}\n`);
	const parts = {
		'ExportBlock-1f-Part-1.zip': zipSync({
			[`Notes ${id(1)}.md`]: page('Notes', `\n\n[Rest](Rest%20${id(2)}.md)`),
		}),
		'ExportBlock-1f-Part-2.zip': zipSync({ [`Rest ${id(2)}.md`]: page('Rest') }),
	};
	const { posts } = await readFile(zipSync(parts));
	expect(posts.map(({ title, slug, tags }) => [title, slug, tags])).toEqual([
		['Notes', 'notes', ['evals']],
		['Rest', 'rest', ['evals']],
	]);
	expect(posts[0]!.content).toContain('/blog/rest');
	const broken = { ...parts, 'ExportBlock-1f-Part-2.zip': strToU8('PK cut off') };
	await expect(readFile(zipSync(broken))).rejects.toMatchObject({ code: 'validation' });
});
