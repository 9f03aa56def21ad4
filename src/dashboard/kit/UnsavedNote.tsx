import { Button } from '#src/components/ui/Button.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { relativeTime } from '#src/lib/dates.ts';
import { forgetUnsaved, type UnsavedCopy } from './unsaved.store.ts';

type Props = {
	found: [key: string, copy: UnsavedCopy];
	/** Whether the record was saved after it. */
	isOlder: boolean;
	/** Shows it in the form. */
	onUse: (copy: UnsavedCopy) => void;
	/** Forgets it where else it is kept. */
	onThrow?: () => void;
};

/** Offers what was typed and never saved. */
export function UnsavedNote({ found: [key, copy], isOlder, onUse, onThrow }: Props) {
	return (
		<div className="versioned-note" role="region" aria-label="Never saved">
			<p>
				Something written {relativeTime(new Date(copy.at), Date.now())} was never saved.
				{isOlder && ' What is stored was saved after it.'}
			</p>
			<p className="mt-3 flex flex-wrap gap-3">
				<Button
					variant="quiet"
					onClick={() => {
						onUse(copy);
						forgetUnsaved(key);
					}}
				>
					Go on with it
				</Button>
				<Button
					variant="quiet"
					onClick={() => {
						onThrow?.();
						const run = forgetUnsaved(key);
						toast({ title: 'Thrown away', action: { label: 'Undo', run } });
					}}
				>
					Throw it away
				</Button>
			</p>
		</div>
	);
}
