import * as z from 'zod/mini';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { escapeHtml } from '#src/lib/text.ts';

/** A node of a tree whose fields nobody promised. */
type Tree = { [name: string]: unknown };
/** Is told what could not stay as it was. */
type Report = (kind: string, what: string, detail?: string) => void;

/** Converts a text of Ghost's editor (Lexical) to HTML; undefined if it is malformed. */
export async function lexicalToHtml(source: string, report: Report): Promise<string | undefined> {
	const root = treeOf(treeOf(parse(source))['root']);
	return 'children' in root ? blocksOf(root, report) : undefined;
}

async function blocksOf(parent: Tree, report: Report): Promise<string> {
	const parts: string[] = [];
	for (const child of listOf(parent['children'])) parts.push(await nodeOf(child, report));
	return parts.join('');
}

async function nodeOf(node: Tree, report: Report): Promise<string> {
	const type = textOf(node['type']);
	const inside = () => blocksOf(node, report);
	if (type.endsWith('text')) return formatted(node);
	if (type === 'linebreak') return '<br>';
	if (type === 'paragraph') return `<p>${await inside()}</p>`;
	if (type.endsWith('heading')) return wrap(/^h[1-6]$/, textOf(node['tag']), 'h2', await inside());
	if (type.endsWith('quote') || type === 'aside')
		return `<blockquote><p>${await inside()}</p></blockquote>`;
	if (type === 'list') return wrap(/^[ou]l$/, textOf(node['tag']), 'ul', await inside());
	if (type === 'listitem') return `<li>${await inside()}</li>`;
	if (type.endsWith('link')) return link(textOf(node['url']), await inside());
	if (type === 'root') return inside();
	return cardOf(type, node, report);
}

const FORMATS: [bit: number, tag: string][] = [
	[1, 'strong'],
	[2, 'em'],
	[4, 's'],
	[16, 'code'],
	[32, 'sub'],
	[64, 'sup'],
	[128, 'mark'],
];

function formatted(node: Tree): string {
	const format = typeof node['format'] === 'number' ? node['format'] : 0;
	return FORMATS.filter(([bit]) => format & bit).reduce(
		(html, [, tag]) => `<${tag}>${html}</${tag}>`,
		escapeHtml(textOf(node['text'])),
	);
}

/** Converts a text of Ghost's earlier editor (Mobiledoc) to HTML; undefined if it is malformed. */
export async function mobiledocToHtml(source: string, report: Report): Promise<string | undefined> {
	const parsed = mobiledoc.safeParse(parse(source));
	if (!parsed.success) return undefined;
	const { markups, atoms, cards, sections } = parsed.data;
	const runs = (markers: unknown): string => {
		const open: string[] = [];
		let html = '';
		for (const marker of Array.isArray(markers) ? (markers as unknown[]) : []) {
			const [kind, opened, closed, value] = Array.isArray(marker) ? (marker as unknown[]) : [];
			for (const index of Array.isArray(opened) ? (opened as number[]) : []) {
				const [tag = '', attributes = []] = markups[index] ?? [];
				const href = attributes[attributes.indexOf('href') + 1];
				const isLink = tag === 'a' && typeof href === 'string';
				html += isLink ? `<a href="${escapeHtml(href)}">` : `<${inlineTag(tag)}>`;
				open.push(isLink ? 'a' : inlineTag(tag));
			}
			if (kind === 1) {
				const [name, word] = atoms[Number(value)] ?? [];
				html += name === 'soft-return' ? '<br>' : escapeHtml(textOf(word));
			} else html += escapeHtml(textOf(value));
			for (let left = Number(closed) || 0; left > 0; left--) html += `</${open.pop() ?? 'span'}>`;
		}
		return (
			html +
			open
				.toReversed()
				.map((tag) => `</${tag}>`)
				.join('')
		);
	};
	let html = '';
	for (const [kind, first, second] of sections) {
		if (kind === 1) html += wrap(/^(p|h[1-6]|blockquote|aside)$/, textOf(first), 'p', runs(second));
		else if (kind === 2) html += imageOf(textOf(first), '', '');
		else if (kind === 3) {
			const items = Array.isArray(second) ? (second as unknown[]) : [];
			const list = items.map((item) => `<li>${runs(item)}</li>`).join('');
			html += wrap(/^[ou]l$/, textOf(first), 'ul', list);
		} else if (kind === 10) {
			const [name = '', payload] = cards[Number(first)] ?? [];
			html += await cardOf(name.replace(/^card-/, ''), treeOf(payload), report);
		}
	}
	return html;
}

const tuple = z.array(z.unknown());
const mobiledoc = z.object({
	markups: z._default(
		z.array(
			z.pipe(
				tuple,
				z.transform(
					([tag, given]) =>
						[textOf(tag), Array.isArray(given) ? (given as unknown[]) : []] as const,
				),
			),
		),
		[],
	),
	atoms: z._default(z.array(tuple), []),
	cards: z._default(
		z.array(
			z.pipe(
				tuple,
				z.transform(([name, payload]) => [textOf(name), payload] as const),
			),
		),
		[],
	),
	sections: z.array(tuple),
});

/** A card of either editor: as what it shows, else as links to it. */
async function cardOf(type: string, card: Tree, report: Report): Promise<string> {
	const get = (...names: string[]) => names.map((name) => textOf(card[name])).find(Boolean) ?? '';
	const caption = get('caption');
	const captioned = caption && `<p>${caption}</p>`;
	switch (type) {
		case 'image':
			return imageOf(get('src'), get('alt', 'title'), caption, get('href'));
		case 'gallery':
			return (
				listOf(card['images'])
					.map((image) =>
						imageOf(textOf(image['src']), textOf(image['alt']), textOf(image['caption'])),
					)
					.join('') + captioned
			);
		case 'codeblock':
		case 'code': {
			const language = get('language').replace(/[^\w+#-]/g, '');
			const named = language && ` class="language-${language}"`;
			return `<pre><code${named}>${escapeHtml(get('code'))}\n</code></pre>${captioned}`;
		}
		case 'markdown':
			return markdownToHtml(get('markdown'), { html: true });
		case 'html':
			return get('html');
		case 'horizontalrule':
		case 'hr':
			return '<hr>';
		case 'paywall':
			report('card', 'Left out: it divides what members read', type);
			return '';
		case 'callout':
			return `<aside data-callout="note"><p>${get('calloutText')}</p></aside>`;
		case 'toggle':
			return `<h4>${get('heading')}</h4>${get('content')}`;
		case 'embed':
			return `<figure>${get('html') || `<p>${escapeHtml(get('url'))}</p>`}<figcaption>${caption}</figcaption></figure>`;
		case 'video':
		case 'audio':
			return `<figure><${type} src="${escapeHtml(get('src'))}" title="${escapeHtml(get('title'))}"></${type}><figcaption>${caption}</figcaption></figure>`;
	}
	const meta = treeOf(card['metadata']);
	const title =
		get('title', 'buttonText', 'productTitle', 'fileTitle', 'header', 'heading') ||
		textOf(meta['title']);
	const address = get('url', 'buttonUrl', 'productUrl', 'src', 'fileSrc');
	const more =
		get('description', 'productDescription', 'subheader', 'text', 'html') ||
		textOf(meta['description']);
	if (!title && !address && !more) {
		report('card', 'Left out: it is not known here', type);
		return '';
	}
	report('card', 'Its words and its link stay', type);
	const named = address
		? `<p>${link(address, escapeHtml(title || address))}</p>`
		: title && `<h3>${escapeHtml(title)}</h3>`;
	return `${named}${more && `<div>${more}</div>`}${captioned}`;
}

function imageOf(src: string, alt: string, caption: string, href = ''): string {
	const image = `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}">`;
	return `<figure>${href ? link(href, image) : image}${caption && `<figcaption>${caption}</figcaption>`}</figure>`;
}

function link(href: string, inside: string): string {
	return `<a href="${escapeHtml(href)}">${inside}</a>`;
}

function wrap(allowed: RegExp, tag: string, fallback: string, inside: string): string {
	const name = allowed.test(tag) ? tag : fallback;
	return `<${name}>${inside}</${name}>`;
}

function inlineTag(tag: string): string {
	return /^(strong|b|em|i|s|u|code|sub|sup|mark)$/.test(tag) ? tag : 'span';
}

function parse(source: string): unknown {
	try {
		return JSON.parse(source) as unknown;
	} catch {
		return undefined;
	}
}

function treeOf(value: unknown): Tree {
	return typeof value === 'object' && value !== null ? (value as Tree) : {};
}

function listOf(value: unknown): Tree[] {
	return Array.isArray(value) ? value.map(treeOf) : [];
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
