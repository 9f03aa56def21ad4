import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { getDb } from '#db/client.ts';
import { issues, posts, rateLimits } from '#db/schema.ts';
import { programsPerAddress } from '#src/core/limits/limits.server.ts';
import { sectionOf } from '#src/features/programs/tools.server.ts';
import { DRAFT_TOOLS, TOOLS } from '#src/features/programs/programs.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { copyContent } from '#tests/support/seed.ts';

const SITE = 'https://groundtruth.test';
/** The newest version of the protocol, and the last one whose clients say hello first. */
const [NEWEST, EARLIER] = ['2026-07-28', '2025-11-25'];

beforeAll(async () => {
	const db = await useTestDb();
	await copyContent(db);
	await indexEntries(db, { site: await readSite(db, new Date()), issues: [] });
}, 120_000);

/** Connects the official client, whose requests go straight to the functions. */
async function connect() {
	const api = fetchApi();
	const client = new Client(
		{ name: 'test', version: '1' },
		{ versionNegotiation: { mode: { pin: NEWEST } } },
	);
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
	const [{ text }] = answer.content as unknown as [{ text: string }];
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
	expect(client.getNegotiatedProtocolVersion()).toBe(NEWEST);
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
	expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
	await client.close();
});

test.each([
	[EARLIER, EARLIER],
	['2025-03-26', '2025-03-26'],
	['2999-01-01', EARLIER],
])('a client that says hello in version %s is answered in %s', async (asked, answered) => {
	const hello = {
		protocolVersion: asked,
		capabilities: {},
		clientInfo: { name: 'x', version: '1' },
	};
	const answer = await post({ method: 'initialize', id: 1, params: hello });
	const { result } = (await answer.json()) as { result: { protocolVersion: string } };
	expect(result.protocolVersion).toBe(answered);
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
});

test('the issues are those that were sent, and before the first one that of the sample articles', async () => {
	type Listed = { issues: { date: string; subject: string; articles: object[] }[] };
	const [sample, ...none] = (await ask<Listed>('list_issues')).data.issues;
	expect(none).toEqual([]);
	expect(new Date(sample!.date).getUTCDay()).toBe(4);
	expect(Date.parse(sample!.date)).toBeLessThan(Date.now());
	expect(sample!.articles).toHaveLength(3);
	await getDb().insert(issues).values({ date: '2026-03-05', subject: 'A first one', posts: [] });
	const sent = (await ask<Listed>('list_issues')).data.issues;
	expect(sent.map(({ subject }) => subject)).toEqual(['A first one']);
	await getDb().delete(issues);
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
	[
		'a page of another site, which may read what is public',
		{ Origin: 'https://other.example' },
		200,
	],
	['no origin', {}, 200],
	['this site', { Origin: SITE }, 200],
	['no type that can be answered', { Accept: 'text/html' }, 406],
	['another encoding', { 'Content-Type': 'text/plain' }, 415],
	['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
])('a message from %s', async (_, headers, status) => {
	expect((await post(LIST, headers)).status).toBe(status);
});

test.each([
	['a text that is no JSON', '{"jsonrpc":', 400, -32_600],
	['no messages at once', '[]', 400, -32_600],
	['no message', '{"id": 1}', 400, -32_600],
	['what is nested too deeply', '['.repeat(30_000) + ']'.repeat(30_000), 400, -32_600],
	['a message of four megabytes', JSON.stringify({ text: 'x'.repeat(2 ** 22) }), 413, -32_000],
])('%s is refused in the words of the protocol', async (_, body, status, code) => {
	const answer = await fetchApi()('/mcp', { method: 'POST', headers: HEADERS, body });
	expect(answer.status).toBe(status);
	expect(await answer.json()).toEqual({
		...{ jsonrpc: '2.0', id: body.startsWith('{"id"') ? 1 : null },
		error: { code, message: expect.any(String) },
	});
});

test('several messages at once are answered at once, in the version that has them', async () => {
	const send = (messages: object[], headers = {}) =>
		fetchApi()('/mcp', {
			method: 'POST',
			headers: { ...HEADERS, ...headers },
			body: JSON.stringify(messages.map((one) => ({ jsonrpc: '2.0', ...one }))),
		});
	const ping = { method: 'ping' };
	const note = { method: 'notifications/initialized' };
	const answer = await send([{ id: 1, ...ping }, note, { id: 'b', ...ping }, { id: 3 }]);
	expect(answer.status).toBe(200);
	const answers = (await answer.json()) as { id: unknown; result?: object }[];
	expect(answers.map(({ id, result }) => [id, result])).toEqual([
		[1, {}],
		['b', {}],
		[null, undefined],
	]);
	expect((await send([note])).status).toBe(202);
	const later = { 'MCP-Protocol-Version': '2025-06-18' };
	expect((await send([{ id: 1, ...ping }], later)).status).toBe(400);
	expect((await send(Array.from({ length: 51 }, () => ping))).status).toBe(400);
});

test('a page of another site asks first, by CORS, and then with the official client', async () => {
	const api = fetchApi();
	const asked = await api('/mcp', {
		method: 'OPTIONS',
		headers: {
			Origin: 'https://inspector.example',
			'Access-Control-Request-Method': 'POST',
			'Access-Control-Request-Headers': 'content-type,mcp-protocol-version',
		},
	});
	expect(asked.status).toBe(204);
	expect(asked.headers.get('Access-Control-Allow-Origin')).toBe('*');
	expect(asked.headers.get('Access-Control-Allow-Methods')).toContain('POST');
	expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('*');
	const origins: (string | null)[] = [];
	const client = new Client({ name: 'inspector', version: '1' });
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', SITE), {
		fetch: async (url, init) => {
			const headers = new Headers(init?.headers);
			headers.set('Origin', 'https://inspector.example');
			const answer = await api(new URL(url).pathname, { ...init, headers });
			origins.push(answer.headers.get('Access-Control-Allow-Origin'));
			return answer;
		},
	});
	await client.connect(transport);
	expect((await client.listTools()).tools).not.toEqual([]);
	await client.close();
	expect(new Set(origins)).toEqual(new Set(['*']));
});

test('a version that there is not is refused, and the ones that there are are named', async () => {
	expect((await post(LIST, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
	const meta = {
		'io.modelcontextprotocol/protocolVersion': '2999-01-01',
		'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
		'io.modelcontextprotocol/clientCapabilities': {},
	};
	const answer = await post(
		{ ...LIST, params: { _meta: meta } },
		{ 'MCP-Protocol-Version': '2999-01-01', 'Mcp-Method': LIST.method },
	);
	expect(answer.status).toBe(400);
	expect(await answer.json()).toMatchObject({ error: { data: { supported: [NEWEST] } } });
});

test('there is no session to open, to end or to listen to', async () => {
	for (const method of ['GET', 'DELETE', 'PUT']) {
		const answer = await fetchApi()('/mcp', { method });
		expect([answer.status, answer.headers.get('Allow')], method).toEqual([405, 'POST']);
	}
	expect((await post({ method: 'notifications/initialized' })).status).toBe(202);
	expect((await post(LIST)).headers.get('Mcp-Session-Id')).toBeNull();
});

test('what an address says besides is no part of a message', async () => {
	const answer = await fetchApi()('/mcp?key=1&params=2', {
		...{ method: 'POST', headers: HEADERS },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
	});
	expect(answer.status).toBe(200);
});

test('too many messages are refused with their number and a time to come again', async () => {
	const send = () =>
		fetchApi({ ip: '198.51.100.200' })('/mcp', {
			...{ method: 'POST', headers: HEADERS },
			body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' }),
		});
	await getDb().delete(rateLimits);
	expect((await send()).status).toBe(200);
	const [first] = await getDb().select().from(rateLimits);
	const others = Array.from({ length: programsPerAddress.count - 1 }, () => ({
		...first!,
		id: crypto.randomUUID(),
	}));
	await getDb().insert(rateLimits).values(others);
	const answer = await send();
	expect(answer.status).toBe(429);
	expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
	expect(await answer.json()).toMatchObject({ id: 7, error: { code: -32_000 } });
});

test('programs are told where to ask, and for what', async () => {
	const told = (await (await read('/.well-known/mcp.json')).json()) as {
		transport: object;
		tools: { name: string; needsToken?: boolean }[];
	};
	expect(told.transport).toEqual({ type: 'streamable-http', url: `${SITE}/mcp` });
	expect(told.tools.map(({ name }) => name)).toEqual(Object.keys({ ...TOOLS, ...DRAFT_TOOLS }));
	expect(told.tools.filter(({ needsToken }) => needsToken).map(({ name }) => name)).toEqual(
		Object.keys(DRAFT_TOOLS),
	);
});
