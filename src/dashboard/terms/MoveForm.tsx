import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import type { Term, TermKind } from '#src/features/taxonomy/term.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

type Props = {
	kind: TermKind;
	term: Term;
	others: Term[];
	/** Whether the old address leads to the other one, rather than nowhere. */
	leads: boolean;
	busy: boolean;
	onMove: (into: string) => void;
};

/** Asks where the posts of a category or tag move, and says what happens then. */
export function MoveForm({ kind, term, others, leads, busy, onMove }: Props) {
	const [into, setInto] = useState('');
	const [error, setError] = useState<string>();
	const target = others.find(({ id }) => id === into);
	const address = paths[kind](term.slug);

	function move(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (target) onMove(into);
		else setError(`Please choose a ${kind}.`);
	}

	return (
		<form method="post" noValidate className="term-form" onSubmit={move}>
			<Field
				type="select"
				label={leads ? 'Merge into' : 'Move its posts to'}
				value={into}
				options={[
					{ value: '', label: 'Choose…' },
					...others.map(({ id, name }) => ({ value: id, label: name })),
				]}
				onChange={({ currentTarget }) => {
					setInto(currentTarget.value);
					setError(undefined);
				}}
				error={error}
			/>
			<p role="status">
				{plural(term.posts, 'post')} {term.posts === 1 ? 'moves' : 'move'}
				{target ? ` to “${target.name}”` : ''};{' '}
				{leads ? (
					<>
						<span className="break-all">{address}</span>, its pages and its feeds lead{' '}
						{target ? <span className="break-all">to {paths[kind](target.slug)}</span> : 'there'}.
					</>
				) : (
					<>
						<span className="break-all">{address}</span> is not found from then on. To have it lead
						to the other one, merge them.
					</>
				)}
			</p>
			<Button type="submit" variant={leads ? 'primary' : 'danger'} busy={busy}>
				{leads ? 'Merge' : 'Delete'}
			</Button>
		</form>
	);
}
