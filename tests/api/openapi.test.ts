import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { categories, comments, media, postChanges, posts, settings } from '#db/schema.ts';
import { describeApi, fieldsOf } from '#src/features/openapi/openapi.ts';
import { updateSite } from '#src/core/settings/site.server.ts';
import { operations } from '#src/features/openapi/operations.ts';
import { findSpam } from '#src/features/comments/comment.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { antiBotFields } from '#src/lib/email.ts';
import { STATUS } from '#src/lib/errors.ts';
import { fetchApi, functions } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { copySeed } from '#tests/support/seed.ts';
import { SITE_URL } from '#tests/support/setup.ts';

const document = describeApi(operations, SITE_URL);
const listed = Object.entries(operations).map(([name, operation]) => ({ name, operation }));
/** As the document has it. */
const pathOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const described = (name: string) => {
	const { method, path } = operations[name]!.endpoint;
	return document.paths[pathOf(path)]![method.toLowerCase()] as {
		parameters?: { name: string; in: string; required: boolean; schema: object }[];
		requestBody?: { content: Record<string, { schema: { required: string[] } }> };
		responses: Record<string, { content?: Record<string, { schema?: object }> }>;
	};
};

/** Returns what an outside linter finds in a document. Some calls take nothing that could be refused, and anybody may license it. */
async function lint(text: string): Promise<{ ruleId: string; message: string }[]> {
	const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
	const file = join(folder, 'openapi.json');
	await writeFile(file, text);
	const skipped = ['operation-4xx-response', 'info-license'].flatMap((rule) => [
		'--skip-rule',
		rule,
	]);
	const { stdout, stderr } = spawnSync(
		process.execPath,
		['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format', 'json', ...skipped],
		{
			encoding: 'utf8',
			env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
		},
	);
	await rm(folder, { recursive: true });
	try {
		return (JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] }).problems;
	} catch {
		throw new Error(stderr);
	}
}

test('an outside linter finds nothing in the document, and what is wrong in a damaged one', async () => {
	expect(document.openapi).toMatch(/^3\.1\./);
	expect(await lint(JSON.stringify(document))).toEqual([]);
	const damaged = JSON.stringify(document).replaceAll('"in":"query"', '"in":"inquiry"');
	expect((await lint(damaged)).map(({ ruleId }) => ruleId)).toContain('struct');
});

test('every public function is described, and nothing else is', async () => {
	// The admin area, and links from emails that carry a token, are for our own pages; a mail provider signs its
	// reports, and pages report their own errors.
	const isPublic = (path: string) =>
		path.startsWith('/api/') &&
		!/^\/api\/(admin(\/|$)|(bounces|errors)$)/.test(path) &&
		!path.includes(':token');
	const paths = (await functions()).flatMap(({ config }) => [config.path ?? []].flat());
	expect(Object.keys(document.paths).sort()).toEqual(paths.filter(isPublic).map(pathOf).sort());
});

test.each(listed)('$name is described with all that it takes', ({ operation }) => {
	const schema = z.toJSONSchema(operation.endpoint.input as never) as { properties: object };
	const forNobody = [...Object.keys(antiBotFields), 'status', 'groups'];
	const taken = Object.keys(schema.properties).filter((name) => !forNobody.includes(name));
	expect(
		fieldsOf(operation)
			.map(({ name }) => name)
			.sort(),
	).toEqual(taken.sort());
	expect(fieldsOf(operation).every(({ schema }) => schema)).toBe(true);
});

test('limits, defaults and required fields are those of the input', () => {
	expect(described('listRelated').parameters).toMatchObject([
		{ name: 'id', in: 'path', required: true, schema: { type: 'string' } },
		{ name: 'categoryId', in: 'query', required: false },
		{ name: 'tags', schema: { type: 'array', items: { type: 'string' }, maxItems: 50 } },
		{ name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 3 } },
	]);
	const { content } = described('createComment').requestBody!;
	expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
	expect(content['application/json']!.schema).toMatchObject({
		properties: {
			author: { type: 'string', minLength: 1, maxLength: 100 },
			email: { type: 'string', format: 'email', maxLength: 254 },
			content: { type: 'string', minLength: 3, maxLength: 2000 },
		},
		required: ['postId', 'author', 'email', 'content'],
	});
});

test('a comment that the document refuses is refused by the rules, and others are not', () => {
	const { schema } = described('createComment').requestBody!.content['application/json']!;
	const { properties } = schema as unknown as {
		properties: { content: { not: { pattern: string } } };
	};
	const refused = new RegExp(properties.content.not.pattern);
	for (const text of ['See https://example.com', 'Wow' + '!'.repeat(11), `A${'\n'.repeat(11)}b`]) {
		expect([refused.test(text), findSpam(text, [])]).toEqual([true, expect.any(String)]);
	}
	const fine = `${'!'.repeat(10)} and ${'='.repeat(10)}`;
	expect([refused.test(fine), findSpam(fine, [])]).toEqual([false, undefined]);
});

describe('what is described is what is answered', () => {
	let id: string;
	// Once, because it takes longer than all calls together.
	beforeAll(async () => {
		const db = await useTestDb();
		await copySeed(db);
		await db.delete(posts);
		const [category] = await db.select().from(categories).limit(1);
		const shared = { categoryId: category!.id, tags: ['Filters'] };
		await updateSite(db, { asksReaders: 'on' }, { actor: 'admin', now: new Date() });
		({ id } = await makePost(db, { ...shared, title: 'Kalman filters', featured: true }));
		await makePost(db, { ...shared, title: 'Particle filters' });
		given['listCategoryPosts'] = { slug: category!.slug };
		await renderStalePosts(db);
		const change = { note: 'A sign.', passages: [], title: 'Kalman filters' };
		await db.insert(postChanges).values({ postId: id, kind: 'correction', ...change });
		const ada = { author: 'Ada', email: 'ada@example.com', content: 'Lovely post' };
		await db.insert(comments).values({ postId: id, ...ada });
		const bytes = Buffer.from('GIF');
		const image = { name: 'dot.gif', type: 'image/gif', width: 1, height: 1, size: 3 };
		await db.insert(media).values({ id: 'm1', digest: 'd1', bytes, ...image });
	});

	const email = 'grace@example.com';
	/** Input of each call, where it needs something that its description has no example of. */
	const given: Record<string, Record<string, unknown>> = {
		listPosts: { limit: 5 },
		getPost: { slug: 'kalman-filters' },
		listChanges: { slug: 'kalman-filters' },
		searchPosts: { q: 'kalmn' },
		searchEverything: { q: 'kalmn' },
		listRelated: { tags: ['Filters'] },
		countEvent: { kind: 'view' },
		countVisit: { about: 'page', path: '/' },
		createComment: { author: 'Grace', email, content: 'Well put' },
		editComment: { content: 'Better put' },
		subscribe: { email, source: 'A program' },
		subscribeToList: { email, fields: { name: 'Grace Hopper', company: 'A program' } },
		enroll: { email },
		requestUpgrade: { email, upgradeType: 'pdf' },
		sendMessage: { name: 'Grace', email, topic: 'Correction', message: 'A word is missing.' },
		requestData: { email },
		sendFeedback: { answer: 'no', words: 'A word is missing.' },
		getMedia: { id: 'm1' },
	};

	let written = 0;
	/** A comment that a browser has just posted, with that browser's cookie. */
	async function writeComment() {
		const ada = { postId: id, author: 'Ada', email: `ada-${written++}@example.com` };
		const response = await fetchApi({ ip: `203.0.113.${written}` })('/api/comments', {
			method: 'POST',
			body: JSON.stringify({ ...ada, content: 'Lovely post' }),
		});
		const { id: own } = (await response.json()) as { id: string };
		return { id: own, Cookie: response.headers.get('Set-Cookie')!.split(';')[0]! };
	}

	/** A call with this input, in JSON or as a form. */
	async function send(name: string, input: Record<string, unknown> = {}, asForm = false) {
		const { endpoint, input: fields = {} } = operations[name]!;
		const { method, path } = endpoint;
		const examples = Object.entries(fields).flatMap(([key, { example }]) =>
			example === undefined ? [] : [[key, example]],
		);
		const known: Record<string, unknown> = { ...Object.fromEntries(examples), ...input };
		const isOwn = ['editComment', 'withdrawComment'].includes(name);
		const own = isOwn ? await writeComment() : undefined;
		const rest: Record<string, unknown> = { postId: id, id: own?.id ?? id, ...known };
		const address = path.replace(/:(\w+)/g, (_, key: string) => String(rest[key]));
		if (method === 'GET') {
			const query = new URLSearchParams(known as Record<string, string>);
			return fetchApi()(`${address}?${query}`);
		}
		const pairs = Object.entries(rest).flatMap(([key, value]) =>
			typeof value === 'object' && value
				? Object.entries(value).map(([inner, one]) => [`${key}[${inner}]`, String(one)])
				: [[key, String(value)]],
		);
		const body = asForm ? new URLSearchParams(pairs) : JSON.stringify(rest);
		const headers = { 'User-Agent': 'Program/1.0', ...(own && { Cookie: own.Cookie }) };
		return fetchApi()(address, { method, body, headers });
	}

	/** A schema of the document that allows nothing that it does not tell of. */
	function strict(schema: object) {
		const whole = { ...schema, $defs: document.components.schemas };
		const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
		const closed = JSON.parse(text, (_, value: { properties?: object } | null) =>
			value?.properties && 'type' in value ? { ...value, additionalProperties: false } : value,
		) as Parameters<typeof z.fromJSONSchema>[0];
		return z.fromJSONSchema(closed);
	}

	test.each(listed)('$name', async ({ name, operation }) => {
		for (const asForm of operation.endpoint.method === 'GET' ? [false] : [false, true]) {
			const response = await send(name, given[name], asForm);
			const { responses } = described(name);
			const hint = `${name} fails: an input may need an example in operations.ts`;
			expect(String(response.status), hint).toBe(Object.keys(responses)[0]);
			expect('304' in responses).toBe(response.headers.has('ETag'));
			const type = response.headers.get('Content-Type')!;
			if (operation.type) {
				expect(type).toMatch(new RegExp(`^${operation.type.replace('*', '[a-z]+')}$`));
				continue;
			}
			const answer: unknown = await response.json();
			expect(strict(responses[response.status]!.content![type]!.schema!).parse(answer)).toEqual(
				answer,
			);
			if (Array.isArray(answer)) expect(answer).not.toHaveLength(0);
		}
	});

	test.each(listed.filter(({ operation }) => operation.answer))(
		'$name may answer with nothing else',
		async ({ name, operation }) => {
			const { responses } = described(name);
			const response = await send(name, given[name]);
			const schema = strict(Object.values(responses)[0]!.content!['application/json']!.schema!);
			const answer = (await response.json()) as object;
			const more = { ...(Array.isArray(answer) ? answer[0] : answer), secret: 'hash' };
			const leak = Array.isArray(answer) ? [more] : more;
			expect(schema.safeParse(leak).success).toBe(false);
			expect(operation.answer!.safeParse(answer).success).toBe(true);
		},
	);

	const isFailure = (operation: (typeof listed)[0]['operation'], code: string) =>
		operation.failures?.includes(code as never);
	const missing = listed.filter(
		({ operation }) => operation.endpoint.path.includes(':') || isFailure(operation, 'not_found'),
	);

	test.each(missing)('$name says whether it can find nothing', async ({ name, operation }) => {
		const nowhere = { postId: 'nowhere', id: 'nowhere', slug: 'nowhere' };
		const response = await send(name, { ...given[name], ...nowhere });
		expect(response.status === STATUS.not_found).toBe(isFailure(operation, 'not_found') ?? false);
		if (response.ok) return;
		const answer: unknown = await response.json();
		expect(strict(document.components.schemas.Error).parse(answer)).toEqual(answer);
	});

	const posted = listed.filter(({ operation }) => operation.endpoint.method === 'POST');

	test.each(posted)('$name refuses what it is described to refuse', async ({ name, operation }) => {
		const { responses } = described(name);
		const statuses = [(await send(name, { kind: 'x', email: 'x' })).status];
		const { method, path } = operation.endpoint;
		const address = path.replace(':id', id);
		const ask = (init: RequestInit) => fetchApi()(address, { method, ...init });
		statuses.push((await ask({ headers: { Origin: 'https://elsewhere.example' } })).status);
		statuses.push((await ask({ body: ' '.repeat(64 * 1024 + 1) })).status);
		statuses.push((await ask({ body: 'a', headers: { 'Content-Type': 'text/plain' } })).status);
		let last = 0;
		for (let times = 0; times <= 300 && last !== 429; times++) {
			last = (await send(name, given[name])).status;
		}
		expect([...statuses, last]).toEqual([400, 403, 413, 415, 429]);
		const described404 = isFailure(operation, 'not_found') ? [404] : [];
		const failures = Object.keys(responses).filter((status) => /^4/.test(status));
		expect(failures).toEqual([...statuses, ...described404, last].sort().map(String));
	});

	test('what only some answers have is described as well', async () => {
		const answerTo = async (name: string, input: Record<string, unknown>) => {
			const [success] = Object.values(described(name).responses);
			const answer: unknown = await (await send(name, input)).json();
			expect(strict(success!.content!['application/json']!.schema!).parse(answer)).toEqual(answer);
			return answer;
		};
		expect(await answerTo('searchPosts', { q: 'kalmn' })).toMatchObject([{ corrected: 'kalman' }]);
		expect(await answerTo('searchPosts', { q: 'kalman particle' })).toMatchObject([
			{ partial: true },
			{ partial: true },
		]);
		const db = await useTestDb();
		({ id } = await makePost(db));
		await db.insert(settings).values({ key: 'comments', value: 'hold-all' });
		expect(await answerTo('createComment', given['createComment']!)).toMatchObject({ waits: true });
	});
});
