import { getDb, type Db } from '#db/client.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import type { ListedVersion, Revision, Saved } from '#src/core/records/calls.ts';
import type { UnsavedChange, UnsavedCopy } from '#src/core/records/unsaved.ts';
import type { Endpoint } from '#src/lib/endpoint.ts';
import { ADMIN_BODY_BYTES, on } from './http.ts';
import { actorOf, afterChange } from './writing.ts';

type Calls<At, Input, Form, Of, Row> = {
	list: Endpoint<object, Row[]>;
	get: Endpoint<At, Of>;
	update: Endpoint<Input, Saved<Of>>;
	listRevisions: Endpoint<At, ListedVersion[]>;
	getRevision: Endpoint<At & { version: number }, Revision<Form>>;
	getUnsaved: Endpoint<At, { copy: UnsavedCopy | null }>;
	keepUnsaved: Endpoint<At & UnsavedChange, { isKept: boolean }>;
};
type Store<Changes, Form, Of, Row> = {
	list: (db: Db) => Promise<Row[]>;
	get: (db: Db, slug: string) => Promise<Of | null>;
	update: (db: Db, slug: string, changes: Changes, actor: Actor) => Promise<Saved<Of> | null>;
	listRevisions: (db: Db, slug: string) => Promise<ListedVersion[] | null>;
	getRevision: (db: Db, slug: string, version: number) => Promise<Revision<Form> | null>;
	getUnsaved: (db: Db, slug: string) => Promise<{ copy: UnsavedCopy | null } | null>;
	keepUnsaved: (
		db: Db,
		slug: string,
		change: UnsavedChange,
		now: Date,
	) => Promise<{ isKept: boolean } | null>;
};

/**
 * Returns the routes of a kind of record: its calls, what does them, the parameter that names a record, and the tags of cached
 * answers that show it.
 */
export function recordRoutes<Key extends string, Input extends Record<Key, string>, Form, Of, Row>(
	key: Key,
	calls: Calls<Record<Key, string>, Input, Form, Of, Row>,
	store: Store<Omit<Input, Key>, Form, Of, Row>,
	tags: string[] = [],
) {
	return [
		on(calls.list, () => store.list(getDb())),
		on(calls.get, (at) => store.get(getDb(), at[key])),
		on(
			calls.update,
			async ({ [key]: slug, ...changes }, request, context) =>
				afterChange(tags, context, await store.update(getDb(), slug, changes, actorOf(request))),
			{ maxBody: ADMIN_BODY_BYTES },
		),
		on(calls.listRevisions, (at) => store.listRevisions(getDb(), at[key])),
		on(calls.getRevision, (at) => store.getRevision(getDb(), at[key], at.version)),
		on(calls.getUnsaved, (at) => store.getUnsaved(getDb(), at[key])),
		on(
			calls.keepUnsaved,
			({ [key]: slug, ...change }) =>
				store.keepUnsaved(getDb(), slug, change as UnsavedChange, new Date()),
			{ maxBody: ADMIN_BODY_BYTES },
		),
	];
}
