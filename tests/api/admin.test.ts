import { scryptSync } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { auditLog, outbox, rateLimits, sessions, users } from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import type { AuditKind } from '#src/core/audit/audit.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import * as api from '#src/core/session/session.api.ts';
import { changeSettings, getFacts, getSettings } from '#src/core/settings/settings.api.ts';
import { addressStatements, requireRecent } from '#src/core/session/session.server.ts';
import {
	COMMON_PASSWORD,
	DEFAULT_EMAIL,
	PASSWORD_RULE,
	SIGN_IN_AGAIN,
} from '#src/core/session/session.ts';
import { ensureAdmin, setAdmin } from '#src/core/session/account.server.ts';
import { DAY, MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { MESSAGES } from '#src/lib/errors.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { renderEmail } from '#src/core/outbox/mail.server.ts';
import { DEFAULTS } from '#src/core/settings/setting.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const EMAIL = 'admin@example.com';
const PASSWORD = 'Correct-horse-1';
// Hashes are slow on purpose; one that names a low cost is not.
const salt = Buffer.from('salt');
const key = scryptSync(PASSWORD, salt, 32, { N: 16, r: 8, p: 1 });
const password = `scrypt$16$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db.insert(users).values({ username: 'admin', email: EMAIL, password });
	const login = (overrides = {}, ip = '203.0.113.1') =>
		fetchApi({ ip })('/api/admin/login', {
			method: 'POST',
			body: JSON.stringify({ email: EMAIL, password: PASSWORD, ...overrides }),
		});
	const signIn = async () => cookieOf(await login());
	/** A `fetch` that sends this cookie. */
	const as =
		(cookie: string): typeof fetch =>
		(input, init) =>
			fetchApi()(input, { ...init, headers: { ...init?.headers, Cookie: cookie } });
	const isAdmin = async (cookie: string) =>
		(await call(api.getStatus, {}, as(cookie))).isAuthenticated;
	return { db, login, signIn, as, isAdmin };
}

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!;

test('nobody is an admin without signing in, and asking is no error', async () => {
	await setup();
	const response = await fetchApi()('/api/admin/status');
	expect(response.status).toBe(200);
	expect(await response.json()).toEqual({ isAuthenticated: false });
	expect(response.headers.get('Cache-Control')).toBe('no-store');
});

test('signing in opens a session that status knows', async () => {
	const { db, login, isAdmin } = await setup();
	const response = await login();
	expect(response.status).toBe(200);
	expect(await response.json()).toEqual({ isAuthenticated: true, email: EMAIL });
	expect(await isAdmin(cookieOf(response))).toBe(true);
	expect(await db.select().from(sessions)).toMatchObject([
		{ expiresAt: new Date(NOON.getTime() + 30 * DAY) },
	]);
});

test('the address may be typed in any case', async () => {
	const { login } = await setup();
	expect((await login({ email: ' ADMIN@example.com' })).status).toBe(200);
});

test('the cookie is out of reach of scripts and other sites, and secure on https', async () => {
	const { login } = await setup();
	const flags = (response: Response) => response.headers.getSetCookie()[0]!.split('; ').slice(1);
	const expected = ['Path=/', `Max-Age=${30 * 24 * 3600}`, 'HttpOnly', 'SameSite=Strict'];
	const encrypted = await login();
	expect(flags(encrypted)).toEqual([...expected, 'Secure']);
	expect(cookieOf(encrypted)).toMatch(/^__Host-groundtruth_session=/);
	setEnv(
		parseEnv({
			SITE_URL: 'http://127.0.0.1:8888',
			SECRET: 'another secret of more than 32 letters',
		}),
	);
	const plain = await login();
	expect(flags(plain)).toEqual(expected);
	expect(cookieOf(plain)).toMatch(/^groundtruth_session=/);
});

test('a session that was opened under the plain name goes on, and signing out removes both names', async () => {
	const { signIn, as, isAdmin } = await setup();
	const cookie = (await signIn()).replace('__Host-', '');
	expect(await isAdmin(cookie)).toBe(true);
	const response = await as(cookie)('/api/admin/logout', { method: 'POST' });
	expect(response.headers.getSetCookie().map((one) => one.split('; ')[0])).toEqual([
		'__Host-groundtruth_session=',
		'groundtruth_session=',
	]);
	expect(await isAdmin(cookie)).toBe(false);
});

test('a wrong address and a wrong password get the same answer, and no session', async () => {
	const { db, login } = await setup();
	const answers = [
		await login({ email: 'nobody@example.com' }),
		await login({ password: 'wrong' }),
	];
	for (const response of answers) {
		expect(response.status).toBe(401);
		expect(response.headers.get('Set-Cookie')).toBeNull();
		expect(await response.json()).toEqual({
			error: { code: 'unauthorized', message: 'Invalid credentials' },
		});
	}
	expect(await db.$count(sessions)).toBe(0);
});

test.each([
	[{ email: '' }, { email: 'Please enter your email address.' }],
	[{ email: 'admin' }, { email: 'Please enter a valid email address' }],
	[{ password: '' }, { password: 'Please enter your password.' }],
	[{ password: 1 }, { password: 'Please enter your password.' }],
	[{ password: 'a'.repeat(1001) }, { password: 'Invalid credentials' }],
])('%j is refused before anything is tried', async (fields, messages) => {
	const { db, login } = await setup();
	const response = await login(fields);
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({ error: { code: 'validation', fields: messages } });
	expect(await db.$count(rateLimits)).toBe(0);
});

test('after ten failures an account is closed for fifteen minutes, also to the right password', async () => {
	const { db, login } = await setup();
	for (let index = 0; index < 10; index++) {
		expect((await login({ password: 'wrong' }, `203.0.113.${index}`)).status).toBe(401);
	}
	vi.setSystemTime(NOON.getTime() + 15 * MINUTE - 1);
	const refused = await login({}, '203.0.113.99');
	expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
	expect(await refused.json()).toMatchObject({
		error: {
			code: 'rate_limited',
			message: 'Too many attempts to sign in. Please try again in a minute.',
		},
	});
	expect(await db.$count(sessions)).toBe(0);
	vi.setSystemTime(NOON.getTime() + 15 * MINUTE);
	expect((await login({}, '203.0.113.99')).status).toBe(200);
});

test('the command on the machine lets the owner in again, and by its link a browser that others cannot keep out', async () => {
	const { db, login, as } = await setup();
	const next = 'Another-horse-2';
	const keepOut = async () => {
		for (let index = 0; index < 10; index++)
			await login({ password: 'wrong' }, `203.0.113.${index}`);
		expect((await login({ password: next }, '203.0.113.99')).status).toBe(429);
	};
	await keepOut();
	const { link } = await setAdmin(db, { password: next }, new Date());
	expect((await login({ password: next }, '203.0.113.99')).status).toBe(200);
	await keepOut();
	const token = link!.split('#reset=')[1];
	const chosen = 'Yet-another-horse-3';
	const reset = await as('')('/api/admin/reset', {
		method: 'PUT',
		body: JSON.stringify({ token, password: chosen }),
	});
	expect(reset.status).toBe(200);
	const traces = (await db.select().from(auditLog)).map(({ action }) => action);
	expect(traces).toContain('set a new password by the link of “npm run admin”');
	await keepOut();
	const device = reset.headers.getSetCookie()[0]!.split(';')[0]!;
	const signIn = await as(device)('/api/admin/login', {
		method: 'POST',
		body: JSON.stringify({ email: EMAIL, password: chosen }),
	});
	expect(signIn.status).toBe(200);
});

test('a sign-in that a wrong clock dated into the future is not recent', () => {
	const at = (ms: number) => new Date(NOON.getTime() + ms);
	for (const age of [0, 15 * MINUTE, -30_000])
		expect(() => requireRecent(at(-age), 15, NOON)).not.toThrow();
	for (const age of [15 * MINUTE + 1, -2 * MINUTE, -2 * DAY])
		expect(() => requireRecent(at(-age), 15, NOON)).toThrow(SIGN_IN_AGAIN);
});

test('an account that does not exist is closed just the same', async () => {
	const { login } = await setup();
	const email = 'nobody@example.com';
	const tries = Array.from({ length: 10 }, (_, index) => login({ email }, `203.0.113.${index}`));
	expect((await Promise.all(tries)).every(({ status }) => status === 401)).toBe(true);
	expect((await login({ email }, '203.0.113.99')).status).toBe(429);
	expect((await login()).status).toBe(200);
});

test('after thirty failures a client address is closed, and others are not', async () => {
	const { db, login } = await setup();
	for (let index = 0; index < 30; index++) {
		const email = `admin${index}@example.com`;
		await db.insert(users).values({ username: email, email, password });
		expect((await login({ email, password: 'wrong' })).status).toBe(401);
	}
	expect((await login()).status).toBe(429);
	expect((await login({}, '203.0.113.2')).status).toBe(200);
});

test('of forty tries at once, ten reach the password', async () => {
	const { login } = await setup();
	const tries = Array.from({ length: 40 }, (_, index) =>
		login({ password: 'wrong' }, `203.0.113.${index}`),
	);
	const statuses = (await Promise.all(tries)).map(({ status }) => status);
	expect(statuses.filter((status) => status === 401)).toHaveLength(10);
	expect(statuses.filter((status) => status === 429)).toHaveLength(30);
});

test('a success forgets the failures before it', async () => {
	const { db, login } = await setup();
	for (let index = 0; index < 9; index++) await login({ password: 'wrong' });
	expect((await login()).status).toBe(200);
	// What is left only limits the traces in the audit log.
	expect((await db.select().from(rateLimits)).map(({ key }) => key.split(':')[0])).toEqual(
		Array(9).fill('noted-failures'),
	);
	for (let index = 0; index < 9; index++)
		expect((await login({ password: 'wrong' })).status).toBe(401);
});

test('where somebody else fails all the time, a browser that signed in before still can', async () => {
	const { login, as } = await setup();
	const device = (await login()).headers.getSetCookie()[1]!;
	expect(device).toMatch(
		/^groundtruth_device=[\w-]+\.[\w-]+; Path=\/api\/admin\/login; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/,
	);
	for (let index = 0; index < 10; index++) {
		await login({ password: 'wrong' }, `203.0.113.${index}`);
	}
	expect((await login()).status).toBe(429);
	const again = (body: object, cookie = device.split(';')[0]!) =>
		as(cookie)('/api/admin/login', {
			method: 'POST',
			body: JSON.stringify({ email: EMAIL, password: PASSWORD, ...body }),
		});
	expect((await again({})).status).toBe(200);
	// The browser is limited by itself, and what it cannot prove counts for nothing.
	expect((await again({}, 'groundtruth_device=made-up.signature')).status).toBe(429);
	for (let index = 0; index < 10; index++) {
		expect((await again({ password: 'wrong' })).status).toBe(401);
	}
	expect((await again({})).status).toBe(429);
});

test('a browser that is known for one account is not known for another', async () => {
	const { db, login, as } = await setup();
	await db.insert(users).values({ username: 'other', email: 'other@example.com', password });
	const device = (await login({ email: 'other@example.com' })).headers.getSetCookie()[1]!;
	for (let index = 0; index < 10; index++) {
		await login({ password: 'wrong' }, `203.0.113.${index}`);
	}
	const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
	const response = await as(device.split(';')[0]!)('/api/admin/login', { method: 'POST', body });
	expect(response.status).toBe(429);
});

test('the owner hears of a sign-in from a new browser, of no other, and of ten a day at most', async () => {
	const { db, login, as } = await setup();
	await login({ password: 'wrong' });
	expect(await db.$count(outbox)).toBe(0);
	const device = (await login()).headers.getSetCookie()[1]!.split(';')[0]!;
	const [delivery] = await db.select().from(outbox);
	expect(delivery).toMatchObject({
		kind: 'sign-in',
		recipient: EMAIL,
		payload: { browser: 'An unknown browser', at: NOON.toISOString() },
	});
	const letter = await writersOf(db)['sign-in'](delivery!, NOON);
	const { html, text } = await renderEmail(letter as EmailContent);
	for (const words of ['An unknown browser', '2026-03-01 12:00 UTC', '/admin?tab=settings'])
		expect([html, text].every((body) => body.includes(words))).toBe(true);
	const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
	await as(device)('/api/admin/login', { method: 'POST', body });
	expect(await db.$count(outbox)).toBe(1);
	for (let index = 0; index < 12; index++) await login();
	expect(await db.$count(outbox)).toBe(10);
	vi.setSystemTime(NOON.getTime() + DAY);
	await login();
	expect(await db.$count(outbox)).toBe(11);
});

test('sign-ins, failures and sign-outs leave a trace; failures no more than twenty an hour', async () => {
	const { db, login, as } = await setup();
	const cookie = cookieOf(await login());
	await login({ email: 'nobody@example.com' });
	for (let index = 0; index < 25; index++) {
		const email = `admin${index}@example.com`;
		await db.insert(users).values({ username: email, email, password });
		await login({ email, password: 'wrong' }, `203.0.113.${index}`);
	}
	await login({ password: 'wrong' }, '203.0.113.99');
	await as(cookie)('/api/admin/logout', { method: 'POST' });
	const rows = await db.select().from(auditLog);
	expect(rows.map(({ action }) => action)).toEqual([
		'signed in',
		...Array<string>(20).fill('failed to sign in'),
		'signed out',
	]);
	expect(rows[0]).toMatchObject({ actor: EMAIL, createdAt: NOON });
	expect(rows[1]).toMatchObject({ actor: 'somebody', subject: 'an unknown address' });
	expect(JSON.stringify(rows)).not.toContain('nobody');
	vi.setSystemTime(NOON.getTime() + 61 * MINUTE);
	await login({ password: 'wrong' }, '203.0.113.99');
	expect((await db.select().from(auditLog)).at(-1)).toMatchObject({
		action: 'failed to sign in',
		subject: `account ${EMAIL}`,
	});
});

test('nobody can change or delete what the log says', async () => {
	const { db, login } = await setup();
	await login();
	await expect(db.update(auditLog).set({ actor: 'nobody' })).rejects.toThrow();
	await expect(db.delete(auditLog)).rejects.toThrow();
	expect(await db.select().from(auditLog)).toMatchObject([{ actor: EMAIL }]);
});

test('open sessions are listed with their browsers, this one first', async () => {
	const { db, signIn, as } = await setup();
	await signIn();
	const [other] = await db.select().from(sessions);
	await db.update(sessions).set({
		userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	});
	await db.insert(sessions).values({ userId: other!.userId, expiresAt: NOON });
	vi.setSystemTime(NOON.getTime() + MINUTE);
	const list = await call(api.listSessions, {}, as(await signIn()));
	expect(list.map(({ browser, isCurrent }) => [browser, isCurrent])).toEqual([
		['An unknown browser', true],
		['Firefox on Linux', false],
	]);
	expect(list[1]).toEqual({
		id: other!.id,
		browser: 'Firefox on Linux',
		createdAt: NOON.toISOString(),
		expiresAt: new Date(NOON.getTime() + 30 * DAY).toISOString(),
		isCurrent: false,
	});
});

test('one session is ended, or all others, and this one goes on', async () => {
	const { db, signIn, as, isAdmin } = await setup();
	const [here, first, second] = [await signIn(), await signIn(), await signIn()];
	const admin = as(here);
	const list = await call(api.listSessions, {}, admin);
	const { id } = list.at(-1)!;
	expect(await call(api.endSession, { id }, admin)).toEqual({ ended: 1 });
	expect(await call(api.endSession, { id }, admin)).toEqual({ ended: 0 });
	expect([await isAdmin(here), await db.$count(sessions)]).toEqual([true, 2]);
	expect(await call(api.endOtherSessions, {}, admin)).toEqual({ ended: 1 });
	expect(await Promise.all([here, first, second].map(isAdmin))).toEqual([true, false, false]);
	const traces = (await db.select().from(auditLog)).filter(
		({ action }) => action === 'ended sessions',
	);
	expect(traces.map(({ detail }) => detail)).toEqual(['1 session', '1 session']);
});

test("somebody else's session is not ours to end", async () => {
	const { db, signIn, as } = await setup();
	const [other] = await db
		.insert(users)
		.values({ username: 'other', email: 'other@example.com', password })
		.returning();
	const expiresAt = new Date(NOON.getTime() + DAY);
	await db.insert(sessions).values({ id: 'theirs', userId: other!.id, expiresAt });
	const admin = as(await signIn());
	expect(await call(api.endSession, { id: 'theirs' }, admin)).toEqual({ ended: 0 });
	expect(await call(api.endOtherSessions, {}, admin)).toEqual({ ended: 0 });
	expect(await db.$count(sessions)).toBe(2);
});

test('a new password ends all sessions and opens one here', async () => {
	const { db, login, signIn, as, isAdmin } = await setup();
	const [here, elsewhere] = [await signIn(), await signIn()];
	const response = await as(here)('/api/admin/password', {
		method: 'PUT',
		body: JSON.stringify({ current: PASSWORD, password: 'Another-horse-2' }),
	});
	expect([response.status, await response.json()]).toEqual([200, { email: EMAIL }]);
	expect(await Promise.all([here, elsewhere].map(isAdmin))).toEqual([false, false]);
	expect(await isAdmin(cookieOf(response))).toBe(true);
	expect((await login()).status).toBe(401);
	expect((await login({ password: 'Another-horse-2' })).status).toBe(200);
	expect((await db.select().from(auditLog)).map(({ action }) => action)).toContain(
		'changed the password',
	);
});

test.each([
	[{ current: 'wrong' }, { current: 'That is not your password.' }],
	[{ current: '' }, { current: 'Please enter your password.' }],
	[{ password: 'short1A' }, { password: PASSWORD_RULE }],
	[{ password: 'no-digits-Here' }, { password: PASSWORD_RULE }],
	[{ password: 'Password1' }, { password: COMMON_PASSWORD }],
	[{ password: 'Admin2026!' }, { password: COMMON_PASSWORD }],
])('a password change with %j is refused, and nothing ends', async (wrong, fields) => {
	const { db, login, signIn, as } = await setup();
	const admin = as(await signIn());
	const input = { current: PASSWORD, password: 'Another-horse-2', ...wrong };
	await expect(call(api.changePassword, input, admin)).rejects.toMatchObject({
		code: 'validation',
		fields,
	});
	expect(await db.$count(sessions)).toBe(1);
	expect((await login()).status).toBe(200);
});

test('the address of the account is changed with its password: sessions and notices follow', async () => {
	const { db, login, signIn, as } = await setup();
	const other = as(await signIn());
	const admin = as(await signIn());
	const [before] = await db.select().from(users);
	const change = (email: string, current: string) =>
		call(api.changeAddress, { email, current }, admin);
	await expect(change('ada@bücher.example', 'wrong')).rejects.toMatchObject({
		fields: { current: 'That is not your password.' },
	});
	expect(await db.select().from(users)).toEqual([before]);
	expect(await change('Ada@bücher.example', PASSWORD)).toMatchObject({
		email: 'ada@xn--bcher-kva.example',
	});
	expect(await db.select().from(users)).toMatchObject([{ email: 'ada@xn--bcher-kva.example' }]);
	// Only this browser goes on, in a new session.
	expect(await db.$count(sessions)).toBe(1);
	expect(await (await other('/api/admin/status')).json()).toEqual({
		isAuthenticated: false,
		hasEnded: true,
	});
	expect((await login()).status).toBe(401);
	expect((await login({ email: 'ada@bücher.example' })).status).toBe(200);
	// Both addresses hear of it.
	const told = (await db.select().from(outbox)).filter(({ kind }) => kind === 'account');
	expect(told.map(({ recipient }) => recipient).sort()).toEqual(
		[before!.email, 'ada@xn--bcher-kva.example'].sort(),
	);
});

test('the old password cannot be guessed in a session either', async () => {
	const { signIn, as } = await setup();
	const admin = as(await signIn());
	const guess = (current: string) =>
		call(api.changePassword, { current, password: 'Another-horse-2' }, admin);
	for (let index = 0; index < 10; index++) {
		await expect(guess('wrong')).rejects.toMatchObject({ code: 'validation' });
	}
	await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('settings are the defaults until they are changed, each change with a trace', async () => {
	const { db, signIn, as } = await setup();
	const admin = as(await signIn());
	expect(await call(getSettings, {}, admin)).toEqual({ ...DEFAULTS, version: 1 });
	await call(changeSettings, { comments: 'hold-all' }, admin);
	await call(changeSettings, { comments: 'hold-all' }, admin);
	expect(await call(getSettings, {}, admin)).toEqual({
		...{ ...DEFAULTS, comments: 'hold-all', version: 2 },
	});
	const refusedWords = ['Crypto', 'buy ', 'crypto'];
	expect(await call(changeSettings, { refusedWords }, admin)).toEqual({
		...DEFAULTS,
		comments: 'hold-all',
		refusedWords: ['crypto', 'buy'],
		version: 3,
	});
	for (const words of [['...'], ['x'.repeat(51)], Array.from({ length: 201 }, (_, n) => `w${n}`)]) {
		const refused = call(changeSettings, { refusedWords: words }, admin);
		await expect(refused).rejects.toMatchObject({ code: 'validation' });
	}
	const wrong = call(changeSettings, { comments: 'never' as 'publish' }, admin);
	await expect(wrong).rejects.toMatchObject({ code: 'validation' });
	const changes = (await db.select().from(auditLog)).filter(({ subject }) =>
		subject.startsWith('setting'),
	);
	expect(changes).toMatchObject([
		{ actor: EMAIL, detail: 'publish to hold-all' },
		{
			actor: EMAIL,
			detail: 'added crypto; removed sell, cheap, free, discount, viagra, casino',
		},
	]);
});

test('facts say what is set up and never a secret', async () => {
	const { db } = await setup();
	setEnv(
		parseEnv({
			SECRET: 'a secret that only the tests know',
			SITE_URL: 'https://groundtruth.test',
			DATABASE_URL: 'libsql://user:hunter2@db.example',
			DATABASE_AUTH_TOKEN: 'hunter2',
			SMTP_URL: 'smtps://user:hunter2@mail.example:465',
			MAILERLITE_API_KEY: 'hunter2',
			EMAILJS_PUBLIC_KEY: 'hunter2',
			BUILD_HOOK_URL: 'https://hooks.example/hunter2',
		}),
	);
	const facts = await call(getFacts, {}, await asAdmin(db));
	const value = (name: string) => facts.find((fact) => fact.name === name);
	expect(value('Mail')).toEqual({ name: 'Mail', value: 'Sent through mail.example', isSet: true });
	expect(value('Database')?.value).toBe('The server db.example');
	expect(value('EmailJS')).toEqual({
		name: 'EmailJS',
		value: '3 variables of four missing: not used',
		isSet: false,
	});
	expect(JSON.stringify(facts)).not.toMatch(/hunter2|only the tests know/);
});

test('the log is read in pages, newest first, and searched', async () => {
	const { db, signIn, as } = await setup();
	const admin = as(await signIn());
	const deed = { actor: 'npm run admin', action: 'tested', subject: 'nothing' };
	await db
		.insert(auditLog)
		.values(
			Array.from({ length: 30 }, (_, n) => ({ ...deed, detail: `Test ${n}`, createdAt: NOON })),
		);
	const list = (query = {}) =>
		call(listAudit, { page: 1, sort: '-created', q: '', ...query }, admin);
	const first = await list();
	expect([first.total, first.rows.length, first.rows[0]!.detail]).toEqual([31, 25, 'Test 29']);
	expect((await list({ page: 2 })).rows.map(({ action }) => action)).toEqual([
		...Array<string>(5).fill('tested'),
		'signed in',
	]);
	expect((await list({ sort: 'created' })).rows[0]!.action).toBe('signed in');
	expect((await list({ q: '27 TEST' })).rows.map(({ detail }) => detail)).toEqual(['Test 27']);
	await db.insert(auditLog).values(
		['post 1', 'posts', 'postcard', 'site settings', 'an address', 'letter Hello'].map(
			(subject) => ({
				...{ ...deed, subject },
				createdAt: NOON,
			}),
		),
	);
	const ofKind = async (kind: AuditKind) =>
		(await list({ kind })).rows.map(({ subject }) => subject);
	expect(await ofKind('articles')).toEqual(['posts', 'post 1']);
	expect(await ofKind('site')).toEqual(['site settings']);
	expect(await ofKind('readers')).toEqual(['an address']);
	expect(await ofKind('letters')).toEqual(['letter Hello']);
	expect((await list({ kind: 'account' })).rows[0]!.action).toBe('signed in');
	expect(await list({ kind: 'articles', q: 'nowhere' })).toMatchObject({ rows: [], total: 0 });
	expect(await list({ q: 'nowhere' })).toMatchObject({ rows: [], total: 0 });
});

test('the command on the machine makes the admin, then sets the password and ends sessions', async () => {
	const db = await useTestDb();
	const made = await setAdmin(db, { email: 'Admin@Example.com', password: PASSWORD }, NOON);
	expect(made).toEqual({ email: EMAIL, made: true, ended: 0, needsCode: false });
	await call(api.login, { email: EMAIL, password: PASSWORD }, fetchApi());
	const changed = await setAdmin(db, { password: 'Another-horse-2' }, NOON);
	expect(changed).toEqual({
		email: EMAIL,
		made: false,
		ended: 1,
		needsCode: false,
		link: expect.stringContaining('/admin#reset='),
	});
	expect(await db.$count(sessions)).toBe(0);
	const again = (password: string) => call(api.login, { email: EMAIL, password }, fetchApi());
	await expect(again(PASSWORD)).rejects.toMatchObject({ code: 'unauthorized' });
	expect(await again('Another-horse-2')).toEqual({ isAuthenticated: true, email: EMAIL });
	expect(await db.$count(users)).toBe(1);
});

test('a session ends after thirty days', async () => {
	const { signIn, isAdmin } = await setup();
	const cookie = await signIn();
	vi.setSystemTime(NOON.getTime() + 30 * DAY - 1);
	expect(await isAdmin(cookie)).toBe(true);
	vi.setSystemTime(NOON.getTime() + 30 * DAY);
	expect(await isAdmin(cookie)).toBe(false);
});

test('a cookie that we did not sign is nobody', async () => {
	const { db, signIn, isAdmin } = await setup();
	const cookie = await signIn();
	const [session] = await db.select().from(sessions);
	const [name, value = ''] = cookie.split('=');
	const signature = value.split('.')[1]!;
	const forged = [
		session!.id,
		`${session!.id}.`,
		`${session!.id}.${'A'.repeat(signature.length)}`,
		`${session!.id}.${signature.slice(0, -1)}`,
		`${crypto.randomUUID()}.${signature}`,
		`.${signature}`,
		'',
	];
	for (const other of forged) expect(await isAdmin(`${name}=${other}`)).toBe(false);
	expect(await isAdmin(`a=b; ${cookie}; c=d`)).toBe(true);
	setEnv(parseEnv({ SECRET: 'another secret of more than 32 letters' }));
	expect(await isAdmin(cookie)).toBe(false);
});

test('signing out is final for this session, and for this one only', async () => {
	const { db, signIn, as, isAdmin } = await setup();
	const [cookie, elsewhere] = [await signIn(), await signIn()];
	const response = await as(cookie)('/api/admin/logout', { method: 'POST' });
	expect(response.status).toBe(200);
	expect(await response.json()).toEqual({ isAuthenticated: false });
	expect(response.headers.get('Set-Cookie')).toMatch(/^__Host-groundtruth_session=; .*Max-Age=0;/);
	expect(await isAdmin(cookie)).toBe(false);
	expect(await isAdmin(elsewhere)).toBe(true);
	expect(await db.$count(sessions)).toBe(1);
});

test('signing out without a session, or with a forged one, ends nothing', async () => {
	const { db, signIn, as } = await setup();
	await signIn();
	const [session] = await db.select().from(sessions);
	for (const cookie of ['', `groundtruth_session=${session!.id}.forged`]) {
		expect((await as(cookie)('/api/admin/logout', { method: 'POST' })).status).toBe(200);
	}
	expect(await db.$count(sessions)).toBe(1);
});

test("another site's page can neither sign in nor out", async () => {
	const { db, signIn, as } = await setup();
	const cookie = await signIn();
	const headers = { Origin: 'https://elsewhere.example' };
	const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
	expect((await fetchApi()('/api/admin/login', { method: 'POST', headers, body })).status).toBe(
		403,
	);
	expect((await as(cookie)('/api/admin/logout', { method: 'POST', headers })).status).toBe(403);
	expect(await db.$count(sessions)).toBe(1);
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const PATHS = [
	'/api/admin/posts',
	'/api/admin/posts/p1',
	'/api/admin/comments',
	'/api/admin/a/b/c',
	'/api/admin/',
];

test.each(PATHS)('without a session every method on %s is a 401', async (path) => {
	const { as } = await setup();
	for (const method of METHODS) {
		for (const cookie of ['', 'groundtruth_session=forged.forged']) {
			const response = await as(cookie)(path, { method });
			expect(response.status).toBe(401);
			expect(response.headers.get('Cache-Control')).toBe('no-store');
			if (method === 'HEAD') continue;
			expect(await response.json()).toEqual({
				error: { code: 'unauthorized', message: MESSAGES.unauthorized },
			});
		}
	}
});

test('the admin gets a 404 where there is nothing, and a 405 for a wrong method', async () => {
	const { signIn, as } = await setup();
	const cookie = await signIn();
	expect((await as(cookie)('/api/admin/nowhere')).status).toBe(404);
	const response = await as(cookie)('/api/admin/posts', { method: 'PATCH' });
	expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test('the public list has no draft, also for the admin', async () => {
	const { db, signIn, as } = await setup();
	await makePost(db, { published: false });
	expect(await (await as(await signIn())('/api/posts')).json()).toEqual([]);
});

test('the one admin is made once, and keeps the password', async () => {
	const db = await useTestDb();
	const made = await ensureAdmin(db, { email: 'Admin@Example.com', password: PASSWORD });
	expect(made).toEqual({ email: EMAIL });
	expect(
		await ensureAdmin(db, { email: 'other@example.com', password: 'Other-password-1' }),
	).toEqual({ email: EMAIL });
	const [user, ...others] = await db.select().from(users);
	expect(others).toEqual([]);
	expect(user!.password).toMatch(/^scrypt\$/);
	expect(user!.password).not.toContain(PASSWORD);
});

test('an admin whose password keeps no rule is not made, and one that is there stays', async () => {
	const db = await useTestDb();
	for (const password of ['short', 'Password1']) {
		await expect(ensureAdmin(db, { password })).rejects.toThrow('ADMIN_PASSWORD');
	}
	expect(await db.$count(users)).toBe(0);
	await ensureAdmin(db, { email: EMAIL, password: PASSWORD });
	expect(await ensureAdmin(db, { password: 'short' })).toEqual({ email: EMAIL });
});

test('of two processes that make the admin at once, one tells a password: the one that counts', async () => {
	const db = await useTestDb();
	const both = await Promise.all([ensureAdmin(db, {}), ensureAdmin(db, {})]);
	const passwords = both.flatMap(({ generatedPassword = [] }) => generatedPassword);
	expect(passwords).toHaveLength(1);
	const login = { email: both[0].email, password: passwords[0]! };
	expect(await call(api.login, login, fetchApi())).toMatchObject({ isAuthenticated: true });
});

test('without a password one is generated, which signs in', async () => {
	const db = await useTestDb();
	const { email, generatedPassword } = await ensureAdmin(db, {});
	const answer = await call(api.login, { email, password: generatedPassword! }, fetchApi());
	expect(answer).toEqual({ isAuthenticated: true, email });
	expect(await ensureAdmin(db, {})).toEqual({ email });
});

test('nothing about signing in is mailed to the address that stands in for the owner’s', async () => {
	const { db, login } = await setup();
	const [user] = await db.update(users).set({ email: DEFAULT_EMAIL }).returning();
	expect((await login({ email: DEFAULT_EMAIL })).status).toBe(200);
	const told = async () => (await db.select().from(outbox)).map(({ recipient }) => recipient);
	expect(await told()).toEqual([]);
	await db.batch([...addressStatements(db, user!, 'ada@second.example', NOON)]);
	expect(await told()).toEqual(['ada@second.example']);
	expect((await login({ email: 'ada@second.example' }, '203.0.113.2')).status).toBe(200);
	expect(await told()).toEqual(['ada@second.example', 'ada@second.example']);
});
