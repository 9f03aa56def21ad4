import { defineMiddleware } from 'astro:middleware';
import { hash } from 'node:crypto';

const INLINE = /<(?:script|style)(?![^>]* src=)[^>]*>(.*?)<\/(?:script|style)>/gs;
const POLICY = /(?<=<meta http-equiv="content-security-policy" content=")[^"]*/;
const SCRIPT = /<script type="module" src=("[^"]*")><\/script>/g;
const RULE = / '(sha256-[^']+)'/g;

/**
 * Makes pages lighter on a slow line: scripts have a low priority, so that text, styles and fonts load first (but for the
 * admin, which is a script), and the policy names the inline scripts and styles of the page, where Astro names those of all pages.
 */
export const onRequest = defineMiddleware(async ({ routePattern }, next) => {
	const response = await next();
	if (!response.headers.get('Content-Type')?.startsWith('text/html')) return response;
	// One byte a character: reading UTF-8 takes a millisecond.
	const html = Buffer.from(await response.arrayBuffer()).toString('latin1');
	const hashes = new Set(
		Array.from(html.matchAll(INLINE), ([, code]) => sha256(Buffer.from(code!, 'latin1'))),
	);
	const lighter = html.replace(POLICY, (policy) =>
		policy.replace(RULE, (rule, source: string) => (hashes.has(source) ? rule : '')),
	);
	const ordered = routePattern === '/admin' ? withScriptsFirst(lighter) : withScriptsLast(lighter);
	return new Response(Buffer.from(ordered, 'latin1'), response);
});

const withScriptsLast = (html: string) =>
	html.replaceAll('<script type="module" src=', '<script type="module" fetchpriority="low" src=');

/** Puts scripts before all that they would wait for: of a page that is one, nothing can be read before its code is there. */
function withScriptsFirst(html: string): string {
	const scripts: string[] = [];
	const rest = html.replace(SCRIPT, (_script, src: string) => {
		scripts.push(`<script type="module" async fetchpriority="high" src=${src}></script>`);
		return '';
	});
	return rest.replace(/<meta name="viewport"[^>]*>/, (meta) => meta + scripts.join(''));
}

const sha256 = (code: Buffer) => `sha256-${hash('sha256', code, 'base64')}`;
