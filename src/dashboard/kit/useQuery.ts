import { useStore } from '@nanostores/react';
import { parse, type Endpoint } from '#src/lib/endpoint.ts';
import type { Paged } from '#src/lib/paging.ts';
import { $address, setQuery, type Query } from './address.store.ts';
import { useAnswer } from './useAnswer.ts';

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

type Asked = { page: number; sort?: string };

/** Returns a list as a screen's part of the address asks for it, or all where that cannot be read; and the props of its table. */
export function useList<In extends Asked, Out extends Paged<unknown>>(
	screen: string,
	call: Endpoint<In, Out>,
) {
	const { query, set } = useQuery(screen);
	const given = call.input.safeParse(query);
	const input = given.success ? given.data : parse(call.input, {});
	const { answer, reload, ...state } = useAnswer(call, input);
	const table = {
		...state,
		page: answer,
		onRetry: reload,
		onPage: (page: number) => set({ page: String(page) }),
		...(input.sort && { sort: input.sort, onSort: (sort: string) => set({ sort }) }),
	};
	return { query, set, input, answer, reload, table };
}
