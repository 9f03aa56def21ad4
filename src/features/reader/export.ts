import { isoDay } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import type { Highlight, LikedPost, SavedPost } from './reader.ts';

export type Collection = {
	saved: readonly SavedPost[];
	liked: readonly LikedPost[];
	highlights: readonly Highlight[];
	history: readonly { title: string; slug: string | undefined }[];
};

/** Returns everything a reader keeps here as Markdown; `origin` completes links. */
export function toMarkdown(collection: Collection, origin: string, siteName: string): string {
	const { saved, liked, highlights, history } = collection;
	const linkTitle = (title: string, slug?: string) =>
		slug
			? `[${escapeMarkdown(title)}](${new URL(paths.post(slug), origin).href})`
			: escapeMarkdown(title);
	const quoteHighlight = ({ text, title, timestamp, ...one }: Highlight) => {
		const { pathname } = new URL(one.url, origin);
		const source = `[${escapeMarkdown(title ?? pathname)}](${new URL(pathname, origin).href})`;
		return `> ${escapeMarkdown(text)}\n\n${source}, ${day(timestamp)}`;
	};
	const parts: [title: string, items: string[], between: string][] = [
		[
			'Saved articles',
			saved.map((post) => `- ${linkTitle(post.title, post.slug)}, saved ${day(post.savedAt)}`),
			'\n',
		],
		[
			'Liked articles',
			liked.map((post) => `- ${linkTitle(post.title, post.slug)}, liked ${day(post.likedAt)}`),
			'\n',
		],
		['Highlights', highlights.map(quoteHighlight), '\n\n'],
		['Reading history', history.map(({ title, slug }) => `- ${linkTitle(title, slug)}`), '\n'],
	];
	const written = parts
		.filter(([, items]) => items.length > 0)
		.map(([title, items, between]) => `\n## ${title}\n\n${items.join(between)}\n`);
	return `# Saved at ${escapeMarkdown(siteName)}\n${written.join('')}`;
}

/** Returns plain text on one line, escaped for Markdown. */
function escapeMarkdown(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

function day(time: string | number): string {
	return isoDay(new Date(time));
}
