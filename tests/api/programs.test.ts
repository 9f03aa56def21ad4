import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { routes } from '#functions/admin.ts';
import { auditLog, drafts, media, posts, programTokens, subscribers } from '#db/schema.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { callsPerProgram } from '#src/core/limits/limits.server.ts';
import { uploadMedia } from '#src/features/media/media.api.ts';
import * as posting from '#src/features/posts/editing.api.ts';
import { DRAFT_TOOLS, TOOLS } from '#src/features/programs/programs.ts';
import * as api from '#src/features/programs/tokens.api.ts';
import { MAX_PROGRAMS } from '#src/features/programs/tokens.ts';
import { call, parse, type Endpoint } from '#src/lib/endpoint.ts';
import { matcherOf } from '#src/lib/path-pattern.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const SITE = 'https://groundtruth.test';
const DOT =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A `fetch` of the whole API with a token. */
const withToken =
	(token: string): typeof fetch =>
	(input, init) =>
		fetchApi()(input, { ...init, headers: { ...init?.headers, Authorization: `Bearer ${token}` } });

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const { token, id } = await ask(api.addProgram, { name: 'Obsidian' });
	const program = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, withToken(token));
	const log = async (q = '') =>
		(await ask(listAudit, parse(listAudit.input, { q }))).rows.map(
			({ actor, action, detail }) => `${actor} ${action} ${detail}`,
		);
	return { db, admin, ask, token, id, program, log };
}

/** Connects the official client with a token. */
async function connect(token: string) {
	const client = new Client(
		{ name: 'test', version: '1' },
		{ versionNegotiation: { mode: { pin: '2026-07-28' } } },
	);
	await client.connect(
		new StreamableHTTPClientTransport(new URL('/mcp', SITE), {
			fetch: (url, init) => {
				const headers = new Headers(init?.headers);
				headers.set('Authorization', `Bearer ${token}`);
				return fetchApi()(new URL(url).pathname, { ...init, headers });
			},
		}),
	);
	return client;
}

test('a token is shown once, stored as a digest, listed with its use, and revoked at once', async () => {
	const { db, ask, token, id, program, log } = await setup();
	expect(token).toMatch(/^gtd_[\w-]{43}$/);
	const [stored] = await db.select().from(programTokens);
	expect(JSON.stringify(stored)).not.toContain(token);
	const listed = await ask(api.listPrograms, {});
	expect(listed).toEqual([
		{ id, name: 'Obsidian', createdAt: expect.any(String), usedAt: null, drafts: 0 },
	]);
	await program(api.createDraft, { title: 'One' });
	const [used] = await ask(api.listPrograms, {});
	expect(used).toMatchObject({ usedAt: expect.any(String), drafts: 1 });
	await expect(ask(api.addProgram, { name: 'obsidian' })).rejects.toMatchObject({
		fields: { name: expect.stringContaining('has this name') },
	});
	await expect(ask(api.addProgram, { name: ' ' })).rejects.toMatchObject({ code: 'validation' });

	await ask(api.revokeProgram, { id });
	await expect(program(api.createDraft, { title: 'Two' })).rejects.toMatchObject({
		code: 'unauthorized',
	});
	await expect(ask(api.revokeProgram, { id })).rejects.toMatchObject({ code: 'not_found' });
	expect(await ask(api.listPrograms, {})).toEqual([]);
	expect(await log()).toEqual([
		'program “Obsidian” was refused POST /api/admin/drafts: its token is revoked',
		'admin@example.com revoked “Obsidian”',
		'program “Obsidian” created “One”',
		'admin@example.com let write drafts “Obsidian”',
	]);
	await db
		.insert(programTokens)
		.values(Array.from({ length: MAX_PROGRAMS }, (_, at) => ({ name: `P${at}`, hash: `h${at}` })));
	await expect(ask(api.addProgram, { name: 'One more' })).rejects.toMatchObject({
		fields: { name: expect.stringContaining('revoke one') },
	});
});

test('a draft is begun in Markdown, changed and read, and says who began it', async () => {
	const { db, ask, program, log } = await setup();
	const { id: categoryId } = await makeCategory(db, { name: 'MLOps', slug: 'mlops' });
	const id = crypto.randomUUID();
	const given = {
		id,
		title: 'Drift',
		markdown: '## Why\n\nSome **words**<script>alert(1)</script>.',
		tags: ['Monitoring'],
		category: 'mlops',
	};
	const made = await program(api.createDraft, given);
	expect(made).toEqual({
		id,
		version: 1,
		title: 'Drift',
		excerpt: expect.any(String),
		content: expect.stringMatching(/<h2[^>]*>Why<\/h2>\s*<p>Some <strong>words<\/strong>/),
		tags: ['Monitoring'],
		category: 'mlops',
		updatedAt: expect.any(String),
		desk: expect.stringContaining(`/admin?tab=create&post=${id}`),
	});
	expect(made.content).not.toContain('script');
	// Sent twice, it is one draft.
	expect(await program(api.createDraft, given)).toEqual(made);
	expect(await db.$count(posts)).toBe(1);
	const changed = await program(api.updateDraft, { id, version: 1, content: '<p>New.</p>' });
	expect(changed).toMatchObject({ version: 2, title: 'Drift', content: '<p>New.</p>' });
	expect(await program(api.getDraft, { id })).toEqual(changed);
	const { rows } = await ask(posting.listAdminPosts, parse(posting.listAdminPosts.input, {}));
	expect(rows).toEqual([expect.objectContaining({ id, program: 'Obsidian', state: 'draft' })]);
	expect((await ask(posting.getEditedPost, { id })).program).toBe('Obsidian');
	const image = await program(uploadMedia, { name: 'dot.png', data: DOT, alt: 'A dot' });
	expect(image).toMatchObject({ alt: 'A dot', width: 1 });
	expect((await log('Obsidian')).filter((line) => line.startsWith('program'))).toEqual([
		'program “Obsidian” uploaded dot.png',
		'program “Obsidian” saved “Drift”',
		'program “Obsidian” created “Drift”',
	]);

	// The owner's words are never written over.
	await ask(posting.updatePost, { id, title: 'Mine', categoryId });
	const late = program(api.updateDraft, { id, version: 2, title: 'Theirs' });
	await expect(late).rejects.toMatchObject({ code: 'conflict' });
	const { form, version } = await ask(posting.getEditedPost, { id });
	await ask(posting.saveDraft, { id, form, version: null, baseVersion: version });
	await expect(program(api.updateDraft, { id, version, title: 'Theirs' })).rejects.toMatchObject({
		code: 'conflict',
		message: expect.stringContaining('at the desk'),
	});
	await db.delete(drafts);
	await expect(
		program(api.updateDraft, { id, version, markdown: 'a', content: 'b' }),
	).rejects.toMatchObject({ fields: { markdown: expect.any(String) } });
	await expect(program(api.updateDraft, { id, version, category: 'none' })).rejects.toMatchObject({
		fields: { category: expect.any(String) },
	});
	await expect(program(api.updateDraft, { id, version, shade: 'red' })).rejects.toMatchObject({
		fields: { shade: expect.any(String) },
	});
	await expect(program(api.createDraft, { title: 'x'.repeat(300) })).rejects.toMatchObject({
		fields: { title: expect.any(String) },
	});
});

test('whatever else a program tries is refused, and logged by its name', async () => {
	const { db, ask, token, program, log } = await setup();
	const category = await makeCategory(db, { name: 'MLOps', slug: 'mlops' });
	await makePost(db, { id: 'live', title: 'Live', published: true, categoryId: category.id });
	await makePost(db, { id: 'mine', title: 'A draft of mine', published: false });
	await db.insert(subscribers).values({ email: 'ada@example.com', isActive: true } as never);
	const own = await program(api.createDraft, { title: 'Own' });
	const gone = await program(api.createDraft, { title: 'Published since' });
	await ask(posting.updatePost, { id: gone.id, published: true, categoryId: category.id });
	const before = await db.select().from(posts).orderBy(posts.id);
	const fetcher = withToken(token);
	const send = (method: string, path: string, body?: object) =>
		fetcher(path, { method, ...(body && { body: JSON.stringify(body) }) });
	const draft = `/api/admin/drafts/${own.id}`;
	const forbidden: [method: string, path: string, body?: object][] = [
		// Publishing, in every way.
		['POST', '/api/admin/drafts', { title: 'Now', published: true }],
		['PUT', draft, { version: 1, published: true }],
		['PUT', draft, { version: 1, publishedAt: '2030-01-01T00:00:00Z' }],
		['PUT', draft, { version: 1, featured: true }],
		['PUT', `/api/admin/posts/${own.id}`, { published: true }],
		['POST', '/api/admin/posts/bulk', { action: 'publish', ids: [own.id] }],
		// What is not its own, or no draft any more.
		['PUT', '/api/admin/drafts/live', { version: 1, title: 'Defaced' }],
		['GET', '/api/admin/drafts/mine'],
		['PUT', `/api/admin/drafts/${gone.id}`, { version: 2, title: 'Defaced' }],
		['DELETE', `/api/admin/posts/${own.id}`],
		['GET', '/api/admin/posts'],
		// People.
		['GET', '/api/admin/subscribers'],
		['GET', '/api/admin/subscribers/export'],
		['GET', '/api/admin/comments'],
		['GET', '/api/admin/messages'],
		['GET', '/api/admin/mail'],
		// The site, its letters, its keys.
		['POST', '/api/admin/letters', { subject: 'To all' }],
		['PUT', '/api/admin/site', { name: 'Theirs' }],
		['PUT', '/api/admin/settings', {}],
		['GET', '/api/admin/programs'],
		['POST', '/api/admin/programs', { name: 'Another' }],
		['PUT', '/api/admin/password', { current: 'a', password: 'b' }],
		['GET', '/api/admin/audit'],
		['POST', '/api/admin/archive'],
		['DELETE', '/api/admin/media/any'],
		['POST', '/api/admin/redirects', { from: '/a', to: '/b' }],
	];
	const known = routes.map(({ method, path }) => ({ method, match: matcherOf(path) }));
	for (const [method, path, body] of forbidden) {
		// Each is a call that there is, which the admin may make or a draft's own.
		expect([method, path, known.some((one) => one.method === method && one.match(path))]).toEqual([
			method,
			path,
			true,
		]);
		const response = await send(method, path, body);
		expect([method, path, response.status]).toEqual([method, path, 403]);
		expect(await response.text()).not.toMatch(/ada@example|A draft of mine/);
	}
	const refusals = (await db.select().from(auditLog)).filter(
		({ action }) => action === 'was refused',
	);
	expect(refusals).toHaveLength(forbidden.length);
	expect(new Set(refusals.map(({ actor }) => actor))).toEqual(new Set(['program “Obsidian”']));
	expect(await log('refused subscribers')).toContain(
		'program “Obsidian” was refused GET /api/admin/subscribers',
	);
	expect(await db.select().from(posts).orderBy(posts.id)).toEqual(before);
	expect(await ask(api.listPrograms, {})).toHaveLength(1);
});

test('every call of the desk but those for drafts is refused to a token', async () => {
	const { token } = await setup();
	const fetcher = withToken(token);
	const open: string[] = [];
	for (const { method, path } of routes) {
		const body = method === 'GET' ? {} : { body: '{}' };
		const answer = await fetcher(path.replace(/:\w+/g, 'any'), { method, ...body });
		const isRefused =
			answer.status === 403 && (await answer.text()).includes('begins and changes drafts');
		if (!isRefused) open.push(`${method} ${path}`);
	}
	expect(open.toSorted()).toEqual([
		'GET /api/admin/drafts/:id',
		'POST /api/admin/drafts',
		'PUT /api/admin/drafts/:id',
	]);
});

test('a wrong token, another scheme and a token beside a session open nothing', async () => {
	const { db, admin, token } = await setup();
	const status = async (headers: Record<string, string>, fetcher = fetchApi()) =>
		(await fetcher('/api/admin/posts', { headers })).status;
	expect(await status({ Authorization: 'Bearer gtd_wrong' })).toBe(401);
	expect(await status({ Authorization: `Basic ${token}` })).toBe(401);
	expect(await status({ Authorization: `Bearer ${token}` }, admin)).toBe(403);
	expect(await status({}, admin)).toBe(200);
	// The desk has the editor.
	const made = await admin('/api/admin/drafts', { method: 'POST', body: '{}' });
	expect(made.status).toBe(403);
	expect(await db.$count(posts)).toBe(0);
});

test('another program cannot touch the drafts of the first, and each has a limit', async () => {
	const { db, ask, program } = await setup();
	const { id } = await program(api.createDraft, { title: 'Own' });
	const { token } = await ask(api.addProgram, { name: 'Script' });
	const other = withToken(token);
	await expect(call(api.getDraft, { id }, other)).rejects.toMatchObject({ code: 'forbidden' });
	await expect(call(api.createDraft, { id, title: 'Over it' }, other)).rejects.toMatchObject({
		code: 'forbidden',
	});
	// The rest of what this one may do, all at once.
	const calls = Array.from({ length: callsPerProgram.count }, () =>
		other('/api/admin/drafts/none').then(({ status }) => status),
	);
	const answers = await Promise.all(calls);
	expect(answers.filter((status) => status === 429)).toHaveLength(2);
	expect((await program(api.getDraft, { id })).title).toBe('Own');
	// The log keeps what it had, and no flood.
	const refused = await db.$count(auditLog, eq(auditLog.action, 'was refused'));
	expect(refused).toBe(100);
});

test('the official client writes drafts by the tools of a token, and nothing else', async () => {
	const { db, ask, token, log } = await setup();
	const client = await connect(token);
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).sort()).toEqual(
		[...Object.keys(TOOLS), ...Object.keys(DRAFT_TOOLS)].sort(),
	);
	const use = async (name: string, input: object) => {
		const answer = await client.callTool({ name, arguments: input as Record<string, unknown> });
		const [{ text }] = answer.content as unknown as [{ text: string }];
		return { text, isError: Boolean(answer.isError), data: answer.structuredContent as never };
	};
	const picture = await use('upload_image', { name: 'dot.png', data: DOT, alt: 'A [dot]' });
	expect(picture.data).toMatchObject({
		markdown: expect.stringMatching(/^!\[A \\\[dot\\\]\]\(\/api\/media\//),
	});
	const { markdown } = picture.data as { markdown: string };
	const made = await use('create_draft', { title: 'By a tool', markdown: `Look:\n\n${markdown}` });
	const { id, version, content } = made.data as { id: string; version: number; content: string };
	expect(content).toContain('/api/media/');
	const changed = await use('update_draft', { id, version, excerpt: 'Short.' });
	expect(changed.data).toMatchObject({ version: 2, excerpt: 'Short.' });
	const published = await use('update_draft', { id, version: 2, published: true });
	expect(published).toMatchObject({ isError: true, text: expect.stringContaining('“published”') });
	const bad = await use('upload_image', { name: 'x', data: 'bm8gcGljdHVyZQ==' });
	expect(bad.isError).toBe(true);
	await expect(client.callTool({ name: 'publish_draft', arguments: { id } })).rejects.toThrow();
	await client.close();
	expect((await ask(posting.getEditedPost, { id })).state).toBe('draft');
	expect(await log('refused')).toEqual([
		'program “Obsidian” was refused the tool “publish_draft”',
		'program “Obsidian” was refused update_draft with “published”',
	]);
	expect(await db.$count(media)).toBe(1);
	const nobody = await fetchApi()('/mcp', {
		method: 'POST',
		headers: { Authorization: 'Bearer gtd_wrong', Accept: 'application/json' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
	});
	expect(nobody.status).toBe(401);
});
