import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { Home } from './home.ts';

/** The first screen of the desk: things that wait, articles written in last, and news. */
export const getHome = endpoint<Home>()('GET /api/admin/home', nothing);

/** Notes that the home was seen. With `endsSteps` the first steps are not shown again. */
export const noteVisit = endpoint<{ last: string }>()(
	'PUT /api/admin/home',
	z.object({ endsSteps: z.optional(z.boolean()) }),
);
