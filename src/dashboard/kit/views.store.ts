import * as z from 'zod/mini';
import { storedMap } from '#src/lib/stored.ts';
import type { Query } from './address.store.ts';

/** Filters of lists that were saved under a name, on this device: by screen and name. */
export const $savedViews = storedMap('desk_views', z.record(z.string(), z.string()));

/** Returns the saved views of a screen, by name. */
export function viewsOf(
	screen: string,
	all: Readonly<Record<string, Query>>,
): { name: string; query: Query }[] {
	const start = `${screen} `;
	return Object.entries(all)
		.filter(([key]) => key.startsWith(start))
		.map(([key, query]) => ({ name: key.slice(start.length), query }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** Saves a filter under a name, in place of the one that had it; without a filter the name is forgotten. */
export function saveView(screen: string, name: string, query: Query | null): void {
	const key = `${screen} ${name}`;
	const { [key]: _before, ...others } = $savedViews.get();
	$savedViews.set(query ? { ...others, [key]: query } : others);
}

/** Returns the part of a list's address that a view keeps: all but the page and what is open. */
export const filterOfQuery = (query: Query): Query =>
	Object.fromEntries(
		Object.entries(query).filter(([name]) => !['page', 'person', 'message'].includes(name)),
	);

/** Returns whether two filters are the same. */
export const isSameView = (one: Query, other: Query) =>
	JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
