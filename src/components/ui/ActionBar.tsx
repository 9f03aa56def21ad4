import type { ReactNode } from 'react';
import { formatCount } from '#src/lib/text.ts';
import { Button } from './Button.tsx';

/** What was done last, and how to take it back. */
export type Done = { message: string; undo?: () => Promise<void> };

type Props = {
	/** How many rows are chosen. */
	chosen: number;
	onClear: () => void;
	/** Buttons for the chosen rows. */
	actions: ReactNode;
	/** How many rows there are. */
	summary: string;
	done: Done | undefined;
	busy: boolean;
	onUndo: () => void;
	/** What concerns the whole list. */
	tools?: ReactNode;
};

/** The line above a list: what can be done with the chosen rows, else what was done last, else how many there are. */
export function ActionBar(props: Props) {
	const { chosen, onClear, actions, summary, done, busy, onUndo, tools } = props;
	return (
		<div className="desk-bar">
			<p role="status">
				{chosen > 0 ? `${formatCount(chosen)} chosen` : done ? done.message : summary}
			</p>
			{chosen > 0 ? (
				<>
					{actions}
					<Button variant="quiet" onClick={onClear}>
						Clear
					</Button>
				</>
			) : (
				<>
					{done?.undo && (
						<Button variant="quiet" busy={busy} onClick={onUndo}>
							Undo
						</Button>
					)}
					{tools}
				</>
			)}
		</div>
	);
}
