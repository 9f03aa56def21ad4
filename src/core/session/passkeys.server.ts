import { randomBytes } from 'node:crypto';
import type {
	PublicKeyCredentialCreationOptionsJSON,
	PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { passkeys } from '#db/schema.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { seal, unseal } from '#src/lib/token.ts';
import { site } from '#src/site.ts';
import {
	NO_PASSKEYS,
	WRONG_PASSKEY,
	type Assertion,
	type NewPasskey,
	type Passkey,
} from './passkeys.ts';
import { spend } from './tokens.server.ts';

/** Loads the library when a passkey is first used: signing in with a code needs none. */
const webauthn = () => import('@simplewebauthn/server');

const CHALLENGE_MS = 5 * MINUTE;
/** Ed25519, ES256 and RS256, which all devices have among them. */
const ALGORITHMS = [-8, -7, -257];

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
	const rows = await db
		.select()
		.from(passkeys)
		.where(eq(passkeys.userId, userId))
		.orderBy(desc(passkeys.createdAt), passkeys.id);
	return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
		id,
		name,
		createdAt: createdAt.toISOString(),
		lastUsedAt: lastUsedAt?.toISOString() ?? null,
	}));
}

/** Returns what a browser needs to let any passkey of this site sign. Nothing is stored. */
export async function offerChallenge(now: Date): Promise<PublicKeyCredentialRequestOptionsJSON> {
	const { generateAuthenticationOptions } = await webauthn();
	return generateAuthenticationOptions({
		rpID: relyingParty().id,
		challenge: newChallenge('sign in', now),
		timeout: CHALLENGE_MS,
		// A key without a PIN still serves besides the password.
		userVerification: 'preferred',
	});
}

/** Returns what a browser needs to make a passkey. Nothing is stored. */
export async function offerPasskey(
	db: Db,
	admin: { id: string; email: string },
	now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
	const existing = await db.select().from(passkeys).where(eq(passkeys.userId, admin.id));
	const { generateRegistrationOptions } = await webauthn();
	return generateRegistrationOptions({
		rpName: site.name,
		rpID: relyingParty().id,
		userName: admin.email,
		userDisplayName: admin.email,
		userID: new TextEncoder().encode(admin.id),
		challenge: newChallenge(`add ${admin.id}`, now),
		timeout: CHALLENGE_MS,
		excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
		supportedAlgorithmIDs: ALGORITHMS,
		authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
	});
}

/** Checks what a device answered to `offerPasskey`. Returns the row to store, or throws `validation`. */
export async function checkNewPasskey(
	db: Db,
	userId: string,
	{ name, passkey }: NewPasskey,
	now: Date,
): Promise<typeof passkeys.$inferInsert> {
	const { id, origins } = relyingParty();
	let challenge: Challenge | null = null;
	const { verifyRegistrationResponse } = await webauthn();
	const result = await verifyRegistrationResponse({
		response: { ...passkey, clientExtensionResults: {} },
		expectedChallenge: (given) => (challenge = readChallenge(`add ${userId}`, given, now)) !== null,
		expectedOrigin: origins,
		expectedRPID: id,
		expectedType: 'webauthn.create',
		supportedAlgorithmIDs: ALGORITHMS,
		requireUserVerification: false,
	}).catch(() => null);
	if (!result?.verified || !challenge || !(await isFresh(db, challenge))) throw refusal();
	const { credential } = result.registrationInfo;
	if (await db.$count(passkeys, eq(passkeys.id, credential.id))) {
		throw new AppError('conflict', 'This passkey is here already.');
	}
	return {
		id: credential.id,
		userId,
		name,
		publicKey: Buffer.from(credential.publicKey).toString('base64url'),
		counter: credential.counter,
		transports: passkey.response.transports,
		createdAt: now,
	};
}

/**
 * Returns the account that a passkey belongs to, or throws `second_factor`. `userId` is the only account that counts;
 * `alone` says that the device must have asked for a finger, a face or a PIN, so that it stands for the password too.
 */
export async function checkPasskey(
	db: Db,
	assertion: Assertion,
	{ userId, alone }: { userId?: string; alone: boolean },
	now: Date,
): Promise<string> {
	const [stored] = await db
		.select()
		.from(passkeys)
		.where(and(eq(passkeys.id, assertion.id), userId ? eq(passkeys.userId, userId) : undefined));
	if (!stored) throw refusal();
	const { id, origins } = relyingParty();
	let challenge: Challenge | null = null;
	const { verifyAuthenticationResponse } = await webauthn();
	const result = await verifyAuthenticationResponse({
		response: { ...assertion, clientExtensionResults: {} },
		expectedChallenge: (given) => (challenge = readChallenge('sign in', given, now)) !== null,
		expectedOrigin: origins,
		expectedRPID: id,
		expectedType: 'webauthn.get',
		credential: {
			id: stored.id,
			publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64url')),
			counter: stored.counter,
		},
		requireUserVerification: alone,
	}).catch(() => null);
	if (!result?.verified || !challenge || !(await isFresh(db, challenge))) throw refusal();
	await db
		.update(passkeys)
		.set({ counter: result.authenticationInfo.newCounter, lastUsedAt: now })
		.where(eq(passkeys.id, stored.id));
	return stored.userId;
}

const refusal = () =>
	new AppError('second_factor', WRONG_PASSKEY, { fields: { passkey: WRONG_PASSKEY } });

type Challenge = { token: string; expiresAt: Date };

/** Returns a challenge that only this site makes and that ends by itself, so that none is stored before it is used. */
function newChallenge(purpose: string, now: Date): string {
	const expires = now.getTime() + CHALLENGE_MS;
	return seal(
		getSecret(),
		`passkey ${purpose}`,
		`${expires} ${randomBytes(16).toString('base64url')}`,
	);
}

/** Returns the challenge that a device signed, or null if it is not ours, of another purpose or has ended. */
function readChallenge(purpose: string, signed: string, now: Date): Challenge | null {
	const token = Buffer.from(signed, 'base64url').toString();
	const value = unseal(getSecret(), `passkey ${purpose}`, token);
	const expiresAt = new Date(Number(value?.split(' ')[0]));
	return value !== null && expiresAt > now ? { token, expiresAt } : null;
}

const isFresh = (db: Db, { token, expiresAt }: Challenge) => spend(db, token, expiresAt);

/**
 * Returns the name that passkeys belong to, and the origins of pages that may use them. Browsers know no passkeys for an
 * IP address; a site on this machine has them under "localhost".
 */
function relyingParty(): { id: string; origins: string[] } {
	const { protocol, hostname, port, origin } = new URL(getEnv().SITE_URL);
	if (/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) {
		return { id: 'localhost', origins: [`${protocol}//localhost${port && `:${port}`}`] };
	}
	if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) {
		throw new AppError('unavailable', NO_PASSKEYS);
	}
	return { id: hostname, origins: [origin] };
}
