import { useStore } from '@nanostores/react';
import { $address, setQuery, type Query } from './address.store.ts';

const NONE: Query = {};

/** A screen's part of the address, and how to change it. Any change but of the page itself starts at the first page. */
export function useQuery(screen: string) {
	const { queries } = useStore($address);
	return {
		query: queries[screen] ?? NONE,
		set: (changes: Record<string, string>, how?: 'push' | 'replace') =>
			setQuery(screen, { page: '', ...changes }, how),
	};
}
