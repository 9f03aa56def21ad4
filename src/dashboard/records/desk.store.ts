import { map, type MapStore } from 'nanostores';
import * as z from 'zod/mini';
import type { Edited, Kind } from '#src/core/records/record.ts';
import type { ListedVersion, Revision, Saved } from '#src/core/records/calls.ts';
import type { UnsavedChange, UnsavedCopy } from '#src/core/records/unsaved.ts';
import { keepUnsaved, offerKept, typedHere } from '#src/dashboard/kit/unsaved.store.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';

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
	/** Returns what saving does for readers, as its button says it: “Save” without. */
	deedOf?: (stored: Of, form: Form) => string;
	/** Returns what keeps changed fields from being sent, by field. */
	check?: (form: Form, changed: string[]) => Record<string, string>;
	get: Endpoint<At, Of>;
	update: Endpoint<At, Saved<Of>>;
	listRevisions: Endpoint<At, ListedVersion[]>;
	getRevision: Endpoint<At & { version: number }, Revision<Form>>;
	getUnsaved: Endpoint<At, { copy: UnsavedCopy | null }>;
	keepUnsaved: Endpoint<At & UnsavedChange, { isKept: boolean }>;
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
	/** Slugs of those whose text is kept on the server as it is typed. */
	$kept: MapStore<Record<string, boolean | undefined>>;
	/** Returns whether something is typed that is not saved. */
	isUnsaved: (writing: Writing<Of, Form> | undefined) => boolean;
	/** Shows a record as it is stored. An answer from before a later one changes nothing. */
	showStored: (stored: Of) => void;
	/** Changes what is typed. */
	change: (slug: string, changes: Partial<Writing<Of, Form>>) => void;
};

const $device = storedMap('desk_device', z.string());

/** Returns the name of this browser, which it gives itself. */
function thisDevice(): string {
	const known = $device.get()['id'];
	if (known) return known;
	const id = randomId();
	$device.set({ id });
	return id;
}

/** Milliseconds from the last word to the server. */
const PAUSE_MS = 2000;

export type Desk<Of extends Edited<Form>, Form extends object, At extends object> = Definition<
	Of,
	Form,
	At
> &
	Writings<Of, Form> & {
		/** Offers what was typed on another device. */
		offerKept: (slug: string, copy: UnsavedCopy | null) => void;
		/** Forgets what the server keeps of what was typed at a time, wherever. */
		forgetKept: (slug: string, at: number) => void;
	};

/** Returns a kind of record with those that were opened. Leaving a form, its screen or the page loses nothing. */
export function deskOf<Of extends Edited<Form>, Form extends object, At extends object>(
	definition: Definition<Of, Form, At>,
): Desk<Of, Form, At> {
	const { read, between } = definition.kind;
	const $writings = map<Record<string, Writing<Of, Form> | undefined>>({});
	const isUnsaved = (writing: Writing<Of, Form> | undefined) =>
		writing !== undefined && (writing.settled || between(writing.base, writing.form).length > 0);
	const $kept = map<Record<string, boolean | undefined>>({});
	const nameOf = (slug: string) => `${definition.noun} ${slug}`;
	const timers = new Map<string, ReturnType<typeof setTimeout>>();
	/** Ids of records of which the server keeps what was typed here. */
	const known = new Set<string>();
	$writings.listen((all, _, slug) => {
		if (slug === undefined) return;
		const typed = all[slug];
		const { base, form } = typed && isUnsaved(typed) ? typed : {};
		const copy = base && form && { version: base.version, base: read(base), form };
		keepUnsaved(nameOf(slug), copy ?? null);
		$kept.setKey(slug, false);
		clearTimeout(timers.get(slug));
		if (typed && (copy || known.has(typed.base.id)))
			timers.set(
				slug,
				setTimeout(() => void keep(slug, typed.base.id), PAUSE_MS),
			);
	});

	/** Gives the server what is typed, or lets it forget that where nothing is. */
	async function keep(slug: string, id: string): Promise<void> {
		const typed = typedHere(nameOf(slug));
		const { of: _, ...copy } = typed ?? {};
		// Before it has answered: what is saved meanwhile is to be forgotten there as well.
		if (typed) known.add(id);
		try {
			await call(definition.keepUnsaved, {
				...definition.at(slug),
				copy: typed ? (copy as UnsavedCopy) : null,
				device: thisDevice(),
			});
			if (!typed) known.delete(id);
			$kept.setKey(slug, typed !== undefined && typedHere(nameOf(slug))?.at === typed.at);
		} catch {
			// It is kept on this device, and the next word tries again.
		}
	}
	return {
		...definition,
		$writings,
		$kept,
		isUnsaved,
		offerKept: (slug, copy) => offerKept(nameOf(slug), copy),
		forgetKept(slug, at) {
			// Also where the page is left at once; without an answer it is offered once more.
			const stay: typeof fetch = (url, init) => fetch(url, { ...init, keepalive: true });
			call(definition.keepUnsaved, { ...definition.at(slug), copy: null, at }, stay).catch(
				() => {},
			);
		},
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
