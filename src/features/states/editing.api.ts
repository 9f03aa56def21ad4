import * as z from 'zod/mini';
import { recordCalls } from '#src/core/records/calls.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { STATE, type EditedState, type StateForm, type StateRow } from './editing.ts';
import type { CellChange } from './import.ts';

export const { list, get, update, listRevisions, getRevision, getUnsaved, keepUnsaved } =
	recordCalls<StateForm, EditedState, StateRow>()('/api/admin/states', 'slug', STATE.changes);

/** The changes of an import, before it or after. */
export type FigureImport = {
	changes: CellChange[];
	/** Rows that say what is stored. */
	same: number;
	/** Rows of computed figures, which are left out: they follow from the others. */
	computed: number;
	/** Names this preview; to import exactly this, it is sent with the file. */
	preview: string;
	/** The states that were changed, with their versions; none before the import. */
	states: { slug: string; version: number }[];
	undo: string | null;
};

/**
 * Without `preview`, answers what the table would change and changes nothing. With it, imports the table; a `conflict` that
 * carries another preview if something else would change by now.
 */
export const importFigures = endpoint<FigureImport>()(
	'POST /api/admin/states/import',
	z.object({
		csv: z.string().check(z.minLength(1, 'There is nothing in this file.')),
		preview: z.optional(z.string().check(z.maxLength(100))),
	}),
);
