import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { importOf } from '#src/core/imports/run.ts';
import { undo } from '#src/dashboard/kit/undoable.store.ts';
import { $undoing, $undone } from './undo.store.ts';
import { listAudit } from '#src/core/audit/audit.api.ts';
import { AUDIT_KINDS, type AuditEntry } from '#src/core/audit/audit.ts';
import { sentenceOf } from '#src/core/audit/sentences.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { localDate, localHour, localTime } from '#src/lib/dates.ts';

const columnsOf = (onActor: (actor: string) => void): Column<AuditEntry>[] => [
	column(
		'created',
		'When',
		({ createdAt }) => <time dateTime={createdAt}>{localHour(createdAt)}</time>,
		'sortable',
		'wide',
	),
	column('what', 'What', (entry) => {
		const { actor, undo: token, undoneAt, createdAt } = entry;
		const imported = importOf(entry);
		const sentence = readable(sentenceOf(entry));
		return (
			<>
				<strong className="wrap-anywhere">{sentence}</strong>
				<span className="block wrap-anywhere text-muted">
					<span className="md:hidden">{localHour(createdAt)}, </span>
					by{' '}
					<button type="button" className="link" onClick={() => onActor(actor)}>
						{actor}
					</button>
				</span>
				<Subject subject={entry.subject} />
				{token && (
					<Button
						variant="quiet"
						aria-label={`Undo: ${sentence}`}
						onClick={() => void undo(token, () => $undone.set(token))}
					>
						Undo
					</Button>
				)}
				{undoneAt && (
					<span className="block text-muted">
						Undone on {localDate(undoneAt, 'medium', 'short')}
					</span>
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

/** Returns a sentence with its times as the reader's own clock says them. */
const readable = (sentence: string) =>
	sentence.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => localTime(time));

const kind = (kind: string) => () => ({ kind });

/** Where things are, by what subjects begin with. */
const LINKS: Readonly<
	Record<string, { words: string; screen: string; query?: (id: string) => Record<string, string> }>
> = {
	post: { words: 'Open the article', screen: 'create', query: (post) => ({ post }) },
	subscriber: { words: 'Open the person', screen: 'subscribers', query: (person) => ({ person }) },
	message: { words: 'Open the messages', screen: 'messages' },
	page: { words: 'Open the pages', screen: 'pages' },
	state: { words: 'Open the states', screen: 'states' },
	states: { words: 'Open the states', screen: 'states' },
	image: { words: 'Open the media', screen: 'media' },
	comment: { words: 'Open the comments', screen: 'comments' },
	redirects: { words: 'Open the redirects', screen: 'redirects' },
	letter: { words: 'Open the letters', screen: 'newsletter', query: () => ({ part: 'letters' }) },
	category: { words: 'Open the categories', screen: 'categories', query: kind('categories') },
	tag: { words: 'Open the tags', screen: 'categories', query: kind('tags') },
	series: { words: 'Open the series', screen: 'categories', query: kind('series') },
	author: { words: 'Open the authors', screen: 'categories', query: kind('authors') },
};

function Subject({ subject }: { subject: string }) {
	const [noun = '', id = ''] = subject.split(' ');
	const link = LINKS[noun];
	if (!link) return null;
	return (
		<a className="link block" href={screenAddress(link.screen, link.query?.(id))}>
			{link.words}
		</a>
	);
}

/** The log of what was done, newest first, and how to undo it. */
export function AuditLog() {
	const { set, input, reload, table } = useList('settings', listAudit);
	const gone = useStore($undone);
	const [columns] = useState(() => columnsOf((actor) => set({ q: actor })));
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
				columns={columns}
				groupOf={({ createdAt }) => localDate(createdAt, 'full')}
				idOf={({ id }) => String(id)}
				empty={
					<p>
						Nothing was done yet. What you and your programs do here is listed, with what takes it
						back.
					</p>
				}
				onShowAll={input.q || input.kind ? () => set({ q: '', kind: '' }) : undefined}
			/>
		</section>
	);
}
