import type { StoredSite } from '#src/core/settings/site-form.ts';
import { mergeValues } from '#src/lib/merge.ts';
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
 * Merges what is typed with what somebody else stored since it was read, lists entry by entry. `clashes` are the fields of
 * which both changed the same, in which the typed value stays until somebody chooses.
 */
export function mergeSettings(
	base: SiteSettings,
	mine: SiteSettings,
	theirs: SiteSettings,
): { merged: SiteSettings; clashes: SiteKey[] } {
	const fields = changedKeys(mine, theirs).map((key) => {
		const [from, own, other] = [base[key], mine[key], theirs[key]];
		// A text is one thing: a line of a drawing may belong to another.
		const isText = typeof own === 'string' && from !== own && from !== other;
		const merged = isText ? { value: own, isDisputed: true } : mergeValues(from, own, other);
		return { key, ...merged };
	});
	return {
		merged: { ...mine, ...Object.fromEntries(fields.map(({ key, value }) => [key, value])) },
		clashes: fields.flatMap(({ key, isDisputed }) => (isDisputed ? [key] : [])),
	};
}
