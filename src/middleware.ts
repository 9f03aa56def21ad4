import { defineMiddleware } from 'astro:middleware';
import { finishHtml } from '#src/lib/finish-html.ts';

export const onRequest = defineMiddleware(async ({ routePattern }, next) => {
	const response = await next();
	if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
	// One byte a character: reading UTF-8 takes a millisecond.
	const html = Buffer.from(await response.arrayBuffer()).toString('latin1');
	const how = { isAdmin: routePattern === '/admin', isServed: import.meta.env.DEV };
	return new Response(Buffer.from(finishHtml(html, how), 'latin1'), response);
});
