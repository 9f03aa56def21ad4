import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { Settings, SettingsChange, StoredSettings } from '#src/core/settings/setting.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { parse } from '#src/lib/endpoint.ts';
import { AppError } from '#src/lib/errors.ts';
import { mergeValues } from '#src/lib/merge.ts';

export type SettingKey = keyof Settings;

/** Settings to which two people gave different values at the same time. */
export type Dispute = {
	theirs: StoredSettings;
	mine: SettingsChange;
	keys: SettingKey[];
};

/**
 * Saves changes that were made from `base`. What somebody else stored meanwhile stays: lists are merged, and where both
 * changed anything else, `choose` returns which settings become theirs. Returns all settings.
 */
export async function saveSettings(
	base: StoredSettings,
	changes: SettingsChange,
	choose: (dispute: Dispute) => Promise<readonly SettingKey[]>,
): Promise<StoredSettings> {
	try {
		return await callAsAdmin(changeSettings, { ...changes, version: base.version });
	} catch (problem) {
		const theirs = problem instanceof AppError ? problem.stored : undefined;
		if (!theirs) throw problem;
		const there = theirs as StoredSettings;
		const { merged, disputed } = mergeSettings(base, parse(changeSettings.input, changes), there);
		const taken =
			disputed.length > 0 ? await choose({ theirs: there, mine: merged, keys: disputed }) : [];
		const kept = Object.entries(merged).filter(([key]) => !taken.includes(key as SettingKey));
		if (kept.length === 0) return there;
		return saveSettings(there, Object.fromEntries(kept), choose);
	}
}

/** Merges changes with what somebody else stored since `base`. Those of `disputed` are mine. */
export function mergeSettings(
	base: Settings,
	mine: SettingsChange,
	theirs: Settings,
): { merged: SettingsChange; disputed: SettingKey[] } {
	const merged: Record<string, unknown> = {};
	const disputed: SettingKey[] = [];
	for (const key of Object.keys(mine) as SettingKey[]) {
		const [own, before, there] = [mine[key], base[key], theirs[key]];
		if (own === undefined) continue;
		if (Array.isArray(own)) {
			merged[key] = mergeLists(before as string[], own, there as string[]);
			continue;
		}
		const { value, isDisputed } = mergeValues(before, own, there);
		merged[key] = value;
		if (isDisputed) disputed.push(key);
	}
	return { merged, disputed };
}

/** Returns a list with what either side added, without what either side removed. */
function mergeLists(base: string[], mine: readonly string[], theirs: string[]): string[] {
	return [
		...theirs.filter((one) => mine.includes(one) || !base.includes(one)),
		...mine.filter((one) => !base.includes(one) && !theirs.includes(one)),
	];
}
