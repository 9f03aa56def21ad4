import { useMemo, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import type { PostForm } from '#src/features/posts/editing.ts';
import { plural } from '#src/lib/text.ts';
import { Difference } from '#src/dashboard/kit/Difference.tsx';
import {
	evidentChoices,
	FIELDS,
	fieldsBetween,
	mergedOf,
	partsOf,
	textOf,
	type Choice,
	type FieldName,
} from './merge.ts';

type Props = {
	mine: PostForm;
	theirs: PostForm;
	/** The common ancestor of both versions. */
	base: PostForm;
	/** Where the other version comes from: "Saved elsewhere 3 minutes ago". */
	origin: string;
	/** Names of categories by id. */
	categories: ReadonlyMap<string, string>;
	onDone: (form: PostForm) => void;
	/** Puts off the choice; without it, it must be made. */
	onCancel?: () => void;
};

/** Two versions side by side: for each place where they differ the writer takes one, or both. */
export function MergeView({ mine, theirs, base, origin, categories, onDone, onCancel }: Props) {
	const parts = useMemo(() => partsOf(mine.content, theirs.content), [mine, theirs]);
	const fields = fieldsBetween(mine, theirs);
	const evident = useMemo(() => evidentChoices(parts, base.content), [parts, base]);
	const [choices, setChoices] = useState<(Choice | undefined)[]>(evident);
	const [fieldChoices, setFieldChoices] = useState<Partial<Record<FieldName, Choice>>>(() =>
		Object.fromEntries(
			fields
				.filter((name) => JSON.stringify(mine[name]) === JSON.stringify(base[name]))
				.map((name) => [name, 'theirs']),
		),
	);
	const places = parts.filter((part) => !('same' in part)).length + fields.length;

	function done() {
		const chosen = fields.filter((name) => fieldChoices[name] === 'theirs');
		onDone({
			...mine,
			...Object.fromEntries(chosen.map((name) => [name, theirs[name]])),
			content: mergedOf(parts, choices),
		});
	}

	const textOfField = (name: FieldName, form: PostForm) =>
		name === 'categoryId'
			? (categories.get(form.categoryId) ?? '')
			: Array.isArray(form[name])
				? form[name].join(', ')
				: typeof form[name] === 'boolean'
					? form[name]
						? 'Yes'
						: 'No'
					: String(form[name]);

	return (
		<section className="merge" aria-labelledby="merge-title">
			<h2 id="merge-title">Two versions of this post</h2>
			<p>
				{origin}. They differ in {plural(places, 'place')}. Choose for each; afterwards you can go
				on editing. Nothing is saved before you are done.
			</p>
			{fields.map((name) => (
				<Place
					key={name}
					label={FIELDS[name]}
					mine={textOfField(name, mine)}
					theirs={textOfField(name, theirs)}
					choice={fieldChoices[name] ?? 'mine'}
					choices={['mine', 'theirs']}
					onChoose={(choice) => setFieldChoices({ ...fieldChoices, [name]: choice })}
				/>
			))}
			{parts.map((part, index) =>
				'same' in part ? (
					<p key={index} className="merge-same">
						{plural(part.same.length, 'block')} the same
					</p>
				) : (
					<Place
						key={index}
						label={`Text, ${placeOf(parts, index)}`}
						mine={textOf(part.mine.join('\n'))}
						theirs={textOf(part.theirs.join('\n'))}
						choice={choices[index] ?? 'mine'}
						choices={['mine', 'theirs', 'both']}
						onChoose={(choice) => setChoices(choices.with(index, choice))}
					/>
				),
			)}
			<div className="flex flex-wrap gap-3">
				<Button onClick={done}>Go on with this</Button>
				{onCancel && (
					<Button variant="quiet" onClick={onCancel}>
						Not now
					</Button>
				)}
			</div>
		</section>
	);
}

function placeOf(parts: ReturnType<typeof partsOf>, index: number): string {
	return `place ${parts.slice(0, index + 1).filter((part) => !('same' in part)).length}`;
}

const NAMES: Record<Choice, string> = { mine: 'Mine', theirs: 'Theirs', both: 'Both' };

function Place({
	label,
	mine,
	theirs,
	choice,
	choices,
	onChoose,
}: {
	label: string;
	mine: string;
	theirs: string;
	choice: Choice;
	choices: readonly Choice[];
	onChoose: (choice: Choice) => void;
}) {
	return (
		<fieldset className="merge-place">
			<legend>{label}</legend>
			<div className="merge-sides">
				<div data-chosen={choice !== 'theirs' || undefined}>
					<p className="label">Mine</p>
					<p className="merge-text">{mine || 'Nothing'}</p>
				</div>
				<div data-chosen={choice !== 'mine' || undefined}>
					<p className="label">Theirs</p>
					{mine && theirs ? (
						<Difference old={mine} later={theirs} />
					) : (
						<p className="merge-text">{theirs || 'Nothing'}</p>
					)}
				</div>
			</div>
			<div className="segments">
				{choices.map((one) => (
					<label key={one}>
						<input
							type="radio"
							name={label}
							checked={choice === one}
							onChange={() => onChoose(one)}
						/>
						{NAMES[one]}
					</label>
				))}
			</div>
		</fieldset>
	);
}
