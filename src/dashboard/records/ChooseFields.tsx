import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { Difference } from '#src/dashboard/kit/Difference.tsx';

/** A field that differs: its name, and both texts of it. */
type Choice = { name: string; label: string; mine: string; theirs: string };

type Props = {
	/** Where the other text comes from: a newer file, or another window. */
	from: 'file' | 'elsewhere';
	choices: Choice[];
	/** Takes the names of the fields that become the others. */
	onChosen: (taken: string[]) => void;
	onCancel?: (() => void) | undefined;
};

/** Two versions of a thing, from which each field is chosen. */
export function ChooseFields({ from, choices, onChosen, onCancel }: Props) {
	const [taken, setTaken] = useState<ReadonlySet<string>>(
		() => new Set(from === 'file' ? choices.map(({ name }) => name) : []),
	);
	const isFile = from === 'file';
	function choose(name: string, take: boolean) {
		const next = new Set(taken);
		if (take) next.add(name);
		else next.delete(name);
		setTaken(next);
	}
	return (
		<div className="versioned-choose" role="region" aria-label="Compare">
			<p>
				{isFile
					? 'From yours to the newer file:'
					: 'Somebody else changed the same fields meanwhile. From yours to theirs:'}{' '}
				<del>gone</del>, <ins>new</ins>.
			</p>
			{choices.length === 0 && <p>It says what is in the form.</p>}
			{choices.map(({ name, label, mine, theirs }) => (
				<div key={name} className="versioned-choice">
					<p className="label">{label}</p>
					<Difference old={mine} later={theirs} />
					<Segments
						label={`${label}: which one`}
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
				<Button onClick={() => onChosen([...taken])}>Go on with this</Button>
				{onCancel && (
					<Button variant="quiet" onClick={onCancel}>
						Later
					</Button>
				)}
			</p>
		</div>
	);
}
