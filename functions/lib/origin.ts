/** Keeps other sites' pages from changing anything here. */
import { getEnv } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';

/** Refuses a change that another site's page asked for. Programs send neither header and pass. */
export function refuseOtherSites({ url, headers }: Request): void {
	const origin = headers.get('Origin');
	const site = headers.get('Sec-Fetch-Site');
	// Where a proxy adds `Referrer-Policy: no-referrer`, browsers name no origin, but say that it is the same.
	if (origin === 'null' && site === 'same-origin') return;
	const isForeign =
		origin !== null && !isOwnOrigin(origin, [new URL(url).host, headers.get('Host')]);
	if (isForeign || site === 'cross-site') {
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

/**
 * Refuses a request from the page of another site that asked for us by another name than ours: a foreign name may be made to
 * lead here (DNS rebinding). Programs that are no browsers send no origin and pass.
 */
export function refuseOtherNames({ url, headers }: Request): void {
	const origin = headers.get('Origin');
	if (origin === null || isOwnOrigin(origin, loopbackOf(origin))) return;
	const asked = headers.get('Host') ?? new URL(url).host;
	if (asked !== new URL(getEnv().SITE_URL).host)
		throw new AppError('forbidden', 'Pages of other sites cannot ask this.');
}

/** Returns an origin's host where both it and the site are on the loopback. */
function loopbackOf(origin: string): string[] {
	const isLoopback = (address: string) =>
		/^(localhost|127\.0\.0\.1|\[::1\])$/.test(
			URL.canParse(address) ? new URL(address).hostname : '',
		);
	return isLoopback(origin) && isLoopback(getEnv().SITE_URL) ? [new URL(origin).host] : [];
}
