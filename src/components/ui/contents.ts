/** Marks the current part in the table of contents: the last one that begins in the window's upper third. */
export function followContents(): void {
	const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-follow] a')];
	const parts = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1))));
	function mark() {
		const line = innerHeight / 3;
		const current = parts.findLastIndex((part) => part && part.getBoundingClientRect().top <= line);
		for (const [index, link] of links.entries()) {
			if (index === current) link.setAttribute('aria-current', 'location');
			else link.removeAttribute('aria-current');
		}
	}
	if (links.length === 0) return;
	addEventListener('scroll', mark, { passive: true });
	// Not before the first frame, or layout would be needed twice.
	addEventListener('pageshow', mark);
}
