import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { importOf } from '#src/core/imports/run.ts';
import { undo } from '#src/dashboard/kit/undoable.store.ts';
import { $undoing, $undone } from './undo.store.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { AUDIT_KINDS, type AuditEntry } from '#src/core/audit/audit.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { localTime } from '#src/lib/dates.ts';
import { When } from '#src/dashboard/kit/When.tsx';

const AUDIT: Column<AuditEntry>[] = [
	column('created', 'When', ({ createdAt }) => <When at={createdAt} hour />, 'sortable', 'wide'),
	column('what', 'What', (entry) => {
		const { actor, action, detail, undo: token } = entry;
		const imported = importOf(entry);
		return (
			<>
				<strong className="wrap-anywhere">{deedOf(entry)}</strong>
				<span className="block text-muted md:hidden">
					<When at={entry.createdAt} hour />
				</span>
				{detail && <span className="block wrap-anywhere">{readable(detail)}</span>}
				<span className="block wrap-anywhere text-muted">by {actor}</span>
				<PostLink subject={entry.subject} />
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

/** Names of one, where an action of one word does not say of what it is. */
const NOUNS: Readonly<Record<string, string>> = {
	...{ post: 'an article', page: 'a page', category: 'a category', tag: 'a tag' },
	...{ series: 'a series', author: 'an author', state: 'a state', image: 'a picture' },
	...{ message: 'a message', program: 'a program', setting: 'a setting' },
};

/** Returns what was done, and to what. An id says nothing to a person. */
function deedOf({ action, subject }: AuditEntry): string {
	const noun = NOUNS[subject.split(' ', 1)[0]!];
	return noun && /^\w+$/.test(action) && action !== 'undid' ? `${action} ${noun}` : action;
}

function PostLink({ subject }: { subject: string }) {
	const id = /^post ([\w-]{12,})$/.exec(subject)?.[1];
	if (!id) return null;
	return (
		<a className="link block" href={screenAddress('create', { post: id })}>
			Open the article
		</a>
	);
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
				<Segments
					label="About"
					value={input.kind ?? ''}
					options={[
						{ value: '', label: 'All' },
						...Object.entries(AUDIT_KINDS).map(([value, { label }]) => ({ value, label })),
					]}
					onChange={(kind) => set({ kind })}
				/>
				<SearchField
					label="Search the log"
					value={input.q}
					onSearch={(q) => set({ q }, 'replace')}
				/>
			</div>
			<DataTable
				{...table}
				label="Audit log"
				columns={AUDIT}
				idOf={({ id }) => String(id)}
				empty={<p>No activity yet.</p>}
				onShowAll={input.q || input.kind ? () => set({ q: '', kind: '' }) : undefined}
			/>
		</section>
	);
}
