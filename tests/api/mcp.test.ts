import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { getDb } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { sectionOf } from '#src/features/programs/section.ts';
import { TOOLS } from '#src/features/programs/programs.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { loadSite } from '#src/features/site/site-data.server.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { seedContent } from '#tests/support/seed.ts';

const SITE = 'https://groundtruth.test';

beforeAll(async () => {
	const db = await useTestDb();
	await seedContent(db);
	await renderStalePosts(db);
	await indexEntries(db, { site: await loadSite(db, new Date()), issues: [] });
}, 120_000);

/** Connects the official client, whose requests go straight to the functions. */
async function connect() {
	const api = fetchApi();
	const client = new Client({ name: 'test', version: '1' });
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', SITE), {
		fetch: (url, init) => api(new URL(url).pathname, init),
	});
	await client.connect(transport);
	return client;
}

/** Calls a tool and returns its data, which its text repeats. */
async function ask<Answer>(name: keyof typeof TOOLS, input: Record<string, unknown> = {}) {
	const client = await connect();
	const answer = await client.callTool({ name, arguments: input });
	await client.close();
	const [{ text }] = answer.content as [{ text: string }];
	if (!answer.isError) expect(JSON.parse(text)).toEqual(answer.structuredContent);
	return {
		text,
		isError: answer.isError,
		data: answer.structuredContent as { page: string } & Answer,
	};
}

const read = async (path: string) => fetchApi()(path);

test('the official client is told of read-only tools, in the newest protocol', async () => {
	const client = await connect();
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
	expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
	const hello = {
		protocolVersion: LATEST_PROTOCOL_VERSION,
		capabilities: {},
		clientInfo: { name: 'x', version: '1' },
	};
	const { result } = (await (
		await post({ method: 'initialize', id: 1, params: hello })
	).json()) as { result: { protocolVersion: string } };
	expect(result.protocolVersion).toBe(LATEST_PROTOCOL_VERSION);
});

test('an article is found and a section of it quoted', async () => {
	const { data: found } = await ask<{ results: { url: string }[] }>('search', {
		q: 'KV cache memory',
	});
	expect(found).toEqual({
		page: `${SITE}/search?q=KV%20cache%20memory`,
		...(await (await read('/api/search?q=KV+cache+memory')).json()),
	});
	const [, slug, section] = /^\/blog\/(.+)#(.+):~:/.exec(found.results[0]!.url)!;
	const { data } = await ask<{ markdown: string }>('get_article', { slug, section });
	expect(data.page).toBe(`${SITE}/blog/${slug}#${section}`);
	expect(data.markdown).toMatch(/^## .*\n/);
	expect(data.markdown).toMatch(/cache/i);
	const whole = await ask<{ markdown: string; headings: { slug: string }[] }>('get_article', {
		slug,
	});
	expect(whole.data.markdown).toBe(await (await read(`/blog/${slug}.md`)).text());
	expect(whole.data.markdown).toContain(data.markdown);
	expect(whole.data.headings.map((heading) => heading.slug)).toContain(section);
});

test('every section of every article can be quoted', async () => {
	const posts = (await (await read('/api/posts')).json()) as { slug: string }[];
	for (const { slug } of posts) {
		const { data } = await ask<{ headings: { slug: string }[] }>('get_article', { slug });
		for (const { slug: section } of data.headings.slice(-1)) {
			expect(
				(await ask('get_article', { slug, section })).isError,
				`${slug}#${section}`,
			).toBeFalsy();
		}
	}
}, 60_000);

test('a section ends where the next of its depth begins, and code is no heading', () => {
	const markdown = '## A\n\n```sh\n# no heading\n```\n\n### B\n\nb\n\n## C\n\nc';
	const headings = [
		{ depth: 2, slug: 'a' },
		{ depth: 3, slug: 'b' },
		{ depth: 2, slug: 'c' },
	];
	expect(sectionOf(markdown, headings, 'a')).toBe('## A\n\n```sh\n# no heading\n```\n\n### B\n\nb');
	expect(sectionOf(markdown, headings, 'b')).toBe('### B\n\nb');
	expect(sectionOf(markdown, headings, 'c')).toBe('## C\n\nc');
	expect(sectionOf(markdown, headings, 'd')).toBeNull();
});

test('states, alone and side by side, are those of the API', async () => {
	const state = async (slug: string) => (await read(`/api/states/${slug}`)).json();
	expect((await ask('get_state', { slug: 'ohio' })).data).toEqual({
		page: `${SITE}/ai-best-practices/ohio`,
		state: await state('ohio'),
	});
	expect((await ask('compare_states', { slugs: ['ohio', 'texas'] })).data).toEqual({
		page: `${SITE}/ai-best-practices/compare?states=ohio,texas`,
		states: [await state('ohio'), await state('texas')],
	});
});

test('changes since a date are told, the newest first', async () => {
	const { data } = await ask<{ changes: { at: string }[]; total: number }>('list_changes', {
		since: '2000-01-01',
	});
	expect(data.total).toBeGreaterThan(50);
	const times = data.changes.map(({ at }) => at);
	expect(times).toEqual(times.toSorted().reverse());
	// What readers are not told of is none.
	await getDb()
		.update(posts)
		.set({ changedAt: sql`updated_at`, updatedAt: new Date('2999-06-01') });
	expect(
		(await ask<{ changes: [] }>('list_changes', { since: '2999-01-01' })).data.changes,
	).toEqual([]);
	expect((await ask<{ issues: [] }>('list_issues')).data.issues).toEqual([]);
});

test.each([
	['get_article', { slug: 'nothing' }, /no such article/],
	['get_article', { slug: 'attention-in-plain-arithmetic', section: 'nothing' }, /no such section/],
	['get_state', { slug: 'nothing' }, /no such state/],
	['compare_states', { slugs: ['ohio'] }, /slugs/],
	['search', { q: 'a' }, /q/],
	['list_changes', { since: 'yesterday' }, /since/],
] as const)('%s of %o says what is wrong', async (name, input, words) => {
	const { isError, text } = await ask(name, input);
	expect(isError).toBe(true);
	expect(text).toMatch(words);
});

const HEADERS = {
	'Content-Type': 'application/json',
	Accept: 'application/json, text/event-stream',
};
const post = (message: object, headers: Record<string, string> = {}) =>
	fetchApi()('/mcp', {
		method: 'POST',
		headers: { ...HEADERS, ...headers },
		body: JSON.stringify({ jsonrpc: '2.0', ...message }),
	});
const LIST = { id: 1, method: 'tools/list' };

test.each([
	[
		'an attacker’s name that leads here',
		{ Origin: 'http://evil.example', Host: 'evil.example' },
		403,
	],
	['another site', { Origin: 'https://other.example' }, 403],
	['no origin', {}, 200],
	['this site', { Origin: SITE }, 200],
	['no type that can be answered', { Accept: 'text/html' }, 406],
])('a message from %s', async (_, headers, status) => {
	expect((await post(LIST, headers)).status).toBe(status);
});

test('a message that is too long is refused, and nothing but messages is taken', async () => {
	expect((await post({ ...LIST, params: { text: 'x'.repeat(70_000) } })).status).toBe(413);
	expect((await read('/mcp')).status).toBe(405);
	expect((await post({ method: 'notifications/initialized' })).status).toBe(202);
});

test('programs are told where to ask, and for what', async () => {
	const told = (await (await read('/.well-known/mcp.json')).json()) as {
		transport: object;
		tools: { name: string }[];
	};
	expect(told.transport).toEqual({ type: 'streamable-http', url: `${SITE}/mcp` });
	expect(told.tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
});
