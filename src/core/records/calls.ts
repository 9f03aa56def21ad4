/** The calls of a kind of record: its list, one of them, saving it, and its earlier versions. */
import * as z from 'zod/mini';
import { endpoint, type Schema } from '#src/lib/endpoint.ts';
import { nothing } from '#src/lib/inputs.ts';
import type { WordChange } from '#src/lib/word-change.ts';
import type { Edited } from './record.ts';
import { unsavedChange, type UnsavedChange, type UnsavedCopy } from './unsaved.ts';

const name = z.string().check(z.maxLength(100));

/** The stored record, and the token that takes the save back, or null where nothing changed. */
export type Saved<Of> = Of & { undo: string | null };

/** An earlier version, and when it was saved. */
type Version = { version: number; savedAt: string };
/** A version in the list: labels of the fields that it changed, and how its words differ from those of the one before it. */
export type ListedVersion = Version & WordChange & { changed: string[] };
export type Revision<Form> = Version & { form: Form };

const versioned = {
	version: z.optional(z.coerce.number()),
	settled: z.optional(z.boolean()),
};
type Versioned = { version?: number | undefined; settled?: boolean | undefined };

/** Returns the calls below `path`, whose parameter `key` is the name of a record in its address. */
export function recordCalls<Form extends object, Of extends Edited<Form>, Row>() {
	return <Key extends string, Changes extends z.ZodMiniObject>(
		path: string,
		key: Key,
		changes: Changes,
	) => {
		type At = Record<Key, string>;
		const at = z.object({ [key]: name });
		const single = `${path}/:${key}`;
		return {
			list: endpoint<Row[]>()(`GET ${path}`, nothing),
			get: endpoint<Of>()(`GET ${single}`, at as Schema<At>),
			/**
			 * Missing fields keep their values. An outdated `version` is a `conflict` that carries the stored record; without
			 * one the save wins. `settled` says that the newer file was looked at: it is offered no longer.
			 */
			update: endpoint<Saved<Of>>()(
				`PUT ${single}`,
				z.extend(changes, { ...at.shape, ...versioned }) as Schema<
					At & z.infer<Changes> & Versioned
				>,
			),
			/** Earlier versions, newest first. */
			listRevisions: endpoint<ListedVersion[]>()(`GET ${single}/revisions`, at as Schema<At>),
			getRevision: endpoint<Revision<Form>>()(
				`GET ${single}/revisions/:version`,
				z.extend(at, { version: z.coerce.number() }) as Schema<At & { version: number }>,
			),
			/** The newest text that was typed on any device and never saved, or null. */
			getUnsaved: endpoint<{ copy: UnsavedCopy | null }>()(
				`GET ${single}/unsaved`,
				at as Schema<At>,
			),
			/** Keeps what is typed until it is saved; null forgets it. No page changes by it. */
			keepUnsaved: endpoint<{ isKept: boolean }>()(
				`PUT ${single}/unsaved`,
				z.extend(at, unsavedChange.shape) as Schema<At & UnsavedChange>,
			),
		};
	};
}
