import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { pruneSessions } from '#src/features/admin/admin.server.ts';
import { pruneVisits } from '#src/features/counts/counts.server.ts';
import { pruneLimits } from '#src/features/limits/limits.server.ts';

/** Deletes what has run out: counted attempts that no limit needs, visits that were counted, and sessions that ended. */
export default async function maintain(): Promise<Response> {
	const now = new Date();
	await pruneLimits(getDb(), now);
	await pruneVisits(getDb(), now);
	await pruneSessions(getDb(), now);
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '@hourly' };
