import type { Config } from '@netlify/functions';
import { getEnv } from '#src/lib/env.ts';
import { runEach } from '#src/core/steps.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { deliverFor, queueDue } from './lib/deliver.ts';

/**
 * Queues what is scheduled and delivers what is due. Ends in time for the next minute, or for a function's time
 * limit.
 */
export default async function work(): Promise<Response> {
	const isOneMachine = getEnv().DATABASE_URL.startsWith('file:');
	const end = Date.now() + (isOneMachine ? 55 : 15) * SECOND;
	await runEach([
		['Queueing what is due', () => queueDue(() => Date.now() < end)],
		['Delivering', () => deliverFor(end - Date.now())],
	]);
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '* * * * *' };
