import type { PostRef } from '#src/features/posts/post.ts';
import { copyText } from '#src/lib/clipboard.ts';
import { toast } from '#src/components/ui/toast.store.ts';
import { sendShare } from './events.ts';
import { SHARE_WINDOW } from './share.ts';

/** Toasts after copying the address (product.md section 8). */
const COPY_TOASTS = {
	success: {
		title: 'Link copied!',
		description: 'The article URL has been copied to your clipboard.',
	},
	failure: { title: 'Copy failed', description: 'Unable to copy link to clipboard.' },
} as const;

/** Adds scripts to a panel of share targets: popup windows, copying and the native share sheet. */
export function offerSharing(panel: HTMLElement, post: PostRef, url: string): void {
	for (const link of panel.querySelectorAll('a'))
		link.addEventListener('click', (event) => openShareWindow(post.id, event, link));
	panel.querySelector('[data-copy]')!.addEventListener('click', () => void copyLink(post.id, url));
	if (!('share' in navigator)) return;
	const native = panel.querySelector<HTMLElement>('[data-native]')!;
	native.hidden = false;
	native.addEventListener('click', () => void shareNatively(post.id, { url, title: post.title }));
}

/**
 * Replaces a link to the panel with a button that shares in place: by the native share sheet, or a menu of the
 * panel's targets.
 */
export function makeShareButton(link: HTMLElement, panel: HTMLElement, post: PostRef): void {
	const url = panel.dataset['share']!;
	const button = document.createElement('button');
	button.type = 'button';
	button.className = link.className;
	button.append(...link.childNodes);
	link.replaceWith(button);
	if ('share' in navigator)
		button.addEventListener('click', () => void shareNatively(post.id, { url, title: post.title }));
	else addMenu(button, panel, post, url);
}

function addMenu(button: HTMLButtonElement, panel: HTMLElement, post: PostRef, url: string): void {
	const menu = document.createElement('div');
	menu.className = 'share-menu';
	menu.popover = 'auto';
	menu.setAttribute('role', 'group');
	menu.setAttribute('aria-label', 'Share this article');
	menu.addEventListener('beforetoggle', () => {
		if (menu.firstChild) return;
		menu.append(panel.querySelector('ul')!.cloneNode(true));
		offerSharing(menu, post, url);
	});
	button.after(menu);
	button.popoverTargetElement = menu;
	menu.addEventListener('click', ({ target }) => {
		if ((target as Element).closest('a, button')) menu.hidePopover();
	});
	menu.addEventListener('toggle', ({ newState }) => {
		if (newState !== 'open') return;
		const { left, bottom } = button.getBoundingClientRect();
		const room = document.documentElement.clientWidth - menu.offsetWidth - 16;
		menu.style.left = `${scrollX + Math.max(16, Math.min(left, room))}px`;
		menu.style.top = `${scrollY + bottom + 8}px`;
		menu.querySelector('a')!.focus({ preventScroll: true });
	});
}

/** Copies an address and reports the result. */
export async function copyLink(postId: string, url: string): Promise<void> {
	if (await copyText(url)) {
		toast(COPY_TOASTS.success);
		sendShare(postId);
	} else toast({ ...COPY_TOASTS.failure, destructive: true });
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
