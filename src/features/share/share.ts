import type { PostRef } from '#src/features/posts/post.ts';

/** A page to share: its address, its title, and the path or address of its picture. */
export type Shared = { url: string; title: string; image: string };
/** An article to share. */
export type SharedPost = Shared & PostRef;

/** Pixels of a share window (product.md section 9). */
export const SHARE_WINDOW = { width: 600, height: 400 } as const;

/** The seven share targets (product.md section 2), as plain links. */
export function shareTargets({ url, title, image }: Shared): { name: string; href: string }[] {
	const both = `${title} ${url}`;
	return [
		{ name: 'X', href: microblogHref(title, url) },
		{ name: 'Facebook', href: link('https://www.facebook.com/sharer/sharer.php', { u: url }) },
		{ name: 'LinkedIn', href: link('https://www.linkedin.com/sharing/share-offsite/', { url }) },
		{ name: 'Reddit', href: link('https://www.reddit.com/submit', { url, title }) },
		{ name: 'WhatsApp', href: link('https://wa.me/', { text: both }) },
		{ name: 'Telegram', href: link('https://t.me/share/url', { url, text: title }) },
		{
			name: 'Pinterest',
			href: link('https://www.pinterest.com/pin/create/button/', {
				url,
				media: image,
				description: title,
			}),
		},
	];
}

/** Maximum length of a post on the microblog, and the length of any address there. */
const MICROBLOG = { length: 280, address: 23 } as const;

/** Returns a link that posts a quote with its address to the microblog, shortened to fit. */
export function quoteHref(quote: string, url: string): string {
	const room = MICROBLOG.length - MICROBLOG.address - '“” '.length;
	const text = [...quote.replace(/\s+/g, ' ').trim()];
	const fitting =
		text.length > room
			? `${text
					.slice(0, room - 1)
					.join('')
					.trimEnd()}…`
			: text.join('');
	return microblogHref(`“${fitting}”`, url);
}

function microblogHref(text: string, url: string): string {
	return link('https://x.com/intent/post', { text, url });
}

function link(address: string, query: Record<string, string>): string {
	return `${address}?${new URLSearchParams(query).toString()}`;
}

/** Formats in which a citation of the article is copied, with the labels of the buttons. */
export const CITE_FORMATS = [
	['text', 'Copy citation'],
	['bibtex', 'BibTeX'],
	['ris', 'RIS'],
] as const;
