import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { importOf } from '#src/core/imports/run.ts';
import { undo } from '#src/dashboard/kit/undoable.store.ts';
import { $undoing, $undone } from './undo.store.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { type AuditEntry } from '#src/core/audit/audit.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { localTime } from '#src/lib/dates.ts';
import { When } from '#src/dashboard/kit/When.tsx';

const AUDIT: Column<AuditEntry>[] = [
	column('created', 'When', ({ createdAt }) => <When at={createdAt} hour />, 'sortable'),
	column('what', 'What', (entry) => {
		const { actor, action, detail, undo: token } = entry;
		const imported = importOf(entry);
		return (
			<>
				<strong className="wrap-anywhere">{action}</strong>
				{detail && <span className="block wrap-anywhere text-muted">{readable(detail)}</span>}
				<span className="label block wrap-anywhere">{actor}</span>
				<Subject subject={entry.subject} />
				{token && (
					<Button
						variant="quiet"
						aria-label={`Undo: ${action} ${detail}`}
						onClick={() => void undo(token, () => $undone.set(token))}
					>
						Undo
					</Button>
				)}
				{imported && (
					<Button variant="quiet" onClick={() => $undoing.set(imported)}>
						Undo this import
					</Button>
				)}
			</>
		);
	}),
];

/** Returns a detail with its times as the reader's own clock says them. */
const readable = (detail: string) =>
	detail.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => localTime(time));

/** Names the subject of an entry: an article to open, or its kind. An id says nothing to a person. */
function Subject({ subject }: { subject: string }) {
	const [, noun = subject, id] = /^(\S+) ((?=\S*\d)[\w-]{12,})$/.exec(subject) ?? [];
	if (id && noun === 'post')
		return (
			<a className="link block" href={screenAddress('create', { post: id })}>
				Open the article
			</a>
		);
	return <span className="label block wrap-anywhere">{noun}</span>;
}

/** The log of what was done, newest first, and how to undo it. */
export function AuditLog() {
	const { set, input, reload, table } = useList('settings', listAudit);
	const gone = useStore($undone);
	useEffect(() => {
		if (gone) reload();
	}, [gone]);
	return (
		<section className="desk-section desk-section-wide">
			<h2>Audit log</h2>
			<p>Who did what, and when. Nobody can change it.</p>
			<div className="desk-tools">
				<SearchField
					label="Search the log"
					value={input.q}
					onSearch={(q) => set({ q }, 'replace')}
				/>
				<Button variant="quiet" onClick={reload}>
					Refresh
				</Button>
			</div>
			<DataTable
				{...table}
				label="Audit log"
				columns={AUDIT}
				idOf={({ id }) => String(id)}
				empty={<p>No activity yet.</p>}
				onShowAll={input.q ? () => set({ q: '' }) : undefined}
			/>
		</section>
	);
}
