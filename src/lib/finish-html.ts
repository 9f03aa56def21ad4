import { hash } from 'node:crypto';

const INLINE = /<(?:script|style)(?![^>]* src=)[^>]*>(.*?)<\/(?:script|style)>/gs;
const POLICY = /(?<=<meta http-equiv="content-security-policy" content=")[^"]*/;
const SCRIPT = /<script type="module" src=("[^"]*")><\/script>/g;
const RULE = / '(sha256-[^']+)'/g;
/** The style that Astro puts where a page has its first island. global.css has it, and HTML takes none amid a text. */
const ISLAND_STYLE = '<style>astro-island,astro-slot,astro-static-slot{display:contents}</style>';

type Use = {
	/** True for the page that is a script: nothing of it can be read before its code is there. */
	isAdmin: boolean;
	/** True where a server replaces modules in it, and asks for islands by their ids. */
	isServed: boolean;
};

/**
 * Returns a page, in Latin-1, as it is sent: scripts have a low priority, so that text, styles and fonts load first; the policy
 * names the inline scripts and styles of the page, where Astro names those of all; and islands have no ids, which are digests of
 * where they were bundled, so that a site has the same bytes in any folder.
 */
export function finishHtml(html: string, { isAdmin, isServed }: Use): string {
	const plain = html.replaceAll(ISLAND_STYLE, '');
	const made = isServed ? plain : plain.replaceAll(/<astro-island uid="[^"]*"/g, '<astro-island');
	const hashes = new Set(
		Array.from(made.matchAll(INLINE), ([, code]) => sha256(Buffer.from(code!, 'latin1'))),
	);
	const allowed = made.replace(POLICY, (policy) =>
		policy.replace(RULE, (rule, source: string) => (hashes.has(source) ? rule : '')),
	);
	return isAdmin ? withScriptsFirst(allowed) : withScriptsLast(allowed);
}

const withScriptsLast = (html: string) =>
	html.replaceAll('<script type="module" src=', '<script type="module" fetchpriority="low" src=');

/** Puts scripts before all that they would wait for. */
function withScriptsFirst(html: string): string {
	const scripts: string[] = [];
	const rest = html.replace(SCRIPT, (_script, src: string) => {
		scripts.push(`<script type="module" async fetchpriority="high" src=${src}></script>`);
		return '';
	});
	return rest.replace(/<meta name="viewport"[^>]*>/, (meta) => meta + scripts.join(''));
}

const sha256 = (code: Buffer) => `sha256-${hash('sha256', code, 'base64')}`;
