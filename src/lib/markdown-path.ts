/** Pages whose Markdown is at their own address with `.md`. */
const WITH_MARKDOWN = /^\/(?:blog|ai-best-practices)\/[^/.]+$/;

/** Returns the path of a page's Markdown if the page has one and this `Accept` header prefers it to HTML. */
export function markdownPath(pathname: string, accept: string): string | undefined {
	if (!WITH_MARKDOWN.test(pathname)) return undefined;
	const wanted = qualitiesOf(accept);
	// Only by its name: whoever takes any text gets the page.
	const markdown = wanted.get('text/markdown') ?? 0;
	const html = wanted.get('text/html') ?? wanted.get('text/*') ?? wanted.get('*/*') ?? 0;
	return markdown > 0 && markdown >= html ? `${pathname}.md` : undefined;
}

/** Returns how much each type or range of types is wanted, from 0 to 1. */
function qualitiesOf(accept: string): Map<string, number> {
	const offers = accept
		.toLowerCase()
		.split(',')
		.map((offer) => {
			const [name = '', ...parameters] = offer.split(';').map((part) => part.trim());
			const quality = parameters.find((parameter) => parameter.startsWith('q='));
			return [name, quality ? Number(quality.slice('q='.length)) || 0 : 1] as const;
		});
	return new Map(offers);
}
