import { diffWordsWithSpace } from 'diff';

/** A stretch of words that both have, that only the earlier or that only the later has. */
type Words = { text: string; side: 'both' | 'old' | 'new' };

/** The difference of two texts, word by word. */
export function wordsBetween(old: string, later: string): Words[] {
	return diffWordsWithSpace(old, later).map(({ value, added, removed }) => ({
		text: value,
		side: added ? 'new' : removed ? 'old' : 'both',
	}));
}
