import type { Config } from '@netlify/functions';
import { runEach } from '#src/core/steps.server.ts';
import { deliverFor, queueDue, runTimes } from './lib/deliver.ts';

/**
 * Queues what is scheduled and delivers what is due. Ends in time for the next minute, or for a function's time
 * limit.
 */
export default async function work(): Promise<Response> {
	const end = Date.now() + runTimes().scheduled;
	await runEach([
		['Queueing what is due', () => queueDue(() => Date.now() < end)],
		['Delivering', () => deliverFor(end - Date.now())],
	]);
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '* * * * *' };
