import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { Difference } from '#src/dashboard/kit/Difference.tsx';
import { STATE_FIELDS, textOf, type StateForm } from '#src/features/states/editing.ts';

type Props = {
	/** Where the other text comes from: a newer file, or another window. */
	from: 'file' | 'elsewhere';
	mine: StateForm;
	theirs: StateForm;
	/** The fields that differ. */
	fields: (keyof StateForm)[];
	onChosen: (chosen: Partial<StateForm>) => void;
	onCancel?: (() => void) | undefined;
};

/** Two texts of a state, from which each field is chosen. */
export function ChooseFields({ from, mine, theirs, fields, onChosen, onCancel }: Props) {
	const [taken, setTaken] = useState<ReadonlySet<string>>(
		() => new Set(from === 'file' ? fields : []),
	);
	const isFile = from === 'file';
	function choose(name: string, take: boolean) {
		const next = new Set(taken);
		if (take) next.add(name);
		else next.delete(name);
		setTaken(next);
	}
	return (
		<div className="state-choose" role="region" aria-label="Compare">
			<p>
				{isFile
					? 'From yours to the newer file:'
					: 'Somebody else changed the same fields meanwhile. From yours to theirs:'}{' '}
				<del>gone</del>, <ins>new</ins>.
			</p>
			{fields.length === 0 && <p>It says what is in the form.</p>}
			{fields.map((name) => (
				<div key={name} className="state-choice">
					<p className="label">{STATE_FIELDS[name]}</p>
					<Difference old={textOf(mine, name)} later={textOf(theirs, name)} />
					<Segments
						label={`${STATE_FIELDS[name]}: which one`}
						value={taken.has(name) ? 'theirs' : 'mine'}
						options={[
							{ value: 'mine', label: 'Mine' },
							{ value: 'theirs', label: isFile ? 'The file’s' : 'Theirs' },
						]}
						onChange={(value) => choose(name, value === 'theirs')}
					/>
				</div>
			))}
			<p className="flex flex-wrap gap-3">
				<Button
					onClick={() =>
						onChosen(
							Object.fromEntries(
								fields.filter((name) => taken.has(name)).map((name) => [name, theirs[name]]),
							),
						)
					}
				>
					Go on with this
				</Button>
				{onCancel && (
					<Button variant="quiet" onClick={onCancel}>
						Later
					</Button>
				)}
			</p>
		</div>
	);
}
