import { getDb } from '#db/client.ts';
import { deliver, type Courier } from '#src/features/mail/outbox.server.ts';
import { callBuilder } from '#src/features/publishing/builds.server.ts';

/** Carries calls of builds. */
export const buildCourier: Courier = (delivery, now) => callBuilder(getDb(), delivery, now);

/** Calls the builds that are due, and carries nothing else: a function that only writes needs no mail. */
export function callBuilds(): Promise<number> {
	return deliver(getDb(), { couriers: { build: buildCourier } });
}
