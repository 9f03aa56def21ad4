import { eq, sql } from 'drizzle-orm';
import { prepared, type Db } from '#db/client.ts';
import { settings } from '#db/schema.ts';
import { audit } from '#src/features/admin/audit.server.ts';
import { plural } from '#src/lib/text.ts';
import { DEFAULTS, settingsInput, type Settings } from './setting.ts';

const stored = prepared((db) =>
	db.select({ key: settings.key, value: settings.value }).from(settings).prepare(),
);

/** What the admin set, and the defaults for the rest and for what cannot be read. */
export async function getSettings(db: Db): Promise<Settings> {
	const readable = (await stored(db).all()).filter(
		({ key, value }) =>
			key in DEFAULTS && settingsInput.shape[key as keyof Settings].safeParse(value).success,
	);
	const set = readable.map(({ key, value }) => [key, value]);
	return { ...DEFAULTS, ...(Object.fromEntries(set) as Partial<Settings>) };
}

/** Stores what differs from before, each change with its trace. Answers all settings. */
export async function changeSettings(
	db: Db,
	input: { [Key in keyof Settings]?: Settings[Key] | undefined },
	actor: string,
	now: Date,
): Promise<Settings> {
	const before = await getSettings(db);
	for (const key of Object.keys(before) as (keyof Settings)[]) {
		const value = input[key];
		if (value === undefined || value === before[key]) continue;
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
					detail: `${briefly(before[key])} to ${briefly(value)}`,
				},
				now,
			),
		]);
	}
	return getSettings(db);
}

/** A setting as the log names it: a text of several lines by their number. */
function briefly(value: string): string {
	const lines = value.split('\n').length;
	return lines > 1 ? plural(lines, 'line') : value;
}

/** A setting inside of a statement, as the JSON text that it is stored as; null where nothing was set. */
export function settingOf(key: keyof Settings) {
	return sql`(select ${settings.value} from ${settings} where ${eq(settings.key, key)})`;
}
