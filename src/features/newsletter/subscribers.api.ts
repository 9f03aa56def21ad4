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

/** Returns whom it changed. */
export const activateSubscribers = endpoint<{ changed: string[] }>()({
	method: 'PUT',
	path: '/api/admin/subscribers',
	input: activation,
});

/** How many there are, whatever the filter. */
export const countAllSubscribers = endpoint<{
	active: number;
	inactive: number;
	/** By source; a null one is not known. Most first. */
	sources: { source: string | null; count: number }[];
}>()({ method: 'GET', path: '/api/admin/subscribers/counts', input: z.object({}) });

/** A CSV file of all that match, as a stream. */
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
