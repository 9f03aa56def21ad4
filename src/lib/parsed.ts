/**
 * Calls back once the document is parsed. A page's own script waits for that by itself, unless islands import from its
 * file: one that hydrates early, with its files cached, then runs it while the rest of the page is on its way.
 */
export function whenParsed(callback: () => void): void {
	if (document.readyState !== 'loading') callback();
	else document.addEventListener('DOMContentLoaded', callback, { once: true });
}
