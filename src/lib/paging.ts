import * as z from 'zod/mini';

/** One page of a list. */
export type Paged<Row> = {
	rows: Row[];
	/** Number of rows on all pages. */
	total: number;
	page: number;
	pageSize: number;
};

export const PAGE_ROWS = 25;

/** Returns the number of pages of a list with `total` rows, at least 1. */
export function pageCount(total: number, pageSize = PAGE_ROWS): number {
	return Math.max(1, Math.ceil(total / pageSize));
}

/** Returns `page`, or the last page for anything beyond it. */
export function pageWithin(page: number, total: number, pageSize = PAGE_ROWS): number {
	return Math.min(page, pageCount(total, pageSize));
}

export type Sort<Key extends string = string> = Key | `-${Key}`;

/**
 * Returns the query fields of a paged list: `page` from 1, and `sort`, one of `keys`, with a leading hyphen for
 * descending order.
 */
export function pagedInput<const Key extends string>(keys: readonly Key[], fallback: Sort<Key>) {
	const sorts = keys.flatMap((key): Sort<Key>[] => [key, `-${key}`]);
	const isSort = (value: string): value is Sort<Key> => sorts.includes(value as Sort<Key>);
	return {
		page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)), 1),
		sort: z.pipe(
			z._default(z.string(), fallback),
			z.custom<Sort<Key>>((value) => isSort(value as string), 'This list cannot be sorted by that'),
		),
	};
}

/** Splits "email" into "email" and false, "-email" into "email" and true. */
export function parseSort<Key extends string>(sort: Sort<Key>): { key: Key; descending: boolean } {
	const descending = sort.startsWith('-');
	return { key: (descending ? sort.slice(1) : sort) as Key, descending };
}

/** Search words: trimmed, empty by default. */
export const searchField = z._default(
	z.string().check(z.trim(), z.maxLength(200, 'Use 200 characters or fewer')),
	'',
);
