import type * as http from 'node:http';
import * as zlib from 'node:zlib';
import type { Element } from 'hast';
import { toString } from 'hast-util-to-string';
import { visit } from 'unist-util-visit';
import { parseHtml } from '#src/core/articles/sanitize.ts';
import { oembedOf } from '#src/core/articles/embeds.ts';
import type { AddressPolicy } from '#src/core/web.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { cut } from '#src/lib/text.ts';
import { end, fetchPublic, typeOf } from './fetch.server.ts';
import type { PageCard } from './media.ts';

/** Bytes of a page that are read: what it says of itself stands at its start. */
const MAX_BYTES = 1_000_000;
/** Characters of its head that are taken apart. */
const MAX_HEAD = 200_000;

/**
 * Returns what a page of another site says of itself. Throws `validation` for the field `url` where that is not even a
 * title, or nothing can be had.
 */
export async function fetchCard(address: string, reach?: AddressPolicy): Promise<PageCard> {
	const oembed = oembedOf(address);
	if (!oembed) return fetchPublic(address, 'text/html', readPage, reach);
	try {
		return await fetchPublic(oembed, 'application/json', readOembed, reach);
	} catch (error) {
		// Who does not let others show a video does not say its title to them either.
		if (error instanceof AppError) return fetchPublic(address, 'text/html', readPage, reach);
		throw error;
	}
}

async function readPage(response: http.IncomingMessage, url: URL): Promise<PageCard> {
	const type = typeOf(response);
	if (!/^(text\/html|application\/xhtml\+xml)$/.test(type))
		throw end(
			response,
			`${url.host} sent ${type || 'something without a type'}, which is no page.`,
		);
	const bytes = await read(response);
	const html = textOf(bytes, response.headers['content-type'] ?? '');
	const head = html.split(/<\/head\s*>|<body[\s>]/i, 1)[0]!.slice(0, MAX_HEAD);
	const said = new Map<string, string>();
	const say = (name: unknown, value: unknown) => {
		const words = wordsOf(value);
		if (words && !said.has(String(name).toLowerCase())) said.set(String(name).toLowerCase(), words);
	};
	visit(parseHtml(head), 'element', (node: Element) => {
		const { property, name, content } = node.properties;
		if (node.tagName === 'title') say('title', toString(node));
		if (node.tagName === 'meta') say(property ?? name, content);
	});
	const first = (...names: string[]) => names.map((name) => said.get(name)).find(Boolean) ?? '';
	const title = first('og:title', 'twitter:title', 'title');
	if (!title) throw end(response, `The page at ${url.host} has no title.`);
	return cardOf(
		title,
		first('og:description', 'twitter:description', 'description'),
		first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
		url,
	);
}

async function readOembed(response: http.IncomingMessage, url: URL): Promise<PageCard> {
	const said = JSON.parse((await read(response)).toString()) as Record<string, unknown>;
	const title = wordsOf(said['title']);
	if (!title) throw end(response, `${url.host} says no title.`);
	return cardOf(title, '', wordsOf(said['thumbnail_url']), url);
}

function cardOf(title: string, text: string, image: string, url: URL): PageCard {
	const address = image ? URL.parse(image, url) : null;
	const picture = address && /^https?:$/.test(address.protocol) ? address.href : null;
	return {
		title: shortened(title, 200),
		text: text === title ? '' : shortened(text, 300),
		picture,
	};
}

/** Reads the start of an answer, as it was before it was compressed. */
async function read(response: http.IncomingMessage): Promise<Buffer> {
	const encoding = response.headers['content-encoding'] ?? '';
	const body = /^(x-)?gzip$|^deflate$/i.test(encoding)
		? response.pipe(zlib.createUnzip())
		: /^br$/i.test(encoding)
			? response.pipe(zlib.createBrotliDecompress())
			: response;
	// An error of the line ends what is read of it.
	if (body !== response) response.on('error', (error) => body.destroy(error));
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		size += chunk.length;
		if (size >= MAX_BYTES) break;
	}
	response.destroy();
	return Buffer.concat(chunks);
}

/** Returns a page's text in the encoding that its mark, its answer or itself names. */
function textOf(bytes: Buffer, contentType: string): string {
	const start = bytes.subarray(0, 2048).toString('latin1');
	const mark = /^(\u00EF\u00BB\u00BF|\u00FE\u00FF|\u00FF\u00FE)/.exec(start)?.[0] ?? '';
	const marked = { 'ï»¿': 'utf-8', þÿ: 'utf-16be', ÿþ: 'utf-16le' }[mark];
	const named = /charset\s*=\s*["']?([\w:.-]+)/i;
	const label = marked ?? named.exec(contentType)?.[1] ?? named.exec(start)?.[1] ?? 'utf-8';
	try {
		return new TextDecoder(label).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}

/** Returns a text in one line, without signs that are not seen or turn the direction of others. */
function wordsOf(value: unknown): string {
	const text = typeof value === 'string' ? value : '';
	return text
		.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
		.replace(/[\p{Cs}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD-\uFFFF]/gu, '')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Returns a text of so many characters at most, cut between two words. */
function shortened(text: string, length: number): string {
	return text.length <= length ? text : `${cut(text, length).replace(/\s+\S*$/, '')}…`;
}
