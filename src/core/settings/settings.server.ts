import { eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { plural } from '#src/lib/text.ts';
import { DEFAULTS, settingsInput, type Settings, type SettingsChange } from './setting.ts';

const storedSettings = prepared((db) =>
	db.select({ key: settings.key, value: settings.value }).from(settings).prepare(),
);

/** What the admin set, and the defaults for the rest and for what cannot be read. */
export async function getSettings(db: Db): Promise<Settings> {
	const readable = (await storedSettings(db).all()).filter(
		({ key, value }) =>
			key in DEFAULTS && settingsInput.shape[key as keyof Settings].safeParse(value).success,
	);
	const set = readable.map(({ key, value }) => [key, value]);
	return { ...DEFAULTS, ...(Object.fromEntries(set) as Partial<Settings>) };
}

/** Stores what differs from before, each change with its trace. Answers all settings. */
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
		await db.batch([
			db
				.insert(settings)
				.values({ key, value, updatedAt: now })
				.onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
			auditStatement(
				db,
				{ actor, action: 'changed a setting', subject: `setting ${key}`, detail },
				now,
			),
		]);
	}
	return getSettings(db);
}

/** Returns what a change does, in words; nothing where it does nothing. */
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

/** Returns a setting as the log names it: a text of several lines by their number. */
function summarize(value: string): string {
	const lines = value.split('\n').length;
	return lines > 1 ? plural(lines, 'line') : value;
}

/** A setting inside of a statement, as the JSON text that it is stored as; null where nothing was set. */
export function settingColumn(key: keyof Settings) {
	return sql`(select ${settings.value} from ${settings} where ${eq(settings.key, key)})`;
}
