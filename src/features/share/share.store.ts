import { copyText } from '#src/lib/clipboard.ts';
import { toast } from '#src/components/ui/toast.store.ts';
import type { CiteFormat } from './cite.ts';
import { SHARE_WINDOW } from './share.ts';

/** Toasts after copying the address (product.md section 8). */
const COPY_TOASTS = {
	success: {
		title: 'Link copied!',
		description: 'The article URL has been copied to your clipboard.',
	},
	failure: { title: 'Copy failed', description: 'Unable to copy link to clipboard.' },
} as const;

/** Copies an address and reports the result. */
export async function copyLink(postId: string, url: string): Promise<void> {
	if (await copyText(url)) {
		toast(COPY_TOASTS.success);
		sendShare(postId);
	} else toast({ ...COPY_TOASTS.failure, destructive: true });
}

/** Copies a citation of the page. What writes it is loaded by the first press. */
export async function copyCitation(format: CiteFormat): Promise<void> {
	try {
		await (await import('./cite.store.ts')).writeCitation(format);
	} catch {
		toast({ title: 'Copy failed', description: 'Unable to load it.', destructive: true });
	}
}

/** Opens the native share sheet. Closing it is not a failure. */
export async function shareNatively(postId: string, data: ShareData): Promise<void> {
	try {
		await navigator.share(data);
		sendShare(postId);
	} catch {
		return;
	}
}

/** Opens a share link in a popup window. Modified clicks are left to the browser. */
export function openShareWindow(postId: string, event: MouseEvent, link: HTMLAnchorElement): void {
	sendShare(postId);
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	const { width, height } = SHARE_WINDOW;
	window.open(link.href, '_blank', `noopener,width=${width},height=${height}`);
}

/** Counts a share of a post. Nobody waits for it, and it may fail. */
function sendShare(postId: string): void {
	navigator.sendBeacon?.(
		`/api/posts/${encodeURIComponent(postId)}/events`,
		new Blob([JSON.stringify({ kind: 'share' })], { type: 'application/json' }),
	);
}
