import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { categories, contentProblems, pages, posts, redirects, comments } from '#db/schema.ts';
import { eq } from 'drizzle-orm';
import { undoImport } from '#src/features/import-export/import-export.api.ts';
import { readFile } from '#src/features/import-export/read-file.ts';
import { reportOf } from '#src/features/import-export/report.ts';
import { importRedirects } from '#src/features/redirects/redirects.api.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { call } from '#src/lib/endpoint.ts';
import { makePost } from '#tests/support/factories.ts';
import { NOON, runOf, setup } from '#tests/support/import-export.ts';

const folder = (files: Record<string, string>) =>
	readFile(
		zipSync(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, strToU8(file)]))),
	);
const cdata = (value: string) => `<![CDATA[${value}]]>`;
type Wp = { title: string; slug: string; link?: string; content?: string; more?: string };
let number = 0;
const item = ({
	title,
	slug,
	link = `https://old.example/2021/03/${slug}/`,
	content = 'Words',
	more = '',
}: Wp) =>
	`<item><title>${cdata(title)}</title><link>${link}</link><content:encoded>${cdata(content)}</content:encoded><wp:post_id>${++number}</wp:post_id>
<wp:post_date_gmt>2021-03-01 10:00:00</wp:post_date_gmt><wp:post_name>${cdata(slug)}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>${more}</item>`;
const wordpress = (...items: string[]) =>
	readFile(
		strToU8(
			`<rss xmlns:wp="http://wordpress.org/export/1.2/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><link>https://old.example</link>${items.join('')}</channel></rss>`,
		),
	);

test('posts in any script come in, each with an address of its own letters, and once', async () => {
	const { db, send } = await setup();
	const titles = [
		'మకర లగ్నానికి శని',
		'機械学習の評価',
		'Оценка моделей',
		'كيف تعمل الشبكات',
		'Plain English',
	];
	// As WordPress writes them, and as posts that never got one.
	const files = await wordpress(
		...titles.map((title, index) =>
			item({
				title,
				slug: index % 2 ? '' : encodeURIComponent(title.toLowerCase().replaceAll(' ', '-')),
			}),
		),
	);
	expect((await send(files)).posts.map(({ outcome }) => outcome)).toEqual(
		titles.map(() => 'added'),
	);
	const slugs = (await db.select({ slug: posts.slug }).from(posts)).map(({ slug }) => slug);
	expect(slugs.sort()).toEqual(
		[
			'మకర-లగ్నానికి-శని',
			'機械学習の評価',
			'оценка-моделей',
			'كيف-تعمل-الشبكات',
			'plain-english',
		].sort(),
	);
	expect((await send(files)).posts.map(({ outcome }) => outcome)).toEqual(
		titles.map(() => 'known'),
	);
	await checkRows(db, NOON);
	expect(await db.$count(contentProblems)).toBe(0);
});

test('two articles that share an address are two, and the same file again adds neither', async () => {
	const { db, send } = await setup();
	await makePost(db, { title: 'Hello of this site', slug: 'hello-world' });
	const bundle = await wordpress(
		item({ title: 'Hello', slug: 'hello-world' }),
		item({ title: 'Ideas', slug: '', link: 'https://old.example/?p=8' }),
		item({ title: 'Ideas', slug: '', link: 'https://old.example/?p=9' }),
	);
	const [first, again] = [await send(bundle), await send(bundle)];
	expect(first.posts.map(({ outcome, slug }) => [outcome, slug])).toEqual([
		['added', 'hello-world-2'],
		['added', 'ideas'],
		['added', 'ideas-2'],
	]);
	expect(again.posts.map(({ outcome, slug }) => [outcome, slug])).toEqual([
		['known', 'hello-world-2'],
		['known', 'ideas'],
		['known', 'ideas-2'],
	]);
});

test('categories that differ by a sign are different ones', async () => {
	const { db, send } = await setup();
	const markdown = await folder({
		'a.md': '---\ntitle: One\ncategory: C++\n---\nA',
		'b.md': '---\ntitle: Two\ncategory: "C#"\n---\nB',
		'c.md': '---\ntitle: Three\ncategory: C\n---\nC',
	});
	const report = await send(markdown);
	expect([...report.categories].sort()).toEqual(['C', 'C#', 'C++']);
	const homes = async () =>
		(
			await db
				.select({ title: posts.title, category: categories.name })
				.from(posts)
				.innerJoin(categories, eq(categories.id, posts.categoryId))
				.orderBy(posts.title)
		).map(({ title, category }) => `${title} in ${category}`);
	expect(await homes()).toEqual(['One in C++', 'Three in C', 'Two in C#']);
	const term = (name: string, slug: string) =>
		`<category domain="category" nicename="${slug}">${cdata(name)}</category>`;
	await send(
		await wordpress(
			item({ title: 'Zig', slug: 'z1', more: term('C', 'c') }),
			item({ title: 'Zog', slug: 'z2', more: term('C++', 'c-2') }),
			item({ title: 'Zug', slug: 'z3', more: term('Zug & Bahn', 'zug') }),
		),
	);
	expect((await homes()).slice(3)).toEqual(['Zig in C', 'Zog in C++', 'Zug in Zug & Bahn']);
});

test('links between the posts of a file lead to where these stand here, and old addresses lead on', async () => {
	const { db, admin, send } = await setup();
	await makePost(db, { title: 'Another', slug: 'target' });
	const links = [
		'<a href="https://old.example/2021/03/target/#part">1</a>',
		'<a href="https://www.old.example/2021/03/target?utm=1">2</a>',
		'<a href="/2021/03/target">3</a>',
		'<a href="https://old.example/?p=1002&amp;x">4</a>',
		'<a href="https://else.example/2021/03/target/">5</a>',
		'<a href="https://old.example/about/">6</a>',
		'<code>&lt;a href="/2021/03/target"&gt;</code>',
	];
	const bundle = await wordpress(
		item({ title: 'From', slug: 'from', content: links.join('\n\n') }).replace(
			/<wp:post_id>\d+/,
			'<wp:post_id>1001',
		),
		item({
			title: 'Target',
			slug: 'target',
			more: '<wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>first-name</wp:meta_value></wp:postmeta>',
		}).replace(/<wp:post_id>\d+/, '<wp:post_id>1002'),
	);
	const run = runOf(bundle);
	const report = await send(bundle, { run });
	const [from] = await db.select().from(posts).where(eq(posts.slug, 'from'));
	expect([...from!.content.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
		'/blog/target-2#part',
		'/blog/target-2',
		'/blog/target-2',
		'/blog/target-2',
		'https://else.example/2021/03/target/',
		'https://old.example/about/',
	]);
	expect(from!.content).toContain('href="/2021/03/target"');
	const groups = reportOf(bundle, report);
	const counts = (kind: string) => {
		const group = groups.find((one) => one.kind === kind);
		return group && [group.found, group.imported, group.changed, group.left];
	};
	expect(counts('link between posts')).toEqual([4, 4, 0, 0]);
	expect(counts('link to the other site')).toEqual([1, 0, 1, 0]);
	expect(counts('old address')).toEqual([3, 3, 0, 0]);
	const rules = async () =>
		(await readSite(db, NOON)).redirects.map((rule) => `${rule.from} ${rule.to}`);
	expect(await rules()).toEqual([
		'/2021/03/first-name /blog/target-2',
		'/2021/03/from /blog/from',
		'/2021/03/target /blog/target-2',
	]);
	await checkRows(db, NOON);
	expect(await db.$count(contentProblems)).toBe(0);
	// Taken back as one.
	await call(undoImport, { id: run.id }, admin);
	expect([await db.$count(redirects), await rules()]).toEqual([0, []]);
});

test('an old address is never a rule of its own, and none leads away from a page here', async () => {
	const { db, send } = await setup();
	const odd = [
		'/a b',
		'/x/*',
		'/:y',
		'/a?b=c',
		'/',
		'//evil.example/x',
		'/../etc',
		'/blog/self',
		'/blog/kept',
		'/%D0%BE/',
		'/ok/index.html',
		'/deep/page.html',
	];
	const bundle = await folder({
		'self.md': `---\ntitle: Self\ndate: 2021-01-01\naliases: ${JSON.stringify(odd)}\n---\nWords`,
	});
	await send(bundle);
	const stored = (await db.select({ slug: redirects.slug }).from(redirects)).map(
		({ slug }) => slug,
	);
	expect(stored.filter((slug) => slug !== '/self').sort()).toEqual(
		['/deep/page.html', '/etc', '/evil.example/x', '/ok', '/о', 'kept'].sort(),
	);
});

test('replies stand under what they answer, in whatever order the file has them', async () => {
	const { db, send } = await setup();
	const says = (id: number, parent: number, author: string) =>
		`<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${author}</wp:comment_author><wp:comment_author_email>a@x.example</wp:comment_author_email><wp:comment_date_gmt>2021-03-02 10:00:00</wp:comment_date_gmt>
<wp:comment_content>Words ${id}</wp:comment_content><wp:comment_approved>1</wp:comment_approved><wp:comment_parent>${parent}</wp:comment_parent></wp:comment>`;
	const bundle = await wordpress(
		item({
			title: 'A',
			slug: 'a',
			more: [
				says(14, 13, 'Deep'),
				says(12, 11, 'Ben'),
				says(13, 12, 'Cy'),
				says(11, 0, 'Ada'),
				says(20, 21, 'Ring'),
				says(21, 20, 'Rong'),
				says(30, 99, 'Lost'),
			].join(''),
		}),
	);
	await send(bundle);
	const rows = await db.select().from(comments);
	const nameOf = new Map(rows.map(({ id, author }) => [id, author]));
	expect(
		rows.map(({ author, parentId }) => `${author} > ${nameOf.get(parentId ?? '') ?? ''}`).sort(),
	).toEqual(['Ada > ', 'Ben > Ada', 'Cy > Ada', 'Deep > Ada', 'Lost > ', 'Ring > ', 'Rong > ']);
	expect([...bundle.notes.values()].flat()).toHaveLength(3);
});

test('authors, tags and pages that have another address here are told with both, and lead there with one press', async () => {
	const { db, admin, send } = await setup();
	const ghost = await readFile(
		strToU8(
			JSON.stringify({
				data: {
					posts: [
						{ id: '1', title: 'A post', slug: 'a-post', html: '<p>Words</p>', status: 'published' },
					],
					users: [
						{ id: 'u', name: 'Ada Lovelace', slug: 'ghost' },
						{ id: 'v', name: 'Grace', slug: 'grace' },
					],
					posts_authors: [{ post_id: '1', author_id: 'u' }],
					tags: [
						{ id: 't', name: 'Machine Learning', slug: 'ml' },
						{ id: 's', name: 'Search', slug: 'search' },
					],
					posts_tags: [
						{ post_id: '1', tag_id: 't' },
						{ post_id: '1', tag_id: 's' },
					],
				},
			}),
		),
	);
	expect([...ghost.moved]).toEqual([
		['/tag/ml', '/tag/machine-learning'],
		['/author/ghost', '/author/ada-lovelace'],
	]);
	const page = (slug: string, path: string) =>
		item({ title: slug, slug, link: `https://old.example${path}` }).replace(
			'<wp:post_type>post<',
			'<wp:post_type>page<',
		);
	const blog = await wordpress(page('team', '/company/team/'), page('imprint', '/imprint/'));
	expect([...blog.moved]).toEqual([['/company/team', '/team']]);
	const courses = await wordpress(
		page('syllabus', '/calculus/syllabus/'),
		page('syllabus', '/algebra/syllabus/'),
	);
	expect([...courses.moved]).toEqual([['/calculus/syllabus', '/syllabus']]);
	expect((await send(courses)).pages.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
	expect((await db.select({ slug: pages.slug }).from(pages)).map(({ slug }) => slug)).toEqual([
		'syllabus',
		'syllabus-2',
	]);

	const term = (kind: string, values: object) =>
		`<wp:${kind}>${Object.entries(values)
			.map(([name, value]) => `<wp:${name}>${cdata(String(value))}</wp:${name}>`)
			.join('')}</wp:${kind}>`;
	const cook = await wordpress(
		term('author', { author_login: 'ada_l', author_display_name: 'Ada Lovelace' }),
		term('category', { category_nicename: 'recipes', category_parent: '', cat_name: 'Recipes' }),
		term('category', { category_nicename: 'pasta', category_parent: 'recipes', cat_name: 'Pasta' }),
		term('tag', { tag_slug: 'hand-made-3', tag_name: 'Hand made' }),
		item({
			title: 'Orecchiette',
			slug: 'orecchiette',
			more: `<dc:creator>ada_l</dc:creator><category domain="category" nicename="pasta">${cdata('Pasta')}</category>
<category domain="post_tag" nicename="hand-made-3">${cdata('Hand made')}</category>`,
		}),
	);
	expect([...cook.moved]).toEqual([
		['/author/ada-l', '/author/ada-lovelace'],
		['/tag/hand-made-3', '/tag/hand-made'],
		['/category/recipes/pasta', '/category/pasta'],
	]);

	await send(ghost);
	await send(blog);
	const text = [...ghost.moved, ...blog.moved].map((pair) => pair.join(' ')).join('\n');
	expect(await call(importRedirects, { text, preview: false }, admin)).toMatchObject({
		saved: 3,
		refused: [],
	});
	const { redirects: led } = await readSite(db, NOON);
	for (const [from, to] of [...ghost.moved, ...blog.moved])
		expect(led).toContainEqual({ from, to });
});
