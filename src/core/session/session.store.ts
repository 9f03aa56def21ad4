import { atom } from 'nanostores';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, messageOf, type ErrorCode } from '#src/lib/errors.ts';
import { getAccount, getStatus, logout } from './session.api.ts';
import { SIGN_IN_AGAIN } from './session.ts';

type Access =
	/** `expired` and `stale`: the dashboard stays as it is, and a dialog asks to sign in. */
	| { status: 'checking' | 'in' | 'expired' | 'stale' }
	/** `hasEnded`: not by signing out here. */
	| { status: 'out'; hasEnded?: boolean | undefined }
	| { status: 'failed'; message: string };

/** Whether somebody is signed in in this browser. */
export const $access = atom<Access>({ status: 'checking' });

/** The address of the account, once it is known: who signs in again need not type it. */
export const $account = atom('');

export async function readAccount(): Promise<void> {
	$account.set((await call(getAccount, {})).email);
}

/** Number of sign-ins. A call that was refused before the latest one is simply repeated. */
export const $signIns = atom(0);
let pendingSignIn: PromiseWithResolvers<void> | undefined;

export async function checkAccess(): Promise<void> {
	$access.set({ status: 'checking' });
	try {
		const { isAuthenticated, hasEnded } = await call(getStatus, {});
		$access.set(
			isAuthenticated ? { status: 'in' } : { status: 'out', ...(hasEnded && { hasEnded }) },
		);
	} catch (error) {
		$access.set({ status: 'failed', message: messageOf(error) });
	}
}

/** Tells that somebody has signed in: waiting calls go on. */
export function completeSignIn(): void {
	$signIns.set($signIns.get() + 1);
	$access.set({ status: 'in' });
	pendingSignIn?.resolve();
	pendingSignIn = undefined;
}

/** Cancels the sign-in: waiting calls reject, and what is on the screen stays. */
export function postponeSignIn(): void {
	$access.set({ status: 'in' });
	pendingSignIn?.reject();
	pendingSignIn = undefined;
}

/** Work to do before a session ends, such as saving. */
export const beforeSignOut = new Set<() => Promise<void>>();

/** Ends this session. Rejects if that failed, in which case the session continues. */
export async function signOut(): Promise<void> {
	await Promise.all([...beforeSignOut].map((work) => work()));
	await call(logout, {});
	$access.set({ status: 'out' });
}

/** Refusals after which a sign-in helps, and what the desk shows. */
const ASKS: Partial<Record<ErrorCode, 'expired' | 'stale'>> = {
	unauthorized: 'expired',
	sign_in_again: 'stale',
};

/**
 * Does work that needs a session. If it has expired or is too old for the work, asks to sign in, in place, and does
 * the work again.
 */
export async function retryAfterSignIn<Out>(work: () => Promise<Out>): Promise<Out> {
	for (;;) {
		const before = $signIns.get();
		try {
			return await work();
		} catch (error) {
			const asks = error instanceof AppError && ASKS[error.code];
			if (!asks) throw error;
			if ($signIns.get() !== before) continue;
			// Someone who signed out on purpose is not asked to sign in again.
			if ($access.get().status === 'out') throw error;
			pendingSignIn ??= Promise.withResolvers<void>();
			$access.set({ status: asks });
			await pendingSignIn.promise.catch(() => {
				throw error;
			});
		}
	}
}

/** Calls an endpoint of the admin area; see `retryAfterSignIn`. */
export function callAsAdmin<In extends object, Out>(
	endpoint: Endpoint<In, Out>,
	input: In,
): Promise<Out> {
	return retryAfterSignIn(() => call(endpoint, input));
}

/** Calls an endpoint of the admin area after asking to sign in, however recent the last sign-in is. */
export function callAfterSignIn<In extends object, Out>(
	endpoint: Endpoint<In, Out>,
	input: In,
): Promise<Out> {
	let hasAsked = false;
	return retryAfterSignIn(async () => {
		if (hasAsked) return call(endpoint, input);
		hasAsked = true;
		throw new AppError('sign_in_again', SIGN_IN_AGAIN);
	});
}
