import { availableParallelism } from 'node:os';
import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { posts, renderedPosts } from '#db/schema.ts';
import { digest } from '#src/lib/digest.ts';
import { indexedBesides } from '#src/lib/folding.ts';
import { clearProblem, recordProblem } from '#src/core/builds/problems.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { isWritten, type Writes } from '#src/core/builds/writes.server.ts';
import type { Drawings } from '#src/core/figures/blocks.ts';
import { drawingIdsIn } from '#src/core/figures/drawings/library.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { isScheduledOrPublished } from '#src/core/posts/post-state.server.ts';
import { plainRendering, RENDERER_VERSION } from './render.ts';
import { renderToStore, type StoredRendering } from './render-to-store.ts';

/** Posts rendered and stored per batch: few enough for memory, enough for speed. */
const CHUNK = 100;
/** From so many on they are rendered in threads, one of which takes as long to start as some hundred to render. */
const MANY = 500;
/** Room for nested elements: as much as the main thread has, so that threads give up where it does. */
const STACK_MB = 1.15;

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
	let done = 0;
	const chunks = Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) =>
		ids.slice(index * CHUNK, (index + 1) * CHUNK),
	).values();
	const work = async (render: Render) => {
		for (const chunk of chunks) {
			await renderChunk(db, chunk, renderer, render);
			onProgress((done += chunk.length), ids.length);
		}
	};
	if (ids.length < MANY) await work(renderToStore);
	// One chunk is rendered while another is stored.
	else await withThreads((render) => Promise.all([work(render), work(render)]));
	return ids.length;
}

/**
 * Plain column names, because the query builder omits table names in a select from one table. Sorted in a
 * subquery, because a libSQL server ignores the order inside an aggregate.
 */
const TAG_NAMES = sql<string>`coalesce((select group_concat(name, ', ') from (select t.name as name from post_tags pt
	join tags t on t.id = pt.tag_id where pt.post_id = posts.id and ${isReadable('tag row', sql`t.id`)} order by pt.position, t.name)), '')`;

const SEARCHED_AS = sql<string>`coalesce(posts.searched_as, '')`;

async function renderChunk(db: Db, ids: string[], renderer: string, render: Render): Promise<void> {
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
				cover: renderedPosts.cover,
			},
		})
		.from(posts)
		.leftJoin(renderedPosts, eq(renderedPosts.postId, posts.id))
		.where(inArray(posts.id, ids));
	const drawings = await readDrawings(
		db,
		rows.map(({ content }) => content),
	);
	const made = await Promise.all(
		rows.map(({ content, title, excerpt }) => {
			const beginning = `${title} ${excerpt ?? ''}`;
			return render({ content, beginning, drawings: shownIn(content, drawings) });
		}),
	);
	const statements: Statement[] = [];
	for (const [index, row] of rows.entries()) {
		const { id, title, excerpt, content, searchedAs, tags, last } = row;
		const outcome = made[index]!;
		const problem = 'problem' in outcome ? outcome.problem : undefined;
		const { html, headings, text, markdown, cover } =
			'problem' in outcome ? (last ?? plainlyRendered(content)) : outcome;
		// Its first line is what the owner wrote.
		const besides = indexedBesides(`${title} ${excerpt ?? ''} ${tags} ${searchedAs} ${text}`);
		const indexed = besides ? `${searchedAs}\n${besides}` : searchedAs;
		if (problem)
			console.error(`“${title}” cannot be rendered and keeps the text it had: ${problem}`);
		statements.push(
			problem ? recordProblem(db, 'post', id, problem, new Date()) : clearProblem(db, 'post', id),
			db
				.insert(renderedPosts)
				.select(
					// A post that was edited or deleted while being rendered is left for the next run.
					sql`select null, id, ${digest(html)}, ${renderer}, ${html}, ${JSON.stringify(headings)},
						title, coalesce(excerpt, ''), ${tags}, ${text}, ${markdown}, ${indexed}, ${countWords(text)}, ${marksIn(html)}, ${cover}
						from posts where id = ${id} and title = ${title} and excerpt is ${excerpt}
						and content = ${content} and ${SEARCHED_AS} = ${searchedAs} and ${TAG_NAMES} = ${tags}`,
				)
				.onConflictDoUpdate({ target: renderedPosts.postId, set: REPLACED_COLUMNS }),
		);
	}
	const [first, ...rest] = statements;
	if (first) await db.batch([first, ...rest]);
}

type Render = typeof renderToStore;

/** Gives `work` a function that renders articles in threads, one for each core. */
async function withThreads(work: (render: Render) => Promise<unknown>): Promise<void> {
	const { Tinypool } = await import('tinypool');
	const pool = new Tinypool({
		filename: new URL('render-to-store.ts', import.meta.url).href,
		name: renderToStore.name,
		maxThreads: availableParallelism(),
		resourceLimits: { stackSizeMb: STACK_MB },
	});
	try {
		await work((article) => pool.run(article) as ReturnType<Render>);
	} finally {
		await pool.destroy();
	}
}

/** Returns the drawings that a text shows. */
function shownIn(content: string, drawings: Drawings): Drawings {
	const ids = new Set(drawingIdsIn(content));
	return new Map([...drawings].filter(([id]) => ids.has(id)));
}

function plainlyRendered(content: string): StoredRendering {
	const plain = plainRendering(content);
	return { ...plain, markdown: plain.text, cover: '' };
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
	marks: sql`excluded.marks`,
	cover: sql`excluded.cover`,
};

/** Marks that lists show of an article, each with the attribute that its HTML has then. */
const MARKS = { explainer: ' data-explainer=', runs: ' data-run=' };

/** Returns the marks of an article's HTML, separated by spaces. */
function marksIn(html: string): string {
	return Object.entries(MARKS)
		.filter(([, attribute]) => html.includes(attribute))
		.map(([mark]) => mark)
		.join(' ');
}
