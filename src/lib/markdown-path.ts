/** Pages whose Markdown is at their own address with `.md`. */
const WITH_MARKDOWN = /^\/(?:blog|ai-best-practices)\/[^/.]+$/;

/** Returns the path of a page's Markdown if the page has one and this `Accept` header prefers it to HTML. */
export function markdownPath(pathname: string, accept: string): string | undefined {
	if (!WITH_MARKDOWN.test(pathname)) return undefined;
	const markdown = qualityOf('text/markdown', accept);
	return markdown > 0 && markdown >= qualityOf('text/html', accept) ? `${pathname}.md` : undefined;
}

/** Returns how much a type is wanted, from 0 to 1. A range such as any text is no wish for it. */
function qualityOf(type: string, accept: string): number {
	for (const offer of accept.toLowerCase().split(',')) {
		const [name, ...parameters] = offer.split(';').map((part) => part.trim());
		if (name !== type) continue;
		const quality = parameters.find((parameter) => parameter.startsWith('q='));
		return quality ? Number(quality.slice('q='.length)) || 0 : 1;
	}
	return 0;
}
