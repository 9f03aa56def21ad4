import { useEffect, useState } from 'react';
import type { Done } from '#src/components/ui/ActionBar.tsx';
import { useSubmit } from './useSubmit.ts';

/**
 * Chosen rows of a list and what is done with them: one thing at a time, told when it is done, taken back by `undo`.
 * `rows` are those that the list shows.
 */
export function useActions(reload: () => void, rows: readonly { id: string }[] | undefined) {
	const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
	// Rows that are no longer shown are no longer chosen.
	useEffect(() => {
		if (!rows) return;
		const shown = new Set(rows.map(({ id }) => id));
		setSelected((chosen) => (chosen.isSubsetOf(shown) ? chosen : chosen.intersection(shown)));
	}, [rows]);
	const [done, setDone] = useState<Done>();
	const { busy, run } = useSubmit('That did not work');

	/** Does some work and tells what it did to the rows of `ids`; a failure is told and changes nothing here. */
	const act = (work: () => Promise<Done>, ids: readonly string[] = []) =>
		run(async () => {
			setDone(await work());
			setSelected((chosen) => chosen.difference(new Set(ids)));
			reload();
		});

	function undo(): void {
		const back = done?.undo;
		if (back) {
			void act(async () => {
				await back();
				return { message: 'Undone.' };
			});
		}
	}

	return { selected, setSelected, done, busy, act, undo, forget: () => setDone(undefined) };
}
