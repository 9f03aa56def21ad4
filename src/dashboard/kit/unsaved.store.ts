import * as z from 'zod/mini';
import { DAY } from '#src/lib/dates.ts';
import { randomId } from '#src/lib/random-id.ts';
import { storedMap } from '#src/lib/stored.ts';

const copy = z.object({
	/** Kind and name of what it is a text of. */
	of: z.string(),
	/** The version that it was made from, and what that said. */
	version: z.number(),
	base: z.looseObject({}),
	form: z.looseObject({}),
	/** Milliseconds. */
	at: z.number(),
});
export type UnsavedCopy = z.infer<typeof copy>;

/** Forms as they are typed, on this device until they are saved, each under a key of its tab. */
export const $unsavedCopies = storedMap('desk_unsaved', copy);
const tab = randomId();

const isFresh = ({ at }: UnsavedCopy) => Date.now() - at < 30 * DAY;

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

/** Forgets a text for good. The function that it returns takes that back. */
export function forgetUnsaved(key: string): () => void {
	const { [key]: before, ...others } = $unsavedCopies.get();
	$unsavedCopies.set(others);
	return () => {
		if (before) $unsavedCopies.set({ ...$unsavedCopies.get(), [key]: before });
	};
}
