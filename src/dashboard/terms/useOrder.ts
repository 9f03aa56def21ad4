import { useEffect, useRef, useState } from 'react';

/**
 * Puts rows into another order, one step with each press: at once on the screen, and one after the other on the server.
 * What was pressed keeps the focus. `store` saves the new place of a row; `onStored` follows the last one.
 */
export function useOrder<Row extends { id: string }>(
	rows: Row[] | undefined,
	store: (row: Row, place: number) => Promise<unknown>,
	onStored: () => void,
) {
	const [order, setOrder] = useState<string[]>();
	const turn = useRef<Promise<unknown>>(Promise.resolve());
	const focused = useRef<HTMLElement>(null);
	const ordered = order
		? rows?.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
		: rows;

	// A row that moves takes the focus from its buttons.
	useEffect(() => focused.current?.focus(), [order]);
	// What the server says after the last step is the order.
	const pending = useRef(0);
	useEffect(() => {
		if (pending.current === 0) setOrder(undefined);
	}, [rows]);

	function move(row: Row, step: -1 | 1) {
		const ids = (ordered ?? []).map(({ id }) => id);
		const from = ids.indexOf(row.id);
		const to = from + step;
		if (to < 0 || to >= ids.length) return;
		[ids[from], ids[to]] = [ids[to]!, ids[from]!];
		focused.current = document.activeElement as HTMLElement | null;
		setOrder(ids);
		pending.current++;
		turn.current = turn.current
			.then(() => store(row, to))
			.finally(() => --pending.current === 0 && onStored())
			.catch(() => {});
	}

	return { ordered, move };
}
