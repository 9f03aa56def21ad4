import { useState } from 'react';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { OPEN_FIGURES, type OpenFigure } from '#src/core/settings/setting.ts';
import { Fold } from '#src/dashboard/kit/Fold.tsx';
import { useSettings } from '#src/dashboard/settings/useSettings.tsx';
import { openPage } from '#src/features/visits/visits.api.ts';
import { DESCRIBED } from '#src/features/visits/visits.ts';
import { messageOf } from '#src/lib/errors.ts';

/** Chooses what the open page shows to everybody. */
export function OpenPage() {
	const { stored: answer, error, reload, save } = useSettings();
	/** Figures chosen here, not stored yet: the next choice goes on from them. */
	const [own, setOwn] = useState<OpenFigure[]>();
	const chosen = own ?? answer?.openFigures;

	async function choose(figure: OpenFigure, on: boolean) {
		const others = (chosen ?? []).filter((one) => one !== figure);
		const openFigures = on ? [...others, figure] : others;
		setOwn(openFigures);
		try {
			await save({ openFigures });
			setOwn((now) => (now === openFigures ? undefined : now));
			toast({ title: 'Saved' });
		} catch (problem) {
			setOwn(undefined);
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<div className="desk-section">
			<Fold name="Open page" note={chosen && (chosen.length > 0 ? 'On' : 'Off')}>
				<p>
					{chosen && chosen.length > 0 ? (
						<>
							Everybody can see these figures of the last 30 days at{' '}
							<a className="link" href={openPage.path}>
								{openPage.path}
							</a>
							.
						</>
					) : (
						'Shows everybody what you choose here. There is no such page while nothing is chosen.'
					)}
				</p>
				{error !== undefined && <SectionError message={error} onRetry={reload} />}
				{!chosen && error === undefined && <Skeleton label="Loading settings" rows={3} />}
				{chosen && (
					<fieldset className="choices">
						<legend className="sr-only">Figures of the open page</legend>
						{OPEN_FIGURES.map((figure) => (
							<label key={figure}>
								<input
									type="checkbox"
									checked={chosen.includes(figure)}
									onChange={({ currentTarget }) => void choose(figure, currentTarget.checked)}
								/>
								<span>{DESCRIBED[figure].title}</span>
							</label>
						))}
					</fieldset>
				)}
			</Fold>
		</div>
	);
}
