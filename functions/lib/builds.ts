import { getDb } from '#db/client.ts';
import { deliver, type Courier } from '#src/core/outbox/outbox.server.ts';
import { callBuilder } from '#src/core/builds/builds.server.ts';

/** Delivers calls for builds. */
export const buildCourier: Courier = (delivery, now) => callBuilder(getDb(), delivery, now);

/**
 * Delivers due calls for builds and nothing else, because a function that only writes needs no mail. Returns
 * how many.
 */
export function callBuilds(): Promise<number> {
	return deliver(getDb(), { couriers: { build: buildCourier } });
}
