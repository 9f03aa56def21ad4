import { markdownPath } from '../../src/lib/markdown-path.ts';

/** Returns the address of a page's Markdown to whoever prefers that to HTML. The one-machine server does the same. */
export default function (request: Request): URL | undefined {
	const url = new URL(request.url);
	const path = markdownPath(url.pathname, request.headers.get('Accept') ?? '');
	return path === undefined ? undefined : new URL(path + url.search, url);
}

export const config = {
	path: ['/blog/*', '/ai-best-practices/*'],
	method: ['GET', 'HEAD'],
	header: { accept: 'text/markdown' },
	onError: 'bypass',
};
