import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { importInput, type ImportResponse, type ImportView } from './bundle.ts';

/** A part of a bundle. The browser reads the file and sends it in parts that fit into one request. */
export const importPart = endpoint<ImportResponse>()({
	method: 'POST',
	path: '/api/admin/import',
	input: importInput,
});

const id = z.string().check(z.maxLength(100));

/** Returns the remaining items of an import, and those that undoing it would keep. */
export const getImport = endpoint<ImportView>()({
	method: 'GET',
	path: '/api/admin/imports/:id',
	input: z.object({ id }),
});

/** Removes what an import made, but for what was changed here since. Returns what it removed and what it kept. */
export const undoImport = endpoint<ImportView>()({
	method: 'DELETE',
	path: '/api/admin/imports/:id',
	input: z.object({ id }),
});

/** A zip archive of everything, as a stream. */
export const exportAll = endpoint<never>()({
	method: 'GET',
	path: '/api/admin/export',
	input: z.object({}),
});
