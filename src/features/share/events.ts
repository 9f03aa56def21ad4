/** Sends a view or a share of a post. Nobody waits for it, and it may fail. */
export function sendEvent(postId: string, kind: 'view' | 'share'): void {
	navigator.sendBeacon?.(
		`/api/posts/${encodeURIComponent(postId)}/events`,
		new Blob([JSON.stringify({ kind })], { type: 'application/json' }),
	);
}
