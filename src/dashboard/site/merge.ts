import type { StoredSite } from '#src/core/settings/site-form.ts';
import type { SiteSettings } from '#src/site.ts';

export type SiteKey = keyof SiteSettings;

/** Returns the settings of what is stored, without its version. */
export function settingsOf({ version: _, ...settings }: StoredSite): SiteSettings {
	return settings;
}

/** Returns the fields in which two forms differ. */
export function changedKeys(one: SiteSettings, other: SiteSettings): SiteKey[] {
	return (Object.keys(settingsOf({ version: 0, ...one })) as SiteKey[]).filter(
		(key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]),
	);
}

/**
 * Merges what is typed with what somebody else stored since it was read. Each field has the value of whoever changed it;
 * `clashes` are those that both changed, in which the typed value stays until somebody chooses.
 */
export function mergeSettings(
	base: SiteSettings,
	mine: SiteSettings,
	theirs: SiteSettings,
): { merged: SiteSettings; clashes: SiteKey[] } {
	const own = changedKeys(base, mine);
	const others = changedKeys(base, theirs);
	const taken = Object.fromEntries(own.map((key) => [key, mine[key]]));
	const different = changedKeys(mine, theirs);
	return {
		merged: { ...theirs, ...(taken as Partial<SiteSettings>) },
		clashes: own.filter((key) => others.includes(key) && different.includes(key)),
	};
}
