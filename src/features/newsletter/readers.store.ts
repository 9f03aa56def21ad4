import { SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { formatCount } from '#src/lib/text.ts';
import { countSubscribers } from './newsletter.api.ts';
import { MIN_READERS } from './subscriber.ts';

/** product.md section 9, "Subscriber count refresh". */
export const REFRESH_MS = 30 * SECOND;

/** Claimed figure that is shown until the real one is higher: as a number and in words. */
export type Claim = { count: number; text: string };

/** Returns the text for a number of readers; empty for few. */
export function readersText(count: number, claim?: Claim): string {
	if (claim && count <= claim.count) return `Join ${claim.text}`;
	return count >= MIN_READERS ? `Join ${formatCount(count)} readers` : '';
}

/**
 * Calls `show` with the number of readers at once, and every 30 seconds while the page is visible. Returns the
 * function that stops this.
 */
export function watchReaders(show: (count: number) => void): () => void {
	async function refresh() {
		if (document.hidden) return;
		// Keep what is shown; the next round tries again.
		await call(countSubscribers, {}).then(
			({ count }) => show(count),
			() => {},
		);
	}
	void refresh();
	const timer = setInterval(() => void refresh(), REFRESH_MS);
	return () => clearInterval(timer);
}
