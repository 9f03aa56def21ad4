import type { Context } from '@netlify/functions';
import { getDb, type Db } from '#db/client.ts';
import { take, type Limit } from '#src/features/limits/limits.server.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getSecret } from '#src/lib/env.ts';
import { isRobot, type FormSpec } from '#src/lib/form.ts';
import { on } from './http.ts';

type PublicInput = Parameters<typeof isRobot>[0];

/**
 * Binds a form that anybody may send: parse, honeypot, limit per client address, then the work with its own rules.
 * A robot gets `pretend`, which looks like success, and nothing is stored.
 */
export function publicForm<In extends PublicInput, Out>(
	endpoint: Endpoint<In, Out>,
	{
		form,
		limit,
		pretend,
	}: { form: FormSpec; limit: Limit; pretend: (input: In, now: Date) => Out },
	work: (db: Db, input: In, now: Date, context: Context) => Promise<Out>,
) {
	return on(
		endpoint,
		async (input, _request, context) => {
			const db = getDb();
			const now = new Date();
			if (isRobot(input, now)) return pretend(input, now);
			await take(db, limit, getSecret(), subjectOf(context.ip), now);
			return work(db, input, now, context);
		},
		{ form },
	);
}

/**
 * Whom a limit per client address holds: the address, or the /64 network of an IPv6 one, which one person owns. A port,
 * which some proxies hand on too, is another one with each connection and does not count.
 */
export function subjectOf(ip: string): string {
	const bare = ip.replace(/^\[(.*)\](?::\d*)?$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '');
	const address = bare.replace(/^(\d+\.[\d.]+):\d*$/, '$1');
	if (!address.includes(':') || address.includes('.')) return address;
	const [head = '', tail] = address.split('::');
	const groups = head.split(':').filter(Boolean);
	const after = tail === undefined ? [] : tail.split(':').filter(Boolean);
	// A proxy may hand on what is no address.
	const missing = Math.max(0, 8 - groups.length - after.length);
	const zeros = tail === undefined ? [] : Array<string>(missing).fill('0');
	return [...groups, ...zeros, ...after]
		.slice(0, 4)
		.map((group) => parseInt(group, 16).toString(16))
		.join(':');
}
