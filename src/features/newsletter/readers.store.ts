import { SECOND } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';
import { countSubscribers } from './newsletter.api.ts';

/** Specification section 9, "Subscriber count refresh". */
export const REFRESH_MS = 30 * SECOND;

/** What is claimed instead of the real figure until that is higher: a figure, and it in words. */
export type Claim = { count: number; text: string };

/** What is said of so many readers: nothing of nobody. */
export function readersText(count: number, claim?: Claim): string {
	if (claim && count <= claim.count) return `Join ${claim.text}`;
	return count > 0 ? `Join ${plural(count, 'reader')}` : '';
}

/** Counts the newsletter's readers at once and every 30 seconds while the page is visible. Returns what ends it. */
export function watchReaders(show: (count: number) => void): () => void {
	async function refresh() {
		if (document.hidden) return;
		// What is shown stays; the next round tries again.
		await call(countSubscribers, {}).then(
			({ count }) => show(count),
			() => {},
		);
	}
	void refresh();
	const timer = setInterval(() => void refresh(), REFRESH_MS);
	return () => clearInterval(timer);
}
