import type { Config } from '@netlify/functions';
import { deliverNow } from './lib/deliver.ts';

/** Delivers what waits in the outbox. */
export default async function work(): Promise<Response> {
	await deliverNow();
	return new Response(null, { status: 204 });
}

export const config: Config = { schedule: '* * * * *' };
