import { toast } from '#src/components/ui/toast.store.ts';
import { sendEvent } from './events.ts';
import { SHARE_WINDOW } from './share.ts';

/** What a copy of the address says (specification section 8). */
const COPY = {
	success: {
		title: 'Link copied!',
		description: 'The article URL has been copied to your clipboard.',
	},
	failure: { title: 'Copy failed', description: 'Unable to copy link to clipboard.' },
} as const;

/** Copies an address, and says whether that worked. */
export async function copyLink(postId: string, url: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(url);
		toast(COPY.success);
		sendEvent(postId, 'share');
	} catch {
		toast({ ...COPY.failure, destructive: true });
	}
}

/** Opens the browser's own share sheet. Closing it is no failure. */
export async function shareNatively(postId: string, data: ShareData): Promise<void> {
	try {
		await navigator.share(data);
		sendEvent(postId, 'share');
	} catch {
		return;
	}
}

/** Opens a share link in a window of its own; a modified click is left to the browser. */
export function openShareWindow(postId: string, event: MouseEvent, link: HTMLAnchorElement): void {
	sendEvent(postId, 'share');
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	const { width, height } = SHARE_WINDOW;
	window.open(link.href, '_blank', `noopener,width=${width},height=${height}`);
}
