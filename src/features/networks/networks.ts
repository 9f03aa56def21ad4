import * as z from 'zod/mini';
import { plural } from '#src/lib/text.ts';

/** Networks where a post tells of an article once it is live. */
export const NETWORKS = ['bluesky', 'mastodon'] as const;
export type Network = (typeof NETWORKS)[number];
export const NETWORK_NAMES: Record<Network, string> = { bluesky: 'Bluesky', mastodon: 'Mastodon' };

/** Returns the address of a server that people may write as a host alone. */
function originOf(text: string): string {
	const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
	return url?.protocol === 'https:' ? url.origin : '';
}

const server = z
	.string()
	.check(
		z.trim(),
		z.maxLength(200),
		z.overwrite(originOf),
		z.minLength(1, 'Give a server such as mastodon.social'),
	);

/** How an account is signed in to: by a handle and an app password, or by a token of the instance. */
export const accountForm = z.object({
	network: z.enum(NETWORKS, { error: 'Choose a network' }),
	server,
	/** The handle; the token of Mastodon says whose it is. */
	handle: z._default(
		z.string().check(
			z.trim(),
			z.maxLength(253),
			z.overwrite((text) => text.replace(/^@/, '')),
		),
		'',
	),
	secret: z.string().check(z.trim(), z.minLength(1, 'Enter it'), z.maxLength(500)),
});
export type AccountForm = z.infer<typeof accountForm>;

/** An account as the desk shows it. */
export type NetworkView = {
	network: Network;
	/** Null where there is none. */
	account: { name: string; server: string; since: string } | null;
	/** Why the latest post that is still owed could not be made. */
	failure: string | null;
	/** The latest posts. */
	posts: (Omit<Mention, 'network'> & { title: string })[];
};

/** A post that tells of an article, and what was answered to it, as of the last count. */
export type Mention = { network: Network; url: string; replies: number; likes: number };

/** Returns what was answered to a post, such as `2 replies, 1 like`; empty where nothing was. */
export const responsesOf = ({ replies, likes }: Pick<Mention, 'replies' | 'likes'>) =>
	[replies > 0 && plural(replies, 'reply', 'replies'), likes > 0 && plural(likes, 'like')]
		.filter(Boolean)
		.join(', ');

/** An article as a post tells of it. */
export type Told = { title: string; excerpt: string; url: string };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Returns a text of so many characters at most, as people count them, and of so many bytes, cut off at a word. */
function cut(text: string, most: number, mostBytes = Infinity): string {
	const parts = [...graphemes.segment(text)];
	if (parts.length <= most && bytesOf(text) <= mostBytes) return text;
	let bytes = bytesOf('…');
	const last = parts.find(
		({ segment }, index) => index === most - 1 || (bytes += bytesOf(segment)) > mostBytes,
	);
	const whole = text.slice(0, last!.index);
	return `${whole.replace(/\s+\S*$/, '') || whole}…`;
}

/** Most of what a post may hold at Bluesky, as its lexicon says, and at Mastodon, where a link counts as 23. */
const BLUESKY_MOST = 300;
const BLUESKY_MOST_BYTES = 3000;
const MASTODON_MOST = 500;
const MASTODON_LINK = 23;

/** Returns the record of a post at Bluesky: the claim, and a card that leads to the article, with an uploaded picture. */
export function blueskyPost({ title, excerpt, url }: Told, createdAt: string, thumb?: object) {
	const external = {
		...{ uri: url, title, description: cut(excerpt, BLUESKY_MOST) },
		...(thumb && { thumb }),
	};
	return {
		$type: 'app.bsky.feed.post',
		text: cut(excerpt || title, BLUESKY_MOST, BLUESKY_MOST_BYTES),
		langs: ['en'],
		createdAt,
		embed: { $type: 'app.bsky.embed.external', external },
	};
}

/** Returns the text of a post at Mastodon, which makes the card of its link itself. */
export function mastodonText({ title, excerpt, url }: Told): string {
	const room = MASTODON_MOST - MASTODON_LINK - 4;
	const words = excerpt ? `${title}\n\n${excerpt}` : title;
	return `${cut(words, room)}\n\n${url}`;
}

const BASE32 = '234567abcdefghijklmnopqrstuvwxyz';

/** Returns the name of a record that is the same for an article whenever it is asked for: a TID, as the network wants it. */
export function recordName(at: Date, digest: Uint8Array): string {
	const view = new DataView(digest.buffer, digest.byteOffset);
	// Articles of one moment differ in the rest of its second, and in the number of the clock.
	const micros = BigInt(at.getTime()) * 1000n + BigInt(view.getUint32(0) % 1_000_000);
	let left = (micros << 10n) | BigInt(view.getUint16(4) % 1024);
	let name = '';
	for (let index = 0; index < 13; index++) {
		name = BASE32[Number(left & 31n)] + name;
		left >>= 5n;
	}
	return name;
}
