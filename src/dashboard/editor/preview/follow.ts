/** Pairs of what is written and where the page shows it: all blocks where each is one, else the headings. */
function pairsOf(written: Element, shown: Element): [Element, Element][] {
	const blocks = [...written.children].filter(
		(block) => !block.matches('p') || block.textContent !== '' || block.querySelector('img, span'),
	);
	const [from, to] =
		blocks.length === shown.children.length
			? [blocks, [...shown.children]]
			: [headingsOf(written), headingsOf(shown)];
	return from.slice(0, to.length).map((block, index) => [block, to[index]!]);
}

const headingsOf = (text: Element) => [...text.querySelectorAll(':scope > :is(h2, h3, h4)')];

/**
 * Returns where a height of the text is in its page. Both are measured from the top of their windows; between two
 * places that are known, what is between them is spread evenly.
 */
export function placeIn(written: Element, shown: Element, height: number): number {
	const points = pairsOf(written, shown).map(
		([from, to]) => [from.getBoundingClientRect().top, to.getBoundingClientRect().top] as const,
	);
	const [from, to] = [written.getBoundingClientRect(), shown.getBoundingClientRect()];
	return between([[from.top, to.top], ...points, [from.bottom, to.bottom]], height);
}

/** Returns what belongs to a number on a line through points, whose first numbers grow. */
export function between(points: readonly (readonly [number, number])[], at: number): number {
	const next = points.findIndex(([from]) => from > at);
	if (next === 0) return points[0]![1] + at - points[0]![0];
	const [from, to] = points.at(next === -1 ? -1 : next - 1)!;
	if (next === -1) return to + at - from;
	const [nextFrom, nextTo] = points[next]!;
	return to + ((at - from) / (nextFrom - from)) * (nextTo - to);
}
