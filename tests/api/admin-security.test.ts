import { readdir } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { JSDOM } from 'jsdom';
import { expect, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { asAdmin, openSession, withCookie } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';
import { HOSTILE_HTML } from '#tests/support/xss.ts';

const SOURCES = new URL('../../src/', import.meta.url);
const calls = await adminCalls();

/** Every declared call below /api/admin that needs a session. */
async function adminCalls() {
	const files = (await readdir(SOURCES, { recursive: true })).filter((one) =>
		one.endsWith('.api.ts'),
	);
	const modules = await Promise.all(
		files.map(
			(name) =>
				import(new URL(name, SOURCES).pathname) as Promise<
					Record<string, Endpoint<object, unknown>>
				>,
		),
	);
	return modules
		.flatMap((module) => Object.values(module))
		.filter(({ path }) =>
			/^\/api\/admin\/(?!(status|login|login\/passkey|logout|reset)$)/.test(path),
		);
}

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const category = await makeCategory(db, { id: 'c1' });
	const post = await makePost(db, {
		id: 'p1',
		title: 'Kept',
		categoryId: category.id,
		tags: ['Kept'],
	});
	return { db, post };
}

/** All rows of all tables. */
async function everything(db: Db): Promise<string> {
	const tables = await db.all<{ name: string }>(
		sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
	);
	const rows = await Promise.all(
		tables.map(({ name }) => db.all(sql.raw(`select * from "${name}"`))),
	);
	return JSON.stringify(rows);
}

const addressOf = ({ path }: { path: string }) => path.replace(/:\w+/g, 'p1');
const body = JSON.stringify({
	title: 'Taken',
	content: '<p>Taken.</p>',
	categoryId: 'c1',
	published: true,
	form: { title: 'Taken' },
	version: null,
	baseVersion: 1,
});
const send = (
	{ method, path }: { method: string; path: string },
	fetcher: typeof fetch,
	headers = {},
	sent = body,
) => fetcher(addressOf({ path }), { method, headers, ...(method !== 'GET' && { body: sent }) });

test('there are calls to protect', () => {
	expect(calls.length).toBeGreaterThan(20);
	expect(new Set(calls.map(({ method }) => method))).toEqual(
		new Set(['GET', 'POST', 'PUT', 'DELETE']),
	);
});

test.each(calls)(
	'$method $path does nothing without a session that we opened',
	async (endpoint) => {
		const { db } = await setup();
		const open = await openSession(db);
		const [name, value = ''] = open.split('=');
		const [id = '', signature = ''] = value.split('.');
		const expired = await openSession(db, new Date(Date.now() - 1));
		const ended = await openSession(db);
		await db.run(sql`delete from sessions where id = ${ended.split('=')[1]!.split('.')[0]!}`);
		const before = await everything(db);
		const cookies = [
			'',
			expired,
			ended,
			`${name}=${id}`,
			`${name}=${id}.`,
			`${name}=${id}.${'A'.repeat(signature.length)}`,
			`${name}=${crypto.randomUUID()}.${signature}`,
			`${name}=${encodeURIComponent(value)}x`,
			`${name?.toUpperCase()}=${value}`,
			`${name}=' or 1=1 --.${signature}`,
		];
		for (const cookie of cookies) {
			const response = await send(endpoint, withCookie(cookie));
			expect(response.status, cookie).toBe(401);
			expect(await response.text()).not.toContain('Kept');
		}
		expect(await everything(db)).toBe(before);
	},
);

test.each(calls.filter(({ method }) => method !== 'GET'))(
	"$method $path does nothing for another site's page, whose visitor is the admin",
	async (endpoint) => {
		const { db } = await setup();
		const admin = await asAdmin(db);
		const before = await everything(db);
		for (const headers of [
			{ Origin: 'https://evil.example' },
			{ Origin: 'null' },
			{ Origin: 'https://groundtruth.test.evil.example' },
			{ 'Sec-Fetch-Site': 'cross-site' },
			{ Origin: 'https://evil.example', 'Content-Type': 'text/plain' },
			{
				Origin: 'https://evil.example',
				'Content-Type': 'application/x-www-form-urlencoded',
				Accept: 'text/html',
			},
		]) {
			expect((await send(endpoint, admin, headers)).status, JSON.stringify(headers)).toBe(403);
		}
		expect(await everything(db)).toBe(before);
	},
);

test('a session ends when its time is over, between two calls', async () => {
	const { db } = await setup();
	const admin = withCookie(await openSession(db, new Date(Date.now() + DAY)));
	expect((await admin('/api/admin/posts')).status).toBe(200);
	vi.setSystemTime(Date.now() + DAY);
	expect((await admin('/api/admin/posts')).status).toBe(401);
});

/** Calls that take addresses or everything away, bring anything in, or change who may sign in. */
const SENSITIVE = [
	'DELETE /api/admin/imports/:id',
	'DELETE /api/admin/passkeys/:id',
	'GET /api/admin/export',
	'GET /api/admin/login/recent',
	'GET /api/admin/subscribers/export',
	'POST /api/admin/archive',
	'POST /api/admin/import',
	'POST /api/admin/passkeys',
	'POST /api/admin/second-factor',
	'POST /api/admin/second-factor/codes',
	'POST /api/admin/second-factor/removal',
	'POST /api/admin/subscribers/import',
	'PUT /api/admin/passkeys',
	'PUT /api/admin/second-factor',
	'PUT /api/admin/setup',
];

/** Those of them that make signing in easier for somebody else. */
const WEAKENING = [
	'DELETE /api/admin/passkeys/:id',
	'POST /api/admin/second-factor/codes',
	'POST /api/admin/second-factor/removal',
];

test.each([
	['sensitive', SENSITIVE, 15],
	['weakening', WEAKENING, 2],
])('a %s call takes a recent sign-in', async (_, names, minutes) => {
	const { db } = await setup();
	const admin = await asAdmin(db);
	const listed = calls.filter(({ method, path }) => names.includes(`${method} ${path}`));
	expect(listed).toHaveLength(names.length);
	vi.setSystemTime(Date.now() + minutes * MINUTE + 1);
	const before = await everything(db);
	for (const endpoint of listed) {
		// What says that it only previews is not believed, but by the imports.
		const isImport = endpoint.path.endsWith('/import');
		for (const sent of isImport ? [body] : [body, JSON.stringify({ preview: true })]) {
			const response = await send(endpoint, admin, {}, sent);
			expect(await response.json(), endpoint.path).toMatchObject({
				error: { code: 'sign_in_again' },
			});
		}
	}
	expect(await everything(db)).toBe(before);
	expect((await admin('/api/admin/posts')).status).toBe(200);
});

/**
 * Lets a page with this HTML do all it can: scripts run, every handler is called, every link is followed, and the
 * whole is written and read once more. Returns how often `evil()` was called.
 */
async function runs(html: string): Promise<number> {
	let count = 0;
	let text = html;
	for (let reading = 0; reading < 2; reading++) {
		const dom = new JSDOM('<!doctype html><body>', {
			runScripts: 'dangerously',
			url: 'https://groundtruth.test/',
		});
		const { document } = dom.window;
		Object.assign(dom.window, { evil: () => void count++ });
		document.write(`<!doctype html><body><div class="prose">${text}</div>`);
		document.close();
		for (const element of document.querySelectorAll<HTMLElement>('*')) {
			for (const { name } of element.attributes) {
				if (name.startsWith('on')) element.dispatchEvent(new dom.window.Event(name.slice(2)));
			}
			for (const name of ['error', 'load', 'click', 'focus', 'toggle', 'begin']) {
				element.dispatchEvent(new dom.window.Event(name, { cancelable: true }));
			}
			for (const { value } of element.attributes) {
				// What following such an address would do, which only browsers can.
				if (/^\s*javascript:/i.test(value.replace(/[\0- ]+/g, ''))) count++;
			}
		}
		await new Promise((resolve) => setTimeout(resolve));
		text = document.querySelector('.prose')?.innerHTML ?? '';
		dom.window.close();
	}
	return count;
}

test('the collection is hostile: a page that took it as it is would run it', async () => {
	let dangerous = 0;
	for (const html of HOSTILE_HTML.slice(0, 40)) if ((await runs(html)) > 0) dangerous++;
	expect(dangerous).toBeGreaterThan(25);
});

test('no call stores HTML that runs, and no answer has any', { timeout: 120_000 }, async () => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
	const { db } = await setup();
	const admin = await asAdmin(db);
	const base = { ...emptyForm, categoryId: 'c1', published: true };
	for (const [n, html] of HOSTILE_HTML.entries()) {
		const content = `<p>before</p>${html}`;
		const made = await call(api.createPost, { ...base, title: `Post ${n}`, content }, admin);
		const changed = await call(api.updatePost, { id: made.id, content }, admin);
		const draft = { ...base, title: 'Draft', content };
		await call(api.saveDraft, { id: made.id, form: draft, version: null, baseVersion: 1 }, admin);
		const edited = await call(api.getEditedPost, { id: made.id }, admin);
		const { url } = await call(api.createPreview, { id: made.id }, admin);
		const token = new URL(url).searchParams.get('token')!;
		const preview = await call(api.getPreview, { token }, fetchApi());
		const shown = (await (await fetchApi()(`/api/posts/${made.slug}`)).json()) as {
			content: string;
		};
		const [revision] = await call(api.listRevisions, { id: made.id }, admin);
		const { form } = await call(api.getRevision, { id: made.id, revision: revision!.id }, admin);
		for (const text of new Set([
			made.content,
			changed.content,
			edited.form.content,
			edited.draft!.form.content,
			preview.html,
			shown.content,
			form.content,
		])) {
			expect(text, html).toContain('before');
			expect(text, html).not.toMatch(
				/<(script|iframe|object|embed|form|base|meta|link|template|svg)\b/i,
			);
			expect(await runs(text), `${html} became ${text}`).toBe(0);
		}
	}
});

test('what is no HTML is stored as text, and addresses are addresses', async () => {
	const { db } = await setup();
	const admin = await asAdmin(db);
	const evil = '"><script>evil()</script>';
	const base = { ...emptyForm, categoryId: 'c1' };
	const post = await call(
		api.createPost,
		{ ...base, title: evil, excerpt: evil, slug: evil, tags: [evil], author: evil },
		admin,
	);
	expect(post).toMatchObject({
		title: evil,
		excerpt: evil,
		slug: 'script-evil-script',
		author: evil,
	});
	expect(post.tags[0]).toMatchObject({ name: evil, slug: 'script-evil-script' });
	for (const featuredImage of [
		'javascript:evil()',
		'//evil.example/x.png',
		'/\\evil.example',
		'data:image/svg+xml,x',
	]) {
		await expect(
			call(api.createPost, { ...base, title: 'x', featuredImage }, admin),
		).rejects.toMatchObject({ code: 'validation' });
	}
});
