/** Counts a share of a post. Nobody waits for it, and it may fail. */
export function sendShare(postId: string): void {
	navigator.sendBeacon?.(
		`/api/posts/${encodeURIComponent(postId)}/events`,
		new Blob([JSON.stringify({ kind: 'share' })], { type: 'application/json' }),
	);
}
