import * as z from 'zod/mini';
import { endpoint } from '#src/lib/endpoint.ts';
import { stateChanges, type EditedState, type StateForm, type StateRow } from './editing.ts';
import type { CellChange } from './import.ts';

const slug = z.string().check(z.maxLength(100));

export const listEditedStates = endpoint<StateRow[]>()({
	method: 'GET',
	path: '/api/admin/states',
	input: z.object({}),
});

export const getEditedState = endpoint<EditedState>()({
	method: 'GET',
	path: '/api/admin/states/:slug',
	input: z.object({ slug }),
});

/** The stored state, and the token that takes the save back, or null where nothing changed. */
export type SavedState = EditedState & { undo: string | null };

/**
 * Missing fields keep their values. An outdated `version` is a `conflict` that carries the stored state; without a version
 * the save wins. `settled` says that the newer file was looked at: it is offered no longer.
 */
export const updateState = endpoint<SavedState>()({
	method: 'PUT',
	path: '/api/admin/states/:slug',
	input: z.extend(stateChanges, {
		slug,
		version: z.optional(z.coerce.number()),
		settled: z.optional(z.boolean()),
	}),
});

/** An earlier version of a state, and when it was saved. */
export type StateRevision = { version: number; savedAt: string; form: StateForm };

/** Earlier versions, newest first. */
export const listStateRevisions = endpoint<Omit<StateRevision, 'form'>[]>()({
	method: 'GET',
	path: '/api/admin/states/:slug/revisions',
	input: z.object({ slug }),
});

export const getStateRevision = endpoint<StateRevision>()({
	method: 'GET',
	path: '/api/admin/states/:slug/revisions/:version',
	input: z.object({ slug, version: z.coerce.number() }),
});

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
export const importFigures = endpoint<FigureImport>()({
	method: 'POST',
	path: '/api/admin/states/import',
	input: z.object({
		csv: z.string().check(z.minLength(1, 'There is nothing in this file.')),
		preview: z.optional(z.string().check(z.maxLength(100))),
	}),
});
