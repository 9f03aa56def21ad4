import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { dismissPageError, listPageErrors } from '#src/features/errors/errors.api.ts';
import { localTime } from '#src/lib/dates.ts';
import { messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Lists what failed in readers' browsers. */
export function PageErrors() {
	const { answer, error, reload } = useAnswer(listPageErrors, NOTHING);

	async function dismiss(id: string) {
		try {
			await callAsAdmin(dismissPageError, { id });
			reload();
		} catch (problem) {
			toast({ title: 'Not dismissed', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<>
			<h2>Errors of pages</h2>
			<p>
				What failed in readers’ browsers, counted without anything about them. An error that was
				dismissed comes back if it happens again.
			</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading errors" rows={2} />}
			{answer?.length === 0 && <p className="text-muted">Nothing failed.</p>}
			<ul className="sessions" aria-label="Errors of pages">
				{answer?.map((one) => (
					<li key={one.id}>
						<details className="min-w-0">
							<summary className="break-words">
								<strong>{one.message || 'An error without words'}</strong>{' '}
								<span className="label">
									{plural(one.count, 'time')}, last {localTime(one.lastAt)}
								</span>
							</summary>
							<p className="label break-words">
								Last on {one.path}, {one.browser}. First {localTime(one.firstAt)}, in version{' '}
								{one.firstVersion}
								{one.lastVersion !== one.firstVersion && `; last in version ${one.lastVersion}`}.
							</p>
							<pre className="overflow-x-auto" tabIndex={0}>
								{one.stack}
							</pre>
						</details>
						<Button
							variant="quiet"
							aria-label={`Dismiss ${one.message}`}
							onClick={() => void dismiss(one.id)}
						>
							Dismiss
						</Button>
					</li>
				))}
			</ul>
		</>
	);
}
