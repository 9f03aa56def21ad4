import * as z from 'zod/mini';
import { call } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { storedMap } from '#src/lib/stored.ts';
import { addPasskey, getChallenge, offerPasskey } from './passkeys.api.ts';
import type { Assertion } from './passkeys.ts';
import { callAsAdmin } from './session.store.ts';

/** Returns whether this browser knows passkeys. */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function';

/** Remembers on this device whether a passkey was made or used in this browser. */
export const $passkeys = storedMap('desk_passkeys', z.boolean());

export const rememberPasskeys = (used: boolean) => $passkeys.set(used ? { used } : {});

/** Returns whether this browser can offer passkeys where it fills in an address, or undefined where there can be none. */
export async function canFillIn(): Promise<boolean | undefined> {
	// Browsers know no passkeys for an IP address.
	if (!hasPasskeys() || /^\[|^[\d.]+$/.test(location.hostname)) return undefined;
	return (
		(await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false)) ?? false
	);
}

/**
 * Lets the browser offer passkeys where it fills in an address, until one signs. Asks the server for nothing but a
 * challenge, so that nobody learns whether there are any. Returns what ends the offer.
 */
export function offerToFillIn(onSigned: (passkey: Assertion) => void): () => void {
	let isOver = false;
	let renewal: ReturnType<typeof setTimeout> | undefined;
	let end = () => {};

	async function offer() {
		const [{ startAuthentication, WebAuthnAbortService }, optionsJSON] = await Promise.all([
			import('@simplewebauthn/browser'),
			call(getChallenge, {}),
		]);
		if (isOver) return;
		end = () => WebAuthnAbortService.cancelCeremony();
		// An offer may stand for an hour, a challenge does not.
		renewal = setTimeout(start, (optionsJSON.timeout ?? 60_000) / 2);
		const passkey = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
		rememberPasskeys(true);
		onSigned(passkey);
	}
	function start() {
		// If no passkey is chosen, or none can be offered, the fields are still there.
		offer().catch(() => {});
	}
	start();
	return () => {
		isOver = true;
		clearTimeout(renewal);
		end();
	};
}

/** Lets the owner of a passkey sign a challenge of this site. Rejects with an `AppError` if nothing was signed. */
export async function signWithPasskey(): Promise<Assertion> {
	const [{ startAuthentication }, optionsJSON] = await Promise.all([
		import('@simplewebauthn/browser'),
		call(getChallenge, {}),
	]);
	const passkey = await startAuthentication({ optionsJSON }).catch((error: unknown) =>
		refuse(error, optionsJSON.rpId),
	);
	rememberPasskeys(true);
	return passkey;
}

/** Makes a passkey on a device. Returns recovery codes if it is the first. */
export async function makePasskey(name: string): Promise<{ codes: string[] }> {
	const [{ startRegistration }, optionsJSON] = await Promise.all([
		import('@simplewebauthn/browser'),
		callAsAdmin(offerPasskey, {}),
	]);
	const passkey = await startRegistration({ optionsJSON }).catch((error: unknown) =>
		refuse(error, optionsJSON.rp.id),
	);
	rememberPasskeys(true);
	const { transports = [], ...response } = passkey.response;
	return callAsAdmin(addPasskey, {
		name,
		passkey: { ...passkey, type: 'public-key', response: { ...response, transports } },
	});
}

/** Throws what a browser reports about passkeys as a sentence for a person. */
function refuse(error: unknown, site: string | undefined): never {
	const name = error instanceof Error ? error.name : '';
	if (name === 'InvalidStateError') {
		throw new AppError('conflict', 'This device has a passkey of this site already.');
	}
	if (site && name === 'SecurityError') {
		const address = location.origin.replace(location.hostname, site);
		throw new AppError('validation', `Passkeys belong to ${site}: open ${address}/admin instead.`);
	}
	throw new AppError('unknown', 'No passkey was used: it was canceled, or took too long.');
}
