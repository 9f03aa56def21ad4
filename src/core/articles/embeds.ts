import type { Element, ElementContent } from 'hast';

/** A video or a recording of another site, which can be played in the article. */
export type Embed = {
	/** The site's name. */
	name: string;
	kind: 'video' | 'audio';
	/** Its page, where readers without the player find it. */
	address: string;
	/** Address of the player, which starts by itself: it is only loaded when a reader asks for it. */
	player: string;
};

type Found = Pick<Embed, 'kind'> & { player: string };
type Host = { name: string; hosts: string[]; find: (url: URL) => Found | null };

/** Instances of PeerTube that are known to hold talks and courses. Its players look the same everywhere. */
const PEERTUBE = ['framatube.org', 'peertube.tv', 'tilvids.com', 'video.blender.org', 'diode.zone'];

const video = (player: string): Found => ({ kind: 'video', player });
const audio = (player: string): Found => ({ kind: 'audio', player });

/** The sites whose players are shown. What stands in an address is only used where its form is known. */
const HOSTS: Host[] = [
	{
		name: 'YouTube',
		hosts: ['youtube.com', 'm.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
		find(url) {
			const id =
				url.searchParams.get('v') ??
				/^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname)?.[1] ??
				(url.hostname === 'youtu.be' ? url.pathname.slice(1) : '');
			const list = url.searchParams.get('list') ?? '';
			const base = 'https://www.youtube-nocookie.com/embed';
			if (/^[\w-]{11}$/.test(id)) {
				const start = secondsOf(url.searchParams.get('t') ?? url.searchParams.get('start') ?? '');
				return video(`${base}/${id}?autoplay=1${start ? `&start=${start}` : ''}`);
			}
			if (!/^[\w-]{10,60}$/.test(list)) return null;
			return video(`${base}/videoseries?list=${list}&autoplay=1`);
		},
	},
	{
		name: 'Vimeo',
		hosts: ['vimeo.com', 'player.vimeo.com'],
		find(url) {
			const path =
				/^\/(?:video\/|channels\/[\w-]+\/|showcase\/\d+\/video\/)?(\d{4,12})(?:\/([\da-f]{6,20}))?$/;
			const [, id, inPath] = path.exec(url.pathname) ?? [];
			const key = inPath ?? /^[\da-f]{6,20}$/.exec(url.searchParams.get('h') ?? '')?.[0];
			if (!id) return null;
			return video(
				`https://player.vimeo.com/video/${id}?autoplay=1&dnt=1${key ? `&h=${key}` : ''}`,
			);
		},
	},
	{
		name: 'PeerTube',
		hosts: PEERTUBE,
		find({ hostname, pathname }) {
			const id = /^\/(?:w|videos\/(?:watch|embed))\/([\w-]{8,36})$/.exec(pathname)?.[1];
			return id ? video(`https://${hostname}/videos/embed/${id}?autoplay=1&p2p=0`) : null;
		},
	},
	{
		name: 'TED',
		hosts: ['ted.com', 'embed.ted.com'],
		find({ pathname }) {
			const talk = /^\/talks\/([a-z\d_]{3,150})$/.exec(pathname)?.[1];
			return talk ? video(`https://embed.ted.com/talks/${talk}`) : null;
		},
	},
	{
		name: 'Internet Archive',
		hosts: ['archive.org'],
		find({ pathname }) {
			const id = /^\/(?:details|embed)\/([\w.-]{3,100})$/.exec(pathname)?.[1];
			return id ? video(`https://archive.org/embed/${id}?autoplay=1`) : null;
		},
	},
	{
		name: 'SoundCloud',
		hosts: ['soundcloud.com', 'm.soundcloud.com', 'w.soundcloud.com'],
		find(url) {
			const given = url.hostname.startsWith('w.')
				? URL.parse(url.searchParams.get('url') ?? '')
				: url;
			const path = /^\/[\w-]+\/(?:sets\/)?[\w-]+$/.exec(given?.pathname ?? '')?.[0];
			const isItself = /^(m\.|www\.)?soundcloud\.com$/.test(given?.hostname ?? '');
			if (!path || !isItself) return null;
			const track = encodeURIComponent(`https://soundcloud.com${path}`);
			return audio(`https://w.soundcloud.com/player/?url=${track}&auto_play=true`);
		},
	},
	{
		name: 'Spotify',
		hosts: ['open.spotify.com'],
		find({ pathname }) {
			const path = /(episode|show|track|album|playlist)\/([A-Za-z\d]{22})$/.exec(pathname);
			return path ? audio(`https://open.spotify.com/embed/${path[1]}/${path[2]}`) : null;
		},
	},
	{
		name: 'Apple Podcasts',
		hosts: ['podcasts.apple.com', 'embed.podcasts.apple.com'],
		find({ pathname, searchParams }) {
			const show = /^\/[a-z]{2}\/podcast\/(?:[^/]+\/)?id\d{4,12}$/.exec(pathname)?.[0];
			const episode = /^\d{4,16}$/.exec(searchParams.get('i') ?? '')?.[0];
			if (!show) return null;
			return audio(`https://embed.podcasts.apple.com${show}${episode ? `?i=${episode}` : ''}`);
		},
	},
];

/** Returns the video or recording that an address leads to, or null if its site is not known. */
export function embedOf(given: string): Embed | null {
	const url = URL.parse(given.trim().replace(/^\/\//, 'https://'));
	if (!url || !/^https?:$/.test(url.protocol) || url.port || url.username) return null;
	const hostname = url.hostname.replace(/^www\./, '');
	const host = HOSTS.find(({ hosts }) => hosts.includes(hostname));
	url.protocol = 'https:';
	url.hostname = hostname;
	const found = host?.find(url);
	return host && found ? { name: host.name, address: given.trim(), ...found } : null;
}

/** Where sites answer what a video is called: their pages ask people to agree to something first. */
const OEMBED: Partial<Record<string, string>> = {
	YouTube: 'https://www.youtube.com/oembed?format=json&url=',
	Vimeo: 'https://vimeo.com/api/oembed.json?url=',
};

/** Returns the address that says what a video is called, or null where its page does. */
export function oembedOf(address: string): string | null {
	const base = OEMBED[embedOf(address)?.name ?? ''];
	return base ? base + encodeURIComponent(address) : null;
}

/** Returns the site that an address belongs to, as its readers say it. */
export function hostOf(address: string): string {
	return URL.parse(address)?.hostname.replace(/^www\./, '') ?? '';
}

/** Returns the title of a video or recording that nobody gave one. */
export function titleOf({ kind, name }: Embed): string {
	return `${kind === 'video' ? 'Video' : 'Recording'} on ${name}`;
}

/** Returns a video or recording as an article holds it: a link, in a figure that says what it is. */
export function embedFigure(embed: Embed, title = '', caption: ElementContent[] = []): Element {
	const link: Element = {
		type: 'element',
		tagName: 'a',
		properties: { href: embed.address },
		children: [{ type: 'text', value: title.trim() || titleOf(embed) }],
	};
	const figcaption: Element = {
		type: 'element',
		tagName: 'figcaption',
		properties: {},
		children: caption,
	};
	return {
		type: 'element',
		tagName: 'figure',
		properties: { dataEmbed: '' },
		children: caption.length > 0 ? [link, figcaption] : [link],
	};
}

/** Returns the address in what somebody pasted: an address, or the code that a site offers for embedding. */
export function addressIn(pasted: string): string {
	const code = /^\s*<iframe\s[^>]*\bsrc=["']([^"']+)["'][^]*<\/iframe>/i.exec(pasted);
	return (code?.[1] ?? pasted).replaceAll('&amp;', '&').trim();
}

/** Names of the sites whose players are shown. */
export const EMBED_HOSTS = HOSTS.map(({ name }) => name);

/** Returns whether a page has videos, recordings or galleries, which need styles of their own. */
export function hasEmbeds(html: string): boolean {
	return /<figure class="(?:embed|gallery)\b/.test(html);
}

/** Returns what a page with these players must allow to be framed, or null where it has none. */
export function frameSources(html: string): `frame-src ${string}` | null {
	const players = html.matchAll(/ data-player="(https:\/\/[\w.-]+)\//g);
	const origins = new Set([...players].map(([, origin]) => origin!));
	return origins.size > 0 ? `frame-src ${[...origins].sort().join(' ')}` : null;
}

/** Returns the seconds of `90`, `90s` or `1m30s`. */
function secondsOf(given: string): number {
	const [, hours, minutes, seconds] =
		/^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(given) ?? [];
	return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}
