/** Asks questions of the search: in this thread, unless whoever serves has other means. */
import type { Db } from '#db/client.ts';
import { searchEverything, searchPosts } from './search.server.ts';

const SEARCHES = { posts: searchPosts, everything: searchEverything };
type Searches = typeof SEARCHES;
export type SearchName = keyof Searches;
/** The question of a search of this name. */
export type Asked<Name extends SearchName> = Parameters<Searches[Name]>[1];
export type Found<Name extends SearchName> = Awaited<ReturnType<Searches[Name]>>;

type Ask = <Name extends SearchName>(
	name: Name,
	db: Db,
	asked: Asked<Name>,
	now: Date,
) => Promise<Found<Name>>;

/** Searches in this thread. */
export const askHere: Ask = (name, db, asked, now) =>
	(SEARCHES[name] as (db: Db, asked: object, now: Date) => Promise<never>)(db, asked, now);

let current: Ask = askHere;

/** Makes `ask` search by other means from now on, such as threads. */
export function setAsk(other: Ask): void {
	current = other;
}

/** Returns what a search finds. */
export const ask: Ask = (name, db, asked, now) => current(name, db, asked, now);
