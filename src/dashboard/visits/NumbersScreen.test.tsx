// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAddress } from '#src/dashboard/kit/address.store.ts';
import type { Stats } from '#src/features/stats/stats.ts';
import { NumbersScreen } from './NumbersScreen.tsx';

/** One row of each figure. */
const ROWS: Record<string, object> = {
	page: { key: '/about', views: 3, starts: 2 },
	article: { key: '/blog/pid-four-faults', label: 'PID by experiment', views: 5, read: 2 },
	referrer: { key: '', visitors: 4, views: 9 },
	campaign: { key: 'spring', visitors: 1, views: 1 },
};

const NONE = Array<number>(7).fill(0);
const ACTIVITY: Stats = {
	...{ from: '2026-11-01', days: 7, shares: NONE, comments: NONE, signups: NONE },
	...{ sources: [], before: { shares: 0, comments: 0, signups: 0 } },
};

beforeEach(() => {
	readAddress('?tab=numbers', ['numbers']);
	vi.stubGlobal('fetch', async (url: string) => {
		const by = new URL(url, 'http://localhost').searchParams.get('by') ?? '';
		if (!by) return Response.json(ACTIVITY);
		const row = ROWS[by];
		return Response.json({ by, from: '2026-11-01', to: '2026-11-07', rows: row ? [row] : [] });
	});
});
afterEach(cleanup);

const focused = () => document.activeElement?.textContent;
const press = async (name: string | RegExp) => {
	const button = await screen.findByRole('button', { name });
	button.focus();
	await userEvent.keyboard('{Enter}');
};

test.each([
	['/about', 'Page /about only: show all', 'Pages'],
	['PID by experiment', 'Page /blog/pid-four-faults only: show all', 'Pages'],
	['No other site', 'From no other site only: show all', 'Referring sites'],
	['spring', 'Campaign spring only: show all', 'Campaigns'],
])(
	'whoever filters by %s is at the filter, and without it at the figure',
	async (row, filter, figure) => {
		render(<NumbersScreen />);
		await press(row);
		await expect.poll(focused).toBe(filter);
		await userEvent.keyboard('{Enter}');
		await expect.poll(focused).toBe(figure);
		expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull();
	},
);

test('whoever asks for all rows is at the first that came', async () => {
	const rows = Array.from({ length: 30 }, (_, n) => ({ key: `/page-${n}`, views: 1, starts: 0 }));
	vi.stubGlobal('fetch', async (url: string) => {
		const by = new URL(url, 'http://localhost').searchParams.get('by') ?? '';
		if (!by) return Response.json(ACTIVITY);
		const shown = by === 'page' ? rows : [];
		return Response.json({ by, from: '2026-11-01', to: '2026-11-07', rows: shown });
	});
	render(<NumbersScreen />);
	await press('Show all 30');
	const before = screen.getAllByRole('button', { name: /^\/page-/ });
	expect(before).toHaveLength(30);
	expect(document.activeElement?.tagName).toBe('TR');
	expect(focused()).toContain('/page-10');
	await userEvent.tab();
	expect(focused()).toBe('/page-10');
});

test('one number is drawn day by day, and a press on another draws that', async () => {
	vi.stubGlobal('fetch', async (url: string) => {
		const { searchParams } = new URL(url, 'http://localhost');
		const [by, from] = [searchParams.get('by') ?? '', searchParams.get('from') ?? ''];
		const signups = [0, 0, 0, 0, 0, 0, 3];
		if (!by)
			return Response.json({ ...ACTIVITY, signups, before: { ...ACTIVITY.before, signups: 2 } });
		const isNow = from === '2026-11-01';
		const rows = by === 'day' && isNow ? [{ key: '2026-11-07', visitors: 4, views: 9 }] : [];
		const total = isNow ? { visitors: 4, views: 9 } : { visitors: 8, views: 8 };
		return Response.json({ by, from, to: '2026-11-07', rows, total });
	});
	readAddress('?tab=numbers&from=2026-11-01&to=2026-11-07', ['numbers']);
	render(<NumbersScreen />);
	const tiles = await screen.findByRole('group', { name: 'Drawn day by day' });
	const said = within(tiles)
		.getAllByRole('button')
		.map((tile) => [tile.textContent, tile.getAttribute('aria-pressed')]);
	expect(said).toEqual([
		['Visitors4−50% · 9 page views', 'true'],
		['Signups3+50%', 'false'],
		['Comments0none', 'false'],
		['Shares0none', 'false'],
	]);
	expect(screen.getByRole('img', { name: /4 visitors in 7 days, most on/ })).toBeDefined();
	await userEvent.click(within(tiles).getByRole('button', { name: /^Signups/ }));
	expect(await screen.findByRole('img', { name: /3 signups in 7 days, most on/ })).toBeDefined();
	expect(location.search).toContain('figure=signups');
	await userEvent.click(within(tiles).getByRole('button', { name: /^Comments/ }));
	expect(await screen.findByText(/^No comments in 7 days/)).toBeDefined();
});

test('going back moves no focus', async () => {
	render(<NumbersScreen />);
	await press('spring');
	await expect.poll(focused).toBe('Campaign spring only: show all');
	const days = screen.getByLabelText('From');
	days.focus();
	act(() => readAddress('?tab=numbers', ['numbers']));
	expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull();
	expect(document.activeElement).toBe(days);
});
