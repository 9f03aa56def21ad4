import type { ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { KeptNote } from '#src/dashboard/kit/KeptNote.tsx';

type Props = {
	open: boolean;
	title: string;
	/** Words of the button, with the number of people. */
	label: string;
	busy: boolean;
	onClose: () => void;
	onSend: () => void;
	/** Warnings and other things to know before. */
	children?: ReactNode;
};

/** Asks once before people are written to. The second press of a double click is no answer. */
export function SendQuestion({ open, title, label, busy, onClose, onSend, children }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title={title}>
			<div className="grid gap-4">
				<p>What was sent cannot be called back.</p>
				{children}
				<KeptNote />
				<p className="letter-actions">
					<Button
						busy={busy}
						onClick={({ detail }) => {
							if (detail < 2 && !busy) onSend();
						}}
					>
						{label}
					</Button>
					<Button variant="quiet" onClick={onClose}>
						Not yet
					</Button>
				</p>
			</div>
		</Dialog>
	);
}
