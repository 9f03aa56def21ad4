import type { WholeList } from '#src/features/posts/whole-list.server.ts';
import { cacheHeaders, matchesEtag } from './response.ts';

/** Returns the response of a list that is ready to send, compressed where the client reads that. */
export async function wholeListResponse(
	list: WholeList,
	request: Request,
	...tags: string[]
): Promise<Response> {
	const headers = new Headers({
		'Content-Type': 'application/json',
		ETag: list.tag,
		Vary: 'Accept-Encoding',
		...cacheHeaders(tags),
	});
	if (matchesEtag(list.tag, request)) return new Response(null, { status: 304, headers });
	const isZipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(
		request.headers.get('Accept-Encoding') ?? '',
	);
	if (isZipped) headers.set('Content-Encoding', 'gzip');
	const body = isZipped ? await list.gzipped() : list.json;
	return new Response(new Uint8Array(body), { headers });
}
