import sharp from 'sharp';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { comments, media, pages, posts } from '#db/schema.ts';
import { readFile } from '#src/features/import-export/read-file.ts';
import { reportOf, type Group } from '#src/features/import-export/report.ts';
import type { Report } from '#src/features/import-export/send.ts';
import type { Bundle } from '#src/features/import-export/bundle.ts';
import { sha256 } from '#src/lib/digest.ts';
import { archiveOf, everything, setup } from '#tests/support/import-export.ts';

const png = async (hue: number) =>
	new Uint8Array(
		await sharp({
			create: { width: 9, height: 6, channels: 3, background: { r: hue, g: 0, b: 0 } },
		})
			.png()
			.toBuffer(),
	);

/** In the shape of WordPress's own exports: elements, namespaces, character data and the order of things. */
const cdata = (value: string) => `<![CDATA[${value}]]>`;
const element = (name: string, value: string | number) =>
	`<${name}>${cdata(String(value))}</${name}>`;
let ids = 100;
type Wp = {
	title: string;
	type?: string;
	status?: string;
	content?: string;
	date?: string;
	slug?: string;
	more?: string;
};
const wp = ({
	title,
	type = 'post',
	status = 'publish',
	content = '',
	date = '2013-01-05 10:00:00',
	slug = '',
	more = '',
}: Wp) =>
	`<item>${element('title', title)}<link>https://old.example/?p=${ids}</link><pubDate>Sat, 05 Jan 2013 10:00:00 +0000</pubDate>
${element('dc:creator', 'grace')}<guid isPermaLink="false">https://old.example/?p=${ids}</guid><description></description>
${element('content:encoded', content)}${element('excerpt:encoded', '')}
<wp:post_id>${ids++}</wp:post_id>${element('wp:post_date', date)}${element('wp:post_date_gmt', date)}
${element('wp:post_modified', date)}${element('wp:post_modified_gmt', date)}${element('wp:comment_status', 'open')}
${element('wp:post_name', slug)}${element('wp:status', status)}<wp:post_parent>0</wp:post_parent>${element('wp:post_type', type)}
${more}</item>`;
const wpComment = (id: number, approved: string, kind = 'comment', parent = 0) =>
	`<wp:comment><wp:comment_id>${id}</wp:comment_id>${element('wp:comment_author', `Reader ${id}`)}${element('wp:comment_author_email', `r${id}@x.example`)}
${element('wp:comment_date', '2013-01-06 10:00:00')}${element('wp:comment_date_gmt', '2013-01-06 10:00:00')}${element('wp:comment_content', `Comment &amp; ${id}`)}
${element('wp:comment_approved', approved)}${element('wp:comment_type', kind)}<wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`;
const wpTerm = (domain: string, name: string, slug: string) =>
	`<category domain="${domain}" nicename="${slug}">${cdata(name)}</category>`;

const WORDPRESS = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Old</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_id>1</wp:author_id>${element('wp:author_login', 'grace')}${element('wp:author_display_name', 'Grace')}</wp:author>
<wp:author><wp:author_id>2</wp:author_id>${element('wp:author_login', 'idle')}${element('wp:author_display_name', 'Idle')}</wp:author>
<wp:category><wp:term_id>1</wp:term_id>${element('wp:category_nicename', 'arms')}${element('wp:category_parent', '')}${element('wp:cat_name', 'Arms')}</wp:category>
<wp:category><wp:term_id>2</wp:term_id>${element('wp:category_nicename', 'hands')}${element('wp:category_parent', 'arms')}${element('wp:cat_name', 'Hands')}</wp:category>
<wp:category><wp:term_id>3</wp:term_id>${element('wp:category_nicename', 'uncategorized')}${element('wp:category_parent', '')}${element('wp:cat_name', 'Uncategorized')}</wp:category>
<wp:tag><wp:term_id>4</wp:term_id>${element('wp:tag_slug', 'used')}${element('wp:tag_name', 'Used')}</wp:tag>
<wp:tag><wp:term_id>5</wp:term_id>${element('wp:tag_slug', 'unused')}${element('wp:tag_name', 'Unused')}</wp:tag>
<wp:term><wp:term_id>6</wp:term_id>${element('wp:term_taxonomy', 'nav_menu')}${element('wp:term_slug', 'menu')}${element('wp:term_name', 'Menu')}</wp:term>
${wp({
	title: 'Blocks &amp; bits',
	slug: 'twice',
	content: `<!-- wp:paragraph -->\n<p>Words.</p>\n<!-- /wp:paragraph -->\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->
<!-- wp:image {"id":9} -->\n<figure class="wp-block-image"><img src="https://old.example/wp-content/uploads/2013/01/arm-300x200.png" alt="An arm"/><figcaption>Seen</figcaption></figure>\n<!-- /wp:image -->
<!-- wp:embed -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://v.example/1\n</div></figure>\n<!-- /wp:embed -->\n<!-- wp:latest-posts /-->
<!-- wp:code -->\n<pre class="wp-block-code"><code>a\n\n  b</code></pre>\n<!-- /wp:code -->`,
	more: `<wp:is_sticky>1</wp:is_sticky>${wpTerm('category', 'Hands', 'hands')}${wpTerm('category', 'Arms', 'arms')}${wpTerm('post_tag', 'Used', 'used')}
${wpComment(1, '1')}${wpComment(2, '1', 'comment', 1)}${wpComment(3, '0')}${wpComment(4, 'spam')}${wpComment(5, '1', 'pingback')}`,
})}
${wp({ title: 'Classic', slug: 'twice', content: 'First\nlines.\n\n[video src="https://v.example/f.mp4"]\n\n[caption width="300"]<img src="https://cdn.example/b.png" alt="B" /> Far[/caption]\n\n[plugin a="1"]', more: wpTerm('category', 'Uncategorized', 'uncategorized') })}
${wp({ title: 'Secret', content: 'Hush', more: `${element('wp:post_password', 'enter')}${wpComment(6, '1')}` })}
${wp({ title: 'Ideas', status: 'draft', date: '0000-00-00 00:00:00', content: 'One' })}
${wp({ title: 'Ideas', status: 'draft', date: '0000-00-00 00:00:00', content: 'Two' })}
${wp({ title: 'Later', status: 'future', date: '2030-01-05 10:00:00', content: 'Soon' })}
${wp({ title: 'Gone', status: 'trash' })}
${wp({ title: 'About', type: 'page', more: wpComment(7, '1') })}
${wp({ title: 'Arm', type: 'attachment', status: 'inherit', more: element('wp:attachment_url', 'https://old.example/wp-content/uploads/2013/01/arm.png') })}
${wp({ title: 'Lost', type: 'attachment', status: 'inherit', more: element('wp:attachment_url', 'https://old.example/wp-content/uploads/2013/01/lost.png') })}
${wp({ title: '', type: 'nav_menu_item' })}
</channel></rss>\n`;

/** In the shape of Ghost's own exports. */
const lexical = JSON.stringify({
	root: {
		type: 'root',
		children: [
			{ type: 'paragraph', children: [{ type: 'extended-text', text: 'Kept', format: 1 }] },
			{ type: 'image', src: '__GHOST_URL__/content/images/2024/05/hand.png', alt: 'A hand' },
			{
				type: 'embed',
				url: 'https://v.example/2',
				html: '<iframe src="https://v.example/2"></iframe>',
			},
		],
	},
});
const ghostPost = (id: string, values: object) => ({
	id,
	uuid: id,
	title: `Post ${id}`,
	slug: `post_${id}`,
	html: null,
	type: 'post',
	status: 'published',
	visibility: 'public',
	published_at: '2024-05-01T10:00:00.000Z',
	created_at: '2024-04-30T10:00:00.000Z',
	updated_at: '2024-05-02T10:00:00.000Z',
	...values,
});
const GHOST = {
	db: [
		{
			meta: { exported_on: 1_714_000_000_000, version: '5.80.0' },
			data: {
				posts: [
					ghostPost('1', {
						html: '<p>Words <img src="__GHOST_URL__/content/images/size/w600/2024/05/arm.png" alt="An arm"></p><figure class="kg-card kg-embed-card"><iframe src="https://v.example/3"></iframe></figure>',
						feature_image: '__GHOST_URL__/content/images/2024/05/arm.png',
					}),
					ghostPost('2', { lexical }),
					ghostPost('3', { html: '<p>For members</p>', visibility: 'paid' }),
					ghostPost('4', {}),
					ghostPost('5', { html: '<p>Us</p>', type: 'page' }),
					ghostPost('6', { html: '<p>Not yet</p>', status: 'draft', published_at: null }),
				],
				tags: [
					{ id: 't1', name: 'Arms', slug: 'arms' },
					{ id: 't2', name: '#hidden', slug: 'hash-hidden', visibility: 'internal' },
				],
				posts_tags: [{ id: 'x', post_id: '1', tag_id: 't1', sort_order: 0 }],
				users: [
					{ id: 'u1', name: 'Grace' },
					{ id: 'u2', name: 'Idle' },
				],
				posts_authors: [{ id: 'y', post_id: '1', author_id: 'u1', sort_order: 0 }],
				newsletters: [{ id: 'n1', name: 'Weekly' }],
			},
		},
	],
};

const MARKDOWN = {
	'_posts/2014-05-06-one.md':
		'---\ntitle: One\ncategories: [Arms, Hands]\n---\nA ![An arm](/img/arm.png) and $x^2$.\n\n{% highlight ruby %}\nputs 1\n{% endhighlight %}\n\n<video src="https://v.example/4.mp4"></video>\n',
	'_posts/two/index.md':
		'---\ntitle: Two\ndate: 2015-01-02 03:04:05 +0100\n---\n![Near](near.png)\n\n- [x] done\n\n> [!NOTE]\n> Mind.\n',
	'_posts/2014-05-07-draft.md': '---\ndraft: true\n---\nNot yet.\n',
	'README.md': 'About.',
};

/** Takes a file in, out and in again, and answers what came in with what the report said. */
async function roundTrip(bytes: Uint8Array) {
	const first = await setup();
	const bundle = await readFile(bytes);
	const report = await first.send(bundle);
	const groups = reportOf(bundle, report);
	for (const { kind, found, imported, changed, left } of groups) {
		expect(imported + changed + left, kind).toBe(found);
	}
	const stored = {
		posts: await first.db.select().from(posts).orderBy(posts.slug),
		comments: await first.db.select().from(comments),
		media: await first.db.select().from(media),
		pages: await first.db.select().from(pages),
	};
	const before = await everything(first.db);
	const written = await archiveOf(first.admin);
	const articles = await articlesOf(first.db);
	const archive = await readFile(written);

	const second = await setup();
	const again = await second.send(archive);
	expect(left(archive, again)).toEqual(['category']);
	expect(await everything(second.db)).toEqual(before);

	// The Markdown files and pictures alone, as another program would read them.
	const files = Object.entries(unzipSync(written)).filter(([name]) =>
		/^(posts|media)\//.test(name),
	);
	const third = await setup();
	await third.send(await readFile(zipSync(Object.fromEntries(files))));
	expect(await articlesOf(third.db)).toEqual(articles);
	return { ...stored, found: foundIn(groups), groups };
}

/** All that Markdown says of articles: pictures by their bytes, without the white space that no reader sees. */
async function articlesOf(db: Db) {
	const site = await everything(db);
	const pictures = new Map(
		site.media.map(({ id, bytes }) => [id, sha256(Buffer.from(bytes, 'base64'))]),
	);
	const named = (text: string | null) =>
		text?.replaceAll(/(?<=\/api\/media\/)[\w-]+/g, (id) => pictures.get(id) ?? id) ?? null;
	return site.posts.map((post) => ({
		slug: post.slug,
		title: post.title,
		excerpt: post.excerpt,
		author: post.author,
		published: post.published,
		publishedAt: post.publishedAt,
		createdAt: post.createdAt,
		updatedAt: post.updatedAt,
		featured: post.featured,
		category: post.category?.name,
		tags: site.tags.filter((row) => (row as { slug: string }).slug === post.slug),
		picture: named(post.featuredImage),
		content: named(post.content)!
			.replaceAll(/\s+/g, ' ')
			.replaceAll(/(?<=>) | (?=<)|<p><\/p>|<\/?div>/g, ''),
	}));
}

/** Kinds of what was left out. Both sites have the category that posts go to. */
const left = (bundle: Bundle, report: Report) =>
	reportOf(bundle, report)
		.filter((group) => group.left > 0)
		.map(({ kind }) => kind);

const foundIn = (groups: Group[]) =>
	Object.fromEntries(groups.map(({ kind, found }) => [kind, found])) as Record<string, number>;

test('a WordPress site with its uploads is the same after import, export and import', async () => {
	const files = {
		'old.xml': strToU8(WORDPRESS),
		'uploads/2013/01/arm.png': await png(10),
	};
	const { found, groups, ...stored } = await roundTrip(zipSync(files));
	const count = (pattern: RegExp) => WORDPRESS.match(pattern)!.length;
	expect(found).toMatchObject({
		post: count(/<wp:post_type><!\[CDATA\[post\]/g),
		page: 1,
		attachment: count(/<wp:attachment_url>/g),
		'menu item': 1,
		category: count(/<wp:category>/g),
		tag: count(/<wp:tag>/g),
		term: count(/<wp:term>/g),
		author: count(/<wp:author>/g),
		'more tag': 1,
		block: 1,
		embed: 1,
		video: 1,
		shortcode: 1,
		picture: 2,
		image: 1,
	});
	expect(found['comment']! + found['ping']!).toBe(count(/<wp:comment>/g));
	expect(
		stored.posts.map(({ slug, title, published, featured }) => ({
			slug,
			title,
			published,
			featured,
		})),
	).toEqual([
		{ slug: 'ideas', title: 'Ideas', published: false, featured: false },
		{ slug: 'ideas-2', title: 'Ideas', published: false, featured: false },
		{ slug: 'later', title: 'Later', published: true, featured: false },
		{ slug: 'secret', title: 'Secret', published: false, featured: false },
		{ slug: 'twice', title: 'Blocks & bits', published: true, featured: true },
		{ slug: 'twice-2', title: 'Classic', published: true, featured: false },
	]);
	expect(stored.comments.map(({ author, approved }) => [author, approved]).sort()).toEqual([
		['Reader 1', true],
		['Reader 2', true],
		['Reader 3', false],
		['Reader 6', true],
	]);
	const twice = stored.posts[4]!;
	expect(twice.content).toContain(`<img src="/api/media/${stored.media[0]!.id}" alt="An arm">`);
	expect(twice.content).toContain('<a href="https://v.example/1">');
	expect(twice.content).toContain('<pre><code>a\n\n  b</code></pre>');
	expect(twice.publishedAt).toEqual(new Date('2013-01-05T10:00:00Z'));
	const classic = stored.posts[5]!.content;
	expect(classic).toContain('<p>First<br>\nlines.</p>');
	expect(classic).toContain('<a href="https://v.example/f.mp4">');
	expect(classic).toContain('<a href="https://cdn.example/b.png">Picture: B</a>');
	const told = groups.flatMap(({ kind, reasons }) =>
		reasons.map(({ what, count: n }) => `${kind} ${n} ${what}`),
	);
	expect(told).toEqual(
		expect.arrayContaining([
			'post 1 A password protected it: it comes in as a draft',
			'post 1 It was of state “trash”',
			'post 2 Its address is taken, and ends with a number',
			'comment 1 It was spam',
			'comment 1 Pages have no comments here',
		]),
	);
});

test('a Ghost site with its images is the same after import, export and import', async () => {
	const files = {
		'old/old.ghost.json': strToU8(JSON.stringify(GHOST)),
		'old/content/images/2024/05/arm.png': await png(20),
		'old/content/images/2024/05/hand.png': await png(30),
	};
	const { found, ...stored } = await roundTrip(zipSync(files));
	const { data } = GHOST.db[0]!;
	expect(found['post']! + found['page']!).toBe(data.posts.length);
	expect(stored.pages).toMatchObject([
		{ slug: 'post-5', title: 'Post 5', content: '<p>Us</p>', published: true },
	]);
	expect(found).toMatchObject({
		page: 1,
		tag: data.tags.length,
		author: data.users.length,
		'row of “newsletters”': data.newsletters.length,
		image: 2,
		picture: 2,
		embed: 2,
	});
	expect(stored.posts.map(({ slug, published }) => [slug, published])).toEqual([
		['post-1', true],
		['post-2', true],
		['post-3', false],
		['post-4', false],
		['post-6', false],
	]);
	expect(stored.posts[0]!.featuredImage).toMatch(/^\/api\/media\//);
	expect(stored.posts[0]!.content).toContain(
		`<img src="${stored.posts[0]!.featuredImage!}" alt="An arm">`,
	);
	expect(stored.posts[1]!.content).toContain('<strong>Kept</strong>');
	expect(stored.posts[1]!.content).toContain('<a href="https://v.example/2">');
});

test('a folder of Markdown with its images is the same after import, export and import', async () => {
	const images = {
		'img/arm.png': await png(40),
		'_posts/two/near.png': await png(50),
		'img/unused.png': await png(60),
	};
	const texts = Object.entries(MARKDOWN).map(([path, text]) => [path, strToU8(text)] as const);
	const { found, ...stored } = await roundTrip(
		zipSync({ ...Object.fromEntries(texts), ...images }),
	);
	expect(found).toMatchObject({
		post: texts.length,
		image: Object.keys(images).length,
		picture: 2,
		video: 1,
		'template tag': 1,
		category: 1,
	});
	expect(
		stored.posts.map(({ slug, published, publishedAt }) => [
			slug,
			published,
			publishedAt?.toISOString(),
		]),
	).toEqual([
		['draft', false, undefined],
		['one', true, '2014-05-06T00:00:00.000Z'],
		['two', true, '2015-01-02T02:04:05.000Z'],
	]);
	expect(stored.posts[1]!.content).toContain(
		'<pre><code class="language-ruby">puts 1\n</code></pre>',
	);
	expect(stored.posts[1]!.content).toContain('data-latex="x^2"');
	expect(stored.posts[2]!.content).toContain('<aside data-callout="note">');
	expect(stored.media).toHaveLength(2);
});

test.each([
	[
		'Hugo',
		{
			'hugo.toml': 'baseURL = "https://old.example/"\n',
			'content/posts/arms/index.md':
				'+++\ntitle = "Arms"\ndate = 2023-01-02T03:04:05Z\naliases = ["/first/"]\n[params]\nfeatured = true\n+++\n[Hands]({{< ref "hands.md" >}})\n\n{{< highlight go >}}\nx := 1\n{{< /highlight >}}\n',
			'content/posts/hands.md': '---\ntitle: 手の話\ndate: 2023-02-03\n---\n`x` and $50 of it.\n',
		},
	],
	[
		'Hexo',
		{
			'_config.yml': 'permalink: :year/:title/\n',
			'source/_posts/arms.md':
				'title: Arms\ndate: 2013-12-24 23:29:53\ncategories:\n- [Parts, Arms]\n---\n{% note warning %}\nMind.\n{% endnote %}\n',
		},
	],
	[
		'Docusaurus',
		{
			'blog/2024-01-03-arms.md': '---\ntags: [a]\n---\n# Arms\n\n:::tip[Read]\nThis.\n:::\n',
			'blog/2024-01-04-hands/index.mdx':
				'---\nslug: /hands\n---\n# Hands\n\n[Arms](../2024-01-03-arms.md)\n',
		},
	],
	[
		'Substack',
		{
			'posts.csv':
				'post_id,post_date,is_published,type,audience,title,subtitle,podcast_url\n11.arms,2023-04-05T10:00:00.000Z,TRUE,newsletter,everyone,Arms,In short,\n12.hands,2023-04-06T10:00:00.000Z,TRUE,newsletter,only_paid,Hands,,\n',
			'posts/11.arms.html': '<p>Arms</p>',
			'posts/12.hands.html': '<p>Hands</p>',
		},
	],
	[
		'Notion',
		{
			'Export/Arms 0123456789abcdef0123456789abcdef.md':
				'# Arms\n\nTags: a, b\nStatus: Published\nDate: March 31, 2021\n\n<aside>\n💡 Mind.\n\n</aside>\n',
		},
	],
	[
		'Gatsby',
		{
			'content/blog/arms/index.md':
				'---\ntitle: Arms\ndate: "2015-05-01T22:12:03.284Z"\ndescription: "Hello"\n---\nArms and [hands](../hands/index.md).\n',
			'content/blog/hands/index.md':
				'---\ntitle: Hands\ndate: "2015-05-06T23:46:37.121Z"\n---\nHands.\n',
		},
	],
	[
		'Zola',
		{
			'config.toml': 'base_url = "https://old.example"\n',
			'content/blog/arms.md':
				'+++\ntitle = "Arms & legs"\ndate = 2022-03-04\nupdated = 2022-03-05\n[taxonomies]\ntags = ["a", "b"]\ncategories = ["Parts"]\n+++\nFirst.\n\n<!-- more -->\n\n```rust,linenos\nfn main() {}\n```\n\n[Hands](@/blog/hands.md)\n',
			'content/blog/hands.md':
				'+++\ntitle = "Hands"\ndate = 2022-03-06\ndraft = true\n+++\n| a | b |\n|---|---|\n| 1 | `x \\| y` |\n',
		},
	],
	[
		'Eleventy',
		{
			'eleventy.config.js': 'export default () => {};\n',
			'content/blog/arms.md':
				'---\ntitle: Arms\ndescription: In short.\ndate: 2018-05-01\ntags:\n  - second tag\n  - posts\n---\nWords with a [^1] note.\n\n[^1]: The *note*.\n\n1. One\n2. Two\n   - three\n',
		},
	],
	[
		'Astro',
		{
			'astro.config.mjs': 'export default {};\n',
			'src/content/post/arms.mdx':
				'---\ntitle: "Arms"\ndescription: "In short"\npublishDate: "03 May 2023"\ntags: ["test", "toml"]\n---\n## A heading\n\n> Said\n\n:::note\nMind.\n:::\n\n$$\nx^2\n$$\n',
		},
	],
	[
		'Next',
		{
			'data/blog/arms.mdx':
				"---\ntitle: 'Arms: a guide'\ndate: '2021-08-07T15:32:14Z'\nlastmod: '2021-02-01'\ntags: ['next-js', 'guide']\ndraft: false\nsummary: 'In short'\nauthors: ['default']\n---\nA ~~struck~~ **bold** _word_.\n\n```js:app.js\nlet a = 1;\n```\n",
			'data/blog/hands.mdx':
				"---\ntitle: 'Hands'\ndate: '2021-08-08'\ndraft: true\n---\n![Near](/static/near.png)\n",
		},
	],
])('a site of %s is the same after import, export and import', async (_, files) => {
	const texts = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const);
	const { posts: stored, groups } = await roundTrip(zipSync(Object.fromEntries(texts)));
	const count = (kind: string) => groups.find((group) => group.kind === kind);
	expect(count('post')).toMatchObject({ found: stored.length, left: 0 });
	expect(stored.every(({ published, title }) => published || title === 'Hands')).toBe(true);
	expect(stored.map(({ content }) => content).join()).not.toMatch(
		/\{\{|\{%|:::|href="(?!\/blog\/|#)/,
	);
});
