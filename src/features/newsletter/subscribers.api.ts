import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	activation,
	importInput,
	labeling,
	newSubscriber,
	subscribersFilter,
	subscribersQuery,
	type ImportReport,
	type SubscriberRow,
	type SubscriberState,
} from './subscribers.ts';

export const listSubscribers = endpoint<Paged<SubscriberRow>>()(
	'GET /api/admin/subscribers',
	subscribersQuery,
);

/** Activates or deactivates subscribers. Returns the ids of those that changed, and when those that are inactive left. */
export const activateSubscribers = endpoint<{ changed: string[]; leftAt: string }>()(
	'PUT /api/admin/subscribers',
	activation,
);

/** Adds somebody by hand, without an email. Who left or had everything erased is refused. */
export const addSubscriber = endpoint<{ id: string }>()(
	'POST /api/admin/subscribers',
	newSubscriber,
);

/** Adds a label to people, or removes it. Returns the ids of those that changed, 200 at most, and how many they are. */
export const labelSubscribers = endpoint<{ changed: string[]; count: number }>()(
	'PUT /api/admin/subscribers/labels',
	labeling,
);

/** Counts all subscribers, regardless of the filter. */
export const countAllSubscribers = endpoint<{
	states: Record<SubscriberState, number>;
	/** Labels by name, with the number of their people. */
	labels: { label: string; count: number }[];
	/** Asked by email, and not confirmed yet. They are not among the others. */
	unconfirmed: number;
	/** By source, most first; null is an unknown one. */
	sources: { source: string | null; count: number }[];
}>()('GET /api/admin/subscribers/counts', nothing);

/** Exports all matching subscribers as a CSV stream. */
export const exportSubscribers = endpoint<never>()(
	'GET /api/admin/subscribers/export',
	subscribersFilter,
);

export const importSubscribers = endpoint<ImportReport>()(
	'POST /api/admin/subscribers/import',
	importInput,
);
