import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';
import { reportOf } from './report.ts';
import type { Report } from './send.ts';
import { overLimits, type Bundle, type ImportedPost } from './transfer.ts';

const text = (content: string) => readFile(strToU8(content));
const folder = (files: Record<string, string>) =>
	readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, strToU8(file)]))),
	);

/** What would become of a bundle in an empty site. */
const asNew = ({ posts, categories }: Bundle): Report => ({
	categories: new Set(categories.map(({ slug }) => slug)),
	posts: posts.map(({ key, slug }) => ({ key, id: null, outcome: 'added', slug, notes: [] })),
	subscribers: { added: 0, completed: 0 },
	refused: new Map(),
});

/** What a report says of the things of a kind: how many came as they were, changed or not at all. */
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
	]);
	expect(bundle.categories).toMatchObject([{ name: 'Robotics', slug: 'robotics' }]);
	expect(counts(bundle, 'post')).toEqual([2, 1, 3]);
	expect(counts(bundle, 'other file')).toEqual([0, 0, 1]);
	expect(bundle.items.map(({ where, notes }) => [where, notes[0]!.what])).toEqual([
		['README.md', 'It is about the folder, and no post'],
		['broken.md', expect.stringMatching(/^The file cannot be read: /)],
		['toml.md', expect.stringContaining('TOML')],
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

test("Ghost's posts come with tags, author and dates; its pages are told", async () => {
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
	expect(counts(bundle, 'page')).toEqual([0, 0, 1]);
	expect(counts(bundle, 'tag')).toEqual([2, 0, 1]);
	expect(counts(bundle, 'author')).toEqual([0, 1, 0]);
	expect(counts(bundle, 'picture')).toEqual([0, 0, 1]);
});

const item = (fields: string) => `<item><title><![CDATA[A & B]]></title>${fields}</item>`;
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
				'<p>First lines<br>\ngo on.</p>\n<p><a href="https://old.example/a.png">Picture: a.png</a></p><p>A picture</p>\n<p>[gallery ids="1,2"]</p>',
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
			author: 'Ada',
			email: 'ada@x.example',
			content: 'Nice\nwork & more',
			approved: true,
			reviewedAt: null,
			createdAt: '2024-05-02T10:00:00.000Z',
		},
	]);
	expect(counts(bundle, 'post')).toEqual([1, 1, 0]);
	expect(counts(bundle, 'page')).toEqual([0, 0, 1]);
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
