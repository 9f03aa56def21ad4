import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { addStates, listShipped, type ShippedState } from '#src/features/states/editing.api.ts';
import { figureText } from '#src/features/states/state.ts';
import { plural } from '#src/lib/text.ts';
import { CONTENT_LICENSE } from '#src/site.ts';

const NOTHING = {};

type Props = { onAdded: (names: string[], undo: string) => void };

/** Guides that come with the program are looked at, chosen, and added. */
export function AddStates({ onAdded }: Props) {
	const { answer: shipped, error, reload } = useAnswer(listShipped, NOTHING);
	const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
	const { busy, reason, run } = useSubmit();
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!shipped) return <Skeleton label="Loading states" rows={6} />;
	if (shipped.length === 0) return <p>Each state that comes with the program is on the site.</p>;
	const chosen = shipped.filter(({ slug }) => !left.has(slug));
	const isAll = chosen.length === shipped.length;

	function choose(slug: string, isChosen: boolean) {
		const next = new Set(left);
		if (isChosen) next.delete(slug);
		else next.add(slug);
		setLeft(next);
	}
	return (
		<div className="grid gap-4">
			<p className="text-muted">
				Each comes with its figures since 2020, their sources, and a text about companies,
				universities and cities (
				<a className="link" href={CONTENT_LICENSE} target="_blank">
					CC BY 4.0
				</a>
				). You can change all of it.
			</p>
			<button
				type="button"
				className="link min-h-11 justify-self-start"
				onClick={() => setLeft(new Set(isAll ? shipped.map(({ slug }) => slug) : []))}
			>
				{isAll ? 'Choose none' : `Choose all ${shipped.length}`}
			</button>
			<ul className="state-shipped" tabIndex={0} aria-label="States that are not on the site">
				{shipped.map((state) => (
					<Shipped
						key={state.slug}
						{...state}
						isChosen={!left.has(state.slug)}
						onChoose={(isChosen) => choose(state.slug, isChosen)}
					/>
				))}
			</ul>
			<FieldError>{reason}</FieldError>
			<Button
				className="justify-self-start"
				busy={busy}
				disabled={chosen.length === 0}
				onClick={() =>
					void run(async () => {
						const slugs = chosen.map(({ slug }) => slug);
						const { names, undo } = await callAsAdmin(addStates, { slugs });
						onAdded(names, undo);
					})
				}
			>
				{busy ? 'Adding…' : `Add ${plural(chosen.length, 'state')}`}
			</Button>
		</div>
	);
}

type ShippedProps = ShippedState & { isChosen: boolean; onChoose: (isChosen: boolean) => void };

function Shipped({ name, aiJobs, averageSalary, years, description, ...choice }: ShippedProps) {
	return (
		<li>
			<label className="check">
				<input
					type="checkbox"
					checked={choice.isChosen}
					onChange={({ currentTarget }) => choice.onChoose(currentTarget.checked)}
				/>
				{name}
			</label>
			<details>
				<summary>
					AI jobs {figureText(aiJobs)}, pay {figureText(averageSalary, 'US dollars a year')}
					<span className="sr-only">, {name}</span>
				</summary>
				<p>{description}</p>
				<p className="label">Figures of {years.join(', ')}</p>
			</details>
		</li>
	);
}
