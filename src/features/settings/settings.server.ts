import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { audit } from '#src/features/admin/audit.server.ts';
import { DEFAULTS, settingsInput, type Settings } from './setting.ts';

/** What the admin set, and the defaults for the rest. */
export async function getSettings(db: Db): Promise<Settings> {
	const rows = await db.select({ key: settings.key, value: settings.value }).from(settings);
	const stored = { ...DEFAULTS, ...Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
	const result = settingsInput.safeParse(stored);
	return result.success ? result.data : DEFAULTS;
}

/** Stores what differs from before, each change with its trace. */
export async function changeSettings(
	db: Db,
	input: Settings,
	actor: string,
	now: Date,
): Promise<Settings> {
	const before = await getSettings(db);
	for (const key of Object.keys(input) as (keyof Settings)[]) {
		const value = input[key];
		if (value === before[key]) continue;
		await db.batch([
			db
				.insert(settings)
				.values({ key, value, updatedAt: now })
				.onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: now } }),
			audit(
				db,
				{
					actor,
					action: 'changed a setting',
					subject: `setting ${key}`,
					detail: `${before[key]} to ${value}`,
				},
				now,
			),
		]);
	}
	return input;
}

/** A setting inside of a statement, as the JSON text that it is stored as; null where nothing was set. */
export function settingOf(key: keyof Settings) {
	return sql`(select ${settings.value} from ${settings} where ${eq(settings.key, key)})`;
}
