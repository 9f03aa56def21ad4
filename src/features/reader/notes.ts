/** Room between two notes, in pixels. */
const GAP = 16;

/** Sets footnotes beside the lines that refer to them, where the page is wide enough. Elsewhere they follow the text. */
export function placeNotes(text: HTMLElement): void {
	const notes = [...text.querySelectorAll<HTMLElement>('.footnotes li')];
	if (notes.length === 0) return;
	const wide = matchMedia('(width >= 80rem)');
	text.dataset['noted'] = '';
	new ResizeObserver(() => {
		if (!wide.matches) return;
		let free = 0;
		for (const note of notes) {
			const mark = text.querySelector(`a[href="#${note.id}"]`) ?? note;
			const beside = mark.getBoundingClientRect().top - text.getBoundingClientRect().top;
			const top = Math.max(beside, free);
			note.style.top = `${top}px`;
			free = top + note.offsetHeight + GAP;
		}
		// Nothing that is as wide as the page begins before the last note ends.
		text.style.setProperty('--notes', `${free}px`);
	}).observe(text);
}
