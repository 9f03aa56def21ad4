/** How to tell the site's own answers from those of a login wall, a filter or a line that was cut. */

/** Returns whether a page is this site's for a path, or says for the site that there is none, and is all there. */
export function ownPage(html: string, path: string): 'page' | 'missing' | undefined {
	const address = /<meta property="og:url" content="([^"]*)"/.exec(html)?.[1] ?? '';
	if (!html.trimEnd().endsWith('</html>') || !URL.canParse(address)) return undefined;
	const { pathname } = new URL(address);
	if (pathname === path) return 'page';
	return /^\/404\b/.test(pathname) ? 'missing' : undefined;
}

/** Returns whether an answer of this type can be what belongs at the path of a script, a style sheet, a font or a picture. */
export function isAsset(path: string, type: string | null): boolean {
	if (!type) return false;
	if (path.endsWith('.js')) return type.includes('javascript');
	if (path.endsWith('.css')) return type.startsWith('text/css');
	return !/^text\/|^application\/(?:json|xhtml)/.test(type);
}
