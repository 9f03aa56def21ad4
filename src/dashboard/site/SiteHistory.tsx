import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { auditQuery } from '#src/core/audit/audit.ts';
import { undo } from '#src/dashboard/kit/undoable.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';

const QUERY = parse(auditQuery, { q: 'site settings' });

/** History of the site's settings, each save with the way back. `version` is the stored one: with another it looks again. */
export function SiteHistory({ version, onUndone }: { version: number; onUndone: () => void }) {
	return <Entries key={version} onUndone={onUndone} />;
}

function Entries({ onUndone }: { onUndone: () => void }) {
	const { answer, error, reload } = useAnswer(listAudit, QUERY);
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Loading the history" rows={2} />;
	if (answer.rows.length === 0) {
		return <p className="text-muted">Nothing was changed yet. What you save is listed here.</p>;
	}
	return (
		<ol className="site-history">
			{answer.rows.map(({ id, actor, action, detail, undo: token, createdAt }) => (
				<li key={id}>
					<span>
						<span className="label">
							<time dateTime={createdAt}>{localTime(createdAt)}</time> · {actor} {action}
						</span>
						<span className="block break-words">{detail}</span>
					</span>
					{token && (
						<Button
							variant="quiet"
							aria-label={`Undo: ${detail ?? action}`}
							onClick={() => void undo(token, onUndone)}
						>
							Undo
						</Button>
					)}
				</li>
			))}
		</ol>
	);
}
