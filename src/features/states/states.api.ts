import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { State } from './state.ts';

export const listStates = endpoint<State[]>()('GET /api/states', nothing);

export const getState = endpoint<State>()('GET /api/states/:slug', z.object({ slug: z.string() }));
