import { diffArrays } from 'diff';

/** A value that two sides changed. A place that both changed has the first side's, and the value is disputed. */
export type Merged<Value> = { value: Value; isDisputed: boolean };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Returns whether a value has named parts. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Merges what two sides made of `base`: what only one of them changed is that side's. Objects are merged by their keys,
 * lists by their entries, and texts of several lines by those. Where both changed the same it is mine, and disputed.
 */
export function mergeValues<Value>(base: Value, mine: Value, theirs: Value): Merged<Value> {
	const sides: unknown[] = [base, mine, theirs];
	if (same(mine, theirs) || same(base, theirs)) return { value: mine, isDisputed: false };
	if (same(base, mine)) return { value: theirs, isDisputed: false };
	if (sides.every(Array.isArray)) {
		return mergeLists(...(sides as Lists), { keepsBoth: true }) as Merged<Value>;
	}
	if (sides.every(isObject)) {
		return mergeObjects(...(sides as Objects)) as Merged<Value>;
	}
	if (isLong(sides)) {
		const [from = [], first = [], second = []] = sides.map((text) => text.split('\n'));
		const { value, isDisputed } = mergeLists(from, first, second);
		return { value: value.join('\n') as Value, isDisputed };
	}
	return { value: mine, isDisputed: true };
}

type Lists = [unknown[], unknown[], unknown[]];
type Objects = [Record<string, unknown>, Record<string, unknown>, Record<string, unknown>];

const isLong = (sides: unknown[]): sides is string[] =>
	sides.every((side) => typeof side === 'string') && sides.some((side) => side.includes('\n'));

function mergeObjects(...[base, mine, theirs]: Objects): Merged<Record<string, unknown>> {
	const names = [...new Set([base, mine, theirs].flatMap(Object.keys))];
	const merged = names.map((name) => ({
		name,
		...mergeValues(base[name], mine[name], theirs[name]),
	}));
	const kept = merged.filter(({ value }) => value !== undefined);
	return {
		value: Object.fromEntries(kept.map(({ name, value }) => [name, value])),
		isDisputed: merged.some(({ isDisputed }) => isDisputed),
	};
}

/** Entries of the base that a side replaced: from `start` to before `end`, none where it only inserted. */
type Edit<Entry> = { start: number; end: number; entries: Entry[] };

/**
 * Merges lists entry by entry. Both sides may insert at the same place where the list `keepsBoth`, mine first; an entry
 * that came to stand there twice, as when both moved it, is disputed.
 */
export function mergeLists<Entry>(
	base: Entry[],
	mine: Entry[],
	theirs: Entry[],
	{ keepsBoth = false } = {},
): Merged<Entry[]> {
	const ours = editsOf(base, mine);
	const others = editsOf(base, theirs);
	const value: Entry[] = [];
	let isDisputed = false;
	let at = 0;
	const take = ({ start, end, entries }: Edit<Entry>) => {
		value.push(...base.slice(at, start), ...entries);
		at = end;
	};
	while (ours.length > 0 && others.length > 0) {
		const [first, second] = [ours[0]!, others[0]!];
		const isSamePlace = first.start === second.end && first.end === second.start;
		if (first.end <= second.start && !isSamePlace) take(ours.shift()!);
		else if (second.end <= first.start && !isSamePlace) take(others.shift()!);
		else {
			const place = mergePlace(base, ours, others, keepsBoth);
			take(place);
			isDisputed ||= place.isDisputed;
		}
	}
	for (const edit of [...ours, ...others]) take(edit);
	value.push(...base.slice(at));
	const [counts, ofMine, ofTheirs] = [value, mine, theirs].map(countsOf);
	const isTwice = [...counts!].some(([key, count]) => {
		const most = Math.max(ofMine!.get(key) ?? 0, ofTheirs!.get(key) ?? 0);
		return most > 0 && count > most && /[\p{L}\p{N}]/u.test(key);
	});
	return isTwice ? { value: mine, isDisputed: true } : { value, isDisputed };
}

function editsOf<Entry>(base: Entry[], side: Entry[]): Edit<Entry>[] {
	const keys = (entries: Entry[]) => entries.map((entry) => JSON.stringify(entry));
	const edits: Edit<Entry>[] = [];
	let [at, taken] = [0, 0];
	for (const { value, added, removed } of diffArrays(keys(base), keys(side))) {
		const last = edits.at(-1);
		if (!added && !removed) at += value.length;
		else if (last?.end !== at) edits.push({ start: at, end: at, entries: [] });
		if (removed) edits.at(-1)!.end = at += value.length;
		if (added) edits.at(-1)!.entries.push(...side.slice(taken, taken + value.length));
		if (!removed) taken += value.length;
	}
	return edits;
}

/** Takes the edits of both sides that overlap, and merges them. */
function mergePlace<Entry>(
	base: Entry[],
	ours: Edit<Entry>[],
	others: Edit<Entry>[],
	keepsBoth: boolean,
): Edit<Entry> & { isDisputed: boolean } {
	const mine = [ours.shift()!];
	const theirs = [others.shift()!];
	const start = Math.min(mine[0]!.start, theirs[0]!.start);
	let end = Math.max(mine[0]!.end, theirs[0]!.end);
	const overlaps = (edits: Edit<Entry>[]) => edits.length > 0 && edits[0]!.start < end;
	while (overlaps(ours) || overlaps(others)) {
		const [taken, left] = overlaps(ours) ? [mine, ours] : [theirs, others];
		taken.push(left.shift()!);
		end = Math.max(end, taken.at(-1)!.end);
	}
	const before = base.slice(start, end);
	const [first, second] = [mine, theirs].map((edits) => {
		let at = start;
		const parts = edits.flatMap((edit) => {
			const kept = base.slice(at, edit.start);
			at = edit.end;
			return [...kept, ...edit.entries];
		});
		return [...parts, ...base.slice(at, end)];
	}) as [Entry[], Entry[]];
	const place = { start, end };
	if (same(first, second)) return { ...place, entries: first, isDisputed: false };
	if (start === end && keepsBoth) {
		return { ...place, entries: [...first, ...second], isDisputed: false };
	}
	if (first.length === before.length && second.length === before.length) {
		const merged = before.map((entry, index) => mergeValues(entry, first[index]!, second[index]!));
		return {
			...place,
			entries: merged.map(({ value }) => value),
			isDisputed: merged.some(({ isDisputed }) => isDisputed),
		};
	}
	return { ...place, entries: first, isDisputed: true };
}

function countsOf(entries: readonly unknown[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const entry of entries) {
		const key = JSON.stringify(entry);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
}
