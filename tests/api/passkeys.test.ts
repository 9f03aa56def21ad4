import { scryptSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { passkeys, recoveryCodes, sessions, spentTokens, users } from '#db/schema.ts';
import * as api from '#src/core/session/passkeys.api.ts';
import { WRONG_PASSKEY, type Assertion } from '#src/core/session/passkeys.ts';
import { getSecondFactor } from '#src/core/session/second-factor.api.ts';
import { ASK_FOR_PASSKEY } from '#src/core/session/second-factor.ts';
import { getStatus, loginWithPasskey } from '#src/core/session/session.api.ts';
import { setAdmin } from '#src/core/session/account.server.ts';
import { pruneTokens } from '#src/core/session/tokens.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { withCookie } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { makeAuthenticator } from '#tests/support/authenticator.ts';
import { useTestDb } from '#tests/support/db.ts';

const NOON = new Date('2026-03-01T12:00:00Z');
const EMAIL = 'admin@example.com';
const PASSWORD = 'Correct-horse-1';
const salt = Buffer.from('salt');
const hash = scryptSync(PASSWORD, salt, 32, { N: 16, r: 8, p: 1 });
const password = `scrypt$16$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]!.split(';')[0]!;
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
let visitors = 0;
const visitor = () => fetchApi({ ip: `198.51.100.${visitors++ % 250}` });
const login = (fields = {}) =>
	visitor()('/api/admin/login', {
		method: 'POST',
		body: JSON.stringify({ email: EMAIL, password: PASSWORD, ...fields }),
	});
const enter = (passkey: Assertion) =>
	visitor()('/api/admin/login/passkey', { method: 'POST', body: JSON.stringify({ passkey }) });
const challenge = async () => (await call(api.getChallenge, {}, visitor())).challenge;

/** An account with one passkey. */
async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db.insert(users).values({ username: 'admin', email: EMAIL, password });
	const cookie = cookieOf(await login());
	await login();
	const admin = withCookie(cookie);
	const key = makeAuthenticator();
	const options = await call(api.offerPasskey, {}, admin);
	const passkey = key.register(options);
	const { codes } = await call(api.addPasskey, { name: 'Laptop', passkey }, admin);
	return { db, admin, key, codes, options };
}

test('a passkey alone opens a session, and the password alone opens none', async () => {
	const { db, admin, key, codes } = await setup();
	expect(codes).toHaveLength(10);
	// The sessions that a password alone had opened have ended, but for the one that added the passkey.
	expect(await db.$count(sessions)).toBe(1);
	const refused = await login();
	expect(refused.status).toBe(401);
	expect(await refused.json()).toMatchObject({
		error: { code: 'second_factor', message: ASK_FOR_PASSKEY },
	});
	wait(MINUTE);
	const response = await enter(key.sign({ challenge: await challenge() }));
	expect(await response.json()).toEqual({ isAuthenticated: true, email: EMAIL });
	expect(cookieOf(response)).toMatch(/^__Host-groundtruth_session=/);
	const here = withCookie(cookieOf(response));
	expect(await call(getStatus, {}, here)).toEqual({ isAuthenticated: true });
	expect((await call(getSecondFactor, {}, admin)).passkeys).toEqual([
		{
			id: key.id,
			name: 'Laptop',
			createdAt: NOON.toISOString(),
			lastUsedAt: new Date(NOON.getTime() + MINUTE).toISOString(),
		},
	]);
});

test('nobody learns before signing in whether there is a passkey', async () => {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	await db.insert(users).values({ username: 'admin', email: EMAIL, password });
	const ask = async () => [
		await call(getStatus, {}, visitor()),
		Object.entries(await call(api.getChallenge, {}, visitor())).filter(
			([name]) => name !== 'challenge',
		),
	];
	const without = await ask();
	const admin = withCookie(cookieOf(await login()));
	const passkey = makeAuthenticator().register(await call(api.offerPasskey, {}, admin));
	await call(api.addPasskey, { name: 'Laptop', passkey }, admin);
	expect(await ask()).toEqual(without);
	expect(without[0]).toEqual({ isAuthenticated: false });
});

test('without a finger, a face or a PIN a passkey counts besides the password only', async () => {
	const { db, key } = await setup();
	const before = await db.$count(sessions);
	const alone = await enter(key.sign({ challenge: await challenge() }, false));
	expect([alone.status, await db.$count(sessions)]).toEqual([401, before]);
	const passkey = key.sign({ challenge: await challenge() }, false);
	expect((await login({ password: 'wrong', passkey })).status).toBe(401);
	expect((await login({ passkey })).status).toBe(200);
});

test('a signature works once, also when it is sent five times at once', async () => {
	const { db, key } = await setup();
	const passkey = key.sign({ challenge: await challenge() });
	const tries = await Promise.all(Array.from({ length: 5 }, () => enter(passkey)));
	expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
	expect((await login({ passkey })).status).toBe(401);
	const spent = await db.$count(spentTokens);
	expect(spent).toBeGreaterThan(0);
	await pruneTokens(db, new Date(Date.now() + 6 * MINUTE));
	expect(await db.$count(spentTokens)).toBe(0);
	// What was forgotten has ended by itself.
	wait(6 * MINUTE);
	expect((await enter(passkey)).status).toBe(401);
});

test('what was signed elsewhere, too late, for something else or by another key is refused', async () => {
	const { db, key, options } = await setup();
	const before = await db.$count(sessions);
	const late = await challenge();
	const signed = key.sign({ challenge: await challenge() });
	const other = makeAuthenticator();
	const swapped = other.sign({ challenge: await challenge() });
	const tries = {
		'a page that imitates this one': key.sign({
			challenge: await challenge(),
			origin: 'https://groundtruth.test.evil.example',
		}),
		'the site without encryption': key.sign({
			challenge: await challenge(),
			origin: 'http://groundtruth.test',
		}),
		'another site': key.sign({ challenge: await challenge(), rpId: 'evil.example' }),
		'a challenge of our own for another purpose': key.sign({ challenge: options.challenge }),
		'a challenge that nobody made': key.sign({ challenge: 'AAAA' }),
		'another key': { ...swapped, id: key.id, rawId: key.id },
		'an unknown key': swapped,
		'a signature of something else': {
			...signed,
			response: { ...signed.response, signature: swapped.response.signature },
		},
	};
	wait(5 * MINUTE);
	const all = { ...tries, 'a challenge that has ended': key.sign({ challenge: late }) };
	for (const [what, passkey] of Object.entries(all)) {
		const response = await enter(passkey);
		expect(response.status, what).toBe(401);
		expect(response.headers.get('Set-Cookie'), what).toBeNull();
		expect(await response.json(), what).toMatchObject({ error: { message: WRONG_PASSKEY } });
	}
	expect(await db.$count(sessions)).toBe(before);
});

test('a copied key that counts back is refused', async () => {
	const { key } = await setup();
	key.rewind(10);
	expect((await enter(key.sign({ challenge: await challenge() }))).status).toBe(200);
	key.rewind(5);
	expect((await enter(key.sign({ challenge: await challenge() }))).status).toBe(401);
});

test('what is no passkey is refused with a sentence', async () => {
	await setup();
	const bad = [{}, { id: 'x' }, { id: '', rawId: '', type: 'password', response: {} }, 'x', null];
	for (const passkey of bad) {
		const failing = call(loginWithPasskey, { passkey: passkey as never }, visitor());
		await expect(failing).rejects.toMatchObject({ code: 'validation' });
	}
});

test('several passkeys have names, and the last one to go takes the recovery codes along', async () => {
	const { db, admin, key, codes } = await setup();
	const phone = makeAuthenticator();
	const passkey = phone.register(await call(api.offerPasskey, {}, admin));
	const added = await call(api.addPasskey, { name: '  Phone ', passkey }, admin);
	// The codes that were kept go on.
	expect(added.codes).toEqual([]);
	const offered = await call(api.offerPasskey, {}, admin);
	expect(offered.excludeCredentials?.map(({ id }) => id).sort()).toEqual([key.id, phone.id].sort());
	const again = phone.register(offered);
	await expect(
		call(api.addPasskey, { name: 'Twice', passkey: again }, admin),
	).rejects.toMatchObject({ code: 'conflict' });
	await expect(call(api.addPasskey, { name: ' ', passkey: again }, admin)).rejects.toMatchObject({
		fields: { name: 'Please give it a name.' },
	});

	expect(await call(api.renamePasskey, { id: phone.id, name: ' Old phone ' }, admin)).toEqual({
		renamed: 1,
	});
	const [row] = await db.select().from(passkeys).where(eq(passkeys.id, phone.id));
	expect(row!.name).toBe('Old phone');
	await expect(call(api.renamePasskey, { id: phone.id, name: ' ' }, admin)).rejects.toMatchObject({
		fields: { name: 'Please give it a name.' },
	});
	expect(await call(api.removePasskey, { id: key.id }, admin)).toEqual({ removed: 1 });
	expect(await call(api.renamePasskey, { id: key.id, name: 'Gone' }, admin)).toEqual({
		renamed: 0,
	});
	expect(await call(api.removePasskey, { id: key.id }, admin)).toEqual({ removed: 0 });
	expect((await enter(key.sign({ challenge: await challenge() }))).status).toBe(401);
	expect((await login({ code: codes[0] })).status).toBe(200);
	expect((await login({ code: codes[0] })).status).toBe(401);
	await call(api.removePasskey, { id: phone.id }, admin);
	expect(await db.$count(recoveryCodes)).toBe(0);
	expect((await login()).status).toBe(200);
});

test('a registration is taken once, for the account and the page that asked', async () => {
	const { db, admin } = await setup();
	const key = makeAuthenticator();
	const add = (passkey: ReturnType<typeof key.register>) =>
		call(api.addPasskey, { name: 'Key', passkey }, admin);
	const { challenge: asked } = await call(api.offerPasskey, {}, admin);
	const wrong = [
		key.register({ challenge: asked, origin: 'https://evil.example' }),
		key.register({ challenge: asked, rpId: 'evil.example' }),
		key.register({ challenge: await challenge() }),
	];
	for (const passkey of wrong)
		await expect(add(passkey)).rejects.toMatchObject({ message: WRONG_PASSKEY });
	await add(key.register({ challenge: asked }));
	await expect(add(makeAuthenticator().register({ challenge: asked }))).rejects.toMatchObject({
		message: WRONG_PASSKEY,
	});
	expect(await db.$count(passkeys)).toBe(2);
});

test('a passkey of somebody else does not stand in for mine', async () => {
	const { db, key } = await setup();
	await db.insert(users).values({ username: 'other', email: 'other@example.com', password });
	const other = withCookie(cookieOf(await login({ email: 'other@example.com' })));
	const theirs = makeAuthenticator();
	const passkey = theirs.register(await call(api.offerPasskey, {}, other));
	await call(api.addPasskey, { name: 'Theirs', passkey }, other);
	const signed = theirs.sign({ challenge: await challenge() });
	expect((await login({ passkey: signed })).status).toBe(401);
	expect(await call(api.renamePasskey, { id: key.id, name: 'Mine' }, other)).toEqual({
		renamed: 0,
	});
	expect(await call(api.removePasskey, { id: key.id }, other)).toEqual({ removed: 0 });
	const alone = await enter(theirs.sign({ challenge: await challenge() }));
	expect(await alone.json()).toMatchObject({ email: 'other@example.com' });
});

test('passkeys are added and removed only shortly after signing in', async () => {
	const { db, admin, key } = await setup();
	wait(16 * MINUTE);
	for (const failing of [
		() => call(api.offerPasskey, {}, admin),
		() => call(api.removePasskey, { id: key.id }, admin),
	])
		await expect(failing()).rejects.toMatchObject({ code: 'sign_in_again' });
	expect(await db.$count(passkeys)).toBe(1);
});

test('the command on the machine removes passkeys too, if told to', async () => {
	const { db } = await setup();
	const next = 'Another-horse-2';
	expect(await setAdmin(db, { password: next }, new Date())).toMatchObject({ needsCode: true });
	expect((await login({ password: next })).status).toBe(401);
	await setAdmin(db, { password: next, removesSecondFactor: true }, new Date());
	expect((await login({ password: next })).status).toBe(200);
	expect(await db.$count(passkeys)).toBe(0);
});

test('a site on this machine has passkeys under "localhost", one at an IP address has none', async () => {
	await setup();
	const SECRET = 'a secret of more than 32 characters';
	setEnv(parseEnv({ SITE_URL: 'http://127.0.0.1:8888', SECRET }));
	expect((await call(api.getChallenge, {}, visitor())).rpId).toBe('localhost');
	setEnv(parseEnv({ SITE_URL: 'http://192.0.2.1', SECRET }));
	await expect(call(api.getChallenge, {}, visitor())).rejects.toMatchObject({
		code: 'unavailable',
	});
});
