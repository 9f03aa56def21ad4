import { slugify } from '#src/lib/slug.ts';
import { pathOf } from './old-addresses.ts';

/** Parts of an old address. */
type Facts = {
	/** The file, in the folder that was imported. */
	path: string;
	title: string;
	/** ISO; null where there is none. */
	date: string | null;
	categories: string[];
	get: (...names: string[]) => unknown;
	config: ReadonlyMap<string, string>;
};

/** Names of patterns that Jekyll knows. */
const JEKYLL: Record<string, string> = {
	date: '/:categories/:year/:month/:day/:title.html',
	pretty: '/:categories/:year/:month/:day/:title/',
	ordinal: '/:categories/:year/:y_day/:title.html',
	none: '/:categories/:title.html',
};
/** Folders that are no part of an address. */
const ROOTS = /^(?:.*\/)?(?:src\/content|src\/pages|content|source|data)\/(?=[^_])/;

/**
 * Returns the paths at which a Markdown file was read: those that its front matter names, and the one that Jekyll, Hexo, Hugo,
 * Docusaurus and their kind make of its name.
 */
export function oldPathsOf(facts: Facts): string[] {
	const { path, get, config } = facts;
	const base = (config.get('baseurl') ?? config.get('root') ?? '').replace(/^https?:\/\/[^/]+/, '');
	const own = ownPath(facts);
	const named = [get('aliases'), get('alias'), get('redirectfrom'), get('oldurl')].flat();
	const whole = [get('permalink'), get('url'), get('path'), get('slug')].filter(
		(one) => typeof one === 'string' && one.includes('/'),
	);
	const given = [...whole, ...named].flatMap((one) =>
		typeof one === 'string' ? (filled(one, facts) ?? one) : [],
	);
	const absolute = given.map((one) => {
		if (/^(https?:)?\//.test(one)) return one;
		return whole.includes(one) || own === undefined ? `/${one}` : pathOf(`${own}/../${one}`);
	});
	// Docusaurus puts what a post names behind the folder of the blog.
	const folder =
		whole.length > 0 && /(^|\/)blog\/\d{4}-/.test(path) ? [`/blog${pathOf(absolute[0]!)}`] : [];
	const isNamed = whole.length > 0 || own === undefined;
	const all = [...(isNamed ? [] : [own]), ...absolute, ...folder].map(resolved);
	return base.length > 1
		? all.map((one) => (one.startsWith(base) ? one : base.replace(/\/$/, '') + one))
		: all;
}

/** Returns the parts that a file's name, date and front matter give to an address. */
function partsOf({ path, date, get }: Facts) {
	const bare = path.replace(/\.\w+$/, '').replace(/\/_?index$/i, '');
	const name = bare.split('/').at(-1)!;
	const [, named, rest = name] = /^(\d{4}-\d\d?-\d\d?)-(.+)$/.exec(name) ?? [];
	const [year, month, day] = (named ?? date ?? '').slice(0, 10).split('-');
	const given = get('slug');
	const slug = typeof given === 'string' && !given.includes('/') ? given : rest;
	return { bare, name, named, rest, year, month, day, slug };
}

/** Fills the parts of a pattern such as `/:year/:title.html`; undefined where one is not known. */
function filled(pattern: string, facts: Facts, title?: string): string | undefined {
	const { rest, year, month, day, slug } = partsOf(facts);
	const { categories } = facts;
	const values: Record<string, string | undefined> = {
		...{ year, month, day, i_month: month?.replace(/^0/, ''), i_day: day?.replace(/^0/, '') },
		...{ short_year: year?.slice(2), title: title ?? slug, slug, name: rest },
		...{ post_title: slugify(facts.title), output_ext: '.html' },
		...{ categories: categories.map((one) => one.toLowerCase()).join('/') },
		category: categories[0] && slugify(categories[0]),
	};
	let isWhole = true;
	const made = pattern.replace(/(?<=^|[/._-]):([a-z_]+)/g, (_, part: string) => {
		if (!values[part]) isWhole &&= values[part] === '';
		return values[part] ?? '';
	});
	return isWhole ? made : undefined;
}

function ownPath(facts: Facts): string | undefined {
	const { path, config } = facts;
	const { bare, name, named, rest, year, month, day, slug } = partsOf(facts);
	const isHexo = /(^|\/)source\/_posts\//.test(path);
	if (isHexo || /(^|\/)_posts\//.test(path)) {
		const set = config.get('permalink') ?? (isHexo ? ':year/:month/:day/:title/' : 'date');
		const made = filled(JEKYLL[set] ?? set, facts, isHexo ? name : slug);
		return made === undefined ? undefined : `/${made}`;
	}
	if (named && /(^|\/)blog\//.test(path)) return `/blog/${year}/${month}/${day}/${slug}`;
	if (/^([^/]+\/)?blog\//.test(path))
		return `/${bare.replace(/^.*?(?=blog\/)/, '').replace(/[^/]+$/, slug)}`;
	if (!ROOTS.test(path)) return undefined;
	const folders = bare.replace(ROOTS, '').split('/').slice(0, -1);
	return `/${[...folders, slug === rest ? name : slug].join('/')}`;
}

function resolved(path: string): string {
	const parts: string[] = [];
	for (const part of path.replace(/^https?:\/\/[^/]+/, '').split('/')) {
		if (part === '..') parts.pop();
		else if (part !== '' && part !== '.') parts.push(part);
	}
	return `/${parts.join('/')}`;
}
