import { scryptSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import {
	auditLog,
	authenticators,
	outbox,
	passkeys,
	recoveryCodes,
	sessions,
	users,
} from '#db/schema.ts';
import { writersOf } from '#functions/lib/email-writers.ts';
import * as api from '#src/core/session/second-factor.api.ts';
import {
	ASK_FOR_CODE,
	ASK_FOR_EITHER,
	TOO_MANY_CODES,
	USED_CODE,
	WRONG_CODE,
} from '#src/core/session/second-factor.ts';
import { getStatus } from '#src/core/session/session.api.ts';
import { setAdmin } from '#src/core/session/account.server.ts';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { withCookie } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const EMAIL = 'admin@example.com';
const PASSWORD = 'Correct-horse-1';
// Hashes are slow on purpose; one that names a low cost is not.
const salt = Buffer.from('salt');
const hash = scryptSync(PASSWORD, salt, 32, { N: 16, r: 8, p: 1 });
const password = `scrypt$16$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;

const NONE = { appSince: null, passkeys: [], codesLeft: 0 };

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!;
/** Moves the clock. */
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** Returns the code that an app with this key shows, now or so many milliseconds later. */
const codeOf = (key: string, later = 0) =>
	new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + later });

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db.insert(users).values({ username: 'admin', email: EMAIL, password });
	let visitors = 0;
	const login = (
		fields = {},
		ip = `198.51.${(visitors >> 8) & 255}.${visitors++ & 255}`,
		Cookie = '',
	) =>
		fetchApi({ ip })('/api/admin/login', {
			method: 'POST',
			headers: { Cookie },
			body: JSON.stringify({ email: EMAIL, password: PASSWORD, ...fields }),
		});
	const reason = async (fields = {}) => {
		const response = await login(fields);
		expect(response.headers.get('Set-Cookie')).toBeNull();
		return (await response.json()) as { error: { code: string; message: string } };
	};
	return { db, login, reason };
}

/** An account with an app. Its first code was used a minute ago. */
async function setupApp() {
	const { db, ...rest } = await setup();
	const cookie = cookieOf(await rest.login());
	const admin = withCookie(cookie);
	const { key } = await call(api.offerSecondFactor, {}, admin);
	const code = codeOf(key);
	const { codes } = await call(api.turnOnSecondFactor, { key, code }, admin);
	wait(MINUTE);
	return { db, ...rest, cookie, admin, key, codes };
}

test('an app counts once a code of it confirms the key', async () => {
	const { db, login } = await setup();
	const admin = withCookie(cookieOf(await login()));
	expect(await call(api.getSecondFactor, {}, admin)).toEqual(NONE);
	const { key, address } = await call(api.offerSecondFactor, {}, admin);
	expect(key).toMatch(/^[A-Z2-7]{32}$/);
	const url = new URL(address);
	expect([url.protocol, url.host, url.searchParams.get('secret')]).toEqual([
		'otpauth:',
		'totp',
		key,
	]);
	expect(decodeURIComponent(url.pathname)).toContain(EMAIL);
	const turnOn = (fields: object) =>
		call(api.turnOnSecondFactor, { key, code: codeOf(key), ...fields }, admin);
	await expect(turnOn({ code: '000000' })).rejects.toMatchObject({
		code: 'second_factor',
		fields: { code: WRONG_CODE },
	});
	await expect(turnOn({ key: 'A' })).rejects.toMatchObject({ code: 'validation' });
	expect(await db.$count(authenticators)).toBe(0);
	expect((await login()).status).toBe(200);

	const { codes } = await turnOn({ code: ` ${codeOf(key).replace(/^.../, '$& ')} ` });
	expect(new Set(codes).size).toBe(10);
	expect(codes.every((code) => /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/.test(code))).toBe(true);
	expect(await call(api.getSecondFactor, {}, admin)).toEqual({
		appSince: NOON.toISOString(),
		passkeys: [],
		codesLeft: 10,
	});
	// The session that was opened with the password alone has ended.
	expect(await db.$count(sessions)).toBe(1);
	await expect(turnOn({})).rejects.toMatchObject({ code: 'conflict' });
});

test('nothing that is stored shows the key or a recovery code', async () => {
	const { db, key, codes } = await setupApp();
	const stored = JSON.stringify([
		await db.select().from(authenticators),
		await db.select().from(recoveryCodes),
		await db.select().from(auditLog),
	]);
	for (const secret of [key, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
		expect(stored).not.toContain(secret);
});

test('the password alone opens nothing, and says what is needed', async () => {
	const { db, login, reason, key } = await setupApp();
	const before = await db.$count(sessions);
	const response = await login();
	expect(response.status).toBe(401);
	expect(await response.json()).toEqual({
		error: { code: 'second_factor', message: ASK_FOR_CODE, fields: { code: ASK_FOR_CODE } },
	});
	expect((await reason({ code: '' })).error.code).toBe('second_factor');
	expect(await db.$count(sessions)).toBe(before);
	// Without the right password, nobody learns that a code is asked for.
	expect(await reason({ password: 'wrong', code: codeOf(key) })).toEqual({
		error: { code: 'unauthorized', message: 'Invalid credentials' },
	});
	const signedIn = await login({ code: codeOf(key) });
	expect(await signedIn.json()).toEqual({ isAuthenticated: true, email: EMAIL });
	const { isAuthenticated } = await call(getStatus, {}, withCookie(cookieOf(signedIn)));
	expect(isAuthenticated).toBe(true);
});

test('with an app and a passkey, both are named once the password was right', async () => {
	const { db, login } = await setupApp();
	const { userId } = (await db.select().from(authenticators))[0]!;
	await db.insert(passkeys).values({
		...{ id: 'key', userId, name: 'Laptop', publicKey: 'AA', counter: 0, transports: [] },
		createdAt: NOON,
	});
	expect(await (await login()).json()).toMatchObject({ error: { message: ASK_FOR_EITHER } });
});

test('a code works once, a step early or late, and never again', async () => {
	const { login, reason, key } = await setupApp();
	const code = codeOf(key);
	const tries = await Promise.all(Array.from({ length: 5 }, () => login({ code })));
	expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
	expect((await reason({ code })).error.message).toBe(USED_CODE);
	wait(30 * SECOND);
	expect((await reason({ code })).error.message).toBe(USED_CODE);

	wait(10 * MINUTE);
	expect((await login({ code: codeOf(key, -30 * SECOND) })).status).toBe(200);
	expect((await login({ code: codeOf(key, 30 * SECOND) })).status).toBe(200);
	// An older one than the newest is as good as used.
	expect((await reason({ code: codeOf(key) })).error.message).toBe(USED_CODE);
	for (const later of [-60, 60])
		expect((await reason({ code: codeOf(key, later * SECOND) })).error.message).toBe(WRONG_CODE);
});

test('each recovery code works once, however it is typed', async () => {
	const { login, reason, codes, admin } = await setupApp();
	const typed = codes.map((code, n) => (n % 2 ? code.toUpperCase() : code.replaceAll('-', ' ')));
	for (const code of typed) {
		expect((await login({ code })).status, code).toBe(200);
		expect((await reason({ code })).error.message).toBe(WRONG_CODE);
	}
	expect(await call(api.getSecondFactor, {}, admin)).toMatchObject({ codesLeft: 0 });
});

test('of five tries with one recovery code at once, one opens a session', async () => {
	const { login, codes } = await setupApp();
	const tries = await Promise.all(Array.from({ length: 5 }, () => login({ code: codes[0]! })));
	expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
});

test(
	'a thousand wrong codes get nowhere, and a recovery code still does',
	{ timeout: 60_000 },
	async () => {
		const { db, login, key, codes } = await setupApp();
		const statuses: number[] = [];
		for (let n = 0; n < 1000; n++) {
			// Whoever waits whenever the account is closed has twenty codes a day all the same.
			if (statuses.at(-1) === 429 && n % 50 === 0) wait(15 * MINUTE);
			const wrong = String(n * 991).padStart(6, '0');
			const near = [-30, 0, 30].map((seconds) => codeOf(key, seconds * SECOND));
			statuses.push((await login({ code: near.includes(wrong) ? '999999' : wrong })).status);
		}
		expect(statuses.filter((status) => status === 401)).toHaveLength(20);
		expect(statuses.filter((status) => status === 429)).toHaveLength(980);
		expect(await db.$count(sessions)).toBe(1);

		wait(15 * MINUTE);
		const refused = await login({ code: codeOf(key) });
		expect(refused.status).toBe(429);
		expect(await refused.json()).toMatchObject({ error: { message: TOO_MANY_CODES } });
		expect((await login({ code: codes[0]! })).status).toBe(200);
		wait(DAY);
		expect((await login({ code: codeOf(key) })).status).toBe(200);
		const traces = (await db.select().from(auditLog)).map(({ action }) => action);
		expect(traces).toContain('knew the password but no code');
	},
);

test('new recovery codes end the old ones', async () => {
	const { login, reason, admin, codes } = await setupApp();
	const made = await call(api.renewRecoveryCodes, {}, admin);
	expect((await reason({ code: codes[0]! })).error.message).toBe(WRONG_CODE);
	expect((await login({ code: made.codes[0]! })).status).toBe(200);
});

test('codes that would stand in for nothing are not made', async () => {
	const { login } = await setup();
	const admin = withCookie(cookieOf(await login()));
	await expect(call(api.renewRecoveryCodes, {}, admin)).rejects.toMatchObject({ code: 'conflict' });
});

test('turning codes off makes the password enough, and the owner is told by email', async () => {
	const { db, login, admin } = await setupApp();
	expect((await login()).status).toBe(401);
	expect(await call(api.turnOffSecondFactor, {}, admin)).toEqual(NONE);
	expect((await login()).status).toBe(200);
	expect(await db.$count(recoveryCodes)).toBe(0);
	const notices = await db.select().from(outbox).where(eq(outbox.kind, 'account'));
	expect(notices.map(({ payload }) => (payload as { action: string }).action).sort()).toEqual([
		'removed the authenticator app',
		'set up an authenticator app',
	]);
	const { subject } = (await writersOf(db).account(notices[0]!, NOON)) as { subject: string };
	expect(subject).toBe('Your sign-in was changed');
});

test('a second factor is changed only shortly after signing in, with the code as well', async () => {
	const { db, login, cookie, admin, codes } = await setupApp();
	wait(16 * MINUTE);
	const before = await db.select().from(recoveryCodes);
	for (const failing of [
		() => call(api.renewRecoveryCodes, {}, admin),
		() => call(api.turnOffSecondFactor, {}, admin),
		() => call(api.offerSecondFactor, {}, admin),
	])
		await expect(failing()).rejects.toMatchObject({ code: 'sign_in_again' });
	expect(await db.select().from(recoveryCodes)).toEqual(before);
	// Reading, and what is not sensitive, goes on.
	expect(await call(api.getSecondFactor, {}, admin)).toMatchObject({ codesLeft: 10 });
	// The password alone is not enough here either. A sign-in replaces the session that this browser had.
	const sessionsBefore = await db.$count(sessions);
	expect((await login({}, '198.51.100.1', cookie)).status).toBe(401);
	const again = await login({ code: codes[0] }, '198.51.100.1', cookie);
	expect(await db.$count(sessions)).toBe(sessionsBefore);
	await expect(call(api.getSecondFactor, {}, admin)).rejects.toMatchObject({
		code: 'unauthorized',
	});
	const fresh = withCookie(cookieOf(again));
	expect(await call(api.turnOffSecondFactor, {}, fresh)).toEqual(NONE);
});

test('the command on the machine removes the app only if told to', async () => {
	const { db, login } = await setupApp();
	const kept = await setAdmin(db, { password: 'Another-horse-2' }, new Date());
	expect(kept).toMatchObject({ needsCode: true, ended: 1 });
	expect((await login({ password: 'Another-horse-2' })).status).toBe(401);
	const removed = await setAdmin(
		db,
		{ password: 'Another-horse-2', removesSecondFactor: true },
		new Date(),
	);
	expect(removed).toMatchObject({ needsCode: false });
	expect((await login({ password: 'Another-horse-2' })).status).toBe(200);
	const traces = (await db.select().from(auditLog)).map(({ actor, action }) => [actor, action]);
	expect(traces).toContainEqual(['npm run admin', 'removed the second factor']);
});

test('with another SECRET the way back in is named', async () => {
	const { reason, key } = await setupApp();
	const SECRET = 'another secret of more than 32 letters';
	setEnv(parseEnv({ SITE_URL: 'https://groundtruth.test', SECRET }));
	const { error } = await reason({ code: codeOf(key) });
	expect(error.message).toContain('npm run admin -- --remove-second-factor');
});

test('the account of somebody else keeps its own codes', async () => {
	const { db, login, codes, key } = await setupApp();
	await db.insert(users).values({ username: 'other', email: 'other@example.com', password });
	const other = withCookie(cookieOf(await login({ email: 'other@example.com' })));
	expect(await call(api.getSecondFactor, {}, other)).toEqual(NONE);
	await call(api.turnOnSecondFactor, { key, code: codeOf(key) }, other);
	wait(MINUTE);
	const tried = await login({ email: 'other@example.com', code: codes[0]! });
	expect(tried.status).toBe(401);
});
