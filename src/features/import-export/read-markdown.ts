import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { addPost } from './add-post.ts';
import { textOf, type Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { flagOf, readFrontMatter, whyDraft } from './front-matter.ts';
import { withoutLiquid, type JekyllSite } from './liquid.ts';
import { linkPosts } from './old-addresses.ts';
import { oldPathsOf } from './old-paths.ts';
import type { Adoption } from './foreign-html.ts';
import { isNotionPage, readNotionPage } from './notion-page.ts';
import { withoutDialects } from './markdown-dialects.ts';
import { hasDayFirst, isAmbiguous, timeOf } from './times.ts';
import { addNote, emptyBundle, recordItem, OTHER_TEXTS, type Bundle } from './bundle.ts';
import { slugOf as slugOfPost, tagKey } from '#src/features/posts/editing.ts';
import { POST_FIELDS } from '#src/features/posts/fields.ts';

const MARKDOWN = /\.(md|mdx|markdown)$/i;
const ABOUT = /(^|\/)(readme|license|licence|changelog|contributing)\.\w+$/i;
const CONFIG = /(^|\/)(_config\.ya?ml|(hugo|config)\.(toml|ya?ml))$/i;

/** Facts that all files of a folder share. */
type Folder = JekyllSite & {
	/** Whether days such as 1/2/2023 begin with the day, as another one of the folder must. */
	isDayFirst: boolean;
};

/**
 * Reads a folder of Markdown files with front matter, as most static sites have them, or of the pages that Notion exports as
 * HTML, with the images that they show.
 */
export async function readMarkdown(
	files: Files,
	onProgress: (done: number, total: number) => void = () => {},
	now = new Date(),
): Promise<Bundle> {
	const bundle = emptyBundle('Markdown folder');
	const images = archiveImages(bundle, files, now);
	const isPage = (path: string) =>
		MARKDOWN.test(path) || (/\.html$/i.test(path) && isNotionPage(textOf(files.get(path)!)));
	const pages = [...files.keys()].filter(isPage);
	const site = readSite(files, pages);
	let done = 0;
	for (const path of pages) {
		onProgress(++done, pages.length);
		const leave = (what: string) =>
			bundle.items.push({ kind: 'post', outcome: 'left', notes: [{ what }], where: path });
		if (ABOUT.test(path)) {
			leave('It is about the folder, and no post');
			continue;
		}
		try {
			await readPost(bundle, images, site, path, textOf(files.get(path)!));
		} catch (error) {
			const reason = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
			leave(`The file cannot be read: ${reason}`);
		}
	}
	// A link may name a file from anywhere, where no other file has its name.
	const byName = Map.groupBy(bundle.posts, ({ key }) => key.split('/').at(-1)!);
	const others = new Map(
		bundle.posts.flatMap(({ key }): [string, string][] => {
			const bare = key.replace(/\.\w+$/, '').replace(/\/index$/, '');
			const name = key.split('/').at(-1)!;
			const alone: [string, string][] =
				byName.get(name)!.length === 1 ? [[`named ${name}`, key]] : [];
			return [[key, key], [bare, key], ...alone];
		}),
	);
	linkPosts(bundle, { hosts: site.hosts, others });
	images.tellUnused((path) => pages.includes(path) || CONFIG.test(path));
	return bundle;
}

/** Reads the settings of the Jekyll site that the files come from. */
function readSite(files: Files, pages: string[]): Folder & { hosts: Set<string> } {
	const path = [...files.keys()].find((one) => CONFIG.test(one));
	let config: [string, string][] = [];
	try {
		const source = path ? textOf(files.get(path)!) : '';
		const parsed: unknown = path?.endsWith('.toml')
			? parseToml(source)
			: parseYaml(source, { maxAliasCount: 10 });
		config = Object.entries(parsed ?? {}).filter(
			(entry): entry is [string, string] => typeof entry[1] === 'string',
		);
	} catch {
		// Without it some names stay as they are written, which is told.
	}
	const names = new Map(pages.map((page) => [fileOf(page), slugOf(page)]));
	const days = pages.flatMap((page) =>
		[
			...textOf(files.get(page)!)
				.slice(0, 2000)
				.matchAll(/^\w*date\w*\s*[:=]\s*["']?([^"'\n]+)/gim),
		].map(([, day]) => day),
	);
	const urls = config.filter(([name, url]) => /^(url|baseurl)$/i.test(name) && URL.canParse(url));
	return {
		isDayFirst: days.some(hasDayFirst),
		hosts: new Set(urls.map(([, url]) => new URL(url).host.replace(/^www\./, ''))),
		config: new Map(config),
		pathOf: (name) =>
			names.has(name.normalize()) ? paths.post(slugify(names.get(name.normalize())!)) : undefined,
	};
}

async function readPost(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	site: Folder,
	path: string,
	file: string,
): Promise<void> {
	const told: Parameters<Adoption['report']>[] = [];
	const asHtml = MARKDOWN.test(path)
		? undefined
		: readNotionPage(file, (...said) => told.push(said));
	if (asHtml?.isList) {
		bundle.items.push({
			...{ kind: 'post', outcome: 'left', where: path },
			notes: [{ what: 'It is a list of other pages, and no post' }],
		});
		return;
	}
	const { data, body: written } = asHtml
		? { data: new Map<string, unknown>(), body: '' }
		: readFrontMatter(file);
	const notion = asHtml
		? { ...asHtml, body: '' }
		: NOTION.test(path)
			? readProperties(written)
			: undefined;
	// As Notion calls the two times that it keeps itself.
	for (const [name, own] of [
		['created', 'createdtime'],
		['updated', 'lasteditedtime'],
	] as const)
		if (notion?.data.has(own)) notion.data.set(name, notion.data.get(own));
	const get = (...names: string[]) =>
		names.map((name) => data.get(name) ?? notion?.data.get(name)).find((value) => value != null);
	const text = (...names: string[]) => words(get(...names));
	const where = text('title') || notion?.title || path;
	const report = (kind: string, what: string, detail?: string) =>
		recordItem(bundle, where, kind, what, detail);
	for (const said of told) report(...said);
	for (const name of notion?.data.keys() ?? []) {
		if (!KNOWN_PROPERTIES.has(name)) report('property', 'Left out: a post has none', name);
	}
	const body = bodyOf(notion?.body ?? written, path, site, report);
	// A first heading is the title where the front matter has none; then it is not shown twice.
	const heading = /^\s*#\s+(.+)\n?/.exec(body);
	const title = text('title') || notion?.title || heading?.[1]?.trim() || slugOf(path);
	const shown = !text('title') && !notion && heading ? body.slice(heading[0].length) : body;

	const isDate = (value: unknown) => timeOf(value) !== null;
	const why = whyDraft(get, path, isDate);
	const date = dateOf(
		bundle,
		path,
		get('publishedat', 'pubdate', 'publishdate', 'datepublished', 'date') ??
			['published', 'publish', 'created'].map((name) => get(name)).find(isDate),
		site.isDayFirst,
	);
	const featured = get('featured', 'pinned', 'sticky');
	const listed = get('categories', 'category');
	const isJekyll = /(^|\/)_(posts|drafts)\//.test(path) && !/(^|\/)source\//.test(path);
	const [category = '', ...others] = names(listed, isJekyll && data.has('categories'));
	if (others.length > 0) {
		addNote(bundle, path, 'A post has one category: its others are tags', others.join(', '));
	}
	if (category && !bundle.categories.some(({ name }) => tagKey(name) === tagKey(category))) {
		bundle.categories.push({
			name: category.slice(0, 100),
			slug: slugOfPost({ slug: category, title: '' }),
			description: null,
			position: null,
		});
	}
	const slug = text('slug');
	addPost(
		bundle,
		images,
		{
			key: path,
			title,
			// What no front matter says is no address that somebody chose.
			slug: slug.split('/').findLast(Boolean) || slugify(slugOf(path)) || slugOf(path),
			excerpt: text(...POST_FIELDS.excerpt.aliases),
			content: asHtml?.html ?? (await markdownToHtml(shown, { html: true })),
			...Object.fromEntries(
				OTHER_TEXTS.map(({ name, aliases }) => [
					name,
					POST_FIELDS[name].kind === 'image' ? text(...aliases) : listedText(get(...aliases)),
				]),
			),
			author: names(get('author', 'authors'))[0] ?? '',
			category,
			tags: [
				// Obsidian keeps their sign.
				...names(get('tags', 'tag', 'keywords'), isJekyll).map((name) => name.replace(/^#/, '')),
				...others,
			],
			published: !why,
			featured: flagOf(featured) === true || Number(featured) > 0,
			readTime: minutes(get('readtime', 'readingtime')),
			publishedAt: why ? null : date,
			createdAt: timeOf(get('createdat', 'created'), site.isDayFirst) ?? date,
			updatedAt:
				timeOf(
					get('updatedat', 'updateddate', 'updated', 'lastmod', 'modified'),
					site.isDayFirst,
				) ?? date,
			redirects: oldPathsOf({
				path,
				title,
				date,
				categories: [category, ...others].filter(Boolean),
				get,
				config: site.config,
			}),
		},
		// A plain draft needs no word.
		why === 'It was a draft' ? undefined : why,
	);
}

/** The file of a page that Notion wrote: its name ends with a number of 32 signs. */
const NOTION = / [0-9a-f]{32}\.md$/;
const KNOWN_PROPERTIES = new Set(
	'tags tag keywords category categories author authors status published publish public draft date publishedat pubdate publishdate created createdat updated updatedat lasteditedtime createdtime description excerpt summary slug url featured image'.split(
		' ',
	),
);

/** Reads the title that Notion writes before a text, and a line for each property. */
function readProperties(source: string) {
	const data = new Map<string, unknown>();
	const [head = '', title = ''] = /^\s*# (.+)\n+/.exec(source) ?? [];
	const rest = source.slice(head.length);
	const [block = ''] = /^(?:[\p{L}][^:\n]{0,60}: .*\n?)+(?=\n|$)/u.exec(rest) ?? [];
	for (const line of block.split('\n')) {
		const [name = '', ...value] = line.split(': ');
		if (value.length === 0) continue;
		data.set(name.toLowerCase().replaceAll(/[\s_-]/g, ''), value.join(': ').trim());
	}
	return { title: title.trim(), data, body: rest.slice(block.length) };
}

/** Markdown without what only its own program understands. */
function bodyOf(
	written: string,
	path: string,
	site: JekyllSite,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	const plain = withoutDialects(written, report);
	let body = withoutLiquid(plain, site, (what, detail) => report('template tag', what, detail));
	body = body.replace(/^[ \t]*\{:[^}\n]*\}[ \t]*$\n?/gm, (tag) => {
		report('attribute', 'Left out: the look of a block', tag.trim());
		return '';
	});
	if (/\.mdx$/i.test(path)) {
		body = body.replace(
			/^(?:import\s.+\sfrom\s+['"].+['"]|import\s+['"].+['"]|export\s+const\s.+);?[ \t]*\n/gm,
			(line) => {
				report('component', 'Left out: code of the other site', line.trim());
				return '';
			},
		);
	}
	for (const [tag] of body.matchAll(/\{\{[<%][^]*?[%>]\}\}/g)) {
		report('template tag', 'Stays as it is written', tag.slice(0, 100));
	}
	return body;
}

/** When a post was published: as the front matter says, else as Jekyll names its files. */
function dateOf(bundle: Bundle, path: string, given: unknown, isDayFirst: boolean): string | null {
	const [, day] = /(?:^|\/)(\d{4}-\d\d-\d\d)-[^/]*$/.exec(path) ?? [];
	const named = timeOf(day);
	if (given == null) return named;
	const time = timeOf(given, isDayFirst);
	if (isAmbiguous(given) && !isDayFirst)
		addNote(
			bundle,
			path,
			'Its date can be read in two ways: the month was taken to come first',
			typeof given === 'string' ? given : undefined,
		);
	if (time === null) {
		const what = named
			? 'Its date cannot be understood: the one of the file’s name stands for it'
			: 'Its date cannot be understood';
		addNote(bundle, path, what, (JSON.stringify(given) ?? '').slice(0, 100));
	}
	return time ?? named;
}

/** A file's name without its folders and ending. */
function fileOf(path: string): string {
	return path
		.split('/')
		.at(-1)!
		.replace(/\.\w+$/, '');
}

/** "posts/2024-05-01-a-title.md" is about "a-title"; so is "a-title/index.md". */
function slugOf(path: string): string {
	const parts = path.replace(/\.\w+$/, '').split('/');
	const name = parts.at(-1) === 'index' && parts.length > 1 ? parts.at(-2)! : parts.at(-1)!;
	return name.replace(/^\d{4}-\d\d-\d\d-/, '').replace(/ [0-9a-f]{32}$/, '');
}

function words(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	// Images are often given with their description.
	if (typeof value === 'object' && value !== null && 'src' in value) return words(value.src);
	return '';
}

/** Returns a text that may be given as a list. */
function listedText(value: unknown): string {
	return Array.isArray(value) ? names(value).join(', ') : words(value);
}

/** Names of a list, also one in a list: Hexo has categories in each other. Jekyll separates words of a text by spaces. */
function names(value: unknown, bySpaces = false): string[] {
	const between = bySpaces && typeof value === 'string' && !value.includes(',') ? /\s+/ : ',';
	const list = typeof value === 'string' ? value.split(between) : [value].flat(2);
	return list
		.map((one) =>
			typeof one === 'object' && one !== null && 'name' in one ? words(one.name) : words(one),
		)
		.filter(Boolean);
}

function minutes(value: unknown): number | null {
	const number = Number.parseInt(words(value), 10);
	return number >= 1 ? number : null;
}
