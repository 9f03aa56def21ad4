import { type Field, type Kind, kindOf } from '#src/core/records/record.ts';
import { SITE_LABELS, type StoredSite } from '#src/core/settings/site-form.ts';
import { mergeValues } from '#src/lib/merge.ts';
import type { SiteSettings } from '#src/site.ts';
import * as z from 'zod/mini';

export type SiteKey = keyof SiteSettings;

/** Returns the settings of what is stored, without its version. */
export function settingsOf({ version: _, ...settings }: StoredSite): SiteSettings {
	return settings;
}

const fieldOf = (label: string): Field => ({
	label,
	rule: z.unknown(),
	read: (stored) => stored,
	textOf: String,
	// A text is one thing: a line of a drawing may belong to another.
	merge: (base, mine, theirs) =>
		typeof mine === 'string' && base !== mine && base !== theirs
			? { value: mine, isDisputed: true }
			: mergeValues(base, mine, theirs),
});

/** The site's settings as a record, whose lists are merged entry by entry. */
export const SITE = kindOf(
	Object.fromEntries(Object.entries(SITE_LABELS).map(([key, label]) => [key, fieldOf(label)])),
) as unknown as Kind<SiteSettings>;
