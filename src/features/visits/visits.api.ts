import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { figuresQuery, visitInput, type Figures } from './visits.ts';

/** Counts a page, how far it was read, or a search. The response reveals nothing. */
export const countVisit = endpoint<Record<string, never>>()({
	method: 'POST',
	path: '/api/visits',
	input: visitInput,
});

/** One figure of the visits between two days. */
export const getFigures = endpoint<Figures>()({
	method: 'GET',
	path: '/api/admin/visits',
	input: figuresQuery,
});

/** The page that shows everybody the figures which the owner chose. Not found without any. */
export const openPage = endpoint<string>()({
	method: 'GET',
	path: '/open',
	input: z.object({}),
});
