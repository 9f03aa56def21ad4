import { atom } from 'nanostores';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { getStatus, logout } from './session.api.ts';

type Access =
	/** `expired`: the desk stays as it is, and a dialog asks for the password. */
	{ status: 'checking' | 'out' | 'in' | 'expired' } | { status: 'failed'; message: string };

/** Whether somebody is signed in here. */
export const $access = atom<Access>({ status: 'checking' });

/** How often somebody signed in: a call that was refused before the last time is simply made again. */
let signIns = 0;
let pendingSignIn: PromiseWithResolvers<void> | undefined;

export async function checkAccess(): Promise<void> {
	$access.set({ status: 'checking' });
	try {
		const { isAuthenticated } = await call(getStatus, {});
		$access.set({ status: isAuthenticated ? 'in' : 'out' });
	} catch (error) {
		$access.set({ status: 'failed', message: messageOf(error) });
	}
}

/** To be called after the password was right: calls that wait for it go on. */
export function completeSignIn(): void {
	signIns++;
	$access.set({ status: 'in' });
	pendingSignIn?.resolve();
	pendingSignIn = undefined;
}

/** The password is not given now: calls that wait for it reject, and what is on the screen stays. */
export function postponeSignIn(): void {
	$access.set({ status: 'in' });
	pendingSignIn?.reject();
	pendingSignIn = undefined;
}

/** What is to be saved before a session ends. */
export const beforeSignOut = new Set<() => Promise<void>>();

/** Ends this session. Rejects where that failed: then it goes on. */
export async function signOut(): Promise<void> {
	await Promise.all([...beforeSignOut].map((work) => work()));
	await call(logout, {});
	$access.set({ status: 'out' });
}

/** Does some work that needs a session. Where there is none any more, it asks for the password in place and does it again. */
export async function retryAfterSignIn<Out>(work: () => Promise<Out>): Promise<Out> {
	for (;;) {
		const before = signIns;
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
			if (signIns !== before) continue;
			// Who left on purpose is not asked back.
			if ($access.get().status === 'out') throw error;
			pendingSignIn ??= Promise.withResolvers<void>();
			$access.set({ status: 'expired' });
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
