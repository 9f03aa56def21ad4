import { readdir, readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import type { Db, Statement } from './client.ts';
import { offerFields, offerPost, offersIn, saysSame, type OfferedPost } from './offers.ts';
import { sampleDigest } from './samples.ts';
import {
	categories,
	meta,
	pages,
	postChanges,
	posts,
	postTags,
	series,
	states,
	tags,
	termRedirects,
	type Question,
	type Testimonial,
} from './schema.ts';
import { stateRow, textsOf, type SeedState, type StateTools } from './state-files.ts';

const content = new URL('../content/', import.meta.url);

/** Product code that seeding needs: converting Markdown to an article's HTML, and a few small rules. */
export type SeedTools = StateTools & {
	toArticle(markdown: string): Promise<string>;
	slugify(text: string): string;
	readTime(text: string): number;
	author: string;
	/** Whether a page can have this slug besides those of the program. */
	isFreeSlug(slug: string): boolean;
	/** The category of posts that have none of their own. */
	uncategorized: { name: string; slug: string };
	/** Whether the site has started before: then new articles are drafts. */
	isLive?: boolean;
};

/**
 * Inserts the files of content/, as drafts if the site is live. Each file is seeded once: existing rows are never overwritten,
 * and what an editor deleted does not come back. What a changed file of an article, a state or a page says is offered to the admin.
 * Returns how many rows were added.
 */
export async function seed(db: Db, tools: SeedTools): Promise<number> {
	const once = await onceIn(db);
	const offer = await offersIn(db);
	let added = 0;
	for (const [position, category] of (
		await readYaml<SeedCategory[]>('categories.yaml')
	).entries()) {
		added += await once(`category/${category.slug}`, async () => {
			await db
				.insert(categories)
				.values({ ...category, position })
				.onConflictDoNothing();
		});
	}
	const about = await readYaml<Record<string, string>>('tags.yaml');
	for (const [position, file] of (await filesOf('posts', '.md')).entries()) {
		const text = await read(file.path);
		let made: Promise<Sample> | undefined;
		const sample = () => (made ??= toSample(text, position, tools));
		added += await once(`post/${file.slug}`, async () =>
			seedPost(db, file.slug, await sample(), tools, await changesOf(file.slug), about),
		);
		await offer(`post/${file.slug}`, text, async () =>
			offerPost(db, file.slug, await offeredPost(db, await sample(), tools)),
		);
	}
	for (const { articles, ...one } of await readYaml<SeedSeries[]>('series.yaml')) {
		added += await once(`series/${one.slug}`, async () => {
			const rows = await db
				.select({ id: posts.id, slug: posts.slug })
				.from(posts)
				.where(inArray(posts.slug, articles));
			const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
			await db
				.insert(series)
				.values({ ...one, articles: articles.flatMap((slug) => ids.get(slug) ?? []) })
				.onConflictDoNothing();
		});
	}
	for (const file of await filesOf('states', '.yaml')) {
		const text = await read(file.path);
		added += await once(`state/${file.slug}`, () =>
			seedState(db, file.slug, parseYaml(text) as SeedState, tools),
		);
		await offer(`state/${file.slug}`, text, () =>
			offerState(db, file.slug, parseYaml(text) as SeedState, tools),
		);
	}
	return added + (await seedPages(db, tools));
}

/** Inserts the pages of content/, as `seed` does. */
export async function seedPages(
	db: Db,
	tools: Pick<SeedTools, 'toArticle' | 'isFreeSlug'>,
): Promise<number> {
	const once = await onceIn(db);
	const offer = await offersIn(db);
	let added = 0;
	for (const page of [...(await textPages()), ...(await listPages())]) {
		added += await once(`page/${page.slug}`, () => seedPage(db, page, tools));
		await offer(`page/${page.slug}`, page.source, () => offerPage(db, page, tools));
	}
	return added;
}

/** Returns what adds something under a key, once for good, and returns how many it added. */
async function onceIn(db: Db) {
	const seen = new Set(await seededKeys(db));
	/** `add` may return what tells later whether its row is still as it was seeded. */
	return async (key: string, add: () => Promise<string | void>) => {
		if (seen.has(key)) return 0;
		const digest = await add();
		await db
			.insert(meta)
			.values({ key: `seed:${key}`, value: digest ?? new Date().toISOString() })
			.onConflictDoNothing();
		return 1;
	};
}

/** Returns a digest of every seeded file, so that a start can tell whether there is anything to seed. */
export async function contentDigest(): Promise<string> {
	const hash = createHash('sha256');
	const files = [
		...['categories.yaml', 'tags.yaml', 'series.yaml', ...Object.values(LISTS)].map((path) => ({
			path,
		})),
		...(await filesOf('posts', '.md')),
		...(await filesOf('states', '.yaml')),
		...(await filesOf('pages', '.md')),
	];
	for (const { path } of files) hash.update(path).update(await read(path));
	return hash.digest('hex');
}

async function seededKeys(db: Db): Promise<string[]> {
	const rows = await db
		.select({ key: meta.key })
		.from(meta)
		.where(sql`${meta.key} like 'seed:%'`);
	return rows.map(({ key }) => key.slice('seed:'.length));
}

type SeedCategory = { slug: string; name: string; description: string; color: string };
type SeedSeries = { slug: string; name: string; description: string; articles: string[] };
type SeedPost = {
	title: string;
	excerpt: string;
	category: string;
	tags: string[];
	featured: boolean;
	publishedAt: string;
	metaDescription: string;
	searchedAs?: string;
	related?: string;
	questions?: string;
	staleAfter?: string;
};

/** A change that a file of content/changes declares of an article. `date` is an ISO date. */
type DeclaredChange = Pick<typeof postChanges.$inferSelect, 'kind' | 'note' | 'passages'> & {
	date: string;
};

/** Returns the changes of an article since it was published, oldest first. */
async function changesOf(slug: string): Promise<DeclaredChange[]> {
	const known = await filesOf('changes', '.yaml');
	const path = known.find((file) => file.slug === slug)?.path;
	return path ? (await readYaml<{ changes: DeclaredChange[] }>(path)).changes : [];
}

/** An article of a file: its row, the names of its tags, the slug of its category. */
type Sample = Awaited<ReturnType<typeof toSample>>;

async function toSample(file: string, position: number, tools: SeedTools) {
	const [, frontMatter = '', markdown = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	const post = parseYaml(frontMatter) as SeedPost;
	// Noon in UTC, so that the day is the same in every American time zone. Articles of one day are a second
	// apart, so that they have the same order in every database.
	const noon = Date.parse(`${post.publishedAt}T12:00:00Z`);
	const row = {
		title: post.title,
		excerpt: post.excerpt,
		content: await tools.toArticle(markdown),
		featuredImage: null,
		metaTitle: null,
		metaDescription: post.metaDescription,
		searchedAs: post.searchedAs ?? null,
		related: post.related ?? null,
		questions: post.questions?.trim() ?? null,
		staleAfter: post.staleAfter ?? null,
		published: !tools.isLive,
		featured: post.featured,
		publishedAt: new Date(noon + position * 1000),
	};
	const { category, tags } = post;
	return { row, category, tags, readTime: tools.readTime(markdown) };
}

/**
 * Returns when an article was changed on a day. The time of day is that of its publication, so that the lists of both have the
 * same order: or half a day before, so that nothing is changed at a time to come.
 */
function changedAt(date: string, publishedAt: Date): Date {
	const halfDay = 43_200_000;
	const midnight = Date.parse(date) + (publishedAt.getTime() % halfDay);
	const noon = midnight + halfDay;
	return new Date(noon > Date.now() ? midnight : noon);
}

/** Inserts an article and its tags, each with what is said about it. Returns the article's digest. */
async function seedPost(
	db: Db,
	slug: string,
	{ row, readTime, ...post }: Sample,
	tools: SeedTools,
	changes: DeclaredChange[],
	about: Record<string, string>,
): Promise<string> {
	const category = await findCategory(db, slug, post.category, tools);
	const id = crypto.randomUUID();
	const { publishedAt } = row;
	const named = post.tags.map((name) => ({ name, slug: tools.slugify(name) }));
	const changed = changes.map(({ date, ...change }) => ({
		...change,
		createdAt: changedAt(date, publishedAt),
	}));
	await db.batch([
		db
			.insert(posts)
			.values({
				...row,
				id,
				slug,
				author: tools.author,
				categoryId: category.id,
				readTime,
				createdAt: publishedAt,
				updatedAt: changed.at(-1)?.createdAt ?? publishedAt,
			})
			.onConflictDoNothing(),
		...changed.map((change) =>
			db.insert(postChanges).select(
				sql`select ${crypto.randomUUID()}, ${posts.id}, ${change.kind}, ${change.note}, ${JSON.stringify(change.passages)},
					${row.title}, null, ${change.createdAt.getTime()} from ${posts} where ${posts.id} = ${id}`,
			),
		),
		...named.map((tag) =>
			db
				.insert(tags)
				.select(
					sql`select ${crypto.randomUUID()}, ${tag.name}, ${tag.slug}, ${about[tag.slug] ?? null}, 1, ${publishedAt.getTime()}
						where not exists (select 1 from ${termRedirects} where kind = 'tag' and slug = ${tag.slug})`,
				)
				.onConflictDoNothing(),
		),
		...named.map((tag, position) =>
			db
				.insert(postTags)
				.select(
					sql`select ${crypto.randomUUID()}, ${posts.id}, ${tags.id}, ${position}
						from ${posts}, ${tags} where ${posts.id} = ${id} and ${tags.id} = ${termOf('tag', tag.slug)}`,
				)
				.onConflictDoNothing(),
		),
	]);
	return sampleDigest(row);
}

/** Returns what a file says of an article, with the category and the tags as they are called now. */
async function offeredPost(
	db: Db,
	{ row, category, tags: names }: Sample,
	tools: SeedTools,
): Promise<OfferedPost> {
	const found = await findTerm(db, category);
	const known = await Promise.all(
		names.map((name) =>
			db
				.select({ name: tags.name })
				.from(tags)
				.where(sql`${tags.id} = ${termOf('tag', tools.slugify(name))}`),
		),
	);
	return {
		title: row.title,
		excerpt: row.excerpt,
		content: row.content,
		metaDescription: row.metaDescription,
		searchedAs: row.searchedAs ?? '',
		related: row.related ?? '',
		questions: row.questions ?? '',
		staleAfter: row.staleAfter ?? '',
		featured: row.featured,
		...(found && { categoryId: found.id }),
		tags: [...new Set(names.map((name, index) => known[index]?.[0]?.name ?? name))],
	};
}

/** SQL for the id of the category or tag that has this slug, or had it and has been renamed or merged since. */
function termOf(kind: 'category' | 'tag', slug: string): SQL {
	const table = kind === 'category' ? categories : tags;
	return sql`coalesce((select id from ${table} where slug = ${slug}), (select ${termRedirects.termId} from ${termRedirects}
		where ${termRedirects.kind} = ${kind} and ${termRedirects.slug} = ${slug}))`;
}

/** Returns the category that a file names; of one that was deleted since it was seeded, the one of uncategorized posts. */
async function findCategory(
	db: Db,
	slug: string,
	wanted: string,
	{ uncategorized }: SeedTools,
): Promise<{ id: string }> {
	const found = await findTerm(db, wanted);
	if (found) return found;
	if (!(await seededKeys(db)).includes(`category/${wanted}`))
		throw new Error(`content/posts/${slug}.md names an unknown category: ${wanted}`);
	await db.insert(categories).values(uncategorized).onConflictDoNothing();
	return (await findTerm(db, uncategorized.slug))!;
}

async function findTerm(db: Db, category: string): Promise<{ id: string } | undefined> {
	const [found] = await db
		.select({ id: categories.id })
		.from(categories)
		.where(sql`${categories.id} = ${termOf('category', category)}`);
	return found;
}

/** Inserts a state. */
async function seedState(db: Db, slug: string, file: SeedState, tools: SeedTools): Promise<void> {
	await db
		.insert(states)
		.values(stateRow(slug, file, tools))
		// A site that was seeded before there were answers gets them.
		.onConflictDoUpdate({
			target: states.slug,
			set: { answers: file.answers },
			setWhere: eq(states.answers, {}),
		});
}

/** Returns statements that offer what a file says of a state. */
function offerState(db: Db, slug: string, file: SeedState, tools: SeedTools): Statement[] {
	const { figures, ...texts } = textsOf(file, tools);
	// Figures of other years are none of the file's business.
	const isSame = ['key', 'value', 'source', 'link', 'asOf'].map((part) => {
		const path = sql.raw(`'$.${part}'`);
		return sql`f.value ->> ${path} is r.value ->> ${path}`;
	});
	const hasFigures = sql`case when json_valid(figures) then not exists (
		select 1 from json_each(${JSON.stringify(figures)}) f where not exists (
			select 1 from json_each(states.figures) r where ${sql.join(isSame, sql` and `)})) else false end`;
	return offerFields(db, states, slug, { ...texts, figures }, [
		...saysSame(states, texts),
		hasFigures,
	]);
}

/** The files of lists, by their column. */
const LISTS = { questions: 'faqs.yaml', testimonials: 'testimonials.yaml' } as const;

/** The pages whose texts are part of the program, with their names. Files hold their lists. */
const PAGES_OF_LISTS = { home: 'Home', states: 'AI by State', newsletter: 'Newsletter' } as const;
/** The pages that the program needs. */
const NEEDED = ['about', 'privacy', 'terms'];

/** A page as files have it, and the text that says so. */
type SeedPage = {
	slug: string;
	title: string;
	description?: string;
	dated?: string;
	markdown?: string;
	questions?: Question[];
	testimonials?: Testimonial[];
	source: string;
};

/** Returns the pages of content/pages. */
async function textPages(): Promise<SeedPage[]> {
	const files = await filesOf('pages', '.md');
	return Promise.all(
		files.map(async ({ slug, path }) => {
			const source = await read(path);
			const [, frontMatter = '', markdown = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(source) ?? [];
			const {
				title,
				description,
				updated = '',
			} = parseYaml(frontMatter) as {
				title: string;
				description: string;
				updated?: string;
			};
			return { slug, title, description, dated: updated, markdown, source };
		}),
	);
}

/** Returns the pages of which files hold only lists. */
async function listPages(): Promise<SeedPage[]> {
	const questions = await readYaml<Record<string, Question[]>>(LISTS.questions);
	const testimonials = await readYaml<Record<string, Omit<Testimonial, 'invented'>[]>>(
		LISTS.testimonials,
	);
	return Object.entries(PAGES_OF_LISTS).map(([slug, title]) => {
		const lists = {
			questions: questions[slug] ?? [],
			testimonials: (testimonials[slug] ?? []).map((one) => ({ ...one, invented: true })),
		};
		return { slug, title, ...lists, source: JSON.stringify(lists) };
	});
}

/** Inserts a page. */
async function seedPage(
	db: Db,
	{ source: _, ...page }: SeedPage,
	tools: Pick<SeedTools, 'toArticle' | 'isFreeSlug'>,
): Promise<void> {
	const { slug, markdown = '', ...values } = page;
	if (!(slug in PAGES_OF_LISTS || NEEDED.includes(slug) || tools.isFreeSlug(slug))) {
		throw new Error(`content/pages/${slug}.md cannot be a page: its address is not free.`);
	}
	await db
		.insert(pages)
		.values({ ...values, slug, content: await tools.toArticle(markdown), published: true })
		.onConflictDoNothing();
}

/** Returns statements that offer what a file says of a page. */
async function offerPage(
	db: Db,
	{ slug, source: _, title, markdown, ...lists }: SeedPage,
	tools: Pick<SeedTools, 'toArticle'>,
): Promise<Statement[]> {
	const said =
		markdown === undefined ? lists : { ...lists, title, content: await tools.toArticle(markdown) };
	return offerFields(db, pages, slug, said, saysSame(pages, said));
}

async function filesOf(folder: string, ending: string): Promise<{ slug: string; path: string }[]> {
	const names = (await readdir(new URL(`${folder}/`, content))).filter((name) =>
		name.endsWith(ending),
	);
	return names
		.sort()
		.map((name) => ({ slug: name.slice(0, -ending.length), path: `${folder}/${name}` }));
}

const read = (path: string) => readFile(new URL(path, content), 'utf8');

async function readYaml<T>(path: string): Promise<T> {
	return parseYaml(await read(path)) as T;
}
