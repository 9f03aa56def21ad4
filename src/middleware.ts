import { defineMiddleware } from 'astro:middleware';

const SCRIPT = '<script type="module" ';

/** Scripts of pages wait behind what is painted: text, styles and fonts come first on a slow line. */
export const onRequest = defineMiddleware(async (_context, next) => {
	const response = await next();
	if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
	const html = await response.text();
	return new Response(
		html.replaceAll(`${SCRIPT}src=`, `${SCRIPT}fetchpriority="low" src=`),
		response,
	);
});
