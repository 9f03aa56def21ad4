/** Gives the page of a frame the theme of this one, now and when another is chosen. Returns what ends that. */
export function followTheme(page: Document): () => void {
	const copy = () => {
		const { theme } = document.documentElement.dataset;
		if (theme) page.documentElement.dataset['theme'] = theme;
		else delete page.documentElement.dataset['theme'];
	};
	copy();
	const observer = new MutationObserver(copy);
	observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
	return () => observer.disconnect();
}
