import { map } from 'nanostores';
import {
	fieldsBetween,
	formOf,
	type EditedState,
	type StateForm,
} from '#src/features/states/editing.ts';

/** A state on the screen: as it was read, and as it is typed. */
export type Writing = {
	base: EditedState;
	form: StateForm;
	/** Whether the newer file has been dealt with, which the next save stores. */
	settled: boolean;
};

/** The states that were opened, by slug. Leaving the form or its screen loses nothing. */
export const $writings = map<Record<string, Writing | undefined>>({});

/** Returns whether something is typed that is not saved. */
export function isUnsaved(writing: Writing | undefined): boolean {
	return (
		writing !== undefined &&
		(writing.settled || fieldsBetween(writing.base, writing.form).length > 0)
	);
}

/** Shows a state as it is stored. */
export function showStored(stored: EditedState): void {
	$writings.setKey(stored.slug, { base: stored, form: formOf(stored), settled: false });
}

/** Changes what is typed. */
export function change(slug: string, changes: Partial<Writing>): void {
	const writing = $writings.get()[slug];
	if (writing) $writings.setKey(slug, { ...writing, ...changes });
}
