/** Bad input for the whole API: requests made from the declarations of its endpoints, and what must hold of every answer. */
import fc from 'fast-check';
import { asc, desc, eq, inArray } from 'drizzle-orm';
import { randomBytes, randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { format } from 'node:util';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import * as tables from '#db/schema.ts';
import { SECURITY_HEADERS } from '#functions/lib/headers.ts';
import { hashPassword } from '#src/core/session/password.server.ts';
import { storeLessons } from '#src/features/course/course.server.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { LINK_MS } from '#src/features/downloads/download.ts';
import { dataLink, readerLinks } from '#src/core/outbox/mail.server.ts';
import { moderationToken } from '#src/features/comments/links.server.ts';
import { previewToken } from '#src/features/posts/preview-links.server.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { routeFunctions, type Functions } from '#src/host/router.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { STATUS } from '#src/lib/errors.ts';
import { seal } from '#src/lib/token.ts';
import { ADMIN_EMAIL, openSession } from '#tests/support/admin.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';
import { seedContent, unrendered } from '#tests/support/seed.ts';
import { attempts, type Attempt, type JsonSchema, type Pools, type Target } from './inputs.ts';
import { wrongRows } from './stored.ts';

type Tally = {
	name: string;
	requests: number;
	/** Responses by the first digit of their status. */
	classes: Record<number, number>;
	/** Milliseconds of all requests. */
	ms: number;
};

export type Findings = {
	tallies: Tally[];
	/** Rows that were read back. */
	rows: number;
	seconds: number;
	/** Faults, each with a request that shows it. */
	problems: string[];
};

/** Requests of each endpoint between two looks at what is in the database by now. */
export const PER_ROUND = 12;
/** Requests under way at a time. */
const LANES = 8;
/** Maximum of an answer's body that is read, so that an archive of everything is not read whole each time. */
const READ_BYTES = 64 * 1024;
const PASSWORD = 'Correct-Horse-7';
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Words that no answer to a mistake may have: where the code is, what threw, or how the database is asked. */
const LEAK =
	/node_modules|\.(ts|mjs):\d|SQLITE_|Failed query|sqlite|libsql|drizzle|\/(src|functions|home|tmp|root)\/|\bat (async )?[\w.<>]+ \(|\b[A-Z]\w*Error\b|select .{1,200} from /;

/**
 * Sends `requests` requests to a database that has a little of everything, and reads all of it back afterwards. The same
 * seed sends the same requests, but for ids that the database made.
 */
export async function fuzz(
	db: Db,
	{ requests, seed }: { requests: number; seed: number },
): Promise<Findings> {
	const started = performance.now();
	const functions = routeFunctions(await loadFunctions());
	const targets = await targetsOf();
	const tallies = new Map(targets.map((target) => [target, tallyOf(target)]));
	const problems = new Map<string, string>();
	const password = await hashPassword(PASSWORD);
	await storeLessons(
		db,
		LESSONS.map((title) => ({ title, summary: title, html: '<p>Words.</p>', text: 'Words.' })),
	);
	await seedContent(db, unrendered);
	let cookie = await signIn();
	let sent = 0;

	async function signIn(): Promise<string> {
		const opened = await openSession(db);
		await db.update(tables.users).set({ password });
		return opened;
	}

	async function send(target: Target, attempt: Attempt): Promise<void> {
		const tally = tallies.get(target)!;
		const before = performance.now();
		const answer = await answerTo(functions, attempt, cookie);
		tally.ms += performance.now() - before;
		tally.requests++;
		if (!answer) return;
		const { response, text } = answer;
		const first = Math.floor(response.status / 100);
		tally.classes[first] = (tally.classes[first] ?? 0) + 1;
		for (const problem of wrongAnswer(response, text)) {
			// One example of each is enough.
			problems.set(`${tally.name}: ${problem}`, shown(attempt));
		}
		if (response.status === 401 && attempt.signedIn && target.path.startsWith('/api/admin/')) {
			cookie = await signIn();
		}
	}

	const { error, warn } = console;
	for (const level of ['error', 'warn'] as const) {
		console[level] = (...values: unknown[]) => {
			problems.set(`said: ${format(...values).slice(0, 1500)}`, '');
		};
	}
	try {
		for (let round = 0; sent < requests; round++) {
			const pools = await restock(db);
			const lists = targets.map((target, index) => ({
				target,
				list: fc.sample(attempts(target, pools), {
					numRuns: PER_ROUND,
					seed: (seed + round * 7919 + index * 104_729) | 0,
				}),
			}));
			const mixed = Array.from({ length: PER_ROUND }, (_, at) =>
				lists.map(({ target, list }) => ({ target, attempt: list[at]! })),
			).flat();
			const batch = mixed.slice(0, requests - sent).values();
			const lane = async () => {
				for (const { target, attempt } of batch) await send(target, attempt);
			};
			await Promise.all(Array.from({ length: LANES }, lane));
			sent += Math.min(mixed.length, requests - sent);
			await functions.settle();
		}
	} finally {
		Object.assign(console, { error, warn });
	}
	const stored = await wrongRows(db);
	return {
		tallies: [...tallies.values()],
		rows: stored.rows,
		seconds: (performance.now() - started) / 1000,
		problems: [
			...[...problems].map(([problem, example]) => `${problem}\n  ${example}`),
			...new Set(stored.problems),
		],
	};
}

/** Every declared endpoint, and every path of a function that no declaration has. */
export async function targetsOf(): Promise<Target[]> {
	const folder = new URL('../../src/', import.meta.url);
	const files = (await readdir(folder, { recursive: true })).filter((one) =>
		one.endsWith('.api.ts'),
	);
	const modules = await Promise.all(
		files
			.sort()
			.map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>),
	);
	const declared = modules
		.flatMap((module) => Object.values(module))
		.filter((one): one is Endpoint<object, unknown> => Object(one).input !== undefined)
		.map(({ method, path, input }) => ({
			method,
			path,
			schema: z.toJSONSchema(input as z.ZodMiniType, {
				io: 'output',
				unrepresentable: 'any',
			}) as JsonSchema,
		}));
	const known = new Set(declared.map(({ path }) => path));
	const others = (await loadFunctions())
		.flatMap(({ config }) => config?.path ?? [])
		.filter((path) => !known.has(path))
		.flatMap((path) => ['GET', 'POST'].map((method) => ({ method, path })));
	return [...declared, ...others];
}

const tallyOf = ({ method, path }: Target): Tally => ({
	name: `${method} ${path}`,
	requests: 0,
	classes: {},
	ms: 0,
});

/** The answer, or undefined where the site's files answer, not the API. */
async function answerTo(
	functions: Functions,
	{ method, address, headers, body, ip, signedIn }: Attempt,
	cookie: string,
) {
	const url = new URL(address, getEnv().SITE_URL);
	const call = functions.match(url.pathname, method);
	if (!call) return undefined;
	const request = new Request(url, {
		method,
		headers: { ...(signedIn && { Cookie: cookie }), ...headers },
		...(method !== 'GET' && method !== 'HEAD' && body !== undefined && { body }),
	});
	const response = await functions.call(call, request, ip);
	return { response, text: await beginningOf(response) };
}

async function beginningOf({ body }: Response): Promise<string> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	// Leaving the loop cancels the stream, as a reader does who goes away.
	for await (const chunk of body ?? []) {
		chunks.push(chunk);
		size += chunk.byteLength;
		if (size > READ_BYTES) break;
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** Returns what is wrong with an answer, whatever was asked. */
function wrongAnswer({ status, headers }: Response, text: string): string[] {
	const wrong: string[] = [];
	const type = headers.get('Content-Type') ?? '';
	for (const name of Object.keys(SECURITY_HEADERS)) {
		if (!headers.has(name)) wrong.push(`${status} without ${name}`);
	}
	if (status < 400) return wrong;
	const isAwaited = type.startsWith('text/html') || /"code":"(upstream|unavailable)"/.test(text);
	if (status >= 500 && !([502, 503].includes(status) && isAwaited))
		wrong.push(`answered ${status}`);
	const leak = LEAK.exec(text);
	if (leak) wrong.push(`tells “${leak[0]}”`);
	if (headers.get('Cache-Control') !== 'no-store' && status !== 405 && status !== 416)
		wrong.push(`${status} may be kept`);
	if (text === '' || type.startsWith('text/html')) return wrong;
	if (!type.startsWith('application/json')) return [...wrong, `answered ${status} as ${type}`];
	const { error, jsonrpc } = JSON.parse(text) as {
		error?: { code: string | number; message: string };
		/** Set in answers of the Model Context Protocol, whose errors have numbers. */
		jsonrpc?: '2.0';
	};
	const isCode = jsonrpc ? Number.isInteger(error?.code) : STATUS[error?.code as never] === status;
	if (!isCode || !error?.message) wrong.push('answered another shape');
	return wrong;
}

/** Makes sure that there is something of each kind, and says what there is by the names of fields. */
async function restock(db: Db): Promise<Pools> {
	const category = await makeCategory(db);
	const tag = `new-${randomBytes(4).toString('hex')}`;
	const post = await makePost(db, { categoryId: category.id, tags: [tag] });
	await makePost(db, { categoryId: category.id, published: false, publishedAt: null });
	const deleted = await makePost(db, { categoryId: category.id, deletedAt: new Date() });
	const reader = await makeSubscriber(db);
	await db.insert(tables.comments).values({
		postId: post.id,
		author: 'Ada',
		email: reader.email,
		content: 'A comment that was there before.',
	});
	const secret = getSecret();
	await db.insert(tables.contactMessages).values({
		name: 'Ada',
		email: reader.email,
		topic: 'Correction',
		message: 'A message that was there before.',
	});
	await db
		.insert(tables.feedback)
		.values({ postId: post.id, words: 'Words that were there before.' });
	const own = `own-${randomBytes(4).toString('hex')}`;
	await db.insert(tables.pages).values({ slug: own, title: own, published: true });
	// A change leaves the version before it in the history.
	await db.update(tables.pages).set({ version: 2 }).where(eq(tables.pages.slug, own));
	// Several states, because some are deleted in a round, and one that can be added.
	await db.delete(tables.states).where(eq(tables.states.slug, 'wyoming'));
	const states = (
		await db.select().from(tables.states).orderBy(asc(tables.states.slug)).limit(10)
	).map(({ slug }) => slug);
	await db.update(tables.states).set({ version: 2 }).where(inArray(tables.states.slug, states));
	await db.insert(tables.letters).values({ id: own, subject: 'A letter that was there before' });
	await db.insert(tables.series).values({ slug: own, name: own, articles: [post.id] });
	await db.insert(tables.authors).values({ slug: own, name: own });
	await db.insert(tables.media).values({
		...{ name: 'dot.png', type: 'image/png', width: 1, height: 1, size: 3 },
		...{ digest: randomBytes(32).toString('hex'), bytes: Buffer.from('PNG') },
	});
	const [token] = await db
		.insert(tables.programTokens)
		.values({ name: own, hash: randomBytes(32).toString('hex') })
		.returning();
	const latest = async (
		table:
			| typeof tables.categories
			| typeof tables.comments
			| typeof tables.contactMessages
			| typeof tables.feedback
			| typeof tables.imports
			| typeof tables.media
			| typeof tables.outbox
			| typeof tables.series
			| typeof tables.authors,
	) =>
		(await db.select({ id: table.id }).from(table).orderBy(desc(table.createdAt)).limit(10)).map(
			({ id }) => id,
		);
	const revisions = await db
		.select({ id: tables.revisions.id, postId: tables.revisions.postId })
		.from(tables.revisions)
		.orderBy(desc(tables.revisions.createdAt))
		.limit(2);
	const tokens = await db.select().from(tables.undo).orderBy(desc(tables.undo.createdAt)).limit(10);
	const grouped = await latest(tables.categories);
	const tags = (await db.select({ id: tables.tags.id }).from(tables.tags).limit(10)).map(
		({ id }) => id,
	);
	const posts = [post.id, deleted.id, ...revisions.map(({ postId }) => postId)];
	const commented = await latest(tables.comments);
	const decisions = (await db.select().from(tables.comments).limit(5)).map((comment) =>
		moderationToken(comment, 'hide', new Date()),
	);
	const settings = { ...getEnv(), SECRET: secret };
	const links = [
		readerLinks(settings, 'weekly', reader.email).preferences,
		readerLinks(settings, 'course', reader.email).preferences,
		dataLink(settings, reader.email, new Date()),
	].map((link) => link.split('=')[1]!);
	const image = () =>
		Buffer.concat([Buffer.from(PIXEL, 'base64'), randomBytes(4)]).toString('base64');
	return {
		id: [...commented, post.id],
		'posts/id': posts,
		'media/id': [...(await latest(tables.media)), 'none'],
		'mail/id': [...(await latest(tables.outbox)), 'none'],
		'feedback/id': await latest(tables.feedback),
		'messages/id': await latest(tables.contactMessages),
		'imports/id': [...(await latest(tables.imports)), 'none'],
		'categories/id': grouped,
		'tags/id': tags,
		'series/id': await latest(tables.series),
		'authors/id': await latest(tables.authors),
		'pages/page': [own],
		'programs/id': [token!.id],
		action: ['pause', 'resume', 'stop'],
		text: [`/file-${own} /blog/${post.slug}`],
		from: [`/${own}`],
		to: [`/blog/${post.slug}`],
		'letters/id': [own],
		'blog/slug': [post.slug],
		'preview/token': [previewToken(post.id, secret, new Date()).token],
		'downloads/token': [seal(secret, 'download', `guide ${Date.now() + LINK_MS}`)],
		into: [...grouped, ...tags],
		'states/slug': states,
		slugs: ['wyoming'],
		device: ['a-browser'],
		'revisions/version': ['1'],
		version: ['1'],
		csv: [
			`slug,figure,value,source,as_of\n${states.at(-1)},population,${randomInt(1e7)},Census Bureau,2025`,
		],
		postId: posts,
		parentId: [...commented, ''],
		post: posts,
		revision: [...revisions.map(({ id }) => id), 'none'],
		categoryId: [category.id],
		category: [category.slug],
		slug: [post.slug, deleted.slug, category.slug, states[0]!],
		token: [
			...tokens.map(({ token }) => token),
			...links,
			seal(secret, 'conversation', commented[0]!),
			...decisions,
		],
		email: [
			ADMIN_EMAIL,
			...Array.from({ length: 5 }, () => reader.email),
			...Array.from({ length: 20 }, () => `fuzz-${randomBytes(4).toString('hex')}@example.com`),
		],
		password: [PASSWORD],
		current: [PASSWORD],
		color: ['#0e7490'],
		tag: ['evaluation', 'Evaluation', 'agents', ' ', '㎈'.repeat(100), tag],
		data: [image(), `data:image/png;base64,${image()}`],
		featuredImage: ['', '/api/media/some', 'https://example.com/a.png'],
		publishedAt: ['', '2026-01-02T03:04:05Z', '2099-01-01'],
		website: [''],
	};
}

function shown({ method, address, headers, body }: Attempt): string {
	const text = typeof body === 'string' ? body : body ? Buffer.from(body).toString('latin1') : '';
	return `${method} ${address.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${JSON.stringify(text.slice(0, 600))}`;
}
