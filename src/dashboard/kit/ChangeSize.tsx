import { formatCount, plural } from '#src/lib/text.ts';
import type { WordChange } from '#src/lib/word-change.ts';

/** How many words a version has more and fewer than the one before it. */
export function ChangeSize({ added, removed }: WordChange) {
	if (added + removed === 0) return 'no other words';
	return (
		<>
			<span aria-hidden="true">
				{[added && `+${formatCount(added)}`, removed && `−${formatCount(removed)}`]
					.filter(Boolean)
					.join(' ')}
			</span>
			<span className="sr-only">
				{plural(added, 'word')} added, {plural(removed, 'word')} removed
			</span>
		</>
	);
}
