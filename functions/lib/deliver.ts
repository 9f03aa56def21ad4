import { getDb } from '#db/client.ts';
import type { Courier } from '#src/features/mail/outbox.server.ts';
import { deliver } from '#src/features/mail/outbox.server.ts';
import { callBuilder } from '#src/features/publishing/builds.server.ts';
import { SECOND } from '#src/lib/dates.ts';

/** What carries each kind of delivery. */
const couriers: Record<string, Courier> = {
	build: (delivery, now) => callBuilder(getDb(), delivery, now),
};

/** How long one call goes on with retries: within what a function may run. */
const PATIENCE_MS = 25 * SECOND;

/** Delivers what is due, and what falls due within the time a function has. For `context.waitUntil` and the schedule. */
export function deliverNow(): Promise<number> {
	return deliver(getDb(), { couriers, until: new Date(Date.now() + PATIENCE_MS) });
}
