/** Room between two notes, in pixels. */
const GAP = 16;

/**
 * Sets footnotes beside the lines that refer to them, but below code and figures that take their room, where the page is wide
 * enough. Elsewhere they follow the text.
 */
export function placeNotes(text: HTMLElement): void {
	const notes = [...text.querySelectorAll<HTMLElement>('.footnotes li')];
	if (notes.length === 0) return;
	const wide = matchMedia('(width >= 75rem)');
	const blocks = text.querySelectorAll(':scope > :is(figure, .table-scroll, .math-block)');
	// Until they have a place they are not shown, so that nobody sees them go there.
	text.dataset['noted'] = 'later';
	new ResizeObserver(() => {
		if (!wide.matches) return;
		text.dataset['noted'] = '';
		let free = 0;
		for (const note of notes) {
			const mark = text.querySelector(`a[href="#${note.id}"]`) ?? note;
			const { top: start, right: edge } = text.getBoundingClientRect();
			let top = Math.max(mark.getBoundingClientRect().top - start, free);
			for (const block of blocks) {
				const box = block.getBoundingClientRect();
				if (box.right <= edge) continue;
				const isFree = top + note.offsetHeight + GAP < box.top - start || top > box.bottom - start;
				if (!isFree) top = box.bottom - start + GAP;
			}
			note.style.top = `${top}px`;
			free = top + note.offsetHeight + GAP;
		}
		// Nothing that is as wide as the page begins before the last note ends.
		text.style.setProperty('--notes', `${free}px`);
	}).observe(text);
}
