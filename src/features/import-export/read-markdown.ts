import { parse as parseYaml } from 'yaml';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { slugify } from '#src/lib/slug.ts';
import { paths } from '#src/site.ts';
import { addPost } from './add-post.ts';
import { textOf, type Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { withoutLiquid, type JekyllSite } from './liquid.ts';
import { timeOf } from './times.ts';
import { addNote, emptyBundle, recordItem, OTHER_TEXTS, type Bundle } from './bundle.ts';
import { POST_FIELDS } from '#src/features/posts/fields.ts';

const MARKDOWN = /\.(md|mdx|markdown)$/i;
const ABOUT = /(^|\/)(readme|license|licence|changelog|contributing)\.\w+$/i;
const CONFIG = /(^|\/)_config\.ya?ml$/i;

/** Reads a folder of Markdown files with front matter, as most static sites have them, with the images that they show. */
export async function readMarkdown(
	files: Files,
	onProgress: (done: number, total: number) => void = () => {},
	now = new Date(),
): Promise<Bundle> {
	const bundle = emptyBundle('Markdown folder');
	const images = archiveImages(bundle, files, now);
	const pages = [...files.keys()].filter((path) => MARKDOWN.test(path));
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
	images.tellUnused((path) => MARKDOWN.test(path) || CONFIG.test(path));
	return bundle;
}

/** Reads the settings of the Jekyll site that the files come from. */
function readSite(files: Files, pages: string[]): JekyllSite {
	const path = [...files.keys()].find((one) => CONFIG.test(one));
	let config: [string, string][] = [];
	try {
		const parsed: unknown = path ? parseYaml(textOf(files.get(path)!), { maxAliasCount: 10 }) : {};
		config = Object.entries(parsed ?? {}).filter(
			(entry): entry is [string, string] => typeof entry[1] === 'string',
		);
	} catch {
		// Without it some names stay as they are written, which is told.
	}
	const names = new Map(pages.map((page) => [fileOf(page), slugOf(page)]));
	return {
		config: new Map(config),
		pathOf: (name) => (names.has(name) ? paths.post(slugify(names.get(name)!)) : undefined),
	};
}

async function readPost(
	bundle: Bundle,
	images: ReturnType<typeof archiveImages>,
	site: JekyllSite,
	path: string,
	file: string,
): Promise<void> {
	const source = file.replaceAll('\r\n', '\n');
	if (/^\+\+\+\n/.test(source))
		throw new Error('its front matter is TOML; YAML between --- is read');
	const [, front = '', written = source] =
		/^---\n([^]*?)\n?---[ \t]*(?:\n([^]*))?$/.exec(source) ?? [];
	const parsed: unknown = parseYaml(front, { maxAliasCount: 10 });
	const data = new Map(
		Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}).map(
			([key, value]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), value as unknown],
		),
	);
	const get = (...names: string[]) => names.map((name) => data.get(name)).find((v) => v != null);
	const text = (...names: string[]) => words(get(...names));
	const where = text('title') || path;
	const report = (kind: string, what: string, detail?: string) =>
		recordItem(bundle, where, kind, what, detail);
	const body = bodyOf(written, path, site, report);
	// A first heading is the title where the front matter has none; then it is not shown twice.
	const heading = /^\s*#\s+(.+)\n?/.exec(body);
	const title = text('title') || heading?.[1]?.trim() || slugOf(path);
	const shown = !text('title') && heading ? body.slice(heading[0].length) : body;

	const isDraft = get('draft') === true || get('published') === false || text('status') === 'draft';
	const isSecret =
		get('password') != null ||
		get('private') === true ||
		/^(private|hidden|unlisted)$/.test(text('visibility', 'status'));
	const date = dateOf(bundle, path, get('publishedat', 'pubdate', 'publishdate', 'date'));
	const [category = '', ...others] = names(get('category', 'categories'));
	if (others.length > 0) {
		addNote(bundle, path, 'A post has one category: its others are tags', others.join(', '));
	}
	if (
		category &&
		!bundle.categories.some(({ name }) => name.toLowerCase() === category.toLowerCase())
	) {
		bundle.categories.push({
			name: category.slice(0, 100),
			slug: slugify(category).slice(0, 100) || category.slice(0, 100),
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
			slug: slug || slugify(slugOf(path)) || slugOf(path),
			excerpt: text(...POST_FIELDS.excerpt.aliases),
			content: await markdownToHtml(shown, { html: true }),
			...Object.fromEntries(
				OTHER_TEXTS.map(({ name, aliases }) => [
					name,
					POST_FIELDS[name].kind === 'image' ? text(...aliases) : listedText(get(...aliases)),
				]),
			),
			author: names(get('author', 'authors'))[0] ?? '',
			category,
			tags: [...names(get('tags', 'tag', 'keywords')), ...others],
			published: !isDraft,
			featured: get('featured') === true,
			readTime: minutes(get('readtime', 'readingtime')),
			publishedAt: isDraft ? null : date,
			createdAt: timeOf(get('createdat', 'created')) ?? date,
			updatedAt: timeOf(get('updatedat', 'updated', 'lastmod', 'modified')) ?? date,
		},
		isSecret ? 'It was private or had a password' : undefined,
	);
}

/** Markdown without what only its own program understands. */
function bodyOf(
	written: string,
	path: string,
	site: JekyllSite,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	let body = withoutLiquid(written, site, (what, detail) => report('template tag', what, detail));
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
function dateOf(bundle: Bundle, path: string, given: unknown): string | null {
	const [, day] = /(?:^|\/)(\d{4}-\d\d-\d\d)-[^/]*$/.exec(path) ?? [];
	const named = timeOf(day);
	if (given == null) return named;
	const time = timeOf(given);
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
	return name.replace(/^\d{4}-\d\d-\d\d-/, '');
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

function names(value: unknown): string[] {
	const list = typeof value === 'string' ? value.split(',') : [value].flat();
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
