import { map, type MapStore } from 'nanostores';
import type { Kind, Stored, Writing } from './kind.ts';

export type Writings<Of extends Stored<Form>, Form> = {
	$writings: MapStore<Record<string, Writing<Of, Form> | undefined>>;
	/** Returns whether something is typed that is not saved. */
	isUnsaved: (writing: Writing<Of, Form> | undefined) => boolean;
	/** Shows a thing as it is stored. */
	showStored: (stored: Of) => void;
	/** Changes what is typed. */
	change: (key: string, changes: Partial<Writing<Of, Form>>) => void;
};

/** Returns the things of a kind that were opened, by key. Leaving a form or its screen loses nothing. */
export function writingsOf<Of extends Stored<Form>, Form extends object, At extends object>({
	keyOf,
	formOf,
	between,
}: Kind<Of, Form, At>): Writings<Of, Form> {
	const $writings = map<Record<string, Writing<Of, Form> | undefined>>({});
	return {
		$writings,
		isUnsaved: (writing) =>
			writing !== undefined && (writing.settled || between(writing.base, writing.form).length > 0),
		showStored: (stored) =>
			$writings.setKey(keyOf(stored), { base: stored, form: formOf(stored), settled: false }),
		change(key, changes) {
			const writing = $writings.get()[key];
			if (writing) $writings.setKey(key, { ...writing, ...changes });
		},
	};
}
