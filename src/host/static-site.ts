import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress, createGunzip, gunzip } from 'node:zlib';
import { parseAccept } from 'hono/utils/accept';
import { getMimeType, mimes } from 'hono/utils/mime';
import { errorResponse, notAllowed } from '#functions/lib/failure.ts';
import { SECURITY_HEADERS } from '#functions/lib/headers.ts';
import { parseRange } from '#src/lib/range.ts';
import { AppError, MESSAGES } from '#src/lib/errors.ts';
import { routeLabelOf } from '#src/core/request-context.ts';
import { readRules, type Rules } from '#src/build/rules.ts';
import { isPage, type BuildFiles } from '#src/build/builds.ts';
import { digestOf, isPacked } from '#src/build/file-store.ts';
import type { Listing, SiteFile } from '#src/build/listing.ts';

/** Larger files are streamed. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Retry-After of a file that is damaged: a build renews it. */
const RETRY_AFTER_S = 10;
const TYPES = { ...mimes, md: 'text/markdown; charset=utf-8', ttf: 'font/ttf' };

/** Maximum size of the cache; the oldest responses are dropped first. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Approximate size of an entry besides its body and key, mostly headers. */
const ENTRY_OVERHEAD_BYTES = 2048;
/** Browsers send less than half of it. */
const MAX_ENCODING_LENGTH = 64;

/** A response as it was sent, with header names and values in turn; `bare` are the headers without a body. */
type CachedResponse = {
	route: string;
	etag: string;
	headers: string[];
	bare: string[];
	body: Uint8Array;
};

type Encoding = 'br' | 'gzip' | 'identity';
type Found = { path: string; file: SiteFile } | { redirect: string };

/** The pages and files of one build, with Netlify's rules for them. */
export class Site {
	/** Its files by path. */
	readonly listing: Listing;
	readonly #locate: BuildFiles['locate'];
	readonly #rules: Rules;
	readonly #cache = new Map<string, CachedResponse>();
	#cachedBytes = 0;
	/** Files that were read whole, and are what the build made. */
	readonly #proven = new Set<string>();
	readonly #onDamaged: (file: string) => void;
	readonly #onHit: (rule: string) => void;

	/** Use `Site.open`. */
	constructor(
		{ listing, locate }: BuildFiles,
		rules: Rules,
		onDamaged: (file: string) => void,
		onHit: (rule: string) => void,
	) {
		this.listing = listing;
		this.#locate = locate;
		this.#rules = rules;
		this.#onDamaged = onDamaged;
		this.#onHit = onHit;
	}

	/**
	 * Opens a build by its files and the folder of its rules. `onDamaged` hears of each file that is not what the build made,
	 * `onHit` of each redirect that is used.
	 */
	static async open(
		files: BuildFiles,
		dir: string,
		onDamaged: (file: string) => void = () => {},
		onHit: (rule: string) => void = () => {},
	): Promise<Site> {
		return new Site(files, await readRules(dir), onDamaged, onHit);
	}

	/** Looks whether each file has its size, which takes one `stat` for each. */
	async check(): Promise<void> {
		for (const [path, file] of this.listing) {
			for (const encoding of ENCODINGS) {
				if (sizeOf(file, encoding) === undefined || isUnpacked(file, encoding)) continue;
				const name = this.#nameOf(path, file, encoding);
				if (!(await hasSize(name, sizeOf(file, encoding)!))) this.#onDamaged(name);
			}
		}
	}

	#nameOf(path: string, file: SiteFile, encoding: Encoding): string {
		return this.#locate(path, file) + { br: '.br', gzip: '.gz', identity: '' }[encoding];
	}

	/** Returns a whole file as the build made it, or undefined. What is damaged is restored from another encoding if possible. */
	async #read(path: string, file: SiteFile, encoding: Encoding): Promise<Buffer | undefined> {
		if (!isUnpacked(file, encoding)) {
			const name = this.#nameOf(path, file, encoding);
			const bytes = await readFile(name).catch((error: NodeJS.ErrnoException) => {
				// The file may be whole, and what is damaged is removed.
				if (/^(?:EMFILE|ENFILE|ENOMEM|EAGAIN)$/.test(error.code ?? '')) throw error;
				return undefined;
			});
			if (bytes?.length === sizeOf(file, encoding)) {
				if (this.#proven.has(name)) return bytes;
				const original = await decoded(bytes!, encoding);
				if (original && digestOf(original) === file.hash) {
					this.#proven.add(name);
					return bytes;
				}
			}
			this.#onDamaged(name);
			if (encoding !== 'identity') return undefined;
		}
		for (const other of PACKED) {
			if (sizeOf(file, other) === undefined) continue;
			const packed = await this.#read(path, file, other);
			const original = packed && (await decoded(packed, other));
			if (original) return original;
		}
		return undefined;
	}

	/** Returns these bytes of a large file, or undefined where it has not the length that the build gave it. */
	async #stream(
		path: string,
		file: SiteFile,
		encoding: Encoding,
		{ start, end }: { start: number; end: number },
	): Promise<Readable | undefined> {
		for (const stored of isUnpacked(file, encoding) ? PACKED : [encoding]) {
			const name = this.#nameOf(path, file, stored);
			if (await hasSize(name, sizeOf(file, stored)!)) {
				if (stored === encoding) return createReadStream(name, { start, end });
				const unpacking = stored === 'br' ? createBrotliDecompress() : createGunzip();
				// Who reads it hears of its errors.
				const unpacked = pipeline(createReadStream(name), unpacking, () => {});
				return Readable.from(cut(unpacked, start, end, () => this.#onDamaged(name)));
			}
			this.#onDamaged(name);
		}
		return undefined;
	}

	/** Returns whether the build has a file for this path. */
	has(pathname: string): boolean {
		return this.#find(pathname) !== undefined;
	}

	/**
	 * Sends a cached response, several times faster than `respond`. Returns its route and path, or undefined if
	 * it is not cached or more than the whole file is requested.
	 */
	respondFromCache(
		{ method, url = '', headers }: IncomingMessage,
		outgoing: ServerResponse,
		more: string[],
	): { route: string; path: string } | undefined {
		if (method !== 'GET' || headers.range || headers['if-modified-since']) return undefined;
		const path = url.split('?', 1)[0]!;
		const key = cacheKey(path, headers['accept-encoding']);
		const cached = key && this.#cache.get(key);
		if (!cached) return undefined;
		const known = headers['if-none-match'];
		if (known === cached.etag) outgoing.writeHead(304, [...cached.bare, ...more]).end();
		else if (known !== undefined) return undefined;
		else outgoing.writeHead(200, [...cached.headers, ...more]).end(cached.body);
		return { route: cached.route, path };
	}

	#cacheResponse(request: Request, pathname: string, response: CachedResponse): void {
		const key = cacheKey(pathname, request.headers.get('Accept-Encoding'));
		if (!key || this.#cache.has(key)) return;
		const bytesOf = (key: string, { body }: CachedResponse) =>
			ENTRY_OVERHEAD_BYTES + key.length + body.byteLength;
		this.#cache.set(key, response);
		this.#cachedBytes += bytesOf(key, response);
		for (const [oldest, kept] of this.#cache) {
			if (this.#cachedBytes <= CACHE_BYTES) break;
			this.#cache.delete(oldest);
			this.#cachedBytes -= bytesOf(oldest, kept);
		}
	}

	/** Responds to a request for a page or file as Netlify would. */
	async respond(request: Request, { pathname, search }: URL): Promise<Response> {
		const found = this.#find(pathname);
		for (const { from, to, status, force } of this.#rules.redirects(pathname)) {
			if (found && !force) continue;
			if (status >= 300 && status < 400) {
				if (status === 301) this.#onHit(from);
				return redirect(to.includes('?') ? to : to + search, status);
			}
			const target = this.#find(to);
			if (target && 'file' in target) return this.#send(request, pathname, target, status);
		}
		if (!found) return new Response('Not found.', { status: 404, headers: SECURITY_HEADERS });
		if (!isRead(request)) {
			return notAllowed(request, 'GET, HEAD');
		}
		if ('redirect' in found) return redirect(found.redirect + search, 301);
		return this.#send(request, pathname, found, this.#rules.notFound.has(found.path) ? 404 : 200);
	}

	/** Returns the file of a path, or a redirect to its only address: without `.html` and without a trailing slash. */
	#find(pathname: string): Found | undefined {
		const path = decodeURI(pathname);
		const bare = withoutSlashes(path.replace(/(\/index)?\.html$/, ''));
		for (const name of [path, `${bare}.html`, `${bare}/index.html`]) {
			const file = this.listing.get(name);
			if (!file) continue;
			const wanted = name === '/index.html' ? '/' : isPage(name) ? bare || '/' : name;
			if (path === wanted || this.#rules.notFound.has(name)) return { path: name, file };
			return { redirect: encodeURI(wanted) };
		}
		// Some systems write a letter and its mark as two characters.
		const composed = path.normalize('NFC');
		return composed !== path && this.#find(encodeURI(composed))
			? { redirect: encodeURI(composed) }
			: undefined;
	}

	async #send(
		request: Request,
		pathname: string,
		{ path, file }: { path: string; file: SiteFile },
		status: number,
		offered: Pick<SiteFile, 'br' | 'gz'> = file,
	): Promise<Response> {
		const headers = this.#rules.headers(pathname);
		// A range refers to the file itself, so that a download can resume with any encoding.
		const wantsRange = status === 200 && request.method === 'GET' && request.headers.has('Range');
		const encoding = wantsRange ? 'identity' : encodingFor(request, offered);
		const etag = `"${file.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
		if (!headers.has('Content-Type')) {
			headers.set('Content-Type', getMimeType(path, TYPES) ?? 'application/octet-stream');
		}
		headers.set('ETag', etag);
		headers.set('Last-Modified', new Date(file.modified).toUTCString());
		headers.set('Accept-Ranges', 'bytes');
		// A missing file may exist in a moment, after another release or another process's build.
		if (status === 404 || !headers.has('Cache-Control')) {
			headers.set('Cache-Control', 'public, max-age=0, must-revalidate');
		}
		if (file.br || file.gz) headers.append('Vary', 'Accept-Encoding');
		if (status === 200 && isFresh(request, etag, file)) {
			return new Response(null, { status: 304, headers });
		}
		const bare = [...headers].flat();
		if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
		const size = sizeOf(file, encoding)!;
		const range =
			wantsRange && isUnchanged(request, etag, file)
				? parseRange(request.headers.get('Range'), size)
				: undefined;
		if (range === 'unsatisfiable') {
			headers.set('Content-Range', `bytes */${size}`);
			return new Response(null, { status: 416, headers });
		}
		const { start, end } = range ?? { start: 0, end: size - 1 };
		if (range) headers.set('Content-Range', `bytes ${start}-${end}/${size}`);
		headers.set('Content-Length', String(end - start + 1));
		let body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null = null;
		if (request.method !== 'HEAD') {
			const found =
				size <= MAX_BUFFERED_BYTES
					? (await this.#read(path, file, encoding))?.subarray(start, end + 1)
					: await this.#stream(path, file, encoding, { start, end });
			if (found instanceof Readable) body = Readable.toWeb(found) as ReadableStream<Uint8Array>;
			else if (found) body = new Uint8Array(found);
			else if (encoding === 'identity') {
				const failure = new AppError('unavailable', MESSAGES.unavailable, {
					retryAfter: RETRY_AFTER_S,
				});
				return errorResponse(failure, request);
			} else {
				const left = { ...offered };
				delete left[encoding === 'br' ? 'br' : 'gz'];
				return this.#send(request, pathname, { path, file }, status, left);
			}
		}
		const response = new Response(body, { status: range ? 206 : status, headers });
		if (request.method === 'GET' && status === 200 && !wantsRange && body instanceof Uint8Array) {
			const all = [...headers].flat();
			this.#cacheResponse(request, pathname, {
				route: routeLabelOf(response),
				etag,
				headers: all,
				bare,
				body,
			});
		}
		return response;
	}
}

/** Returns undefined for a response that is not worth caching, because no other client asks like this. */
function cacheKey(pathname: string, accepted: string | null | undefined): string | undefined {
	if (accepted && accepted.length > MAX_ENCODING_LENGTH) return undefined;
	return `${accepted ?? ''} ${pathname}`;
}

/** Removes trailing slashes. A pattern would start over at each slash of a long run. */
function withoutSlashes(path: string): string {
	let end = path.length;
	while (path[end - 1] === '/') end--;
	return path.slice(0, end);
}

function isRead({ method }: Request): boolean {
	return method === 'GET' || method === 'HEAD';
}

function redirect(location: string, status: number): Response {
	return new Response(null, { status, headers: { ...SECURITY_HEADERS, Location: location } });
}

/** Encodings that can be unpacked, the quickest first. */
const PACKED = ['gzip', 'br'] as const;
const ENCODINGS: Encoding[] = [...PACKED, 'identity'];

/** Returns whether a file is not stored as it would be sent, but is unpacked for it. */
function isUnpacked(file: SiteFile, encoding: Encoding): boolean {
	return encoding === 'identity' && isPacked(file);
}

/** Returns the bytes from `start` to `end`, which is included; tells of what cannot be read to there. */
async function* cut(
	stream: AsyncIterable<Buffer>,
	start: number,
	end: number,
	onDamaged: () => void,
) {
	let at = 0;
	try {
		for await (const chunk of stream) {
			const wanted = chunk.subarray(Math.max(0, start - at), end + 1 - at);
			if (wanted.length > 0) yield wanted;
			at += chunk.length;
			if (at > end) return;
		}
	} catch (error) {
		onDamaged();
		throw error;
	}
}

function sizeOf(file: SiteFile, encoding: Encoding): number | undefined {
	return { br: file.br, gzip: file.gz, identity: file.size }[encoding];
}

async function hasSize(name: string, size: number): Promise<boolean> {
	return (await stat(name).catch(() => undefined))?.size === size;
}

/** Returns what an encoded file holds, or undefined where it is damaged. */
async function decoded(bytes: Buffer, encoding: Encoding): Promise<Buffer | undefined> {
	if (encoding === 'identity') return bytes;
	return { br: unbrotli, gzip: unzip }[encoding](bytes).catch(() => undefined);
}

const unbrotli = promisify<Buffer, Buffer>(brotliDecompress);
const unzip = promisify<Buffer, Buffer>(gunzip);

/** Returns the encoding that the client prefers among those available; Brotli if it is indifferent. */
export function encodingFor(request: Request, file: { br?: unknown; gz?: unknown }): Encoding {
	const accepted = parseAccept(request.headers.get('Accept-Encoding') ?? '');
	const quality = (name: string) =>
		(
			accepted.find(({ type }) => type.toLowerCase() === name) ??
			accepted.find(({ type }) => type === '*')
		)?.q;
	const offers: [Encoding, number][] = [
		['br', file.br ? (quality('br') ?? 0) : 0],
		['gzip', file.gz ? (quality('gzip') ?? 0) : 0],
		// Always acceptable unless refused, but the last choice unless requested.
		['identity', accepted.find(({ type }) => type === 'identity')?.q ?? Number.MIN_VALUE],
	];
	const best = offers.reduce((one, other) => (other[1] > one[1] ? other : one));
	return best[1] > 0 ? best[0] : 'identity';
}

/** Returns whether the client's copy is up to date. */
function isFresh(request: Request, etag: string, file: SiteFile): boolean {
	const tags = request.headers.get('If-None-Match');
	if (tags !== null) {
		return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
	}
	const since = Date.parse(request.headers.get('If-Modified-Since') ?? '');
	// An earlier build that is served again is older than what a client may have.
	return Math.floor(file.modified / 1000) * 1000 === since;
}

/** Returns whether a client that resumes a download resumes the same file. */
function isUnchanged(request: Request, etag: string, file: SiteFile): boolean {
	const condition = request.headers.get('If-Range');
	if (condition === null || condition === etag) return true;
	return Date.parse(condition) === Math.floor(file.modified / 1000) * 1000;
}
