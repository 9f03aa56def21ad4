import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { pruneSessions } from '#src/features/admin/admin.server.ts';
import { pruneLimits } from '#src/features/limits/limits.server.ts';
import { purgeDeletedPosts } from '#src/features/posts/saving.server.ts';
import { pruneBuilds } from '#src/features/publishing/builds.server.ts';

/** Deletes what has run out: counted attempts that no limit needs, sessions that ended, posts deleted long ago. */
export default async function maintain(): Promise<Response> {
	const now = new Date();
	await pruneLimits(getDb(), now);
	await pruneSessions(getDb(), now);
	await purgeDeletedPosts(getDb(), now);
	await pruneBuilds(getDb(), now);
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '@hourly' };
