import { isoDay } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import type { Highlight, LikedPost, SavedPost } from './reader.ts';

export type Collection = {
	saved: readonly SavedPost[];
	liked: readonly LikedPost[];
	highlights: readonly Highlight[];
	history: readonly { title: string; slug: string | undefined }[];
};

/** Everything a reader keeps here, as Markdown; `origin` makes its links whole. */
export function toMarkdown(collection: Collection, origin: string, siteName: string): string {
	const { saved, liked, highlights, history } = collection;
	const titled = (title: string, slug?: string) =>
		slug ? `[${escaped(title)}](${new URL(paths.post(slug), origin).href})` : escaped(title);
	const quoted = ({ text, title, timestamp, ...one }: Highlight) => {
		const { pathname } = new URL(one.url, origin);
		const source = `[${escaped(title ?? pathname)}](${new URL(pathname, origin).href})`;
		return `> ${escaped(text)}\n\n${source}, ${day(timestamp)}`;
	};
	const parts: [title: string, items: string[], between: string][] = [
		[
			'Saved articles',
			saved.map((one) => `- ${titled(one.title, one.slug)}, saved ${day(one.savedAt)}`),
			'\n',
		],
		[
			'Liked articles',
			liked.map((one) => `- ${titled(one.title, one.slug)}, liked ${day(one.likedAt)}`),
			'\n',
		],
		['Highlights', highlights.map(quoted), '\n\n'],
		['Reading history', history.map(({ title, slug }) => `- ${titled(title, slug)}`), '\n'],
	];
	const written = parts
		.filter(([, items]) => items.length > 0)
		.map(([title, items, between]) => `\n## ${title}\n\n${items.join(between)}\n`);
	return `# Saved at ${escaped(siteName)}\n${written.join('')}`;
}

/** One line of plain text, whatever Markdown would make of it. */
function escaped(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

function day(time: string | number): string {
	return isoDay(new Date(time));
}
