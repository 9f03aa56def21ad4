// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { $address } from '#src/dashboard/kit/address.store.ts';
import type { Home } from '#src/features/home/home.ts';
import '#tests/support/dialogs.ts';
import { HomeScreen } from './HomeScreen.tsx';

const none = { total: 0, rows: [] };
const quiet = (): Home => ({
	at: new Date().toISOString(),
	waits: {
		...{ issue: null, letters: [], build: null, comments: none, messages: none },
		...{ reviews: none, mail: none, scheduled: none },
	},
	writing: [],
	since: { at: '2026-01-01T00:00:00.000Z', isVisit: true },
	happened: {
		...{ published: none, letters: [], readers: { joined: 0, left: 0 }, comments: 0, read: [] },
		drafts: none,
	},
	steps: [],
});
const building = (state: 'building' | 'failed'): Home => {
	const home = quiet();
	const build = { state, cause: 'Saved', doing: null, reason: 'No room.' };
	return { ...home, waits: { ...home.waits, build } };
};

let home: Home;
let asked: string[];
beforeEach(() => {
	home = quiet();
	asked = [];
	$address.set({ screen: 'home', queries: {} });
	vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
		asked.push(`${init?.method} ${new URL(url, location.href).pathname}`);
		return Response.json(home, { status: init?.method === 'POST' ? 201 : 200 });
	});
});
afterEach(() => {
	cleanup();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});
const reads = () => asked.filter((one) => one === 'GET /api/admin/home').length;

test('a quiet home has no empty parts, and the way to write', async () => {
	render(<HomeScreen />);
	expect(await screen.findByText('Nothing.')).toBeDefined();
	expect(screen.getByText('Nothing new.')).toBeDefined();
	expect(screen.queryByRole('list')).toBeNull();
	expect(screen.getByRole('button', { name: 'Write' })).toBeDefined();
});

test('a build that is under way is asked for until it is live, and keeps its row', async () => {
	vi.useFakeTimers({ shouldAdvanceTime: true });
	home = building('building');
	render(<HomeScreen />);
	await screen.findByText('The site is being built');
	home = quiet();
	await vi.advanceTimersByTimeAsync(4000);
	expect(await screen.findByText('The site shows what you saved')).toBeDefined();
	const before = reads();
	await vi.advanceTimersByTimeAsync(30_000);
	expect(reads()).toBe(before);
});

test('what failed is tried again by one press', async () => {
	home = building('failed');
	render(<HomeScreen />);
	expect(await screen.findByText('No room.')).toBeDefined();
	fireEvent.click(screen.getByRole('button', { name: /^Build again/ }));
	await vi.waitFor(() => expect(asked).toContain('POST /api/admin/builds'));
});

test('a letter that can be called back leads to where that is done', async () => {
	const at = '2026-01-01T00:00:00.000Z';
	home.waits.letters = [
		{ id: 'a', subject: 'News', at, isPaused: false },
		{ id: 'b', subject: 'More news', at: null, isPaused: true },
	];
	render(<HomeScreen />);
	const link = await screen.findByRole('link', { name: 'News' });
	expect(link.getAttribute('href')).toContain('tab=newsletter&part=letters');
	expect(screen.getByText(/^Goes out/).textContent).toContain('2026');
	expect(screen.getByText(/^Paused/)).toBeDefined();
	expect(screen.queryByText('Nothing.')).toBeNull();
});

test('an issue that waits is sent after one question, and is not said to be sent where nothing leaves', async () => {
	const waiting = { date: '2026-01-01', since: '2026-01-01T08:00:00.000Z' };
	const issue = {
		...{ at: '2026-01-08T08:00:00.000Z', timeZone: 'UTC', mode: 'ask' as const, waiting },
		...{ recipients: 20, articles: 1, hasWords: true, isEmpty: false },
	};
	home = { ...home, waits: { ...home.waits, issue } };
	const answer = vi.mocked(fetch);
	vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
		url.endsWith('/mail/transport')
			? Promise.resolve(Response.json({ transport: 'mailbox' }))
			: answer(url, init),
	);
	render(<HomeScreen />);
	fireEvent.click(await screen.findByRole('button', { name: 'Send it' }));
	expect(asked.filter((one) => one.startsWith('POST'))).toEqual([]);
	await screen.findAllByText(/kept as files/);
	fireEvent.click(screen.getByRole('button', { name: 'Send to 20 people' }), { detail: 1 });
	await vi.waitFor(() =>
		expect($toasts.get()[0]?.title).toBe('The issue is kept as files on this machine'),
	);
	expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
});

test('a home that is looked at again after a minute is read anew, and none while another screen is open', async () => {
	home.at = new Date(Date.now() - 5 * 60_000).toISOString();
	render(<HomeScreen />);
	await screen.findByText('Nothing.');
	// Repeated, since the page may not listen yet.
	await vi.waitFor(() => {
		document.dispatchEvent(new Event('visibilitychange'));
		expect(reads()).toBeGreaterThan(1);
	});
	act(() => $address.set({ screen: 'posts', queries: {} }));
	const before = reads();
	document.dispatchEvent(new Event('visibilitychange'));
	dispatchEvent(new Event('online'));
	expect(reads()).toBe(before);
});
