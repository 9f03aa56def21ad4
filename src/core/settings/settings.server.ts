import { eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import {
	type Change,
	changeOfRows,
	imageOf,
	recordUndoable,
	WHOLE,
} from '#src/core/undo/undo.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { AppError } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import {
	DEFAULTS,
	settingsInput,
	type Settings,
	type SettingsChange,
	type StoredSettings,
} from './setting.ts';

const storedSettings = prepared((db) =>
	db.select({ key: settings.key, value: settings.value }).from(settings).prepare(),
);

/** Settings that public pages say. */
export const SHOWN: ReadonlySet<keyof Settings> = new Set(['letterCadence', 'letterDay'] as const);

/** The row that counts the saves of all others here. */
const KEY = 'settings';

/** Returns the admin's settings, with defaults for missing and unreadable ones. */
export async function getSettings(db: Db): Promise<StoredSettings> {
	const rows = await storedSettings(db).all();
	const readable = rows.filter(
		({ key, value }) =>
			key in DEFAULTS && settingsInput.shape[key as keyof Settings].safeParse(value).success,
	);
	const set = readable.map(({ key, value }) => [key, value]);
	const counted = rows.find(({ key }) => key === KEY)?.value as { version?: number } | undefined;
	return {
		version: counted?.version ?? 1,
		...DEFAULTS,
		...(Object.fromEntries(set) as Partial<Settings>),
	};
}

type VersionedChange = SettingsChange & { version?: number | undefined };

/**
 * Stores changed settings, each with an entry in the audit log that can be undone. Returns all settings. An outdated
 * `version` is a `conflict` that carries them; a change that is made of what is stored has none.
 */
export function changeSettings(
	db: Db,
	changes: VersionedChange | ((stored: StoredSettings) => SettingsChange),
	actor: string,
	now: Date,
): Promise<StoredSettings> {
	return retryWhenOvertaken(async () => {
		const stored = await getSettings(db);
		const { version, ...change }: VersionedChange =
			typeof changes === 'function' ? changes(stored) : changes;
		if (version !== undefined && version !== stored.version) {
			throw new AppError('conflict', 'The settings were changed elsewhere since you opened them.', {
				stored,
			});
		}
		const changed = (Object.keys(DEFAULTS) as (keyof Settings)[]).flatMap((key) => {
			const value = change[key];
			const detail = value === undefined ? '' : describeChange(stored[key], value);
			return value !== undefined && detail ? [{ key, value, detail }] : [];
		});
		if (changed.length === 0) return stored;
		const counted = { version: stored.version + 1 };
		// Pages say when the letter comes.
		const shown = changed.filter(({ key }) => SHOWN.has(key));
		await db.batch([
			abortUnless(
				db,
				sql`coalesce((select value ->> '$.version' from settings where key = ${KEY}), 1) = ${stored.version}`,
			),
			...changed.flatMap(({ key, value, detail }) => {
				const event = {
					actor,
					action: 'changed a setting' as const,
					subject: `setting ${key}`,
					detail,
				};
				const changes = [imagesOf(key, value), COUNT];
				return [
					...recordUndoable(
						db,
						{ token: crypto.randomUUID(), event, changes, builds: SHOWN.has(key) },
						now,
					),
					db
						.insert(settings)
						.values({ key, value, updatedAt: now })
						.onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
				];
			}),
			db
				.insert(settings)
				.values({ key: KEY, value: counted, updatedAt: now })
				.onConflictDoUpdate({ target: settings.key, set: { value: counted, updatedAt: now } }),
			...(shown.length > 0
				? requestBuild(db, 'Changed the letter’s schedule', now, ['/newsletter'])
				: []),
		]);
		return getSettings(db);
	});
}

/** A change of one setting: from its row, or from none. */
function imagesOf(key: keyof Settings, value: Settings[keyof Settings]): Change {
	const id = { key: sql`${key}` };
	const after = { [WHOLE]: sql`json(${JSON.stringify(value)})` };
	const isStored = sql`from settings where key = ${key}`;
	return {
		table: 'settings',
		images: sql`select ${imageOf(id, { [WHOLE]: sql`json(value)` }, after)} as image ${isStored}
			union all select ${imageOf(id, null, after)} where not exists (select 1 ${isStored})`,
	};
}

/** Taking a change back is a save as well. */
const COUNT = changeOfRows('settings', { key: sql`${KEY}` }, {}, {});

/** Describes a change in words; empty if nothing changed. */
function describeChange(before: string | string[], after: string | string[]): string {
	if (!Array.isArray(before) || !Array.isArray(after)) {
		return String(before) === String(after)
			? ''
			: `${summarize(String(before))} to ${summarize(String(after))}`;
	}
	const added = after.filter((word) => !before.includes(word));
	const removed = before.filter((word) => !after.includes(word));
	return [
		added.length && `added ${added.join(', ')}`,
		removed.length && `removed ${removed.join(', ')}`,
	]
		.filter(Boolean)
		.join('; ')
		.slice(0, 500);
}

/** Shortens a setting for the log: a text of several lines becomes their number. */
function summarize(value: string): string {
	const lines = value.split('\n').length;
	return lines > 1 ? plural(lines, 'line') : value;
}

/** Returns a setting as an SQL expression: its JSON text, or null if it was never set. */
export function settingColumn(key: keyof Settings) {
	return sql`(select ${settings.value} from ${settings} where ${eq(settings.key, key)})`;
}
