import { markdownTwin } from '../../src/lib/markdown-twin.ts';

/** Returns the address of a page's Markdown to whoever prefers that to HTML. The one-machine server does the same. */
export default function (request: Request): URL | undefined {
	const url = new URL(request.url);
	const twin = markdownTwin(url.pathname, request.headers.get('Accept') ?? '');
	return twin === undefined ? undefined : new URL(twin + url.search, url);
}

export const config = {
	path: ['/blog/*', '/ai-best-practices/*'],
	method: ['GET', 'HEAD'],
	header: { accept: 'text/markdown' },
	onError: 'bypass',
};
