import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { importInput, type ImportAnswer } from './transfer.ts';

/** A part of a bundle. The browser reads the file and sends it in parts that fit into one request. */
export const importPart = endpoint<ImportAnswer>()({
	method: 'POST',
	path: '/api/admin/import',
	input: importInput,
});

/** A zip archive of everything, as a stream. */
export const exportAll = endpoint<never>()({
	method: 'GET',
	path: '/api/admin/export',
	input: z.object({}),
});
