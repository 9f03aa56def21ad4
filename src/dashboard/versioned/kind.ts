import type { Endpoint } from '#src/lib/endpoint.ts';

/** An earlier version, and when it was saved. */
type Version = { version: number; savedAt: string };

/** A thing as it is stored, with its form as a newer file has it. */
export type Stored<Form> = Form & { version: number; offer: Form | null };

/** A kind of thing that is edited whole, with a version, a history and newer files: states, pages. */
export type Kind<Of extends Stored<Form>, Form extends object, At extends object> = {
	/** Name of one: “state”. */
	noun: string;
	/** Name of all, on the way back to them. */
	all: string;
	/** Names of the fields. */
	labels: Readonly<Record<keyof Form & string, string>>;
	/** Returns what the endpoints take for the thing with this name in the address. */
	at: (key: string) => At;
	keyOf: (stored: Of) => string;
	nameOf: (stored: Of) => string;
	/** Where readers find it, or null. */
	pathOf: (stored: Of) => string | null;
	/** Returns the fields alone. */
	formOf: (stored: Form) => Form;
	/** Returns the fields in which two forms differ. */
	between: (a: Form, b: Form) => (keyof Form & string)[];
	textOf: (form: Form, name: keyof Form & string) => string;
	/** Merges what somebody else stored since both began with `base`. */
	merge: (
		base: Form,
		mine: Form,
		theirs: Form,
	) => { merged: Form; disputed: (keyof Form & string)[] };
	/** Returns what keeps changed fields from being sent, by field. */
	check?: (form: Form, changed: string[]) => Record<string, string>;
	get: Endpoint<At, Of>;
	update: Endpoint<At, Of & { undo: string | null }>;
	listRevisions: Endpoint<At, Version[]>;
	getRevision: Endpoint<At & { version: number }, Version & { form: Form }>;
};

/** A thing on the screen: as it was read, and as it is typed. */
export type Writing<Of extends Stored<Form>, Form> = {
	base: Of;
	form: Form;
	/** Whether the newer file has been dealt with, which the next save stores. */
	settled: boolean;
};
