import { letterBehind } from '#src/core/outbox/campaign.ts';

/** Sends a view or a share of a post. Nobody waits for it, and it may fail. */
export function sendEvent(postId: string, kind: 'view' | 'share'): void {
	const event = { kind, letter: letterBehind(location.search) };
	navigator.sendBeacon?.(
		`/api/posts/${encodeURIComponent(postId)}/events`,
		new Blob([JSON.stringify(event)], { type: 'application/json' }),
	);
}
