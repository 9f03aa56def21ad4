import { map, type MapStore } from 'nanostores';
import type { Edited, Kind } from '#src/core/records/record.ts';
import type { ListedVersion, Revision, Saved } from '#src/core/records/calls.ts';
import { keepUnsaved } from '#src/dashboard/kit/unsaved.store.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';

/** A kind of record as the desk edits it. */
type Definition<Of extends Edited<Form>, Form extends object, At extends object> = {
	/** Name of one: “state”. */
	noun: string;
	/** Name of all, on the way back to them. */
	all: string;
	kind: Kind<Form>;
	/** Returns what the calls take for the record with this slug. */
	at: (slug: string) => At;
	nameOf: (stored: Of) => string;
	/** Where readers find it, or null. */
	pathOf: (stored: Of) => string | null;
	/** Returns what keeps changed fields from being sent, by field. */
	check?: (form: Form, changed: string[]) => Record<string, string>;
	get: Endpoint<At, Of>;
	update: Endpoint<At, Saved<Of>>;
	listRevisions: Endpoint<At, ListedVersion[]>;
	getRevision: Endpoint<At & { version: number }, Revision<Form>>;
};

/** A record on the screen: as it was read, and as it is typed. */
export type Writing<Of extends Edited<Form>, Form> = {
	base: Of;
	form: Form;
	/** Whether the newer file has been dealt with, which the next save stores. */
	settled: boolean;
};

/** The records of a kind that were opened, by slug. */
export type Writings<Of extends Edited<Form>, Form> = {
	$writings: MapStore<Record<string, Writing<Of, Form> | undefined>>;
	/** Returns whether something is typed that is not saved. */
	isUnsaved: (writing: Writing<Of, Form> | undefined) => boolean;
	/** Shows a record as it is stored. An answer from before a later one changes nothing. */
	showStored: (stored: Of) => void;
	/** Changes what is typed. */
	change: (slug: string, changes: Partial<Writing<Of, Form>>) => void;
};

export type Desk<Of extends Edited<Form>, Form extends object, At extends object> = Definition<
	Of,
	Form,
	At
> &
	Writings<Of, Form>;

/** Returns a kind of record with those that were opened. Leaving a form, its screen or the page loses nothing. */
export function deskOf<Of extends Edited<Form>, Form extends object, At extends object>(
	definition: Definition<Of, Form, At>,
): Desk<Of, Form, At> {
	const { read, between } = definition.kind;
	const $writings = map<Record<string, Writing<Of, Form> | undefined>>({});
	const isUnsaved = (writing: Writing<Of, Form> | undefined) =>
		writing !== undefined && (writing.settled || between(writing.base, writing.form).length > 0);
	$writings.listen((all, _, slug) => {
		const typed = slug === undefined ? undefined : all[slug];
		const { base, form } = typed && isUnsaved(typed) ? typed : {};
		const copy = base && form && { version: base.version, base: read(base), form };
		keepUnsaved(`${definition.noun} ${slug}`, copy ?? null);
	});
	return {
		...definition,
		$writings,
		isUnsaved,
		showStored(stored) {
			if (stored.version < ($writings.get()[stored.slug]?.base.version ?? 0)) return;
			$writings.setKey(stored.slug, { base: stored, form: read(stored), settled: false });
		},
		change(slug, changes) {
			const writing = $writings.get()[slug];
			if (writing) $writings.setKey(slug, { ...writing, ...changes });
		},
	};
}
