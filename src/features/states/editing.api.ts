import * as z from 'zod/mini';
import { recordCalls } from '#src/core/records/calls.ts';
import { endpoint } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import { STATE, type EditedState, type StateForm, type StateRow } from './editing.ts';
import type { CellChange } from './import.ts';

export const { list, get, update, listRevisions, getRevision, getUnsaved, keepUnsaved } =
	recordCalls<StateForm, EditedState, StateRow>()('/api/admin/states', 'slug', STATE.changes);

/** A guide that comes with the program and is not on the site. */
export type ShippedState = Pick<
	StateRow,
	'slug' | 'name' | 'abbreviation' | 'aiJobs' | 'averageSalary' | 'years'
> & { description: string };

export const listShipped = endpoint<ShippedState[]>()('GET /api/admin/states/shipped', nothing);

export type AddedStates = { names: string[]; undo: string };

/** Adds guides that come with the program: their figures, sources and texts. */
export const addStates = endpoint<AddedStates>()(
	'POST /api/admin/states',
	z.object({
		slugs: z
			.array(z.string().check(z.maxLength(100)))
			.check(z.minLength(1, 'Choose a state.'), z.maxLength(100)),
	}),
);

export const deleteState = endpoint<{ slug: string; undo: string }>()(
	'DELETE /api/admin/states/:slug',
	z.object({ slug: z.string().check(z.maxLength(100)) }),
);

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
