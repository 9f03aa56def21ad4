import { wordsBetween } from './words.ts';

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
