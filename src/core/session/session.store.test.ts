import { beforeEach, expect, test, vi } from 'vitest';
import { logout } from './session.api.ts';
import {
	$access,
	beforeSignOut,
	callAfterSignIn,
	callAsAdmin,
	checkAccess,
	postponeSignIn,
	completeSignIn,
	signOut,
} from './session.store.ts';

let isOpen = true;
let calls = 0;
const refusal = { error: { code: 'unauthorized', message: 'Please log in.' } };

beforeEach(() => {
	isOpen = true;
	calls = 0;
	$access.set({ status: 'in' });
	vi.stubGlobal('fetch', async (path: string) => {
		calls++;
		if (path.endsWith('/status')) return Response.json({ isAuthenticated: isOpen });
		return isOpen ? Response.json({ calls }) : Response.json(refusal, { status: 401 });
	});
});

const work = () => callAsAdmin(logout, {}) as Promise<unknown>;
const tick = () => new Promise((resolve) => setTimeout(resolve));

test('a call with a session is made once and asks for nothing', async () => {
	expect(await work()).toEqual({ calls: 1 });
	expect($access.get()).toEqual({ status: 'in' });
});

test('calls that meet an expired session wait for one sign-in and are made again', async () => {
	isOpen = false;
	const both = Promise.all([work(), work()]);
	await tick();
	expect($access.get()).toEqual({ status: 'expired' });
	expect(calls).toBe(2);
	isOpen = true;
	completeSignIn();
	expect(await both).toEqual([{ calls: 3 }, { calls: 4 }]);
	expect($access.get()).toEqual({ status: 'in' });
});

test('a call for which the sign-in is too old says so, and goes on after a new one', async () => {
	vi.stubGlobal('fetch', async () =>
		Response.json({ error: { code: 'sign_in_again', message: 'Again.' } }, { status: 401 }),
	);
	const waiting = work();
	await tick();
	expect($access.get()).toEqual({ status: 'stale' });
	vi.stubGlobal('fetch', async () => Response.json({ calls }));
	completeSignIn();
	expect(await waiting).toEqual({ calls: 0 });
});

test('a refusal that arrives after somebody signed in asks for no password', async () => {
	isOpen = false;
	const late = work();
	completeSignIn();
	isOpen = true;
	await late;
	expect($access.get()).toEqual({ status: 'in' });
	expect(calls).toBe(2);
});

test('who does not sign in keeps the screen, and the call is refused', async () => {
	isOpen = false;
	const refused = work();
	await tick();
	postponeSignIn();
	await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
	expect($access.get()).toEqual({ status: 'in' });
	expect(calls).toBe(1);
});

test('what weakens signing in asks each time, and is done once somebody signed in', async () => {
	for (const times of [1, 2]) {
		const removed = callAfterSignIn(logout, {}) as Promise<unknown>;
		await tick();
		expect([$access.get(), calls]).toEqual([{ status: 'stale' }, times - 1]);
		completeSignIn();
		expect(await removed).toEqual({ calls: times });
	}
	const refused = callAfterSignIn(logout, {});
	await tick();
	postponeSignIn();
	await expect(refused).rejects.toMatchObject({ code: 'sign_in_again' });
	expect(calls).toBe(2);
});

test('other refusals are told at once', async () => {
	vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
	await expect(work()).rejects.toMatchObject({ code: 'server' });
	expect($access.get()).toEqual({ status: 'in' });
});

test('a check finds out whether somebody is signed in, and says why it cannot', async () => {
	await checkAccess();
	expect($access.get()).toEqual({ status: 'in' });
	isOpen = false;
	await checkAccess();
	expect($access.get()).toEqual({ status: 'out' });
	vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
	await checkAccess();
	expect($access.get()).toMatchObject({ status: 'failed' });
});

test('signing out is over only when the server says so', async () => {
	vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
	await expect(signOut()).rejects.toMatchObject({ code: 'server' });
	expect($access.get()).toEqual({ status: 'in' });
	vi.stubGlobal('fetch', async () => Response.json({ isAuthenticated: false }));
	await signOut();
	expect($access.get()).toEqual({ status: 'out' });
});

test('what is to be saved is saved before, and a late refusal does not bring the desk back', async () => {
	const order: string[] = [];
	const save = async () => void order.push('saved');
	beforeSignOut.add(save);
	vi.stubGlobal('fetch', async (path: string) => {
		order.push(path.slice('/api/admin/'.length));
		return Response.json({ isAuthenticated: false });
	});
	await signOut();
	beforeSignOut.delete(save);
	expect(order).toEqual(['saved', 'logout']);
	vi.stubGlobal('fetch', async () => Response.json(refusal, { status: 401 }));
	await expect(work()).rejects.toMatchObject({ code: 'unauthorized' });
	expect($access.get()).toEqual({ status: 'out' });
});
