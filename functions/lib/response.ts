/** Writes answers: JSON or text, with headers for browsers and for the CDN. */
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
/** An answer with headers of its own, such as a cookie; with a `Content-Type`, text that is no JSON. */
export class ResponseWith<Out> {
	readonly body: Out;
	readonly headers: Record<string, string>;
	/** `Set-Cookie` values. */
	readonly cookies: string[];
	/** Path of the page that a plain form post is sent to, where it is not the form's own. */
	readonly thanks: string | undefined;
	constructor(body: Out, headers: Record<string, string>, cookies: string[] = [], thanks?: string) {
		this.cookies = cookies;
		this.thanks = thanks;
		this.body = body;
		this.headers = headers;
	}
}

/** A public answer whose cache tags depend on the request. */
export function cached<Out>(body: Out, ...tags: string[]): ResponseWith<Out> {
	return new ResponseWith(body, cacheHeaders(tags));
}

const YEAR = 365 * DAY;
/**
 * Browsers ask each time; the CDN keeps the answer until a write purges one of its tags. An answer that is fetched right
 * after that may come from a replica that has not heard of the write: with replicas nothing is kept for long.
 */
export function cacheHeaders(tags: string[], maxAgeMs = YEAR): Record<string, string> {
	const ms = getEnv().DATABASE_READ_URL ? Math.min(maxAgeMs, MINUTE) : maxAgeMs;
	return {
		'Cache-Control': 'public, max-age=0, must-revalidate',
		'Netlify-CDN-Cache-Control': `public, durable, s-maxage=${ms / SECOND}`,
		// What comes from an address may hold what no header can.
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
	// What has a type of its own is text already.
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

/** Whether the caller has this answer already. Proxies may have made its tag a strong one, or one of several. */
function matchesEtag(etag: string, { headers }: Request): boolean {
	const known = (headers.get('If-None-Match') ?? '').split(',').map((one) => one.trim());
	return known.includes('*') || known.some((one) => `W/${one.replace(/^W\//, '')}` === etag);
}

export function seeOther(path: string, cookies: string[] = []): Response {
	const headers = new Headers({ ...SECURITY_HEADERS, Location: path });
	for (const cookie of cookies) headers.append('Set-Cookie', cookie);
	return new Response(null, { status: 303, headers });
}
