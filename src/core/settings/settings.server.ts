import { eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { imageOf, recordUndoable, WHOLE, type Change } from '#src/core/undo/undo.server.ts';
import { plural } from '#src/lib/text.ts';
import { DEFAULTS, settingsInput, type Settings, type SettingsChange } from './setting.ts';

const storedSettings = prepared((db) =>
	db.select({ key: settings.key, value: settings.value }).from(settings).prepare(),
);

/** Returns the admin's settings, with defaults for missing and unreadable ones. */
export async function getSettings(db: Db): Promise<Settings> {
	const readable = (await storedSettings(db).all()).filter(
		({ key, value }) =>
			key in DEFAULTS && settingsInput.shape[key as keyof Settings].safeParse(value).success,
	);
	const set = readable.map(({ key, value }) => [key, value]);
	return { ...DEFAULTS, ...(Object.fromEntries(set) as Partial<Settings>) };
}

/** Stores changed settings, each with an entry in the audit log that can be undone. Returns all settings. */
export async function changeSettings(
	db: Db,
	change: SettingsChange,
	actor: string,
	now: Date,
): Promise<Settings> {
	const before = await getSettings(db);
	for (const key of Object.keys(before) as (keyof Settings)[]) {
		const value = change[key];
		const detail = value === undefined ? '' : describeChange(before[key], value);
		if (value === undefined || !detail) continue;
		const event = { actor, action: 'changed a setting', subject: `setting ${key}`, detail };
		const id = { key: sql`${key}` };
		const after = { [WHOLE]: sql`json(${JSON.stringify(value)})` };
		const isStored = sql`from settings where key = ${key}`;
		const images = sql`select ${imageOf(id, { [WHOLE]: sql`json(value)` }, after)} as image ${isStored}
			union all select ${imageOf(id, null, after)} where not exists (select 1 ${isStored})`;
		const changes: Change[] = [{ table: 'settings', images }];
		await db.batch([
			...recordUndoable(db, { token: crypto.randomUUID(), event, changes, builds: false }, now),
			db
				.insert(settings)
				.values({ key, value, updatedAt: now })
				.onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
		]);
	}
	return getSettings(db);
}

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
