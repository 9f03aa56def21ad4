/** Records: things that are edited whole, with fields that are compared, merged and shown one by one. */
import * as z from 'zod/mini';
import { mergeValues, type Merged } from '#src/lib/merge.ts';

/** A field of a record. `Given` is what a form may send for it. */
export type Field<Value = unknown, Given = Value> = {
	/** Its name on the screen. */
	label: string;
	rule: z.ZodMiniType<Given>;
	/** Returns the value of what is stored, whatever that is. */
	read(stored: unknown): Value;
	/** Returns the value in words, a line or a paragraph for each entry. */
	textOf(value: Value): string;
	/** Whether values are the same that read the same. */
	isComparedAsText?: boolean;
	merge?(base: Value, mine: Value, theirs: Value): Merged<Value>;
};

type Fields = Record<string, Field>;
type ValuesOf<Of extends Fields> = {
	[Name in keyof Of]: Of[Name] extends { read(stored: unknown): infer Value } ? Value : never;
};
type RulesOf<Of extends Fields> = { [Name in keyof Of]: Of[Name]['rule'] };

export const textField = (
	label: string,
	rule: Field<string>['rule'] = z.string(),
): Field<string> => ({
	label,
	rule,
	read: (stored) => (typeof stored === 'string' ? stored : ''),
	textOf: (text) => text,
});

/** Returns a field that is on or off. */
export const flagField = (label: string): Field<boolean> => ({
	label,
	rule: z.boolean(),
	read: Boolean,
	textOf: (isOn) => (isOn ? 'Yes' : 'No'),
});

/** Returns a field of entries. */
export const listField = <Entry, Given = Entry>(
	label: string,
	textOf: (entries: Entry[]) => string,
	rule: Field<unknown, Given[]>['rule'] = z.array(z.custom<Given>()),
): Field<Entry[], Given[]> => ({
	label,
	rule,
	read: (stored) => (Array.isArray(stored) ? (stored as Entry[]) : []),
	textOf,
});

/** A record as the admin edits it. */
export type Edited<Form> = Form & {
	id: string;
	/** Its name in the address. */
	slug: string;
	/** The record as a newer file has it, if that differs. */
	offer: Form | null;
	version: number;
	updatedAt: string;
};

/** A record in the list. */
export type Listed = {
	slug: string;
	/** Whether a newer file says something else. */
	offered: boolean;
	version: number;
	updatedAt: string;
};

/** Changes of a record, and the version that they were made from; `settled`: the newer file was looked at. */
export type Update<Changes> = { [Name in keyof Changes]?: Changes[Name] | undefined } & {
	version?: number | undefined;
	settled?: boolean | undefined;
};

/** The fields of a kind of record, together. */
export type Kind<Form extends object> = {
	names: (keyof Form & string)[];
	labels: Readonly<Record<keyof Form & string, string>>;
	/** Returns the fields of a row, whatever is stored. */
	read: (row: Partial<Record<keyof Form, unknown>>) => Form;
	/** Returns the fields in which two forms differ. */
	between: (a: Form, b: Form) => (keyof Form & string)[];
	textOf: (form: Form, name: keyof Form & string) => string;
	/** Merges what somebody else changed since both began with `base`: where both changed the same place it is mine, and told. */
	merge: (
		base: Form,
		mine: Form,
		theirs: Form,
	) => { merged: Form; disputed: (keyof Form & string)[] };
};

/** The fields of a record of this kind. */
export type FormOf<Of extends { read: (row: never) => object }> = ReturnType<Of['read']>;

/** Returns what fields say together. */
export function kindOf<Of extends Fields>(fields: Of): Kind<ValuesOf<Of>> {
	type Form = ValuesOf<Of>;
	type Name = keyof Form & string;
	const names = Object.keys(fields) as Name[];
	const field = (name: Name) => fields[name] as Field;
	const map = <Value>(valueOf: (name: Name) => Value) =>
		Object.fromEntries(names.map((name) => [name, valueOf(name)]));
	const sameness = (form: Form, name: Name) =>
		field(name).isComparedAsText ? field(name).textOf(form[name]) : JSON.stringify(form[name]);
	const between = (a: Form, b: Form) =>
		names.filter((name) => sameness(a, name) !== sameness(b, name));
	return {
		names,
		labels: map((name) => field(name).label) as Record<Name, string>,
		read: (row) => map((name) => field(name).read(row[name])) as Form,
		between,
		textOf: (form, name) => field(name).textOf(form[name]),
		merge(base, mine, theirs) {
			const merged = between(mine, theirs).map((name) => {
				const sides = [base[name], mine[name], theirs[name]] as const;
				return { name, ...(field(name).merge?.(...sides) ?? mergeValues(...sides)) };
			});
			return {
				merged: { ...mine, ...Object.fromEntries(merged.map(({ name, value }) => [name, value])) },
				disputed: merged.flatMap(({ name, isDisputed }) => (isDisputed ? [name] : [])),
			};
		},
	};
}

/** Returns a kind of record with the schema of changes to it: missing fields keep their values. */
export function recordOf<Of extends Fields>(fields: Of) {
	const rules = Object.fromEntries(
		Object.entries(fields).map(([name, { rule }]) => [name, rule]),
	) as RulesOf<Of>;
	return { ...kindOf(fields), rules, changes: z.partial(z.object(rules)) };
}
