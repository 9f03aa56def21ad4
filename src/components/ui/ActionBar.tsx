import type { ReactNode } from 'react';
import { formatCount } from '#src/lib/text.ts';
import { Button } from './Button.tsx';

/** The last action, and how to undo it. */
export type Done = { message: string; undo?: () => Promise<void> };

type Props = {
	/** Number of selected rows. */
	chosen: number;
	onClear: () => void;
	/** Buttons for the selected rows. */
	actions: ReactNode;
	/** Number of rows, in words. */
	summary: string;
	done: Done | undefined;
	busy: boolean;
	onUndo: () => void;
	/** Controls for the whole list. */
	tools?: ReactNode;
};

/** The line above a list: actions for selected rows, or else the last action, or else the number of rows. */
export function ActionBar(props: Props) {
	const { chosen, onClear, actions, summary, done, busy, onUndo, tools } = props;
	return (
		<div className="desk-bar" data-chosen={chosen > 0 || undefined}>
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
