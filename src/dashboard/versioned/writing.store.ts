import { map, type MapStore } from 'nanostores';
import type { Kind, Stored, Writing } from './kind.ts';

export type Writings<Of extends Stored<Form>, Form> = {
	$writings: MapStore<Record<string, Writing<Of, Form> | undefined>>;
	/** Returns whether something is typed that is not saved. */
	isUnsaved: (writing: Writing<Of, Form> | undefined) => boolean;
	/** Shows a thing as it is stored. An answer from before a later one changes nothing. */
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
		showStored(stored) {
			const key = keyOf(stored);
			if (stored.version < ($writings.get()[key]?.base.version ?? 0)) return;
			$writings.setKey(key, { base: stored, form: formOf(stored), settled: false });
		},
		change(key, changes) {
			const writing = $writings.get()[key];
			if (writing) $writings.setKey(key, { ...writing, ...changes });
		},
	};
}
