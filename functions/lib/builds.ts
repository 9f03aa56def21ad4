import { getDb } from '#db/client.ts';
import { deliver, type Courier } from '#src/core/outbox/outbox.server.ts';
import { callBuilder } from '#src/core/builds/builds.server.ts';

/** Carries calls of builds. */
export const buildCourier: Courier = (delivery, now) => callBuilder(getDb(), delivery, now);

/** Calls the builds that are due, and carries nothing else: a function that only writes needs no mail. */
export function callBuilds(): Promise<number> {
	return deliver(getDb(), { couriers: { build: buildCourier } });
}
