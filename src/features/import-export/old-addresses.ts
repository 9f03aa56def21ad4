import { freeSlug, slugOf } from '#src/features/posts/editing.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { recordItem, type Bundle, type ImportedPost } from './bundle.ts';

/** Most bytes of a slug, of which a page was once made, and of a path of another site. */
const MAX_SLUG = 200;
const MAX_PATH = 500;
/** Signs that a rule of redirects reads, or that no path has. */
const NOT_IN_A_PATH = /[\s*:?#<>"\\|^`{}\p{Cc}]|\/\.{0,2}(\/|$)/u;

/**
 * Returns a path as it is compared: decoded, without the site, a query, an anchor, a name of an index and a slash at its end. The
 * root is empty.
 */
export function pathOf(address: string): string {
	const path = address.replace(/^(https?:)?\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
	return decoded(path)
		.normalize()
		.replace(/\/(index\.(html?|php|mdx?))?$/i, '');
}

/** Returns how an old address is stored: a slug of ours, or a whole path of another site; empty where it is none. */
export function oldAddress(given: string): string {
	const size = (text: string) => new TextEncoder().encode(text).length;
	if (!given.startsWith('/')) {
		const slug = slugify(given);
		return size(slug) <= MAX_SLUG ? slug : '';
	}
	const path = given.includes('?') ? '' : pathOf(given);
	const [, slug = ''] = /^\/blog\/([^/]+)$/.exec(path) ?? [];
	if (slug && slugify(slug) === slug) return slug;
	const isOne = path !== '' && !NOT_IN_A_PATH.test(path) && size(path) <= MAX_PATH;
	return isOne ? path : '';
}

/** Where the posts of a file stood, as its own links name them. */
export type OldSite = {
	/** Hosts that are the other site's own. */
	hosts: ReadonlySet<string>;
	/** Keys of posts by what leads to them besides the addresses that they keep: files, or numbers. */
	others: ReadonlyMap<string, string>;
};

/**
 * Makes the links between a file's own posts lead to where these stand here, and tells of those that lead to something else of the
 * other site.
 */
export function linkPosts(bundle: Bundle, { hosts, others }: OldSite): void {
	const taken = new Set<string>();
	const addressOf = new Map<string, string>();
	const keyAt = new Map<string, string>();
	for (const { key, slug, title, redirects } of bundle.posts) {
		const own = freeSlug(slugOf({ slug, title }), (one) => taken.has(one));
		taken.add(own);
		addressOf.set(key, paths.post(own));
		bundle.linked.set(paths.post(own), key);
		for (const old of redirects) if (!keyAt.has(old)) keyAt.set(old, key);
	}
	for (const post of bundle.posts) {
		/** Returns where a link leads now, nothing if it stays as it is, and null if no site can have its target. */
		const target = (href: string): string | null | undefined => {
			const host = /^(?:https?:)?\/\/([^/?#]*)/i.exec(href)?.[1]?.toLowerCase();
			if (host !== undefined && !hosts.has(host.replace(/^www\./, ''))) return undefined;
			if (host === undefined && /^([a-z][a-z\d+.-]*:|#|$)/i.test(href)) return undefined;
			const anchor = /#.*$/.exec(href)?.[0] ?? '';
			const key = nearby(post, href)
				.map((one) => keyAt.get(one) ?? others.get(one))
				.find(Boolean);
			const address = key === undefined ? undefined : addressOf.get(key);
			const isHere = bundle.linked.has(href.replace(/#.*$/, ''));
			if (address === undefined) {
				if (isHere) return undefined;
				// Notion's pages, and its tables, lie beside each other as notes do.
				const notes = post.key.endsWith('.html')
					? /^[^/].*\.(html|csv)$/i
					: /^[^/].*\.(mdx?|markdown)$/i;
				const isNote = host === undefined && notes.test(pathOf(href));
				const what = isNote
					? 'Leads to a note that is not in the file: its words stay, without a link'
					: 'Leads to what is not in the file: it stays as it is';
				recordItem(
					bundle,
					post.title || post.key,
					'link to the other site',
					what,
					href.slice(0, 200),
				);
				return isNote ? null : undefined;
			}
			recordItem(bundle, post.title || post.key, 'link between posts', '');
			return address + anchor;
		};
		post.content = post.content.replace(
			/(<a\b[^>]*?\shref=")([^"]*)("[^>]*>)([^]*?<\/a>)?/g,
			(all, before: string, href: string, after: string, inside = '') => {
				const to = target(href.replace(/&(amp|#x26);/g, '&'));
				if (to === null) return (inside as string).replace(/<\/a>$/, '');
				return to === undefined ? all : before + to.replaceAll('&', '&amp;') + after + inside;
			},
		);
	}
}

/** Returns names of posts that a link may mean: a query, a path, or a file near to its own. */
function nearby({ key, redirects }: ImportedPost, href: string): string[] {
	const query = /[?&](?:p|page_id)=(\d+)/.exec(href)?.[1];
	if (query) return [`?p=${query}`];
	const isWhole = /^(https?:)?\/\//i.test(href) || href.startsWith('/');
	const path = pathOf(href);
	const bases = isWhole ? [''] : [key, ...redirects.map((one) => `${one}/`), ...redirects];
	return bases.flatMap((base) => {
		const whole = isWhole ? path : resolved(base, path);
		const bare = whole.replace(/\.(html?|mdx?|markdown)$/i, '');
		const name = `named ${path.split('/').at(-1)!}`;
		return [whole, bare, `${bare}.html`, oldAddress(bare), isWhole ? '' : name].filter(Boolean);
	});
}

/** A relative path as seen from another one. */
function resolved(base: string, path: string): string {
	const parts = base.split('/').slice(0, -1);
	for (const part of path.split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '.' && part !== '') parts.push(part);
	}
	return parts.join('/');
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
