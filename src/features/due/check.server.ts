import { requestPublicUrl, redirectOf, type AddressPolicy } from '#src/core/web.server.ts';
import { SECOND } from '#src/lib/dates.ts';

/** Time for one request, redirects included: two of them fit into the time of a function. */
const TIMEOUT_MS = 8 * SECOND;
const MAX_REDIRECTS = 5;

/** Answer of a source: whether its host was reached at all, and the fault, if there is one. */
export type SourceCheck = { isReached: boolean; fault: string | null };

/**
 * Asks whether a web address still answers, without reading what it has: for its head, and where that is refused, for the
 * page. A host that wants no programs, or no visitors without a password, answers.
 */
export async function checkSource(
	address: string,
	siteUrl: string,
	reach?: AddressPolicy,
): Promise<SourceCheck> {
	const head = await follow(address, 'HEAD', siteUrl, reach);
	return head.fault === null ? head : follow(address, 'GET', siteUrl, reach);
}

async function follow(
	address: string,
	method: 'HEAD' | 'GET',
	siteUrl: string,
	reach: AddressPolicy,
): Promise<SourceCheck> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const headers = {
		Accept: '*/*',
		'User-Agent': `Mozilla/5.0 (compatible; check of cited sources; +${siteUrl})`,
	};
	let url = new URL(address);
	let isReached = false;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		try {
			const response = await requestPublicUrl(url, { method, headers, signal, reach });
			isReached = true;
			const next = redirectOf(response, url);
			response.destroy();
			if (!next) return { isReached, fault: faultOf(response.statusCode ?? 0) };
			if (!/^https?:$/.test(next.protocol))
				return { isReached, fault: 'It leads to no web address.' };
			url = next;
		} catch {
			// The same words for what is private and what is down: neither can be explored from here.
			const fault = signal.aborted
				? `${url.host} takes too long to answer.`
				: `${url.host} cannot be reached.`;
			return { isReached, fault };
		}
	}
	return { isReached, fault: 'It leads from address to address.' };
}

/** Returns the fault that an HTTP status tells of (404, 410, 5xx), or null: others may be meant for programs alone. */
function faultOf(status: number): string | null {
	return status === 404 || status === 410 || status >= 500 ? `It answers ${status}.` : null;
}
