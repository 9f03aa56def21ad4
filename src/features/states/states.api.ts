import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import type { State } from './state.ts';

export const listStates = endpoint<State[]>()({
	method: 'GET',
	path: '/api/states',
	input: z.object({}),
});

export const getState = endpoint<State>()({
	method: 'GET',
	path: '/api/states/:slug',
	input: z.object({ slug: z.string() }),
});
