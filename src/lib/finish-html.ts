import { hash } from 'node:crypto';

const INLINE = /<(?:script|style)(?![^>]* src=)[^>]*>(.*?)<\/(?:script|style)>/gs;
const POLICY = /(?<=<meta http-equiv="content-security-policy" content=")[^"]*/;
const SCRIPT = /<script type="module" src=("[^"]*")><\/script>/g;
const RULE = / '(sha256-[^']+)'/g;
/** Styles beside each other, as those of fonts are: as one they need one rule in the policy, of 50 bytes that nothing compresses. */
const BESIDE = '</style><style>';
const STYLE = /<style>(.*?)<\/style>/gs;
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
	const plain = html.replaceAll(ISLAND_STYLE, '').replaceAll(BESIDE, '');
	const made = isServed ? plain : plain.replaceAll(/<astro-island uid="[^"]*"/g, '<astro-island');
	const hashes = hashesOf(made, INLINE);
	const allowed = made.replace(POLICY, (policy) => {
		const joined = [...hashesOf(made, STYLE)].filter((source) => !policy.includes(source));
		return policy
			.replace(RULE, (rule, source: string) => (hashes.has(source) ? rule : ''))
			.replace(/style-src(?= )/, (name) => [name, ...joined.map((one) => `'${one}'`)].join(' '));
	});
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

const hashesOf = (html: string, parts: RegExp) =>
	new Set(Array.from(html.matchAll(parts), ([, code]) => sha256(Buffer.from(code!, 'latin1'))));

const sha256 = (code: Buffer) => `sha256-${hash('sha256', code, 'base64')}`;
