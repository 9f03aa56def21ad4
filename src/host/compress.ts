import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { encodingFor } from './static-site.ts';

/** Compression gains nothing for smaller answers. */
const MIN_BYTES = 1024;
const TEXT =
	/^(?:text\/|application\/(?:json|feed\+json|xml|rss\+xml|atom\+xml|javascript)|image\/svg)/;
const PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 4 };

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/**
 * Compresses a function's answer that anybody may have: text that caches may keep, as the CDN does on Netlify. What is about
 * one person is left as it is, because the length of a compressed answer tells of a secret beside what a stranger chose. Tags of
 * functions are weak, so they stay.
 */
export async function compress(request: Request, response: Response): Promise<Response> {
	const { headers } = response;
	const isPublic =
		/\bpublic\b/.test(headers.get('Cache-Control') ?? '') && !headers.has('Set-Cookie');
	if (!isPublic || !TEXT.test(headers.get('Content-Type') ?? '')) return response;
	if (headers.has('Content-Encoding') || headers.has('Content-Range')) return response;
	headers.append('Vary', 'Accept-Encoding');
	const encoding = encodingFor(request, { br: true, gz: true });
	if (encoding === 'identity' || response.status !== 200 || !response.body) return response;
	const bytes = Buffer.from(await response.arrayBuffer());
	const isWorthIt = bytes.length >= MIN_BYTES;
	if (isWorthIt) headers.set('Content-Encoding', encoding);
	headers.delete('Content-Length');
	const packed = { br: () => brotli(bytes, { params: PARAMS }), gzip: () => gzipped(bytes) }[
		encoding
	];
	return new Response(isWorthIt ? new Uint8Array(await packed()) : new Uint8Array(bytes), {
		status: 200,
		headers,
	});
}
