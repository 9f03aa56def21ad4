import type { PostRef } from '#src/features/posts/post.ts';
import { copyLink, openShareWindow, shareNatively } from '#src/features/share/share.store.ts';
import { afterPaint } from '#src/lib/after-paint.ts';
import { AWAKE } from '#src/lib/awake.ts';
import { formatCount } from '#src/lib/text.ts';
import { likesShown } from './reader.ts';
import { $likedPosts, $postLikeCounts, $savedPosts, toggleLike } from './reader.store.ts';
import { saveOrRemove } from './save.store.ts';

/**
 * Stands in for a `PostActions` that is asleep: shows what is liked and saved, and does what is pressed at once. What it
 * leaves, the menu of share targets, waits until the island is awake.
 */
export function standIn(island: Element, post: PostRef, invented: boolean): void {
	const url = document.querySelector<HTMLMetaElement>('[property="og:url"]')!.content;
	const sleep = new AbortController();
	const { signal } = sleep;
	const part = (name: string) => island.querySelector<HTMLElement>(`[data-${name}]`);
	function show() {
		const isLiked = $likedPosts.get().some(({ id }) => id === post.id);
		const isSaved = $savedPosts.get().some(({ id }) => id === post.id);
		const likes = likesShown($postLikeCounts.get()[post.id] ?? 0, isLiked, invented);
		part('like')?.setAttribute('aria-pressed', String(isLiked));
		part('save')?.setAttribute('aria-pressed', String(isSaved));
		const count = part('likes');
		if (count) count.textContent = likes > 0 ? formatCount(likes) : '';
	}
	function press(event: MouseEvent) {
		const pressed = (event.target as Element).closest<HTMLElement>('a, button');
		if (!pressed || !island.contains(pressed)) return;
		const { like, save, copy, native } = pressed.dataset;
		if (like !== undefined || save !== undefined) {
			pressed.ariaPressed = String(pressed.ariaPressed !== 'true');
			afterPaint(() => (like === undefined ? void saveOrRemove(post) : toggleLike(post)));
		} else if (copy !== undefined) void copyLink(post.id, url);
		else if (native !== undefined && 'share' in navigator)
			void shareNatively(post.id, { url, title: post.title });
		else if (pressed instanceof HTMLAnchorElement) openShareWindow(post.id, event, pressed);
		else {
			// Where its code cannot be loaded, the button leads where it leads without JavaScript.
			const lead = () => (location.hash = 'share');
			island.addEventListener('astro:hydration-error', lead, { once: true, signal });
			return;
		}
		event.stopPropagation();
	}
	const sheet = island.querySelector<HTMLElement>('li[hidden]');
	if (sheet) sheet.hidden = !('share' in navigator);
	document.addEventListener('click', press, { capture: true, signal });
	const stops = [$likedPosts, $postLikeCounts, $savedPosts].map((store) => store.subscribe(show));
	island.addEventListener(
		AWAKE,
		() => {
			sleep.abort();
			for (const stop of stops) stop();
		},
		{ once: true },
	);
}
