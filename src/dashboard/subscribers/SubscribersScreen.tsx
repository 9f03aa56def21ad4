import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { ActionBar } from '#src/components/ui/ActionBar.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { Views } from '#src/dashboard/kit/Views.tsx';
import { createdColumn } from '#src/dashboard/kit/When.tsx';
import { DownloadLink } from '#src/dashboard/kit/DownloadLink.tsx';
import { useActions } from '#src/dashboard/kit/useActions.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { listStoredCategories } from '#src/features/taxonomy/taxonomy.api.ts';
import { UndoImport } from '#src/dashboard/settings/UndoImport.tsx';
import { $undoing, $undone } from '#src/dashboard/settings/undo.store.ts';
import { AddSubscriber } from './AddSubscriber.tsx';
import { Filters } from './Filters.tsx';
import { LabelForm } from './Labels.tsx';
import { Person } from './Person.tsx';
import { sourceOf, StateBadge, STATE_LABELS } from './states.tsx';
import { ImportSubscribers } from './ImportSubscribers.tsx';
import {
	activateSubscribers,
	countAllSubscribers,
	exportSubscribers,
	labelSubscribers,
	listSubscribers,
} from '#src/features/newsletter/subscribers.api.ts';
import {
	NO_SOURCE,
	SUBSCRIBER_STATES,
	type SubscriberRow,
} from '#src/features/newsletter/subscribers.ts';

const NOTHING = {};

/** Subscribers of the letter: search, unsubscribe, export and import them. */
export function SubscribersScreen() {
	const { query, set, input, answer, table, ...list } = useList('subscribers', listSubscribers);
	const counts = useAnswer(countAllSubscribers, NOTHING);
	const categories = useAnswer(listStoredCategories, NOTHING);
	const [open, setOpen] = useState<'' | 'import' | 'add' | 'label'>('');
	const [running, setRunning] = useState(false);
	function reload() {
		list.reload();
		counts.reload();
	}
	const undone = useStore($undone);
	useEffect(() => {
		if (undone) reload();
	}, [undone]);
	const { selected, setSelected, done, busy, act, undo } = useActions(reload, answer?.rows);

	function activate(ids: string[], active: boolean) {
		void act(async () => {
			const { changed, leftAt } = await callAsAdmin(activateSubscribers, { ids, active });
			const back = { ids: changed, active: !active, ...(!active && { leftAt }) };
			return {
				message: `${plural(changed.length, 'subscriber')} made ${active ? 'active' : 'inactive'}.`,
				...(changed.length > 0 && {
					undo: async () => void (await callAsAdmin(activateSubscribers, back)),
				}),
			};
		}, ids);
	}

	/** Returns what a label did, and the way back. */
	function told(label: string, on: boolean, changed: string[]) {
		return {
			message: `“${label.trim()}” ${on ? 'added to' : 'removed from'} ${plural(changed.length, 'subscriber')}.`,
			...(changed.length > 0 && {
				undo: async () =>
					void (await callAsAdmin(labelSubscribers, { ids: changed, label, on: !on })),
			}),
		};
	}
	const known = (counts.answer?.labels ?? []).map(({ label }) => label);
	if (query['person'])
		return (
			<Person
				email={query['person']}
				labels={known}
				onBack={() => set({ person: '' })}
				onChanged={reload}
			/>
		);

	const columns: Column<SubscriberRow>[] = [
		column(
			'email',
			'Address',
			({ email, name, labels }) => (
				<>
					<button type="button" className="link text-left" onClick={() => set({ person: email })}>
						<Address>{readableEmail(email)}</Address>
					</button>
					{name && <span className="block text-muted">{name}</span>}
					{labels.length > 0 && (
						<span className="person-labels">
							{labels.map((one) => (
								<span key={one} className="person-label">
									{one}
								</span>
							))}
						</span>
					)}
				</>
			),
			'sortable',
		),
		column(
			'source',
			'Source',
			(row) => <span className={row.source ? '' : 'text-muted'}>{sourceOf(row)}</span>,
			'sortable',
			'wide',
		),
		column('state', 'State', (row) => <StateBadge {...row} />),
		createdColumn('Since'),
	];

	const { q, source, state: only, label, topic, from, to } = input;
	const filter = new URLSearchParams(
		Object.entries({ q, source, state: only, label, topic, from, to }).flatMap(([name, value]) =>
			value ? [[name, value]] : [],
		),
	);
	const filtered = filter.size > 0;
	const ids = [...selected];
	const all = counts.answer;
	return (
		<div className="subscribers-screen">
			<div className="desk-tools">
				<Segments
					label="State"
					value={only ?? ''}
					options={[
						{ value: '', label: 'All' },
						...SUBSCRIBER_STATES.map((value) => ({
							...{ value, label: STATE_LABELS[value] },
							count: all?.states[value],
						})),
					]}
					onChange={(value) => set({ state: value })}
				/>
				<SearchField
					label="Search addresses and names"
					value={q}
					onSearch={(text) => set({ q: text }, 'replace')}
				/>
				<Filters set={[source, label, topic, from, to].filter(Boolean).length}>
					<Field
						label="Source"
						type="select"
						value={source ?? ''}
						onChange={(event) => set({ source: event.currentTarget.value })}
						options={[
							{ value: '', label: 'Every source' },
							...(all?.sources ?? []).map((one) => ({
								value: one.source ?? NO_SOURCE,
								label: `${one.source ?? 'Not known'} (${formatCount(one.count)})`,
							})),
						]}
					/>
					<Field
						label="Label"
						type="select"
						value={label ?? ''}
						onChange={(event) => set({ label: event.currentTarget.value })}
						options={[
							{ value: '', label: 'Any or none' },
							...(all?.labels ?? []).map((one) => ({
								value: one.label,
								label: `${one.label} (${formatCount(one.count)})`,
							})),
						]}
					/>
					<Field
						label="Gets letters on"
						type="select"
						value={topic ?? ''}
						onChange={(event) => set({ topic: event.currentTarget.value })}
						options={[
							{ value: '', label: 'Any topic' },
							...(categories.answer ?? []).map(({ id, name }) => ({ value: id, label: name })),
						]}
					/>
					<DayField label="Since" value={from} onChange={(day) => set({ from: day })} />
					<DayField label="Until" value={to} onChange={(day) => set({ to: day })} />
				</Filters>
				<LoadError what="Counts and sources" {...counts} />
				<LoadError what="Topics" {...categories} />
			</div>
			<Views screen="subscribers" />
			<ActionBar
				chosen={selected.size}
				onClear={() => setSelected(new Set())}
				summary={
					answer
						? plural(answer.total, 'subscriber') +
							(all?.unconfirmed ? `, ${formatCount(all.unconfirmed)} more not confirmed yet` : '')
						: ''
				}
				done={done}
				busy={busy}
				onUndo={undo}
				actions={
					<>
						<Button variant="quiet" onClick={() => setOpen('label')}>
							Label
						</Button>
						<Button variant="quiet" busy={busy} onClick={() => activate(ids, true)}>
							Make active
						</Button>
						<Button variant="quiet" busy={busy} onClick={() => activate(ids, false)}>
							Make inactive
						</Button>
					</>
				}
				tools={
					<>
						<Button variant="quiet" onClick={() => setOpen('add')}>
							Add
						</Button>
						<Button variant="quiet" onClick={() => setOpen('import')}>
							Import
						</Button>
						{label && (
							<AskButton
								label="Remove this label…"
								title={`Remove “${label}” from everybody?`}
								text="The people stay as they are. Only the label goes, and cannot be brought back at once."
								answer="Remove it"
								work={async () => {
									await callAsAdmin(labelSubscribers, { label, on: false });
									set({ label: '' });
									reload();
								}}
							/>
						)}
						<DownloadLink href={`${exportSubscribers.path}${filtered ? `?${filter}` : ''}`}>
							{filtered ? 'Export these' : 'Export all'}
						</DownloadLink>
					</>
				}
			/>
			<DataTable
				{...table}
				label="Subscribers"
				columns={columns}
				idOf={({ id }) => id}
				nameOf={({ email }) => email}
				selected={selected}
				onSelect={setSelected}
				empty={<p>Nobody has subscribed yet. Import a list, or wait for the first reader.</p>}
				onShowAll={
					filtered
						? () => set({ q: '', state: '', source: '', label: '', topic: '', from: '', to: '' })
						: undefined
				}
			/>
			<Dialog
				open={open === 'import'}
				// What is being imported is seen to its end.
				onClose={() => setOpen(running ? 'import' : '')}
				title="Import subscribers"
			>
				<ImportSubscribers
					onDone={reload}
					onClose={() => setOpen('')}
					onRunning={setRunning}
					onUndo={(id) => {
						setOpen('');
						$undoing.set(id);
					}}
				/>
			</Dialog>
			<Dialog
				open={open === 'add'}
				onClose={() => setOpen('')}
				title="Add a subscriber"
				firstFocus="input"
			>
				<AddSubscriber
					onAdded={(person) => {
						setOpen('');
						toast({ title: 'Added', description: readableEmail(person) });
						reload();
					}}
				/>
			</Dialog>
			<Dialog
				open={open === 'label'}
				onClose={() => setOpen('')}
				title={`Label ${plural(ids.length, 'subscriber')}`}
				firstFocus="input"
			>
				<LabelForm
					label="Label"
					known={known}
					answers={[true, false].map((on) => ({
						text: on ? 'Add' : 'Remove',
						work: async (text) => {
							const { changed } = await callAsAdmin(labelSubscribers, { ids, label: text, on });
							setOpen('');
							void act(async () => told(text, on, changed), ids);
						},
					}))}
				/>
			</Dialog>
			<UndoImport />
		</div>
	);
}

/** An address, which breaks after its @ where there is no room. */
function Address({ children }: { children: string }) {
	const [name, host] = children.split(/(?<=@)/);
	return (
		<span className="break-words">
			{name}
			<wbr />
			{host}
		</span>
	);
}

function DayField(props: {
	label: string;
	value: string | undefined;
	onChange: (day: string) => void;
}) {
	const id = useId();
	return (
		<div className="field">
			<label htmlFor={id}>{props.label}</label>
			<input
				id={id}
				type="date"
				value={props.value ?? ''}
				onChange={(event) => props.onChange(event.currentTarget.value)}
			/>
		</div>
	);
}
