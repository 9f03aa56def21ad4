import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	activation,
	importInput,
	subscribersFilter,
	subscribersQuery,
	type ImportReport,
	type SubscriberRow,
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

/** Counts all subscribers, regardless of the filter. */
export const countAllSubscribers = endpoint<{
	active: number;
	inactive: number;
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
