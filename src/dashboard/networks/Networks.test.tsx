// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import type { NetworkView } from '#src/features/networks/networks.ts';
import '#tests/support/dialogs.ts';
import { NetworkChoice } from './NetworkChoice.tsx';
import { Networks } from './Networks.tsx';

afterEach(() => {
	cleanup();
	$toasts.set([]);
	vi.unstubAllGlobals();
});

const ACCOUNT = {
	name: 'ann.bsky.social',
	server: 'https://bsky.social',
	since: '2026-03-02T00:00:00.000Z',
};
const POST = {
	title: 'Quorums',
	url: 'https://bsky.app/profile/did/post/3k',
	replies: 2,
	likes: 1,
};
const CONNECTED: NetworkView = {
	network: 'bluesky',
	account: ACCOUNT,
	failure: 'No room.',
	posts: [POST],
};
const NONE: NetworkView = { network: 'mastodon', account: null, failure: null, posts: [] };

/** Serves these networks, and keeps what is sent. */
function serve(networks: () => Response) {
	const sent: [string, unknown][] = [];
	vi.stubGlobal(
		'fetch',
		async (path: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
			if (method !== 'GET') sent.push([`${method} ${path}`, body && JSON.parse(body)]);
			return method === 'POST'
				? Response.json(
						{
							error: {
								code: 'validation',
								message: 'Wrong',
								fields: { secret: 'It did not let us in.' },
							},
						},
						{ status: 400 },
					)
				: networks();
		},
	);
	return sent;
}

test('an account shows its posts and what kept one back, and is disconnected after a question', async () => {
	const sent = serve(() => Response.json([CONNECTED, NONE]));
	render(<Networks />);
	const bluesky = within(await screen.findByRole('region', { name: 'Bluesky' }));
	expect(bluesky.getByRole('link', { name: 'Quorums' }).getAttribute('href')).toBe(POST.url);
	expect(bluesky.getByText('2 replies, 1 like')).toBeDefined();
	expect(bluesky.getByText(/A post could not be made so far: No room\./)).toBeDefined();
	await userEvent.click(bluesky.getByRole('button', { name: 'Disconnect Bluesky' }));
	expect(sent).toEqual([]);
	await userEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));
	expect(sent[0]?.[0]).toBe('DELETE /api/admin/networks/bluesky');
});

test('an account that is refused says so beside its field, which keeps what was typed', async () => {
	serve(() => Response.json([CONNECTED, NONE]));
	render(<Networks />);
	const mastodon = within(await screen.findByRole('region', { name: 'Mastodon' }));
	await userEvent.type(mastodon.getByRole('textbox', { name: 'Server' }), 'social.example');
	await userEvent.type(mastodon.getByLabelText('Access token'), 'a token');
	await userEvent.click(mastodon.getByRole('button', { name: 'Connect Mastodon' }));
	expect(await mastodon.findByText('It did not let us in.')).toBeDefined();
	expect(mastodon.getByLabelText<HTMLInputElement>('Access token').value).toBe('a token');
});

test('the dialog that publishes asks only for what is connected, and says where that could not be read', async () => {
	serve(() => Response.json([CONNECTED, NONE]));
	const onChange = vi.fn();
	const shown = render(<NetworkChoice checked onChange={onChange} />);
	await userEvent.click(await screen.findByRole('checkbox', { name: /Post it on Bluesky/ }));
	expect(onChange).toHaveBeenCalledWith(false);
	shown.unmount();
	serve(() => Response.json({ error: { code: 'unavailable', message: 'Later' } }, { status: 503 }));
	render(<NetworkChoice checked onChange={onChange} />);
	expect(await screen.findByText(/The networks/)).toBeDefined();
	expect(screen.queryByRole('checkbox')).toBeNull();
});
