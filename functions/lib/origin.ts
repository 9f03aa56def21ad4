/** Keeps other sites' pages from changing anything here. */
import { getEnv } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';

/** Refuses a change that another site's page asked for. Programs send neither header and pass. */
export function refuseOtherSites({ url, headers }: Request): void {
	const origin = headers.get('Origin');
	const isForeign =
		origin !== null && !isOwnOrigin(origin, [new URL(url).host, headers.get('Host')]);
	if (isForeign || headers.get('Sec-Fetch-Site') === 'cross-site') {
		throw new AppError('forbidden', 'This form can only be sent from our own pages.');
	}
}

/** Whether an origin is the site's or that of a host that was asked, which may be encrypted before it reaches us. */
function isOwnOrigin(origin: string, hosts: (string | null)[]): boolean {
	if (!URL.canParse(origin)) return false;
	const { protocol, host } = new URL(origin);
	const site = new URL(getEnv().SITE_URL);
	// Where the site is encrypted, a page of its name that is not may be from anybody on the way.
	if (host === site.host) return protocol === 'https:' || protocol === site.protocol;
	return /^https?:$/.test(protocol) && hosts.includes(host);
}
