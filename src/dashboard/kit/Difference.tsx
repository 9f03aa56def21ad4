import { diffWordsWithSpace } from 'diff';
import '#src/features/posts/difference.css';

/** Two texts as one: words that went are struck, words that came are underlined. */
export function Difference({ old, later }: { old: string; later: string }) {
	return (
		// It may scroll, also by keyboard.
		<p className="difference" role="group" aria-label="Difference" tabIndex={0}>
			{wordsBetween(old, later).map(({ text, side }, index) =>
				side === 'both' ? (
					text
				) : side === 'old' ? (
					<del key={index}>{text}</del>
				) : (
					<ins key={index}>{text}</ins>
				),
			)}
		</p>
	);
}

/** A stretch of words that both have, that only the earlier or that only the later has. */
type Words = { text: string; side: 'both' | 'old' | 'new' };

/** The difference of two texts, word by word. */
export function wordsBetween(old: string, later: string): Words[] {
	return diffWordsWithSpace(old, later).map(({ value, added, removed }) => ({
		text: value,
		side: added ? 'new' : removed ? 'old' : 'both',
	}));
}
