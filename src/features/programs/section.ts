/**
 * Returns the part of a Markdown text below a heading, with it, up to the next heading of its depth or a higher one;
 * null without such a heading. `headings` are all of the text, in order.
 */
export function sectionOf(
	markdown: string,
	headings: readonly { depth: number; slug: string }[],
	id: string,
): string | null {
	const lines = markdown.split('\n');
	const starts: number[] = [];
	let fence = '';
	for (const [at, line] of lines.entries()) {
		const mark = /^[>\s]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
		if (fence) {
			if (mark.startsWith(fence)) fence = '';
		} else if (mark) fence = mark;
		else if (/^[>\s]*#{1,6}\s/.test(line)) starts.push(at);
	}
	const nth = headings.findIndex(({ slug }) => slug === id);
	// A heading of another shape would shift all that come after it.
	if (nth === -1 || starts.length !== headings.length) return null;
	const { depth } = headings[nth]!;
	const next = headings.findIndex((one, index) => index > nth && one.depth <= depth);
	return lines
		.slice(starts[nth], next === -1 ? undefined : starts[next])
		.join('\n')
		.trim();
}
