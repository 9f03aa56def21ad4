/** Creates responses: JSON or text, with headers for browsers and for the CDN. */
import { hash } from 'node:crypto';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { SECURITY_HEADERS } from './headers.ts';

export type Reply = {
	body: unknown;
	status?: number;
	headers?: Record<string, string>;
	cookies?: string[];
	thanks?: string | undefined;
};
/** A response body with extra headers. With a `Content-Type`, the body is sent as text instead of JSON. */
export class ResponseWith<Out> {
	readonly body: Out;
	readonly headers: Record<string, string>;
	/** `Set-Cookie` values. */
	readonly cookies: string[];
	/** Path that a plain form post is redirected to, if not the form's own page. */
	readonly thanks: string | undefined;
	constructor(body: Out, headers: Record<string, string>, cookies: string[] = [], thanks?: string) {
		this.cookies = cookies;
		this.thanks = thanks;
		this.body = body;
		this.headers = headers;
	}
}

/** Returns a public response whose cache tags depend on the request. */
export function cached<Out>(body: Out, ...tags: string[]): ResponseWith<Out> {
	return new ResponseWith(body, cacheHeaders(tags));
}

const YEAR = 365 * DAY;
/**
 * Returns headers that make browsers revalidate each time and the CDN cache until a write purges one of the tags. With
 * read replicas, which may lag behind that write, the CDN caches for a minute at most.
 */
export function cacheHeaders(tags: string[], maxAgeMs = YEAR): Record<string, string> {
	const ms = getEnv().DATABASE_READ_URL ? Math.min(maxAgeMs, MINUTE) : maxAgeMs;
	return {
		'Cache-Control': 'public, max-age=0, must-revalidate',
		'Netlify-CDN-Cache-Control': `public, durable, s-maxage=${ms / SECOND}`,
		// A tag from an address may contain characters that a header cannot.
		'Netlify-Cache-Tag': tags.map(encodeURIComponent).join(','),
		'Netlify-Vary': 'query',
	};
}

export function withSecurityHeaders(response: Response): Response {
	const headers = new Headers({ 'Cache-Control': 'no-store', ...SECURITY_HEADERS });
	for (const [name, value] of response.headers) headers.set(name, value);
	return new Response(response.body, { status: response.status, headers });
}

export function json(
	{ body, status = 200, headers = {}, cookies = [] }: Reply,
	request: Request,
): Response {
	// A body with its own content type is text already.
	const text = 'Content-Type' in headers ? String(body) : JSON.stringify(body ?? null);
	const all = new Headers({
		'Content-Type': 'application/json',
		'Cache-Control': 'no-store',
		...SECURITY_HEADERS,
		...headers,
	});
	for (const cookie of cookies) all.append('Set-Cookie', cookie);
	if (headers['Cache-Control'] && status === 200) {
		const etag = `W/"${hash('sha1', text, 'base64url')}"`;
		all.set('ETag', etag);
		if (matchesEtag(etag, request)) {
			return new Response(null, { status: 304, headers: all });
		}
	}
	return new Response(request.method === 'HEAD' ? null : text, { status, headers: all });
}

/** Returns whether the client already has this response. Proxies may have made its ETag strong, or listed several. */
export function matchesEtag(etag: string, { headers }: Request): boolean {
	const known = (headers.get('If-None-Match') ?? '').split(',').map((one) => one.trim());
	return known.includes('*') || known.some((one) => `W/${one.replace(/^W\//, '')}` === etag);
}

export function seeOther(path: string, cookies: string[] = []): Response {
	const headers = new Headers({ ...SECURITY_HEADERS, Location: path });
	for (const cookie of cookies) headers.append('Set-Cookie', cookie);
	return new Response(null, { status: 303, headers });
}
