import { call } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { addPasskey, getChallenge, offerPasskey } from './passkeys.api.ts';
import type { Assertion } from './passkeys.ts';
import { callAsAdmin } from './session.store.ts';

/** Returns whether this browser knows passkeys. */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function';

/** Lets the owner of a passkey sign a challenge of this site. Rejects with an `AppError` if nothing was signed. */
export async function signWithPasskey(): Promise<Assertion> {
	const [{ startAuthentication }, optionsJSON] = await Promise.all([
		import('@simplewebauthn/browser'),
		call(getChallenge, {}),
	]);
	return startAuthentication({ optionsJSON }).catch((error: unknown) =>
		refuse(error, optionsJSON.rpId),
	);
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
