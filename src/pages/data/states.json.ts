import type { APIRoute } from 'astro';
import { getSite } from '#src/features/site/site-data.server.ts';
import { toJson } from '#src/features/states/data.ts';

/** Every figure of the state guides with source and date, by state. */
export const GET: APIRoute = async () => new Response(toJson((await getSite()).states));
