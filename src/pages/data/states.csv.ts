import type { APIRoute } from 'astro';
import { CSV_MARK } from '#src/lib/csv.ts';
import { getSite } from '#src/features/site/site-data.server.ts';
import { dataRows, toCsv } from '#src/features/states/data.ts';

/** Every figure of the state guides with source and date, one per line. */
export const GET: APIRoute = async () =>
	new Response(CSV_MARK + toCsv(dataRows((await getSite()).states)));
