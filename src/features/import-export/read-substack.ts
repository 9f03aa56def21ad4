import { parseCsv } from '#src/lib/csv.ts';
import { slugOf } from '#src/features/posts/editing.ts';
import { escapeHtml } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { addPage, addPost } from './add-post.ts';
import { textOf, type Files } from './archive.ts';
import { archiveImages } from './archive-images.ts';
import { addMoved, emptyBundle, recordItem, type Bundle } from './bundle.ts';
import { plainText } from './foreign-html.ts';
import { linkPosts } from './old-addresses.ts';
import { timeOf } from './times.ts';
import { withFootnotes } from './wordpress-notes.ts';

const POSTS = /(^|\/)posts\.csv$/;
const SUBSCRIBERS = /(^|\/)(email_list|subscribers?)[^/]*\.csv$/;

/** Whether an archive is what Substack exports: a table of posts, and a file for the text of each. */
export function isSubstack(files: Files): boolean {
	return tableOf(files) !== undefined;
}

/** Reads what Substack exports. Its list of subscribers is told, and goes in where subscribers are imported. */
export function readSubstack(files: Files, now = new Date()): Bundle {
	const { folder, rows } = tableOf(files)!;
	const bundle = emptyBundle('Substack export');
	const images = archiveImages(bundle, files, now);
	const read = new Set<string>();
	for (const get of rows) {
		const id = get('post_id');
		const path = `${folder}posts/${id}.html`;
		const [number = id, slug = ''] = /^(\d+)\.(.*)$/.exec(id)?.slice(1) ?? [];
		const title = get('title');
		const file = files.get(path);
		read.add(path);
		if (!file && !title) {
			const notes = [{ what: 'It has neither a title nor a text' }];
			bundle.items.push({ kind: 'post', outcome: 'left', notes, where: id });
			continue;
		}
		const isPublic = /^true$/i.test(get('is_published'));
		const audience = get('audience');
		const report = (kind: string, what: string, detail?: string) =>
			recordItem(bundle, title || id, kind, what, detail);
		const date = timeOf(get('post_date'));
		if (get('type') === 'page') {
			const content = file ? contentOf(textOf(file), report) : '';
			const page = { key: `Substack ${number}`, title, slug, content, published: isPublic };
			addPage(bundle, images, { ...page, createdAt: date, updatedAt: date });
			if (isPublic) addMoved(bundle, `/p/${slug}`, paths.page(slugOf({ slug, title })));
			continue;
		}
		if (get('podcast_url'))
			report('recording', 'Left out: it is at the address of the podcast', get('podcast_url'));
		addPost(
			bundle,
			images,
			{
				key: `Substack ${number}`,
				title,
				slug,
				excerpt: get('subtitle'),
				content: file ? contentOf(textOf(file), report) : '',
				published: isPublic,
				publishedAt: isPublic ? date : null,
				createdAt: date,
				updatedAt: date,
				redirects: isPublic && slug ? [`/p/${slug}`] : [],
			},
			isPublic && audience !== 'everyone' && audience !== ''
				? 'It was for subscribers only'
				: undefined,
		);
	}
	for (const path of files.keys()) {
		if (!SUBSCRIBERS.test(path)) continue;
		read.add(path);
		const what =
			'Subscribers are imported at the desk’s screen of subscribers: choose this file there';
		bundle.items.push({
			kind: 'list of subscribers',
			outcome: 'left',
			notes: [{ what }],
			where: path,
		});
	}
	linkPosts(bundle, { hosts: hostsIn(bundle), others: new Map() });
	images.tellUnused((path) => read.has(path) || POSTS.test(path));
	return bundle;
}

function tableOf(files: Files) {
	for (const [path, bytes] of files) {
		if (!POSTS.test(path)) continue;
		const [head, ...lines] = parseCsv(textOf(bytes));
		const names = head?.values.map((name) => name.trim().toLowerCase()) ?? [];
		if (!names.includes('post_id')) continue;
		const rows = lines
			.filter(({ values }) => values.some(Boolean))
			.map(
				({ values }) =>
					(name: string) =>
						(values[names.indexOf(name)] ?? '').trim(),
			);
		return { folder: path.slice(0, -'posts.csv'.length), rows };
	}
	return undefined;
}

/** The publication's own host: the one of those with addresses like its posts' that links name most. */
function hostsIn({ posts }: Bundle): Set<string> {
	const known = new Set(posts.flatMap(({ redirects }) => redirects));
	const hosts = posts.flatMap(({ content }) =>
		[...content.matchAll(/href="https?:\/\/([^/"]+)(\/p\/[^/"?#]+)/g)].flatMap(([, host, path]) =>
			known.has(path!) ? host!.replace(/^www\./, '') : [],
		),
	);
	return new Set(hosts);
}

/** A text of Substack without its buttons, and with its footnotes and formulas as our articles hold them. */
function contentOf(
	html: string,
	report: (kind: string, what: string, detail?: string) => void,
): string {
	const notes: { id: string; content: string }[] = [];
	const text = html
		// Around each picture; what ends them without a beginning is nothing.
		.replace(/<div[^>]*class="(?:captioned-image-container|image2-inset)"[^>]*>/g, '')
		.replace(
			/<div class="footnote"[^>]*>\s*<a id="footnote-(\d+)"[^>]*>[^]*?<\/a>\s*<div class="footnote-content">([^]*?)<\/div>\s*<\/div>/g,
			(_, id: string, content: string) => {
				notes.push({ id, content: content.replace(/^\s*<p[^>]*>([^]*)<\/p>\s*$/, '$1') });
				return '';
			},
		)
		.replace(
			/<a[^>]*class="footnote-anchor"[^>]*href="#footnote-(\d+)"[^>]*>[^]*?<\/a>|<a[^>]*href="#footnote-(\d+)"[^>]*class="footnote-anchor"[^>]*>[^]*?<\/a>/g,
			(_, one?: string, other?: string) => `<sup data-fn="${one ?? other ?? ''}"></sup>`,
		)
		.replace(
			/<div[^>]*class="latex-rendered"[^>]*data-attrs="([^"]*)"[^>]*>[^]*?<\/div>/g,
			(all, given: string) => {
				const latex = /"persistentExpression":"((?:\\.|[^"\\])*)"/.exec(plainText(given))?.[1];
				if (latex === undefined) return all;
				report('formula', '');
				return `<div data-type="block-math" data-latex="${escapeHtml(JSON.parse(`"${latex}"`) as string)}"></div>`;
			},
		)
		.replace(
			/<(p|div)[^>]*class="(button-wrapper|subscription-widget-wrap[^"]*|captioned-button-wrap|install-substack-app-embed[^"]*)"[^>]*>(?:(?!<\1\b)[^])*?<\/\1>/g,
			() => {
				report('button', 'Left out: it belongs to Substack');
				return '';
			},
		);
	return withFootnotes(text, JSON.stringify(notes), report);
}
