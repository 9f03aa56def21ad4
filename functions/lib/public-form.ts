import type { Context } from '@netlify/functions';
import { getDb, type Db } from '#db/client.ts';
import { consumeAttempt, type Limit } from '#src/core/limits/limits.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { getSecret } from '#src/lib/env.ts';
import { AppError } from '#src/lib/errors.ts';
import { remainingWaitMs, type FormSpec } from '#src/lib/form.ts';
import type { ResponseWith } from './response.ts';
import { on } from './http.ts';

type PublicInput = Parameters<typeof remainingWaitMs>[0] & { website?: string | undefined };

/**
 * Binds a form that anyone may submit: parse, honeypot, minimum time, limit per client address, then the work
 * with its own rules. A submission that fills in the honeypot gets `pretend`, which looks like success, and
 * nothing is stored. Nobody else is told of a success that did not happen: a submission that comes too soon is
 * refused, and a plain form is shown again without its clock.
 */
export function publicForm<In extends PublicInput, Out>(
	endpoint: Endpoint<In, Out>,
	{
		form,
		limit,
		pretend,
	}: { form: FormSpec; limit: Limit; pretend: (input: In, now: Date) => Out },
	work: (
		db: Db,
		input: In,
		now: Date,
		context: Context,
		request: Request,
	) => Promise<Out | ResponseWith<Out>>,
) {
	return on(
		endpoint,
		async (input, request, context) => {
			const db = getDb();
			const now = new Date();
			if (input.website) return pretend(input, now);
			const wait = remainingWaitMs(input, now);
			if (wait > 0) {
				throw new AppError('rate_limited', TOO_FAST, { retryAfter: Math.ceil(wait / SECOND) });
			}
			await consumePerAddress(db, limit, context, now);
			return work(db, input, now, context, request);
		},
		{ form },
	);
}

/** Counts a request of this client. Throws above the limit. */
export function consumePerAddress(db: Db, limit: Limit, { ip }: Context, now: Date): Promise<void> {
	return consumeAttempt(db, limit, getSecret(), limitSubjectOf(ip), now);
}

const TOO_FAST = 'That was very quick, and nothing has been sent yet. Please send it once more.';

/**
 * Returns the subject of a limit per client address: the address, or the /64 network of an IPv6 address, which
 * one person owns. A port, which some proxies pass on, changes with each connection and is dropped.
 */
export function limitSubjectOf(ip: string): string {
	const bare = ip.replace(/^\[(.*)\](?::\d*)?$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '');
	const address = bare.replace(/^(\d+\.[\d.]+):\d*$/, '$1');
	if (!address.includes(':') || address.includes('.')) return address;
	const [head = '', tail] = address.split('::');
	const groups = head.split(':').filter(Boolean);
	const after = tail === undefined ? [] : tail.split(':').filter(Boolean);
	// A proxy may pass on something that is not an address.
	const missing = Math.max(0, 8 - groups.length - after.length);
	const zeros = tail === undefined ? [] : Array<string>(missing).fill('0');
	return [...groups, ...zeros, ...after]
		.slice(0, 4)
		.map((group) => parseInt(group, 16).toString(16))
		.join(':');
}
