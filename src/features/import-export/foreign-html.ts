import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString } from 'hast-util-to-string';
import { embedFigure, embedOf } from '#src/core/articles/embeds.ts';
import { parseHtml, writeArticle } from '#src/core/articles/sanitize.ts';

/** Context for converting an article of another program. */
export type Adoption = {
	/** Where an image is served that came along in the file; undefined for one that did not. */
	image(address: string): string | undefined;
	/** Is told what could not stay as it was. */
	report(kind: string, what: string, detail?: string): void;
};

export const LINKED = 'Kept as a link';
export const NOT_SHOWN =
	'Kept as a link: it is not in the file, and will not be shown until you upload it';

/** Elements that show something from elsewhere, which our pages do not. */
const PLAYERS: Record<string, string> = {
	video: 'video',
	audio: 'audio',
	iframe: 'embed',
	embed: 'embed',
	object: 'embed',
};
/** Elements of other programs that have no equivalent in an article, with their names in the report. */
const DROPPED: Record<string, string> = {
	script: 'script',
	style: 'style sheet',
	template: 'script',
	svg: 'drawing (SVG)',
	canvas: 'drawing',
	form: 'form',
	select: 'form',
	textarea: 'form',
};

/**
 * An article of another program as ours can hold it: images that came along, and links in the place of videos, audio,
 * embeds and images that did not. Still to be sanitized.
 */
export function adoptHtml(html: string, adoption: Adoption): string {
	const tree = parseHtml(html);
	return writeArticle({ type: 'root', children: adoptAll(tree.children, adoption, false) }).trim();
}

/** The words of HTML, without markup. */
export function plainText(html: string): string {
	return toString(parseHtml(html.replace(/<br\s*\/?>/gi, '\n'))).trim();
}

/** Whether an article shows anything at all. */
export function isEmpty(html: string): boolean {
	return !/<(img|hr|span|div) /.test(html) && plainText(html) === '';
}

function adoptAll(nodes: RootContent[], adoption: Adoption, linked: boolean): ElementContent[] {
	return nodes.flatMap((node) => {
		if (node.type === 'text') return [node];
		return node.type === 'element' ? adopt(node, adoption, linked) : [];
	});
}

/** Returns the replacement for an element. `linked`: it is inside a link, where links cannot be nested. */
function adopt(node: Element, adoption: Adoption, linked: boolean): ElementContent[] {
	const name = node.tagName;
	const card = adoptCard(node, adoption);
	if (card) return card;
	if (name in PLAYERS) return player(node, adoption, linked);
	if (name === 'img') return [image(node, adoption, linked)];
	if (name === 'picture') {
		const inner = find(node, (element) => element.tagName === 'img');
		return inner ? [image(inner, adoption, linked)] : [];
	}
	if (name === 'noscript') {
		// What is inside stands for what a script shows, which is here as well.
		adoption.report('script', 'Left out: what is for browsers without scripts');
		return [];
	}
	if (name in DROPPED) {
		adoption.report(DROPPED[name]!, 'Left out: an article holds none');
		return [];
	}
	if (name === 'a' && !linked) return link(node, adoption);
	if (name === 'figure') return figure(node, adoption, linked);
	if (name === 'p' || hasClass(node, 'wp-block-embed__wrapper')) {
		const address = onlyAddress(node);
		const embed = address && !linked ? embedOf(address) : null;
		if (embed) return [embedFigure(embed)];
		if (address) {
			adoption.report('embed', LINKED, address);
			return [paragraph([anchor(address)])];
		}
	}
	const children = adoptAll(node.children, adoption, linked || name === 'a');
	// A block cannot be in a paragraph: what took its place there goes on after it.
	if (name === 'p' && children.some(isBlock))
		return wrapWords(children, isBlock, (words) => ({ ...node, children: words }));
	return [{ ...node, children }];
}

/** Returns blocks as they are, and the words between them wrapped, as in paragraphs. Blank words are left out. */
export function wrapWords(
	children: readonly ElementContent[],
	isBlock: (child: ElementContent) => boolean,
	wrap: (words: ElementContent[]) => Element,
): ElementContent[] {
	const parts: ElementContent[] = [];
	let words: ElementContent[] = [];
	const flush = () => {
		if (words.some((word) => toString(word).trim() || word.type === 'element'))
			parts.push(wrap(words));
		words = [];
	};
	for (const child of children) {
		if (isBlock(child)) {
			flush();
			parts.push(child);
		} else words.push(child);
	}
	flush();
	return parts;
}

function player(node: Element, adoption: Adoption, linked: boolean): ElementContent[] {
	const kind = PLAYERS[node.tagName]!;
	const source = find(
		node,
		(element) => element.tagName === 'source' && Boolean(element.properties.src),
	);
	const { src, data, title, dataSrc } = node.properties;
	const given = [src, data, dataSrc, source?.properties.src].map(text).find(Boolean);
	const address = addressOf(given);
	if (!address) {
		adoption.report(kind, 'Left out: it has no address that leads anywhere from here');
		return [];
	}
	const embed = linked ? null : embedOf(address);
	if (embed) return [embedFigure(embed, text(title))];
	adoption.report(kind, LINKED, address);
	if (linked) return [words(text(title) || address)];
	return [paragraph([anchor(address, text(title))])];
}

function image(node: Element, adoption: Adoption, linked: boolean): ElementContent {
	const { alt, title, width, height } = node.properties;
	const given = [node.properties.dataSrc, node.properties.dataLazySrc, node.properties.src]
		.map(text)
		.filter(Boolean);
	const described = text(alt) || text(title);
	for (const address of given) {
		const src = adoption.image(address);
		if (!src) continue;
		adoption.report('picture', '');
		const properties = { src, alt: text(alt), ...(title && { title }), ...size({ width, height }) };
		return { type: 'element', tagName: 'img', properties, children: [] };
	}
	if (text(width) === '1' && text(height) === '1') {
		adoption.report('tracking pixel', 'Left out: it shows nothing');
		return words('');
	}
	const address = addressOf(given.find((candidate) => !candidate.startsWith('data:')));
	const name = described || nameOf(given.at(-1) ?? '');
	if (!address) {
		const shown = (given[0] ?? '').slice(0, 100);
		adoption.report('picture', 'Left out: the file holds no image of it that can be stored', shown);
		return words(name && `[Picture: ${name}]`);
	}
	adoption.report('picture', NOT_SHOWN, address);
	return linked ? words(`Picture: ${name}`) : anchor(address, `Picture: ${name}`);
}

function size(given: Record<string, unknown>) {
	return Object.fromEntries(
		Object.entries(given).filter(([, value]) => /^\d+$/.test(text(value))),
	) as Element['properties'];
}

/** A link around pictures that are links themselves now leads to the picture, and to what it led to, where that is another page. */
function link(node: Element, adoption: Adoption): ElementContent[] {
	const pictures: string[] = [];
	const watched = {
		...adoption,
		report(kind: string, what: string, detail?: string) {
			if (kind === 'picture' && what === NOT_SHOWN && detail) pictures.push(detail);
			adoption.report(kind, what, detail);
		},
	};
	if (hasClass(node, 'wp-block-button__link') || hasClass(node, 'kg-btn')) {
		adoption.report('button', 'Is a plain link');
	}
	const children = adoptAll(node.children, watched, true);
	const href = text(node.properties.href);
	const [picture] = pictures;
	if (picture && /\.(jpe?g|png|gif|webp|avif|svg)$/i.test(pathOf(href))) {
		return [{ ...node, properties: { ...node.properties, href: picture }, children }];
	}
	const others = pictures.flatMap((address) => [words(' '), anchor(address)]);
	return [{ ...node, children }, ...others];
}

/** A figure without a picture is what it holds, and its caption after it. */
function figure(node: Element, adoption: Adoption, linked: boolean): ElementContent[] {
	const children = adoptAll(node.children, adoption, linked);
	const player = children.find((child) => isElement(child, 'figure'));
	if (player && isElement(player, 'figure') && player.properties.dataEmbed !== undefined) {
		// Its caption is that of the player.
		const caption = children.filter((child) => isElement(child, 'figcaption'));
		return [{ ...player, children: [...player.children, ...caption] }];
	}
	const whole: Element = { ...node, children };
	const holds = (names: string[]) => find(whole, (element) => names.includes(element.tagName));
	if (holds(['img', 'pre', 'table', 'blockquote']) || node.properties.dataExplainer) return [whole];
	return children.flatMap((child): ElementContent[] => {
		if (isElement(child, 'figcaption')) return [paragraph(child.children)];
		return isElement(child, 'a') ? [paragraph([child])] : [child];
	});
}

/** Ghost's cards that are more than their HTML: what plays becomes its link, a bookmark its title. */
function adoptCard(node: Element, adoption: Adoption): ElementContent[] | undefined {
	const caption = () => {
		const found = find(node, (element) => element.tagName === 'figcaption');
		return found ? [paragraph(adoptAll(found.children, adoption, false))] : [];
	};
	const inside = (name: string) => {
		const found = find(node, (element) => hasClass(element, name));
		return found ? toString(found).trim() : '';
	};
	if (hasClass(node, 'kg-bookmark-card') || hasClass(node, 'kg-file-card')) {
		const target = find(node, (element) => element.tagName === 'a');
		const address = addressOf(text(target?.properties.href));
		if (!address) return undefined;
		const kind = hasClass(node, 'kg-file-card') ? 'file' : 'bookmark';
		adoption.report(kind, 'Is a plain link', address);
		const title = inside('kg-bookmark-title') || inside('kg-file-card-title');
		const more = inside('kg-bookmark-description') || inside('kg-file-card-caption');
		const described = more ? [paragraph([words(more)])] : [];
		return [paragraph([anchor(address, title)]), ...described, ...caption()];
	}
	if (hasClass(node, 'kg-video-card') || hasClass(node, 'kg-audio-card')) {
		const media = find(
			node,
			(element) => element.tagName === 'video' || element.tagName === 'audio',
		);
		if (!media) return undefined;
		const title = inside('kg-audio-title');
		const named = { ...media, properties: { ...media.properties, ...(title && { title }) } };
		return [...player(named, adoption, false), ...caption()];
	}
	if (hasClass(node, 'kg-callout-card')) {
		const said = find(node, (element) => hasClass(element, 'kg-callout-text'));
		if (!said) return undefined;
		const children = [paragraph(adoptAll(said.children, adoption, false))];
		return [{ type: 'element', tagName: 'aside', properties: { dataCallout: 'note' }, children }];
	}
	return undefined;
}

/** The address, where an element holds nothing else. */
function onlyAddress(node: Element): string | undefined {
	if (node.children.some((child) => child.type !== 'text')) return undefined;
	const given = toString(node).trim();
	return /^https?:\/\/\S+$/.test(given) ? given : undefined;
}

/** An address that a link can have, or undefined. */
function addressOf(given: string | undefined): string | undefined {
	if (!given) return undefined;
	if (given.startsWith('//')) return `https:${given}`;
	return /^https?:\/\//i.test(given) ? given : undefined;
}

function pathOf(address: string): string {
	return address.split(/[?#]/, 1)[0]!;
}

function nameOf(address: string): string {
	if (address.startsWith('data:')) return '';
	return pathOf(address).split('/').at(-1) ?? '';
}

export function find(
	node: Element | Root,
	matches: (element: Element) => boolean,
): Element | undefined {
	for (const child of node.children) {
		if (child.type !== 'element') continue;
		const found = matches(child) ? child : find(child, matches);
		if (found) return found;
	}
	return undefined;
}

export function hasClass({ properties }: Element, name: string): boolean {
	return Array.isArray(properties.className) && properties.className.includes(name);
}

function isElement(node: ElementContent, name: string): node is Element {
	return node.type === 'element' && node.tagName === name;
}

function isBlock(node: ElementContent): boolean {
	return isElement(node, 'p') || isElement(node, 'figure');
}

function text(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function words(value: string): ElementContent {
	return { type: 'text', value };
}

export function anchor(href: string, title = ''): Element {
	return { type: 'element', tagName: 'a', properties: { href }, children: [words(title || href)] };
}

export function paragraph(children: ElementContent[]): Element {
	return { type: 'element', tagName: 'p', properties: {}, children };
}
