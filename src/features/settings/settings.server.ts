import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { audit } from '#src/features/admin/audit.server.ts';
import { DEFAULTS, settingsInput, type Settings, type SettingsChange } from './setting.ts';

/** What the admin set, and the defaults for the rest. */
export async function getSettings(db: Db): Promise<Settings> {
	const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
	const stored = { ...DEFAULTS, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
	const result = settingsInput.safeParse(stored);
	return result.success ? result.data : DEFAULTS;
}

/** Stores what differs from before, each change with its trace. Answers all settings. */
export async function changeSettings(
	db: Db,
	change: SettingsChange,
	actor: string,
	now: Date,
): Promise<Settings> {
	const before = await getSettings(db);
	const after: Settings = {
		comments: change.comments ?? before.comments,
		refusedWords: change.refusedWords ?? before.refusedWords,
	};
	for (const key of Object.keys(after) as (keyof Settings)[]) {
		const value = after[key];
		const detail = difference(before[key], value);
		if (!detail) continue;
		await db.batch([
			db
				.insert(settings)
				.values({ key, value, updatedAt: now })
				.onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
			audit(db, { actor, action: 'changed a setting', subject: `setting ${key}`, detail }, now),
		]);
	}
	return after;
}

/** What a change does, in words; nothing where it does nothing. */
function difference(before: string | string[], after: string | string[]): string {
	if (!Array.isArray(before) || !Array.isArray(after)) {
		return String(before) === String(after) ? '' : `${String(before)} to ${String(after)}`;
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

/** A setting inside of a statement, as the JSON text that it is stored as; null where nothing was set. */
export function settingOf(key: keyof Settings) {
	return sql`(select ${settings.value} from ${settings} where ${eq(settings.key, key)})`;
}
