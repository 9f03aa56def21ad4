import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { listMessages } from '#src/features/contact/messages.api.ts';
import { type Box, type MessageRow } from '#src/features/contact/messages.ts';
import { countAgain } from '#src/dashboard/kit/waiting.store.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { MessageView } from './MessageView.tsx';

const BOX_LABELS: Record<Box, string> = {
	inbox: 'Inbox',
	archived: 'Archived',
	spam: 'Spam',
	deleted: 'Deleted',
};

const EMPTY: Record<Box, string> = {
	inbox: 'No message waits for you. What visitors write on the contact page arrives here.',
	archived: 'Nothing is archived. Archive a message when it is done, to keep the inbox short.',
	spam: 'No message is marked as spam.',
	deleted: 'No message was deleted in the last 30 days.',
};

/** Messages of the contact form: a list of each box, and the message that the address names. */
export function MessagesScreen() {
	const { query, set, input, answer, reload, table } = useList('messages', listMessages);
	const { message: open } = query;

	const columns: Column<MessageRow>[] = [
		column('message', 'Message', (row) => (
			<div className="message-row" data-new={row.state === 'new' || undefined}>
				<p>
					<button
						type="button"
						className="link message-open"
						onClick={() => set({ message: row.id, page: String(input.page) })}
					>
						{row.name}
					</button>{' '}
					{row.state === 'new' && <span className="badge badge-wait">New</span>}{' '}
					{row.replies > 0 && <span className="badge badge-on">Answered</span>}
				</p>
				<p className="message-about">
					<span className="label">{row.topic}</span> <span className="text-muted">{row.email}</span>
				</p>
				<p className="text-muted">{row.excerpt}</p>
			</div>
		)),
		column('created', 'Written', ({ createdAt }) => <When at={createdAt} />, 'end', 'wide'),
	];

	if (open) {
		const rows = answer?.rows ?? [];
		const at = rows.findIndex(({ id }) => id === open);
		const leadTo = (row: MessageRow | undefined) =>
			row && (() => set({ message: row.id, page: String(input.page) }));
		return (
			<MessageView
				key={open}
				id={open}
				onPrevious={leadTo(rows[at - 1])}
				onNext={at < 0 ? undefined : leadTo(rows[at + 1])}
				onBack={() => set({ message: '', page: String(input.page) })}
				onChanged={() => {
					reload();
					countAgain();
				}}
			/>
		);
	}
	return (
		<>
			<div className="desk-tools">
				<Segments
					label="Box"
					value={input.box}
					options={Object.entries(BOX_LABELS).map(([value, label]) => ({
						value,
						label,
						count: value === 'inbox' ? answer?.counts.new : undefined,
					}))}
					onChange={(box) => set({ box: box === 'inbox' ? '' : box })}
				/>
				<SearchField
					label="Search names, addresses and texts"
					value={input.q}
					onSearch={(q) => set({ q }, 'replace')}
				/>
			</div>
			<DataTable
				{...table}
				label="Messages"
				columns={columns}
				idOf={({ id }) => id}
				empty={<p>{EMPTY[input.box]}</p>}
				onShowAll={input.q ? () => set({ q: '' }) : undefined}
			/>
		</>
	);
}
