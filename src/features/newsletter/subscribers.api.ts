import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import {
	activation,
	importInput,
	subscribersFilter,
	subscribersQuery,
	type ImportReport,
	type SubscriberRow,
} from './subscribers.ts';

export const listSubscribers = endpoint<Paged<SubscriberRow>>()({
	method: 'GET',
	path: '/api/admin/subscribers',
	input: subscribersQuery,
});

/** Activates or deactivates subscribers. Returns the ids of those that changed, and when those that are inactive left. */
export const activateSubscribers = endpoint<{ changed: string[]; leftAt: string }>()({
	method: 'PUT',
	path: '/api/admin/subscribers',
	input: activation,
});

/** Counts all subscribers, regardless of the filter. */
export const countAllSubscribers = endpoint<{
	active: number;
	inactive: number;
	/** Asked by email, and not confirmed yet. They are not among the others. */
	unconfirmed: number;
	/** By source, most first; null is an unknown one. */
	sources: { source: string | null; count: number }[];
}>()({ method: 'GET', path: '/api/admin/subscribers/counts', input: z.object({}) });

/** Exports all matching subscribers as a CSV stream. */
export const exportSubscribers = endpoint<never>()({
	method: 'GET',
	path: '/api/admin/subscribers/export',
	input: subscribersFilter,
});

export const importSubscribers = endpoint<ImportReport>()({
	method: 'POST',
	path: '/api/admin/subscribers/import',
	input: importInput,
});
