import { withoutTags } from './text-length.ts';

export type WordChange = { added: number; removed: number };

/** Returns how many words a text has that an earlier one has not, and the other way around. Words that only moved are neither. */
export function wordChange(earlier: string, later: string): WordChange {
	const counts = countsOf(earlier);
	let added = 0;
	for (const word of wordsOf(later)) {
		const left = counts.get(word) ?? 0;
		if (left === 0) added++;
		else counts.set(word, left - 1);
	}
	return { added, removed: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}

const wordsOf = (html: string) => withoutTags(html, ' ').split(/\s+/).filter(Boolean);

function countsOf(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}
