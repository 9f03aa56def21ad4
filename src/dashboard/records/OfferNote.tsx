import { Button } from '#src/components/ui/Button.tsx';

type Props = {
	/** Name of the thing. */
	name: string;
	onCompare: () => void;
	onTake: () => void;
	onKeep: () => void;
	/** Whether there is nothing to keep yet: what is typed is not saved. */
	unsaved?: boolean;
};

/** Offers what a newer file says of a thing. */
export function OfferNote({ name, onCompare, onTake, onKeep, unsaved = false }: Props) {
	return (
		<div className="versioned-note" role="region" aria-label="Newer file">
			<p>The repository has a newer text of {name}.</p>
			<p className="flex flex-wrap gap-3">
				<Button variant="quiet" onClick={onCompare}>
					Compare
				</Button>
				<Button variant="quiet" onClick={onTake}>
					Take it
				</Button>
				<Button variant="quiet" onClick={onKeep} disabled={unsaved}>
					Keep mine
				</Button>
			</p>
		</div>
	);
}
