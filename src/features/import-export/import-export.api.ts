import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { importInput, type ImportResponse, type ImportView } from './bundle.ts';

/** A part of a bundle. The browser reads the file and sends it in parts that fit into one request. */
export const importPart = endpoint<ImportResponse>()('POST /api/admin/import', importInput);

const id = z.string().check(z.maxLength(100));

/** Returns the remaining items of an import, and those that undoing it would keep. */
export const getImport = endpoint<ImportView>()('GET /api/admin/imports/:id', z.object({ id }));

/** Removes what an import made, but for what was changed here since. Returns what it removed and what it kept. */
export const undoImport = endpoint<ImportView>()('DELETE /api/admin/imports/:id', z.object({ id }));

/** A zip archive of everything, as a stream. */
export const exportAll = endpoint<never>()('GET /api/admin/export', nothing);
