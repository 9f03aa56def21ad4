import { isoDay } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import { addressOf, type Highlight, type LikedPost, type SavedPost } from './reader.ts';

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
	const section = (title: string, items: string[]) =>
		items.length > 0 ? [`## ${title}`, items.join('\n')] : [];
	return `${[
		`# Saved at ${escaped(siteName)}`,
		...section(
			'Saved articles',
			saved.map((one) => `- ${titled(one.title, one.slug)}, saved ${day(one.savedAt)}`),
		),
		...section(
			'Liked articles',
			liked.map((one) => `- ${titled(one.title, one.slug)}, liked ${day(one.likedAt)}`),
		),
		...section(
			'Highlights',
			[
				highlights
					.map((one) => {
						const { pathname } = new URL(addressOf(one), origin);
						const source = `[${escaped(one.title ?? pathname)}](${new URL(pathname, origin).href})`;
						return `> ${escaped(one.text)}\n\n${source}, ${day(one.timestamp)}\n`;
					})
					.join('\n'),
			].filter(Boolean),
		),
		...section(
			'Reading history',
			history.map(({ title, slug }) => `- ${titled(title, slug)}`),
		),
	]
		.join('\n\n')
		.trimEnd()}\n`;
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
