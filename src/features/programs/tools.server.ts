import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Db } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { listIssues } from '#src/features/newsletter/issues.server.ts';
import { getPostHeadings, getPostMarkdown } from '#src/features/posts/markdown.server.ts';
import { changedAt, isPublic } from '#src/features/posts/posts.server.ts';
import { type Kind, KINDS, QUERY_MAX, SEARCH_LIMIT } from '#src/features/search/search.ts';
import { ask } from '#src/features/search/asking.server.ts';
import { MAX_STATES, selectionQuery } from '#src/features/states/selection.ts';
import { getState, listStates } from '#src/features/states/states.server.ts';
import { HOUR } from '#src/lib/dates.ts';
import { paths, site } from '#src/site.ts';
import { SERVER_VERSION, TOOLS } from './programs.ts';
import type { Program } from './tokens.ts';
import { addDraftTools } from './draft-tools.server.ts';

/** Maximum number of changes told at once. */
const MAX_CHANGES = 100;

/** How long programs may keep what they are told of the tools, which are the same for everybody. */
const LISTED = {
	'tools/list': { ttlMs: HOUR, cacheScope: 'public' },
	'server/discover': { ttlMs: HOUR, cacheScope: 'public' },
} as const;

const slug = (what: string) => z.string().check(z.maxLength(200), z.describe(what));

/** Returns a server of the Model Context Protocol that reads this site, and writes drafts for a program, for one request. */
export function createToolServer(db: Db, siteUrl: string, now: Date, program?: Program): McpServer {
	const at = (path: string) => new URL(path, siteUrl).href;
	const server = new McpServer(
		{ name: site.name, version: SERVER_VERSION },
		{
			instructions: `Reads ${site.name}. Each answer names the page that it comes from.${program ? ' Writes drafts, which the owner publishes.' : ''}`,
			capabilities: { tools: { listChanged: false } },
			cacheHints: program ? {} : LISTED,
		},
	);
	if (program) addDraftTools(server, db, { program, siteUrl, now });
	const known = (name: keyof typeof TOOLS) => ({
		...TOOLS[name],
		annotations: { readOnlyHint: true, openWorldHint: false },
	});

	server.registerTool(
		'search',
		{
			...known('search'),
			inputSchema: z.object({
				q: z.string().check(z.minLength(3), z.maxLength(QUERY_MAX), z.describe('The words.')),
				kind: z.optional(
					z.enum(Object.keys(KINDS) as Kind[]).check(z.describe('The only kind to search.')),
				),
				limit: z.optional(
					z
						.int()
						.check(
							z.gte(1),
							z.lte(50),
							z.describe(`How many at most, ${SEARCH_LIMIT} without it.`),
						),
				),
			}),
		},
		async (search) => {
			const found = await ask('everything', db, search, now);
			return told(at(paths.search(search.q)), found);
		},
	);

	server.registerTool(
		'get_article',
		{
			...known('get_article'),
			inputSchema: z.object({
				slug: slug("The last part of the article's address."),
				section: z.optional(slug('The id of a heading, as addresses have it after “#”.')),
			}),
		},
		async ({ slug: name, section }) => {
			const wanted = { slug: name, siteUrl, now };
			const markdown = await getPostMarkdown(db, wanted);
			if (markdown === null) return missing('article');
			const page = at(paths.post(name));
			const { text, headings } = (await getPostHeadings(db, wanted))!;
			if (section === undefined) return told(page, { markdown, headings });
			const part = sectionOf(text, headings, section);
			return part === null
				? missing('section')
				: told(`${page}#${encodeURIComponent(section)}`, { markdown: part });
		},
	);

	const stateSlug = slug("The last part of the guide's address, such as new-york.");
	server.registerTool(
		'get_state',
		{ ...known('get_state'), inputSchema: z.object({ slug: stateSlug }) },
		async ({ slug: name }) => {
			const state = await getState(db, name);
			return state ? told(at(paths.state(name)), { state }) : missing('state');
		},
	);

	server.registerTool(
		'compare_states',
		{
			...known('compare_states'),
			inputSchema: z.object({
				slugs: z.array(stateSlug).check(z.minLength(2), z.maxLength(MAX_STATES)),
			}),
		},
		async ({ slugs }) => {
			const states = await Promise.all(slugs.map((name) => getState(db, name)));
			return states.includes(null)
				? missing('state')
				: told(at(paths.compareStates + selectionQuery(slugs)), { states });
		},
	);

	server.registerTool('list_issues', known('list_issues'), async () => {
		const issues = (await listIssues(db)).map(({ date, subject, posts: news }) => ({
			page: at(paths.issue(date)),
			date,
			subject,
			articles: news.map(({ title, excerpt }) => ({ title, excerpt })),
		}));
		return told(at('/newsletter'), { issues });
	});

	server.registerTool(
		'list_changes',
		{
			...known('list_changes'),
			inputSchema: z.object({
				since: z.iso
					.date()
					.check(z.describe('ISO date, such as 2026-11-01, from its beginning in UTC.')),
			}),
		},
		async ({ since }) => {
			const states = (await listStates(db)).map((state) => ({
				kind: 'state',
				title: `AI in ${state.name}`,
				page: at(paths.state(state.slug)),
				at: state.updatedAt,
			}));
			const articles = (await listPostTimes(db, now)).map((post) => ({
				kind: 'article',
				title: post.title,
				page: at(paths.post(post.slug)),
				at: post.changedAt,
			}));
			const changes = [...articles, ...states]
				.filter((change) => change.at >= since)
				.sort((a, b) => (a.at < b.at ? 1 : -1));
			return told(at('/'), { changes: changes.slice(0, MAX_CHANGES), total: changes.length });
		},
	);
	return server;
}

/** Returns public articles with when they were published, or last changed as readers were told, whichever is later. */
async function listPostTimes(db: Db, now: Date) {
	const { title, slug: address, publishedAt } = posts;
	const rows = await db
		.select({ title, slug: address, publishedAt, updatedAt: changedAt })
		.from(posts)
		.where(isPublic(now));
	return rows.map(({ publishedAt: published, updatedAt: updated, ...post }) => {
		const at = published && published > updated ? published : updated;
		return { ...post, changedAt: at.toISOString() };
	});
}

/** Returns an answer and the address of its page, as data and as text for programs that read no data. */
function told(page: string, answer: Record<string, unknown>) {
	const structuredContent = { page, ...answer };
	return {
		structuredContent,
		content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
	};
}

const missing = (what: string) => ({
	isError: true,
	content: [{ type: 'text' as const, text: `There is no such ${what}.` }],
});

/**
 * Returns the part of a Markdown text below a heading, with it, up to the next heading of its depth or a higher one;
 * null without such a heading. `headings` are all of the text, in order.
 */
export function sectionOf(
	markdown: string,
	headings: readonly { depth: number; slug: string }[],
	id: string,
): string | null {
	const lines = markdown.split('\n');
	const starts: number[] = [];
	let fence = '';
	for (const [at, line] of lines.entries()) {
		const mark = /^[>\s]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
		if (fence) {
			if (mark.startsWith(fence)) fence = '';
		} else if (mark) fence = mark;
		else if (/^[>\s]*#{1,6}\s/.test(line)) starts.push(at);
	}
	const nth = headings.findIndex(({ slug }) => slug === id);
	// A heading of another shape would shift all that come after it.
	if (nth === -1 || starts.length !== headings.length) return null;
	const { depth } = headings[nth]!;
	const next = headings.findIndex((one, index) => index > nth && one.depth <= depth);
	return lines
		.slice(starts[nth], next === -1 ? undefined : starts[next])
		.join('\n')
		.trim();
}
