import { readdir, readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { comments, media, posts, subscribers, unconfirmed } from '#db/schema.ts';
import comment from '#functions/comments.ts';
import post from '#functions/post.ts';
import { requestContext } from '#src/core/request-context.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getEnv, getSecret, setEnv } from '#src/lib/env.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import { seal } from '#src/lib/token.ts';
import { changeSettings } from '#src/core/settings/settings.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { operations } from '#src/features/openapi/operations.ts';
import { freeSlug } from '#src/features/posts/editing.ts';
import { approvalLink } from '#src/features/newsletter/next-issue.server.ts';
import { conversationLink, moderationToken } from '#src/features/comments/links.server.ts';
import { previewToken } from '#src/features/posts/preview-links.server.ts';
import { openSession } from '#tests/support/admin.ts';
import { fetchApi, fetchFrom, functions, paths } from '#tests/support/api.ts';
import { filledTestDb, useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { SITE_URL } from '#tests/support/setup.ts';

const SOURCES = new URL('../../src/', import.meta.url);
const endpoints = await declaredEndpoints();
/** Whether it needs a session. */
const isAdmin = ({ path }: { path: string }) =>
	/^\/api\/admin\/(?!(status|login(\/passkey)?|logout|reset)$)/.test(path);
const reads = endpoints.filter((one) => one.method === 'GET' && !isAdmin(one));
/** Pages behind a link in an email. */
const LINKS = ['/confirm', '/conversation', '/letters/approve', '/moderate'];
/** Challenges of the moment, for the sign-in alone. */
const SIGN_IN = ['/api/admin/status', '/api/admin/login/passkey'];
const NEVER_STORED = [...SIGN_IN, '/api/health', '/api/preview/:token', ...LINKS];
/** Pages of ours, for browsers alone. */
const OWN_PAGES = ['/search/results', '/open', '/blog/:id/comments'];
/** Whether programs of any site may read it. */
const isOpen = (path: string) =>
	reads.some((one) => one.path === path) &&
	![...SIGN_IN, '/api/preview/:token', ...OWN_PAGES, ...LINKS].includes(path);
/** Functions at the address of a page, which has every method but theirs. */
const besidePages = new Map<string, typeof post>(
	(await functions())
		.filter(({ config }) => config.method)
		.flatMap(({ config, default: handler }) =>
			[config.path ?? []].flat().map((path) => [path, handler] as const),
		),
);
/** Asks the function at a path, also where the router leaves this method to a page. */
const ask = (path: string, init: RequestInit) => {
	const handler = besidePages.get(path);
	return (handler ? fetchFrom(handler) : fetchApi())(addressOf({ path }), init);
};
/** Images, which may be replaced in place. */
const REPLACEABLE = '/api/media/:id';

async function declaredEndpoints() {
	const files = await readdir(SOURCES, { recursive: true });
	const modules = files
		.filter((name) => name.endsWith('.api.ts'))
		.map(
			(name) =>
				import(new URL(name, SOURCES).pathname) as Promise<
					Record<string, Endpoint<object, unknown>>
				>,
		);
	return (await Promise.all(modules)).flatMap((module) => Object.values(module));
}

/** A post in a category and a state, so that every address has something behind it. */
const setup = filledTestDb(async (db) => {
	// Without figures there is no open page.
	await changeSettings(db, { openFigures: ['day'] }, 'admin@example.com', new Date());
	const { id: categoryId } = await makeCategory(db, { name: 'Robotics' });
	await makePost(db, { id: 'p1', title: 'Kalman', categoryId });
	await renderStalePosts(db);
	await db.insert(media).values({
		id: 'p1',
		name: 'dot.gif',
		type: 'image/gif',
		width: 1,
		height: 1,
		size: 3,
		digest: 'd1',
		bytes: Buffer.from('GIF'),
	});
	const asked = { id: 'u1', email: 'ada@example.com', wish: 'newsletter', details: {} };
	await db.insert(unconfirmed).values({ ...asked, askedAt: new Date() });
	const list = JSON.stringify([]);
	await db.run(`insert into states (id, name, slug, abbreviation, population, capital, major_cities, ai_companies,
		universities, tech_hubs, key_industries, ai_initiatives, research_centers, startup_ecosystem, government_support,
		description, meta_title, meta_description, keywords, figures)
		values ('s1', 'Texas', 'texas', 'TX', 1, 'Austin', '${list}', '${list}', '${list}', '${list}', '${list}', '${list}',
		'${list}', '', '${list}', '', '', '', '${list}', '${list}')`);
});

/** The address of an endpoint in the database of `setup`. */
function addressOf({ path }: { path: string }): string {
	const slug = path.startsWith('/api/states')
		? 'texas'
		: path.startsWith('/api/categories')
			? 'robotics'
			: 'kalman';
	const { token } = previewToken('p1', getSecret(), new Date());
	if (path === '/conversation') return path + new URL(conversationLink('c1')).search;
	if (path === '/letters/approve')
		return path + new URL(approvalLink('2026-03-05', new Date())).search;
	if (path === '/moderate')
		return `${path}?token=${moderationToken({ id: 'c1', updatedAt: new Date() }, 'hide', new Date())}`;
	if (path === '/confirm') return `${path}?token=${seal(getSecret(), 'confirm', 'u1')}`;
	return path.replace(':slug', slug).replace(':id', 'p1').replace(':token', token);
}

const json = (body: unknown, headers = {}) => ({
	method: 'POST',
	headers,
	body: JSON.stringify(body),
});
const ada = { postId: 'p1', author: 'Ada', email: 'ada@example.com', content: 'Lovely post' };

describe('the table of contents', () => {
	test('every endpoint has its function, and every function its endpoint', async () => {
		const routed = await paths();
		const declared = new Set(endpoints.map(({ path }) => path));
		// Nothing of these is declared: two answer for what is not there, one sends files, three speak to programs, one is a frame.
		const others = [
			...['/_astro/*', '/media/*', '/api/admin', '/api/admin/*', '/api/downloads/:token'],
			...['/mcp', '/.well-known/mcp.json', '/.well-known/security.txt', '/run-frame'],
		];
		expect(routed.sort()).toEqual([...declared, ...others].sort());
	});

	test('no article is given an address that the API has for something else', () => {
		const words = endpoints.map(({ path }) => /^\/api\/posts\/([\w-]+)$/.exec(path)?.[1] ?? 'page');
		expect(words).toContain('featured');
		for (const word of words) expect(freeSlug(word, () => false)).toBe(`${word}-2`);
	});

	test('robots.txt lets programs read what the API describes to everybody, and nothing else', async () => {
		const text = await readFile(new URL('pages/robots.txt.ts', SOURCES), 'utf8');
		const allowed = [...text.matchAll(/^Allow: (.+)$/gm)].map(([, path]) => path!);
		const described = Object.values(operations).map(({ endpoint }) => endpoint);
		const isAllowed = ({ path }: { path: string }) => allowed.some((each) => path.startsWith(each));
		const read = endpoints.filter((each) => each.method === 'GET' && isAllowed(each));
		const paths = described.map(({ path }) => path);
		expect(read.filter(({ path }) => !paths.includes(path))).toEqual([]);
		const idle = allowed.filter((each) => !read.some(({ path }) => path.startsWith(each)));
		expect(idle).toEqual(['/api/openapi.json']);
	});

	test.each(endpoints)('exactly one function answers $method $path', async ({ method, path }) => {
		await setup();
		const address = addressOf({ path });
		const answering = (await functions()).filter(({ config }) => {
			const matches = (one: string) =>
				new URLPattern({ pathname: one }).test(address, 'https://groundtruth.test');
			return (
				[config.path ?? []].flat().some(matches) &&
				![config.excludedPath ?? []].flat().some(matches)
			);
		});
		expect(answering).toHaveLength(1);
		const info = { id: '', route: '', path: '' };
		const response = await requestContext.run(info, () => fetchApi()(address, { method }));
		expect(response.status).not.toBe(405);
		// Where metrics count it: the admin's function finds the path itself.
		if (isAdmin({ path })) expect(info.route).toBe(path);
	});
});

test.each(endpoints.filter(isAdmin))(
	'without a session $method $path is a 401 that says nothing else',
	async ({ method, path }) => {
		await setup();
		const response = await fetchApi()(addressOf({ path }), { method });
		expect([response.status, response.headers.get('Cache-Control')]).toEqual([401, 'no-store']);
		expect(await response.json()).toEqual({
			error: { code: 'unauthorized', message: MESSAGES.unauthorized },
		});
	},
);

describe('methods', () => {
	const known = [...new Set(endpoints.filter((one) => !isAdmin(one)).map(({ path }) => path))];

	const NOT_ALLOWED = JSON.stringify({
		error: {
			code: 'method_not_allowed',
			message: 'This address does not take this method.',
		},
	});
	test.each(known)(
		'a method that %s does not know is a 405 that names the right ones',
		async (path) => {
			const db = await setup();
			const methods = endpoints
				.filter((one) => one.path === path)
				.map(({ method }) => method as string);
			const allowed = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
			const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
				(one) => !allowed.includes(one) && !(one === 'OPTIONS' && isOpen(path)),
			);
			for (const method of others) {
				const response = await ask(path, { method });
				expect([response.status, response.headers.get('Allow')]).toEqual([405, allowed.join(', ')]);
				expect(await response.text()).toBe(method === 'HEAD' ? '' : NOT_ALLOWED);
			}
			expect(await db.$count(posts)).toBe(1);
		},
	);

	test.each([...besidePages.keys()])('the page at %s has every other method', async (path) => {
		for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
			await expect(fetchApi()(path, { method })).rejects.toThrow('No function answers');
		}
	});

	test.each(reads)('HEAD $path is GET without the body', async (endpoint) => {
		await setup();
		const [get, head] = await Promise.all(
			['GET', 'HEAD'].map((method) => fetchApi()(addressOf(endpoint), { method })),
		);
		expect(get!.status).toBe(200);
		expect(head!.status).toBe(200);
		expect([...head!.headers]).toEqual([...get!.headers]);
		expect(await head!.text()).toBe('');
		expect(await get!.text()).not.toBe('');
	});

	test('HEAD of what is not there is a 404 without a body', async () => {
		await setup();
		const response = await fetchApi()('/api/posts/nowhere', { method: 'HEAD' });
		expect([response.status, await response.text()]).toEqual([404, '']);
	});
});

/** Returns that change without a write: their figures are counted meanwhile (product.md section 9). */
const FRESH_SECONDS: Record<string, number> = {
	'/api/posts/trending': 60,
	'/api/posts/most-shared': 300,
	'/open': 300,
};

describe('caching', () => {
	test.each(reads)('GET $path says who may keep the answer', async (endpoint) => {
		await setup();
		const { headers } = await fetchApi()(addressOf(endpoint));
		if (endpoint.path === REPLACEABLE) {
			// Another picture may stand there tomorrow: browsers ask, and the CDN is purged by the tag.
			expect(headers.get('Cache-Control')).toBe('public, no-cache');
			expect(headers.get('Netlify-CDN-Cache-Control')).toBe('public, durable, s-maxage=31536000');
			expect(headers.get('Netlify-Cache-Tag')).toBe('media,media-p1');
			expect(headers.get('ETag')).toMatch(/^"\w+"$/);
			return;
		}
		if (NEVER_STORED.includes(endpoint.path)) {
			expect(headers.get('Cache-Control')).toBe('no-store');
			expect(headers.get('Netlify-CDN-Cache-Control')).toBeNull();
			expect(headers.get('ETag')).toBeNull();
			return;
		}
		expect(headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
		const seconds = FRESH_SECONDS[endpoint.path] ?? 31_536_000;
		expect(headers.get('Netlify-CDN-Cache-Control')).toMatch(
			new RegExp(`^public, durable, s-maxage=${seconds}(,|$)`),
		);
		expect(headers.get('Netlify-Cache-Tag')).toMatch(/^[a-z0-9-]+(,[a-z0-9-]+)*$/);
		expect(headers.get('Netlify-Vary')).toBe('query');
		expect(headers.get('ETag')).toMatch(/^W\/"[\w-]+"$/);
	});

	test("the comments of a post are kept under the post's own tag, and go with the post", async () => {
		await setup();
		const { headers } = await fetchApi()('/api/posts/p1/comments');
		expect(headers.get('Netlify-Cache-Tag')).toBe('comments-p1,posts');
	});

	test.each(['/api/posts/nowhere', '/api/posts?limit=0', '/api/states/nowhere'])(
		'a failure is never kept: %s',
		async (path) => {
			await setup();
			const { headers } = await fetchApi()(path);
			expect(headers.get('Cache-Control')).toBe('no-store');
			expect(headers.get('Netlify-CDN-Cache-Control')).toBeNull();
			expect(headers.get('ETag')).toBeNull();
		},
	);

	test('an answer that the caller has is a 304 without a body, until it changes', async () => {
		const db = await setup();
		const etag = (await fetchApi()('/api/posts')).headers.get('ETag')!;
		const ask = (value: string, method = 'GET') =>
			fetchApi()('/api/posts', { method, headers: { 'If-None-Match': value } });
		for (const value of [
			etag,
			`"other", ${etag}`,
			`"other"  ,\t${etag} , "last"`,
			etag.replace('W/', ''),
			'*',
		]) {
			const response = await ask(value);
			expect([response.status, await response.text()]).toEqual([304, '']);
			expect(response.headers.get('ETag')).toBe(etag);
			expect(response.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
		}
		expect((await ask(etag, 'HEAD')).status).toBe(304);
		expect((await ask('"other"')).status).toBe(200);
		await makePost(db);
		const changed = await ask(etag);
		expect(changed.status).toBe(200);
		expect(changed.headers.get('ETag')).not.toBe(etag);
	});
});

describe('bodies', () => {
	const NOT_AN_OBJECT = { code: 'validation', message: 'The request body must be a JSON object.' };

	test.each(['[]', '[{}]', 'null', '1', 'true', '"text"', '{', '{"a":}', 'a=b', '\0'])(
		'%j is refused, and nothing is stored',
		async (body) => {
			const db = await setup();
			for (const path of [
				'/api/comments',
				'/api/subscribers',
				'/api/contact',
				'/api/admin/login',
			]) {
				const response = await fetchApi()(path, { method: 'POST', body });
				expect(response.status).toBe(400);
				expect(await response.json()).toEqual({ error: NOT_AN_OBJECT });
			}
			expect(await db.$count(comments)).toBe(0);
			expect(await db.$count(subscribers)).toBe(0);
		},
	);

	test('another encoding is refused instead of stored with signs for its letters', async () => {
		const db = await setup();
		const { id } = await makePost(db);
		const send = (body: string | Buffer, type: string) =>
			fetchApi()('/api/comments', {
				method: 'POST',
				headers: { 'Content-Type': type },
				body: body as BodyInit,
			});
		const json = JSON.stringify({
			postId: id,
			author: 'Zoë',
			email: 'z@x.example',
			content: 'naïve',
		});
		const form = `postId=${id}&email=z%40x.example&content=naive`;
		const encoded = 'application/x-www-form-urlencoded';
		for (const [body, type] of [
			[Buffer.from(json, 'latin1'), 'application/json'],
			[Buffer.from(`\ufeff${json}`, 'utf16le'), 'application/json; charset=utf-16'],
			[`${form}&author=Zo%EB`, encoded],
			[Buffer.from(`${form}&author=Zoë`, 'latin1'), encoded],
		] as const) {
			const response = await send(body, type);
			expect([response.status, await response.json()]).toEqual([
				400,
				{ error: { code: 'validation', message: 'Send the body in UTF-8.' } },
			]);
		}
		expect(await db.$count(comments)).toBe(0);
		// What was typed so is taken, and the mark of an encoding is no part of it.
		expect((await send(`${form}&author=Zo%EF%BF%BD`, encoded)).status).toBe(201);
		expect((await send(`\ufeff${json.replace('z@', 'y@')}`, 'application/json')).status).toBe(201);
		const authors = (await db.select().from(comments)).map(({ author }) => author);
		expect(authors.sort()).toEqual(['Zo\ufffd', 'Zoë'].sort());
	});

	test('a name of which nothing would be seen is none, and what breaks lines elsewhere parts words', async () => {
		const db = await setup();
		const { id } = await makePost(db);
		const send = (author: string, content: string) =>
			fetchApi()('/api/comments', {
				method: 'POST',
				body: JSON.stringify({ postId: id, author, email: 'z@x.example', content }),
			});
		for (const author of ['\u3164', '\u115f\u1160', '\uffa0 \u2800', '\u{e0041}\u200d', '\u034f']) {
			const response = await send(author, 'Words');
			const { error } = (await response.json()) as { error: { fields: object } };
			expect([response.status, error.fields]).toEqual([
				400,
				{ author: 'Please fill in your name' },
			]);
		}
		expect((await send('👩\u200d👧', 'one\u0085two\vthree\u009f')).status).toBe(201);
		const [stored] = await db.select().from(comments);
		expect([stored!.author, stored!.content]).toEqual(['👩\u200d👧', 'one\ntwo\nthree']);
	});

	test.each([undefined, '', '{}'])('a body of %j has every message', async (body) => {
		const db = await setup();
		const response = await fetchApi()('/api/comments', {
			method: 'POST',
			...(body !== undefined && { body }),
		});
		expect(response.status).toBe(400);
		const { error } = (await response.json()) as { error: { fields: object } };
		expect(Object.keys(error.fields).sort()).toEqual(['author', 'content', 'email', 'postId']);
		expect(await db.$count(comments)).toBe(0);
	});

	test.each([
		['JSON', (fields: Record<string, string>) => JSON.stringify(fields)],
		['a form', (fields: Record<string, string>) => new URLSearchParams(fields)],
	])('of %s a NUL is a space, and nothing behind it is lost', async (_, body) => {
		const db = await setup();
		const post = (fields: object) =>
			fetchApi()('/api/comments', { method: 'POST', body: body({ ...ada, ...fields }) });
		expect((await post({ author: '\0' })).status).toBe(400);
		expect((await post({ content: 'Lovely\0post' })).status).toBe(201);
		expect(await db.select().from(comments)).toMatchObject([{ content: 'Lovely post' }]);
	});

	const asJson = JSON.stringify(ada);
	const asForm = new URLSearchParams(ada).toString();
	test.each([
		['application/json', asJson, 201],
		['application/json; charset=utf-8', asJson, 201],
		['Application/JSON;charset=UTF-8', asJson, 201],
		['application/x-www-form-urlencoded', asForm, 201],
		['Application/X-WWW-Form-URLencoded; charset=UTF-8', asForm, 201],
		['application/json', asForm, 400],
		// Its fields are not read.
		['multipart/form-data; boundary=x', '--x--', 400],
		['application/x-www-form-urlencoded', '', 400],
		['text/plain', '', 400],
		// What a browser names where a page beacons or fetches a text.
		['text/plain;charset=UTF-8', asJson, 415],
		['application/jsonp', asJson, 415],
		['application/x-www-form-urlencoded-not', asForm, 415],
		['application/ld+json', asJson, 415],
		['application/xml', '<comment/>', 415],
		['application/octet-stream', asJson, 415],
		['text/html, application/json', asJson, 415],
		['json', asJson, 415],
		['; application/json', asJson, 415],
		['', asJson, 415],
		[undefined, asJson, 415],
	])('a body of the type %s (%s) is answered with %i', async (type, body, status) => {
		const db = await setup();
		const response = await fetchApi()('/api/comments', {
			method: 'POST',
			headers: type === undefined ? {} : { 'Content-Type': type },
			// Bytes, for which no type is made up.
			body: Buffer.from(body),
		});
		expect(response.status).toBe(status);
		expect(await db.$count(comments)).toBe(status === 201 ? 1 : 0);
		if (status !== 415) return;
		expect(await response.json()).toEqual({
			error: {
				code: 'unsupported_type',
				message: 'Send the body as application/json or application/x-www-form-urlencoded.',
			},
		});
	});

	test('no call that writes takes a body of another type, and none of the admin a form but previews', async () => {
		const db = await setup();
		const headers = new Headers({ Cookie: await openSession(db) });
		for (const one of endpoints.filter(({ method }) => method !== 'GET')) {
			const isAdmin = one.path.startsWith('/api/admin') && !FRAMED.includes(one.path);
			const own = isAdmin || one.path === '/api/bounces';
			const types = ['text/plain', 'application/xml', ...(own ? FORMS : [])];
			for (const type of types) {
				headers.set('Content-Type', type);
				const response = await ask(one.path, { method: one.method, headers, body: 'a=1' });
				expect(response.status, `${one.method} ${one.path} ${type}`).toBe(415);
			}
		}
	});
	const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
	/** Paths of the admin that take forms all the same: a frame shows what they answer, and they change nothing. */
	const FRAMED = ['/api/admin/messages/:id/preview', '/api/admin/letters/preview'];

	test('64 KB are read, one byte more is not', async () => {
		const db = await setup();
		const size = 64 * 1024;
		const body = (bytes: number) => {
			const text = JSON.stringify({ ...ada, ignored: '' });
			return text.replace('"ignored":""', `"ignored":"${'a'.repeat(bytes - text.length)}"`);
		};
		const response = await fetchApi()('/api/comments', { method: 'POST', body: body(size + 1) });
		expect(response.status).toBe(413);
		expect(await response.json()).toMatchObject({ error: { code: 'too_large' } });
		expect(await db.$count(comments)).toBe(0);
		expect((await fetchApi()('/api/comments', { method: 'POST', body: body(size) })).status).toBe(
			201,
		);
	});

	test('a body without end is not read to its end', async () => {
		await setup();
		let sent = 0;
		const body = new ReadableStream({
			pull(controller) {
				sent += 1024;
				controller.enqueue(new Uint8Array(1024).fill(32));
			},
		});
		const init = { method: 'POST', body, duplex: 'half' };
		const response = await fetchApi()('/api/comments', init);
		expect(response.status).toBe(413);
		expect(sent).toBeLessThan(80 * 1024);
	});

	test.each([
		[1, 400],
		[63, 400],
		[100, 201],
		[4096, 201],
	])('a body in pieces of %i bytes is answered with %i', async (size, status) => {
		await setup();
		const text = JSON.stringify({ ...ada, ignored: 'a'.repeat(64_600) });
		let at = 0;
		const body = new ReadableStream({
			pull(controller) {
				if (at >= text.length) return controller.close();
				controller.enqueue(Buffer.from(text.slice(at, (at += size))));
			},
		});
		const headers = { 'Content-Type': 'application/json' };
		const init = { method: 'POST', headers, body, duplex: 'half' };
		const response = await fetchApi()('/api/comments', init);
		expect(response.status).toBe(status);
		if (status === 400) expect(at).toBeLessThan(text.length);
	});

	test('a plain form that is too large is answered with the form', async () => {
		const db = await setup();
		const response = await fetchApi()('/api/comments', {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams({ ...ada, content: 'a'.repeat(65 * 1024) }),
		});
		expect(response.status).toBe(413);
		expect(await response.text()).toContain('That is too long to send.');
		expect(await db.$count(comments)).toBe(0);
	});

	test.each([
		['different', 200, 201, (index: number) => `a${index}=1`],
		['the same', 200, 201, () => 'a=1'],
		['empty', 200, 201, () => ''],
	])('of fields that are %s, %i are read and %i are not', async (_, most, tooMany, field) => {
		const db = await setup();
		const body = (count: number) =>
			[
				...Array.from({ length: count - 4 }, (_one, index) => field(index)),
				...new URLSearchParams(ada).toString().split('&'),
			].join('&');
		const post = (count: number, headers = {}) =>
			fetchApi()('/api/comments', {
				method: 'POST',
				headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
				body: body(count),
			});
		expect((await post(most)).status).toBe(201);
		const refused = await post(tooMany);
		expect(refused.status).toBe(400);
		expect(await refused.json()).toEqual({
			error: { code: 'validation', message: 'Send 200 fields or fewer.' },
		});
		const page = await post(tooMany, { Accept: 'text/html' });
		expect([page.status, await page.text()]).toEqual([
			400,
			expect.stringContaining('Send 200 fields or fewer.'),
		]);
		expect((await fetchApi()(`/api/posts?limit=1&${body(most - 1)}`)).status).toBe(200);
		expect((await fetchApi()(`/api/posts?limit=1&${body(tooMany - 1)}`)).status).toBe(400);
		expect(await db.$count(comments)).toBe(1);
	});

	test('a field that comes twice is a list, and one with a name of the language is a field', async () => {
		await setup();
		const related = (query: string) => fetchApi()(`/api/posts/p1/related?${query}`);
		expect((await related('tags=a&tags=b')).status).toBe(200);
		expect((await related(Array(51).fill('tags=a').join('&'))).status).toBe(400);
		expect((await related('__proto__=a&__proto__=b&constructor=c')).status).toBe(200);
	});

	test('what nobody asked for is ignored', async () => {
		const db = await setup();
		const extra = { id: 'mine', approved: false, createdAt: 0, __proto__: { approved: false } };
		expect((await fetchApi()('/api/comments', json({ ...ada, ...extra }))).status).toBe(201);
		const [row] = await db.select().from(comments);
		expect(row).toMatchObject({ approved: true });
		expect(row!.id).not.toBe('mine');
	});

	test('a name in the path wins over the query', async () => {
		await setup();
		const response = await fetchApi()('/api/posts/kalman?slug=other&id=other');
		expect(await response.json()).toMatchObject({ slug: 'kalman' });
	});
});

describe('other sites', () => {
	const send = (headers: Record<string, string>, url = '/api/comments') =>
		fetchApi()(url, json(ada, headers));

	test.each([
		{ Origin: 'https://elsewhere.example' },
		{ Origin: `${SITE_URL}.elsewhere.example` },
		{ Origin: `${SITE_URL}:8443` },
		{ Origin: SITE_URL.replace('https:', 'http:') },
		{ Origin: SITE_URL.replace('https:', 'ftp:') },
		{ Origin: 'null' },
		{ Origin: 'nonsense' },
		{ Origin: '' },
		{ 'Sec-Fetch-Site': 'cross-site' },
		{ Origin: SITE_URL, 'Sec-Fetch-Site': 'cross-site' },
	])('a change with %j is refused, and nothing is stored', async (headers) => {
		const db = await setup();
		const response = await send(headers);
		expect(response.status).toBe(403);
		expect(await response.json()).toMatchObject({ error: { code: 'forbidden' } });
		expect(await db.$count(comments)).toBe(0);
	});

	test.each([
		{},
		{ Origin: SITE_URL },
		{ Origin: SITE_URL, 'Sec-Fetch-Site': 'same-origin' },
		{ 'Sec-Fetch-Site': 'same-site' },
		{ 'Sec-Fetch-Site': 'none' },
	])('a change with %j passes', async (headers) => {
		const db = await setup();
		expect((await send(headers)).status).toBe(201);
		expect(await db.$count(comments)).toBe(1);
	});

	test('a change from the address that was asked, or from SITE_URL behind a proxy, passes', async () => {
		const db = await setup();
		const url = 'http://127.0.0.1:8888/api/comments';
		expect((await send({ Origin: 'http://127.0.0.1:8888' }, url)).status).toBe(201);
		expect((await send({ Origin: SITE_URL }, url)).status).toBe(201);
		expect(
			(await send({ Origin: 'https://preview.example', Host: 'preview.example' }, url)).status,
		).toBe(201);
		expect(await db.$count(comments)).toBe(3);
	});

	test('a page with encryption may change a site without, and never the other way round', async () => {
		const db = await setup();
		setEnv({ ...getEnv(), SITE_URL: 'http://groundtruth.test' });
		const url = 'http://groundtruth.test/api/comments';
		expect((await send({ Origin: 'http://groundtruth.test' }, url)).status).toBe(201);
		expect((await send({ Origin: 'https://groundtruth.test' }, url)).status).toBe(201);
		expect((await send({ Origin: 'ftp://groundtruth.test' }, url)).status).toBe(403);
		setEnv({ ...getEnv(), SITE_URL });
		expect((await send({ Origin: 'http://groundtruth.test' }, url)).status).toBe(403);
		expect(await db.$count(comments)).toBe(2);
	});

	test('a plain form from another site gets the form, not the thank-you page', async () => {
		const db = await setup();
		const response = await fetchApi()('/api/comments', {
			method: 'POST',
			headers: { Accept: 'text/html', Origin: 'https://elsewhere.example' },
			body: new URLSearchParams(ada),
		});
		expect(response.status).toBe(403);
		expect(await db.$count(comments)).toBe(0);
	});

	test.each([
		['same-origin', 201],
		['same-site', 403],
		['cross-site', 403],
		['none', 403],
		[undefined, 403],
	])(
		'a form without an origin, of which the browser says %s, is answered with %i',
		async (site, status) => {
			await setup();
			const headers = { Origin: 'null', ...(site && { 'Sec-Fetch-Site': site }) };
			const response = await fetchApi()('/api/subscribers', {
				method: 'POST',
				headers,
				body: JSON.stringify({ email: 'ada@example.com' }),
			});
			expect(response.status).toBe(status);
		},
	);

	const foreign = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
	const isShared = ({ headers }: Response) => {
		const told = [
			headers.get('Access-Control-Allow-Origin'),
			headers.get('Cross-Origin-Resource-Policy'),
		];
		expect([
			['*', 'cross-origin'],
			[null, 'same-origin'],
		]).toContainEqual(told);
		return told[0] === '*';
	};

	test.each(endpoints)('whether their pages may read $method $path', async (endpoint) => {
		await setup();
		const { method, path } = endpoint;
		const response = await fetchApi()(addressOf(endpoint), { method, headers: foreign });
		expect(isShared(response)).toBe(method === 'GET' && isOpen(path));
		expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull();
	});

	test('their pages may read an answer that they have, one without a body, and a failure', async () => {
		const db = await setup();
		const ask = (path: string, init = {}) => fetchApi()(path, { headers: foreign, ...init });
		const etag = (await ask('/api/posts')).headers.get('ETag')!;
		const answers = [
			await ask('/api/posts', { headers: { ...foreign, 'If-None-Match': etag } }),
			await ask('/api/posts', { method: 'HEAD' }),
			await ask('/api/posts?limit=0'),
			await ask('/api/posts/nowhere'),
		];
		vi.spyOn(console, 'error').mockImplementation(() => {});
		await db.run('alter table posts rename to secrets');
		answers.push(await ask('/api/posts'));
		expect(answers.map(({ status }) => status)).toEqual([304, 200, 400, 404, 500]);
		expect(answers.map(isShared)).toEqual(Array(5).fill(true));
		expect(answers[0]!.headers.get('Access-Control-Expose-Headers')).toBe('ETag, Retry-After');
	});

	test.each([...new Set(endpoints.map(({ path }) => path))])(
		'a browser that asks whether a page may send more to %s is told',
		async (path) => {
			await setup();
			const headers = { ...foreign, 'Access-Control-Request-Method': 'GET' };
			const response = await ask(path, { method: 'OPTIONS', headers });
			expect(isShared(response)).toBe(isOpen(path));
			if (!isOpen(path)) return expect(response.ok).toBe(false);
			expect([response.status, await response.text()]).toEqual([204, '']);
			expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD');
			expect(response.headers.get('Access-Control-Allow-Headers')).toBe('*');
			expect(response.headers.get('Access-Control-Max-Age')).toBe('86400');
		},
	);
});

describe('answers', () => {
	test('every answer carries the security headers that netlify.toml cannot give it', async () => {
		await setup();
		const form = { headers: { Accept: 'text/html' }, method: 'POST' };
		const answers = [
			await fetchApi()('/api/posts'),
			await fetchApi()('/api/posts/nowhere'),
			await fetchApi()('/api/posts', { method: 'DELETE' }),
			await fetchApi()('/api/comments', json(ada)),
			await fetchApi()('/api/comments', { ...form, body: new URLSearchParams(ada) }),
			await fetchApi()('/api/comments', { ...form, body: new URLSearchParams({}) }),
			await fetchApi()('/api/admin/posts'),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 201, 303, 400, 401]);
		for (const { headers } of answers) {
			expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
			expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
			expect(headers.get('Content-Security-Policy')).toMatch(
				/^default-src 'none';.*frame-ancestors 'none'/,
			);
			expect(headers.get('Strict-Transport-Security')).toContain('max-age=31536000');
		}
	});

	test('a success is the bare value, a failure is an error with its code', async () => {
		await setup();
		const found = await fetchApi()('/api/categories');
		expect(found.headers.get('Content-Type')).toBe('application/json');
		expect(await found.json()).toMatchObject([{ slug: 'robotics' }]);
		const missing = await fetchApi()('/api/posts/nowhere');
		expect(missing.headers.get('Content-Type')).toBe('application/json');
		expect(await missing.json()).toEqual({
			error: { code: 'not_found', message: MESSAGES.not_found },
		});
	});

	test('an unexpected failure is logged whole and answered with nothing in it', async () => {
		const db = await setup();
		const log = vi.spyOn(console, 'error').mockImplementation(() => {});
		await db.run('alter table comments rename to secrets');
		const response = await fetchFrom(comment)('/api/comments', json(ada));
		expect(response.status).toBe(500);
		expect(await response.json()).toEqual({ error: { code: 'server', message: MESSAGES.server } });
		expect(inspect(log.mock.calls, { depth: 9 })).toContain('no such table: comments');
		expect(log).toHaveBeenCalledOnce();
	});

	test('an unexpected failure of a plain form keeps what was typed and says nothing about us', async () => {
		const db = await setup();
		vi.spyOn(console, 'error').mockImplementation(() => {});
		await db.run('alter table comments rename to secrets');
		const response = await fetchFrom(comment)('/api/comments', {
			method: 'POST',
			headers: { Accept: 'text/html' },
			body: new URLSearchParams(ada),
		});
		const page = await response.text();
		expect(response.status).toBe(500);
		expect(page).toContain(MESSAGES.server);
		expect(page).toContain('Lovely post');
		expect(page).not.toContain('no such table');
	});

	test('a missing path parameter is a 400, not a crash', async () => {
		await setup();
		expect((await fetchFrom(post)('/api/posts/')).status).toBe(400);
	});
});

test.each(['application/json', 'application/x-www-form-urlencoded'])(
	'characters that are removed count where a text may not be longer (%s)',
	async (type) => {
		const db = await useTestDb();
		const before = await db.$count(subscribers);
		const send = (email: string, source: string) => {
			const fields = { email, source };
			const body = type.endsWith('json')
				? JSON.stringify(fields)
				: new URLSearchParams(fields).toString();
			return fetchApi()('/api/subscribers', {
				method: 'POST',
				headers: { 'Content-Type': type },
				body,
			});
		};
		const long = `Newsletter${'\u0099'.repeat(1000)} Modal`;
		expect((await send('long@example.com', long)).status).toBe(400);
		expect(await db.$count(subscribers)).toBe(before);
		expect((await send('short@example.com', 'Newsletter\u0099 Modal')).status).toBe(201);
		expect(await db.select().from(subscribers)).toContainEqual(
			expect.objectContaining({ email: 'short@example.com', source: 'Newsletter Modal' }),
		);
	},
);
