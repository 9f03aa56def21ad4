import type { APIRoute } from 'astro';
import { CSV_MARK } from '#src/lib/csv.ts';
import { buildDb } from '#src/features/site/site-data.server.ts';
import { dataRows, toCsv } from '#src/features/states/data.ts';
import { listStates } from '#src/features/states/states.server.ts';

/** Every figure of the state guides with source and date, one per line. */
export const GET: APIRoute = async () =>
	new Response(CSV_MARK + toCsv(dataRows(await listStates(await buildDb()))));
