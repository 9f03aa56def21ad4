import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { TestButton, WorkButton } from '#src/dashboard/kit/WorkButton.tsx';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { plural } from '#src/lib/text.ts';
import {
	KIND_LABELS,
	STATE_LABELS,
	STATES,
	type DeliveryView,
	type OutboxView,
} from '#src/features/mail/deliveries.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { openScreen } from '#src/dashboard/kit/address.store.ts';

/** Everything that leaves: emails, and calls of other services. */
export function MailScreen() {
	const { set, input, answer, reload, table } = useList('mail', api.listOutbox);
	return (
		<div className="mail-screen">
			{answer && <Transport {...answer} />}
			{input.letter && (
				<p className="mt-5 flex flex-wrap items-center gap-3">
					The emails of one letter.
					<Button variant="quiet" onClick={() => set({ letter: '' })}>
						Show all
					</Button>
				</p>
			)}
			<div className="desk-tools">
				<Segments
					label="What leaves"
					value={input.what}
					options={[
						{ value: 'mail', label: 'Emails' },
						{ value: 'jobs', label: 'To other services' },
					]}
					onChange={(what) => set({ what, state: '', q: '', letter: '' })}
				/>
				<Field
					label="State"
					hideLabel
					type="select"
					value={input.state}
					options={[
						{ value: '', label: 'All states' },
						...STATES.map((state) => ({
							value: state,
							label: answer
								? `${STATE_LABELS[state]} (${answer.counts[state]})`
								: STATE_LABELS[state],
						})),
					]}
					onChange={(event) => set({ state: event.currentTarget.value })}
				/>
				{input.what === 'mail' && (
					<>
						<SearchField label="Address" value={input.q} onSearch={(q) => set({ q }, 'replace')} />
						<TestButton what="plain" label="Send me a test" onSent={reload} />
					</>
				)}
			</div>
			<DataTable
				{...table}
				label="Deliveries"
				columns={columnsFor(reload)}
				idOf={({ id }) => id}
				empty={<p>Nothing like that is in the outbox.</p>}
			/>
		</div>
	);
}

function Transport({ transport, mailbox, counts }: OutboxView) {
	const waiting = counts.waiting + counts.retrying;
	return (
		<div className="mb-4" role={transport === 'none' ? 'alert' : undefined}>
			{transport === 'smtp' && <p className="text-muted">Emails are sent by SMTP.</p>}
			{transport === 'mailbox' && (
				<p className="text-muted">
					SMTP_URL is not set. Emails are saved as files in{' '}
					<code className="break-all">{mailbox}</code> and not sent.
				</p>
			)}
			{transport === 'none' && (
				<p className="field-error">
					SMTP_URL is not set. {plural(waiting, 'delivery waits', 'deliveries wait')} until it is.
				</p>
			)}
			{counts.failed > 0 && (
				<p className="field-error mt-1">
					{plural(counts.failed, 'delivery', 'deliveries')} failed: see the reasons below.
				</p>
			)}
			<button
				type="button"
				className="link mt-1"
				onClick={() => openScreen('site', { part: 'Mail' })}
			>
				Sender, and whether mail arrives
			</button>
		</div>
	);
}

function columnsFor(reload: () => void): Column<DeliveryView>[] {
	return [
		column('kind', 'What', ({ id, kind, recipient, isEmail }) => (
			<>
				{isEmail ? (
					<a className="link" href={api.showEmail.path.replace(':id', id)} target="_blank">
						{KIND_LABELS[kind] ?? kind}
					</a>
				) : (
					(KIND_LABELS[kind] ?? kind)
				)}
				{recipient && <span className="block wrap-anywhere text-muted">{recipient}</span>}
			</>
		)),
		column('state', 'State', (row) => {
			const { state, reason, attempts, dueAt } = row;
			return (
				<>
					<span className={state === 'failed' ? 'field-error' : undefined}>
						{STATE_LABELS[state]}
					</span>
					{attempts > 1 && <span className="text-muted"> · {plural(attempts, 'attempt')}</span>}
					{dueAt && (
						<span className="text-muted">
							{' '}
							· next <When at={dueAt} hour />
						</span>
					)}
					{reason && state !== 'kept' && (
						<span className="block text-sm break-words text-muted">{reason}</span>
					)}
					{(state === 'failed' || state === 'retrying') && (
						<Retry delivery={row} onRetried={reload} />
					)}
				</>
			);
		}),
		column('createdAt', 'Queued', ({ createdAt }) => <When at={createdAt} hour />, 'end', 'wide'),
	];
}

function Retry({ delivery, onRetried }: { delivery: DeliveryView; onRetried: () => void }) {
	return (
		<WorkButton
			label="Try again"
			work={async () => {
				await callAsAdmin(api.retryDelivery, { id: delivery.id });
				onRetried();
				const to = delivery.recipient ? ` to ${delivery.recipient}` : '';
				return `${KIND_LABELS[delivery.kind] ?? delivery.kind}${to} is being tried again.`;
			}}
		/>
	);
}
