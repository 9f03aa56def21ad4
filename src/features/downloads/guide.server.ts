import { readFile } from 'node:fs/promises';
import type { Root } from 'hast';
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { parse as parseYaml } from 'yaml';
import type { Db } from '#db/client.ts';
import { categories, posts, renderedPosts } from '#db/schema.ts';
import { readLessons } from '#src/features/course/lessons.server.ts';
import { shownColor } from '#src/features/categories/categories.server.ts';
import { categoryRef, changedAt, isPublic } from '#src/features/posts/posts.server.ts';
import { curlQuotesIn } from '#src/core/articles/curl-quotes.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { addHeadingIds, plainRendering } from '#src/core/articles/render.ts';
import { parseArticle, parseHtml } from '#src/core/articles/sanitize.ts';
import { longDate } from '#src/lib/dates.ts';
import { curlQuotes } from '#src/lib/quotes.ts';
import { paths, site } from '#src/site.ts';
import type { Book, Chapter, Part } from './book.server.ts';

/** Color of a chapter without a category. */
const CYAN = '#0e7490';

const FOLDER = new URL('../../../content/guides/', import.meta.url);

/** A public post with its text as it is stored. */
export type SourcePost = {
	slug: string;
	title: string;
	excerpt: string;
	content: string;
	category: string;
	/** The plot that its cover shows, or nothing. */
	cover: string;
	categoryName: string;
	color: string;
	position: number;
	updatedAt: Date;
};

type Plan = {
	title: string;
	subtitle: string;
	kind: string;
	/** The post whose cover is the book's. */
	cover: string;
	preface: string;
	parts?: { title: string; lesson: number; posts: string[] }[];
};

/** Maximum number of articles in a book: with more it would outgrow `MAX_BYTES`. */
const MAX_ARTICLES = 80;

/** Returns the newest public posts: those of the book. */
export function readPosts(db: Db, now: Date): Promise<SourcePost[]> {
	return select(db, isPublic(now), MAX_ARTICLES);
}

/** Returns the public posts that the guide names, in its order. */
export async function readGuidedPosts(db: Db, now: Date): Promise<SourcePost[]> {
	const { parts = [] } = await readPlan('guide.yaml');
	const slugs = parts.flatMap((part) => part.posts);
	const found = await select(db, and(isPublic(now), inArray(posts.slug, slugs)), slugs.length);
	return found.sort((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug));
}

async function select(db: Db, which: SQL | undefined, most: number): Promise<SourcePost[]> {
	const rows = await db
		.select({
			slug: posts.slug,
			title: posts.title,
			excerpt: posts.excerpt,
			content: posts.content,
			category: categoryRef.slug,
			cover: sql<string>`coalesce(${renderedPosts.cover}, '')`,
			categoryName: categoryRef.name,
			color: shownColor,
			position: categories.position,
			updatedAt: changedAt,
		})
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.leftJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(which)
		.orderBy(desc(posts.publishedAt), posts.id)
		.limit(most);
	return rows.map((row) => ({
		...row,
		excerpt: row.excerpt ?? '',
		position: row.position ?? Number.MAX_SAFE_INTEGER,
	}));
}

/** Returns the guide: the course's lessons, each followed by the articles that work it out. */
export async function guideOf(all: SourcePost[], siteUrl: string): Promise<Book> {
	const plan = await readPlan('guide.yaml');
	const lessons = await readLessons();
	const bySlug = new Map(all.map((post) => [post.slug, post]));
	const parts: Part[] = [];
	for (const { title, lesson: day, posts: slugs } of plan.parts ?? []) {
		const { title: name, summary, text } = lessons[day - 1]!;
		const lesson: Chapter = {
			id: `lesson/${day}`,
			kind: `Lesson ${day}`,
			title: name,
			summary: curlQuotes(summary),
			color: CYAN,
			tree: readArticle(await markdownToHtml(text)),
		};
		const chosen = slugs.flatMap((slug) => bySlug.get(slug) ?? []);
		parts.push({ title, chapters: [lesson, ...chosen.map(chapterOf)] });
	}
	return bookOf(plan, parts, all, siteUrl);
}

/** Returns the book of the articles, category by category. */
export async function articlesOf(all: SourcePost[], siteUrl: string): Promise<Book> {
	const plan = await readPlan('articles.yaml');
	const groups = [...Map.groupBy(all, ({ category }) => category).values()].sort(
		([a], [b]) => a!.position - b!.position || a!.categoryName.localeCompare(b!.categoryName, 'en'),
	);
	const parts = groups.map((group) => ({
		title: group[0]!.categoryName,
		chapters: group.map(chapterOf),
	}));
	return bookOf(plan, parts, all, siteUrl);
}

async function bookOf(
	plan: Plan,
	parts: Part[],
	all: SourcePost[],
	siteUrl: string,
): Promise<Book> {
	const preface = await readPreface(plan.preface);
	const cover = all.find(({ slug }) => slug === plan.cover) ?? all[0];
	const date = new Date(Math.max(0, ...all.map(({ updatedAt }) => updatedAt.getTime())));
	return {
		title: plan.title,
		subtitle: plan.subtitle,
		kind: plan.kind,
		author: site.author,
		language: site.language,
		siteUrl,
		date,
		color: cover?.color ?? CYAN,
		art: { slug: cover?.slug ?? 'site', cover: cover?.cover ?? '' },
		imprint: [new URL(siteUrl).host, `Content of ${longDate(date)}`],
		parts: [{ title: null, chapters: [preface] }, ...parts],
	};
}

/** Returns what an article may hold, with the places that its page has. */
function readArticle(content: string): Root {
	try {
		const tree = parseArticle(content);
		curlQuotesIn(tree);
		addHeadingIds(tree);
		return tree;
	} catch {
		// Elements in elements, thousands of them: its page has its words alone, too.
		return parseHtml(plainRendering(content).html);
	}
}

function chapterOf(post: SourcePost): Chapter {
	return {
		id: paths.post(post.slug),
		kind: post.categoryName,
		title: curlQuotes(post.title),
		summary: curlQuotes(post.excerpt),
		color: post.color,
		art: { slug: post.slug, cover: post.cover },
		tree: readArticle(post.content),
	};
}

async function readPlan(name: string): Promise<Plan> {
	return parseYaml(await readFile(new URL(name, FOLDER), 'utf8')) as Plan;
}

async function readPreface(name: string): Promise<Chapter> {
	const { title, summary, text } = await readText(name);
	const tree = readArticle(await markdownToHtml(text));
	return { id: 'preface', kind: 'Preface', title, summary, color: CYAN, tree };
}

/** Returns the cheat sheet's Markdown. */
export const readSheet = () => readText('cheatsheet.md');

/** Returns the project template's Markdown. */
export const readTemplate = () => readText('template.md');

type Text = {
	title: string;
	summary: string;
	/** When its content was last changed, which its file says of itself. */
	updated: string;
	text: string;
};

async function readText(name: string): Promise<Text> {
	const file = await readFile(new URL(name, FOLDER), 'utf8');
	const [, head = '', text = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(file) ?? [];
	return { ...(parseYaml(head) as Omit<Text, 'text'>), text: text.trim() };
}
