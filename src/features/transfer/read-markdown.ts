import { parse as parseYaml } from 'yaml';
import { markdownToHtml } from '#src/features/publishing/markdown.ts';
import { textOf, type Files } from './archive.ts';
import { emptyBundle, importedPost, type Bundle } from './transfer.ts';

/** Reads a folder of Markdown files with front matter, as most static sites have them. */
export async function readMarkdown(files: Files): Promise<Bundle> {
	const bundle = emptyBundle('Markdown folder');
	for (const [path, bytes] of files) {
		if (!/\.(md|mdx|markdown)$/i.test(path) || /(^|\/)(readme|license)\.\w+$/i.test(path)) continue;
		try {
			bundle.posts.push(await readPost(path, textOf(bytes)));
		} catch (error) {
			const reason = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
			bundle.problems.push({ where: path, what: `The file cannot be read: ${reason}` });
		}
	}
	return bundle;
}

async function readPost(path: string, file: string) {
	const source = file.replaceAll('\r\n', '\n');
	const [, front = '', body = source] = /^---\n([^]*?)\n?---(?:\n([^]*))?$/.exec(source) ?? [];
	const parsed: unknown = parseYaml(front, { maxAliasCount: 10 });
	const data = new Map(
		Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}).map(
			([key, value]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), value as unknown],
		),
	);
	const get = (...names: string[]) => names.map((name) => data.get(name)).find((v) => v != null);
	const text = (...names: string[]) => words(get(...names));
	// A first heading is the title where the front matter has none; then it is not shown twice.
	const heading = /^\s*#\s+(.+)\n?/.exec(body);
	const title = text('title') || heading?.[1]?.trim() || slugOf(path);
	const draft = get('draft') === true || get('published') === false || text('status') === 'draft';
	const date = timeOf(get('publishedat', 'pubdate', 'publishdate', 'date'));
	return importedPost.parse({
		key: path,
		title,
		slug: text('slug') || slugOf(path),
		excerpt: text('excerpt', 'description', 'summary'),
		content: await markdownToHtml(!text('title') && heading ? body.slice(heading[0].length) : body),
		featuredImage: text('featuredimage', 'image', 'cover', 'heroimage', 'thumbnail'),
		metaTitle: text('metatitle', 'seotitle'),
		metaDescription: text('metadescription', 'seodescription'),
		author: names(get('author', 'authors'))[0] ?? '',
		category: names(get('category', 'categories'))[0] ?? '',
		tags: names(get('tags', 'tag', 'keywords')),
		published: !draft,
		featured: get('featured') === true,
		readTime: minutes(get('readtime', 'readingtime')),
		publishedAt: draft ? null : date,
		createdAt: timeOf(get('createdat', 'created')) ?? date,
		updatedAt: timeOf(get('updatedat', 'updated', 'lastmod', 'modified')) ?? date,
	});
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

function timeOf(value: unknown): string | null {
	const time = value instanceof Date ? value.getTime() : Date.parse(words(value));
	return Number.isNaN(time) ? null : new Date(time).toISOString();
}
