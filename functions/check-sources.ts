import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { checkSource } from '#src/features/due/check.server.ts';
import { checkSources } from '#src/features/due/sources.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';

/**
 * Asks each week whether the sources of articles still answer: some of them each hour, within a function's time limit. Off
 * with `CHECK_SOURCES`.
 */
export default async function check(): Promise<Response> {
	const { CHECK_SOURCES, DATABASE_URL, SITE_URL } = getEnv();
	if (CHECK_SOURCES) {
		const end = Date.now() + (DATABASE_URL.startsWith('file:') ? 300 : 8) * SECOND;
		await checkSources(getDb(), new Date(), {
			ask: (address) => checkSource(address, SITE_URL),
			hasTime: () => Date.now() < end,
		});
	}
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '41 * * * *' };
