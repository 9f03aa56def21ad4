import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { listKeptBuilds, release, rollBack } from '#src/core/builds/builds.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { $isHeld } from '#src/core/builds/held.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { localTime } from '#src/lib/dates.ts';
import { messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Lists the last builds of the site, and puts it back to one of them. */
export function EarlierBuilds() {
	const { answer, error, reload } = useAnswer(listKeptBuilds, NOTHING);
	const [working, setWorking] = useState<string>();
	useEffect(() => {
		if (answer) $isHeld.set(answer.isHeld);
	}, [answer]);

	async function change(id: string, work: () => Promise<unknown>, done: string) {
		setWorking(id);
		try {
			await work();
			toast({ title: done });
		} catch (problem) {
			toast({ title: 'Nothing changed', description: messageOf(problem), destructive: true });
		} finally {
			setWorking(undefined);
			reload();
		}
	}

	return (
		<>
			<h2>Earlier builds</h2>
			<p>
				The last builds of the public pages are kept. Going back to one takes a moment and changes
				nothing that is stored.
			</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading builds" rows={3} />}
			{answer?.isElsewhere && (
				<p className="text-muted">
					Netlify builds this site and keeps its builds: open Deploys there and publish an earlier
					one.
				</p>
			)}
			{answer?.isHeld && (
				<div className="mb-6" role="status">
					<p>
						The site shows an earlier build. What is saved is stored, and appears once you go back
						to the newest content.
					</p>
					<Button
						className="mt-3"
						busy={working === 'newest'}
						onClick={() =>
							void change(
								'newest',
								() => callAsAdmin(release, {}),
								'The newest content is being built',
							)
						}
					>
						Go back to the newest content
					</Button>
				</div>
			)}
			<ul className="sessions" aria-label="Earlier builds">
				{answer?.builds.map(({ id, madeAt, cause, pages, isShown }) => (
					<li key={id} aria-current={isShown || undefined}>
						<div className="min-w-0">
							<strong>{localTime(madeAt)}</strong>{' '}
							<span className="label">{plural(pages, 'page')}</span>
							<p className="label break-words">{cause}</p>
						</div>
						{isShown ? (
							<span className="label">Shown now</span>
						) : (
							<Button
								variant="quiet"
								busy={working === id}
								aria-label={`Show the build of ${localTime(madeAt)}: ${cause}`}
								onClick={() =>
									void change(
										id,
										() => callAsAdmin(rollBack, { id }),
										`The site shows the build of ${localTime(madeAt)}`,
									)
								}
							>
								Show
							</Button>
						)}
					</li>
				))}
			</ul>
		</>
	);
}
