import type { Config } from '@netlify/functions';
import { getDb } from '#db/client.ts';
import { requestDueBuild } from '#src/features/publishing/builds.server.ts';
import { deliverNow } from './lib/deliver.ts';

/** Asks for a build where a post has become due, and delivers what waits in the outbox. */
export default async function work(): Promise<Response> {
	await requestDueBuild(getDb(), new Date());
	await deliverNow();
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '* * * * *' };
