import type { Context } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { isCountable, type Visitor } from '#src/features/counts/counts.server.ts';
import { countOnce } from '#src/features/visits/visits.server.ts';
import { getSecret } from '#src/lib/env.ts';
import { pageAt } from '#src/site.ts';
import { limitSubjectOf } from './public-form.ts';

/** Returns the visitor behind a request, for counting. Global Privacy Control and Do Not Track are objections. */
export function visitorOf({ headers }: Request, { ip }: Context): Visitor {
	return {
		address: limitSubjectOf(ip),
		userAgent: headers.get('User-Agent') ?? '',
		objects: headers.get('Sec-GPC') === '1' || headers.get('DNT') === '1',
	};
}

/** Counts something that a request did, once a day for each visitor. */
export async function countRequest(
	request: Request,
	context: Context,
	by: 'signup' | 'asked' | 'fetched' | 'answered' | 'helped',
	about: string,
): Promise<void> {
	const visitor = visitorOf(request, context);
	if (isCountable(visitor))
		await countOnce(getDb(), [[by, about]], visitor, getSecret(), new Date());
}

function decoded(path: string): string {
	try {
		return decodeURI(path);
	} catch {
		return '';
	}
}

/** Returns the path of the page of this site that a request came from, or ''. */
export function pageOf({ headers, url }: Request): string {
	const referer = headers.get('Referer') ?? '';
	if (!URL.canParse(referer)) return '';
	const page = new URL(referer);
	const isOwn = [new URL(url).host, headers.get('Host')].includes(page.host);
	const path = decoded(page.pathname);
	return isOwn && pageAt(path) ? path.slice(0, 200) : '';
}
