// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $toasts } from '#src/components/ui/toast.store.ts';
import { copyLink, openShareWindow, shareNatively } from './share.store.ts';

const writeText = vi.fn<(text: string) => Promise<void>>();
const share = vi.fn<() => Promise<void>>();
const sent: { path: string; body: Promise<string>; type: string }[] = [];

beforeEach(() => {
	sent.length = 0;
	writeText.mockReset().mockResolvedValue();
	share.mockReset().mockResolvedValue();
	$toasts.set([]);
	vi.stubGlobal('navigator', {
		sendBeacon: (path: string, body: Blob) => {
			sent.push({ path, body: body.text(), type: body.type });
			return true;
		},
		clipboard: { writeText },
		share,
	});
});
afterEach(() => {
	vi.unstubAllGlobals();
});

const shown = () =>
	$toasts.get().map(({ title, description, destructive }) => [title, description, destructive]);

/** product.md section 8, and what brings it. */
test.each([
	[
		'a copied link',
		() => {},
		['Link copied!', 'The article URL has been copied to your clipboard.', false],
		1,
	],
	[
		'a clipboard that refuses',
		() => writeText.mockRejectedValue(new Error('no')),
		['Copy failed', 'Unable to copy link to clipboard.', true],
		0,
	],
	[
		'a browser without a clipboard',
		() => vi.stubGlobal('navigator', {}),
		['Copy failed', 'Unable to copy link to clipboard.', true],
		0,
	],
])('%s is told', async (_, given, told, events) => {
	given();
	await copyLink('p1', 'https://site.example/blog/a');
	expect(shown()).toEqual([told]);
	expect(sent).toHaveLength(events);
});

test('a share is counted as JSON at its post', async () => {
	await copyLink('p 1', 'https://site.example/blog/a');
	expect(sent[0]).toMatchObject({ path: '/api/posts/p%201/events', type: 'application/json' });
	expect(JSON.parse(await sent[0]!.body)).toEqual({ kind: 'share' });
});

test("closing the browser's own sheet shares nothing and says nothing", async () => {
	await shareNatively('p1', { url: 'https://site.example' });
	expect(sent).toHaveLength(1);
	share.mockRejectedValue(new DOMException('closed', 'AbortError'));
	await shareNatively('p1', { url: 'https://site.example' });
	expect(sent).toHaveLength(1);
	expect($toasts.get()).toEqual([]);
});

test('a share link opens a window of 600 by 400 that knows nothing of this one', () => {
	const open = vi.spyOn(window, 'open').mockReturnValue(null);
	const link = document.createElement('a');
	link.href = 'https://x.com/intent/post';
	const click = (init: MouseEventInit = {}) => {
		const event = new MouseEvent('click', { cancelable: true, ...init });
		openShareWindow('p1', event, link);
		return event.defaultPrevented;
	};
	expect(click()).toBe(true);
	expect(open).toHaveBeenCalledExactlyOnceWith(
		'https://x.com/intent/post',
		'_blank',
		'noopener,width=600,height=400',
	);
	expect(click({ ctrlKey: true })).toBe(false);
	expect(open).toHaveBeenCalledOnce();
	expect(sent).toHaveLength(2);
});
