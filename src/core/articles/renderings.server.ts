import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { posts, renderedPosts } from '#db/schema.ts';
import { htmlToMarkdown } from './html-to-markdown.ts';
import { digest } from '#src/lib/digest.ts';
import { clearProblem, recordProblem } from '#src/core/builds/problems.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { isWritten, type Writes } from '#src/core/builds/writes.server.ts';
import type { Drawings } from '#src/core/figures/blocks.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { isScheduledOrPublished } from '#src/core/posts/post-state.server.ts';
import { plainRendering, renderArticle, RENDERER_VERSION, type Rendering } from './render.ts';
import { problemOf } from './sanitize.ts';

/** Posts rendered and stored per batch: few enough for memory, enough for speed. */
const CHUNK = 100;

/**
 * Renders every published post whose stored rendering is missing, stale (triggers empty its digest) or made by
 * another version of the renderer. Does not read the content of posts that are up to date. A post that cannot
 * be rendered keeps its last rendering, or gets plain text, until its text changes; the reason is recorded.
 * Given the posts that were written to since all were rendered, no other is looked at. Returns how many posts were rendered.
 */
export async function renderStalePosts(
	db: Db,
	renderer: string = RENDERER_VERSION,
	onProgress: (done: number, total: number) => void = () => {},
	writes?: Writes,
): Promise<number> {
	const stale = await db
		.select({ id: posts.id })
		.from(posts)
		.leftJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(
			and(
				isScheduledOrPublished,
				isReadable('post row', posts.id),
				isWritten(posts.id, writes),
				or(
					isNull(renderedPosts.id),
					eq(renderedPosts.digest, ''),
					ne(renderedPosts.renderer, renderer),
				),
			),
		);
	const ids = stale.map(({ id }) => id);
	for (let start = 0; start < ids.length; start += CHUNK) {
		await renderChunk(db, ids.slice(start, start + CHUNK), renderer);
		onProgress(Math.min(start + CHUNK, ids.length), ids.length);
	}
	return ids.length;
}

/**
 * Plain column names, because the query builder omits table names in a select from one table. Sorted in a
 * subquery, because a libSQL server ignores the order inside an aggregate.
 */
const TAG_NAMES = sql<string>`coalesce((select group_concat(name, ', ') from (select t.name as name from post_tags pt
	join tags t on t.id = pt.tag_id where pt.post_id = posts.id and ${isReadable('tag row', sql`t.id`)} order by pt.position, t.name)), '')`;

const SEARCHED_AS = sql<string>`coalesce(posts.searched_as, '')`;

async function renderChunk(db: Db, ids: string[], renderer: string): Promise<void> {
	const rows = await db
		.select({
			id: posts.id,
			title: posts.title,
			excerpt: posts.excerpt,
			content: posts.content,
			searchedAs: SEARCHED_AS,
			tags: TAG_NAMES,
			last: {
				html: renderedPosts.html,
				headings: renderedPosts.headings,
				text: renderedPosts.body,
				markdown: renderedPosts.markdown,
			},
		})
		.from(posts)
		.leftJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(inArray(posts.id, ids));
	const drawings = await readDrawings(
		db,
		rows.map(({ content }) => content),
	);
	const statements: Statement[] = [];
	for (const { id, title, excerpt, content, searchedAs, tags, last } of rows) {
		const { html, headings, text, markdown, problem } = await renderSafely(content, drawings, last);
		if (problem)
			console.error(`“${title}” cannot be rendered and keeps the text it had: ${problem}`);
		statements.push(
			problem ? recordProblem(db, 'post', id, problem, new Date()) : clearProblem(db, 'post', id),
			db
				.insert(renderedPosts)
				.select(
					// A post that was edited or deleted while being rendered is left for the next run.
					sql`select null, id, ${digest(html)}, ${renderer}, ${html}, ${JSON.stringify(headings)},
						title, coalesce(excerpt, ''), ${tags}, ${text}, ${markdown}, ${searchedAs}, ${countWords(text)}
						from posts where id = ${id} and title = ${title} and excerpt is ${excerpt}
						and content = ${content} and ${SEARCHED_AS} = ${searchedAs} and ${TAG_NAMES} = ${tags}`,
				)
				.onConflictDoUpdate({ target: renderedPosts.postId, set: REPLACED_COLUMNS }),
		);
	}
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}

type StoredRendering = Rendering & { markdown: string };

/** Renders an article. If that fails, returns the last rendering or plain text, with the reason. */
async function renderSafely(
	content: string,
	drawings: Drawings,
	last: StoredRendering | null,
): Promise<StoredRendering & { problem?: string }> {
	try {
		return { ...(await renderArticle(content, drawings)), markdown: htmlToMarkdown(content) };
	} catch (error) {
		const problem = problemOf(error);
		if (last) return { ...last, problem };
		const plain = plainRendering(content);
		return { ...plain, markdown: plain.text, problem };
	}
}

/** Returns the number of words of a text: what spaces and line ends part. */
function countWords(text: string): number {
	return text === '' ? 0 : text.split(/[ \n]/).length;
}

const REPLACED_COLUMNS = {
	digest: sql`excluded.digest`,
	renderer: sql`excluded.renderer`,
	html: sql`excluded.html`,
	headings: sql`excluded.headings`,
	title: sql`excluded.title`,
	excerpt: sql`excluded.excerpt`,
	tags: sql`excluded.tags`,
	body: sql`excluded.body`,
	markdown: sql`excluded.markdown`,
	searchedAs: sql`excluded.searched_as`,
	words: sql`excluded.words`,
};
