/**
 * Calls back once the document is parsed. Scripts of modules run then anyhow, but not one whose file holds what islands
 * import: an island that comes early in the page, with its files cached, runs it while the rest is still on its way.
 */
export function whenParsed(callback: () => void): void {
	if (document.readyState !== 'loading') callback();
	else document.addEventListener('DOMContentLoaded', callback, { once: true });
}
