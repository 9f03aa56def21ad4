import * as z from 'zod/mini';
import {
	unsavedCopy,
	UNSAVED_DAYS,
	type UnsavedCopy as SharedCopy,
} from '#src/core/records/unsaved.ts';
import { DAY } from '#src/lib/dates.ts';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';

/** With the kind and name of what it is a text of. */
const copy = z.extend(unsavedCopy, { of: z.string() });
export type UnsavedCopy = z.infer<typeof copy>;

/** Forms as they are typed, on this device until they are saved, each under a key of its tab. */
export const $unsavedCopies = storedMap('desk_unsaved', copy);
const tab = randomId();

const isFresh = ({ at }: UnsavedCopy) => Date.now() - at < UNSAVED_DAYS * DAY;

/** Keeps what is typed in this tab, or forgets it where nothing is. */
export function keepUnsaved(
	of: string,
	typed: { version: number; base: object; form: object } | null,
): void {
	const key = `${of}|${tab}`;
	const { [key]: before, ...copies } = $unsavedCopies.get();
	if (!typed && !before) return;
	const others = Object.fromEntries(Object.entries(copies).filter(([, copy]) => isFresh(copy)));
	const copy = typed && ({ ...typed, of, at: Date.now() } as UnsavedCopy);
	$unsavedCopies.set(copy ? { ...others, [key]: copy } : others);
}

/** Returns the newest text that another tab, or this one before it was loaded, has not saved, of the last month. */
export function findUnsaved(
	copies: Readonly<Record<string, UnsavedCopy>>,
	of: string,
): [key: string, copy: UnsavedCopy] | undefined {
	const own = `${of}|${tab}`;
	return Object.entries(copies)
		.filter(([key, one]) => one.of === of && key !== own && isFresh(one))
		.sort(([, a], [, b]) => b.at - a.at)[0];
}

/** Key of what the server keeps of a text that was typed on another device. */
const keptKey = (of: string) => `${of}|elsewhere`;

/** Offers what the server keeps of a text, unless it was typed on this device. */
export function offerKept(of: string, kept: SharedCopy | null): void {
	const { [keptKey(of)]: before, ...copies } = $unsavedCopies.get();
	const isHere = Object.values(copies).some((one) => one.of === of && one.at >= (kept?.at ?? 0));
	if (kept && !isHere) $unsavedCopies.set({ ...copies, [keptKey(of)]: { ...kept, of } });
	else if (before) $unsavedCopies.set(copies);
}

/** Returns what is typed in this tab. */
export const typedHere = (of: string): UnsavedCopy | undefined =>
	$unsavedCopies.get()[`${of}|${tab}`];

/** Forgets a text for good. The function that it returns takes that back. */
export function forgetUnsaved(key: string): () => void {
	const { [key]: before, ...others } = $unsavedCopies.get();
	$unsavedCopies.set(others);
	return () => {
		if (before) $unsavedCopies.set({ ...$unsavedCopies.get(), [key]: before });
	};
}
