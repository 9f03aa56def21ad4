import type { Config } from '@netlify/functions';
import { DAY } from '#src/lib/dates.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { getEnv } from '#src/lib/env.ts';
import { siteSettings } from '#src/site.ts';
import { ResponseWith } from './lib/response.ts';
import { on, serve } from './lib/http.ts';

const describe = endpoint<string>()('GET /.well-known/security.txt', nothing);

/** RFC 9116 wants less than a year. */
const VALID_MS = 360 * DAY;

/** Tells whom to write to about a fault that endangers the site (RFC 9116), where its owner has given an address. */
export default serve(
	on(
		describe,
		async () => {
			const { contactEmail } = siteSettings();
			if (!contactEmail) return null;
			const expires = new Date(Math.floor((Date.now() + VALID_MS) / DAY) * DAY);
			const lines = [
				`Contact: mailto:${contactEmail.split('@').map(encodeURIComponent).join('@')}`,
				`Expires: ${expires.toISOString()}`,
				'Preferred-Languages: en',
				`Canonical: ${new URL(describe.path, getEnv().SITE_URL).href}`,
			];
			return new ResponseWith(`${lines.join('\n')}\n`, {
				'Content-Type': 'text/plain; charset=utf-8',
			});
		},
		{ cache: ['configuration'], cacheMs: DAY },
	),
);

export const config: Config = { path: '/.well-known/security.txt' };
