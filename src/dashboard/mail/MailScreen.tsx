import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { TestButton, WorkButton } from '#src/dashboard/kit/WorkButton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { LESSONS } from '#src/features/course/course.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import {
	KIND_LABELS,
	STATE_LABELS,
	STATES,
	type DeliveryView,
	type EnrollmentView,
	type OutboxView,
} from '#src/features/mail/deliveries.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { Records } from './Records.tsx';

const NO_TEXT = {};

/** Everything that leaves: the outbox, whether it arrives, the course. */
export function MailScreen() {
	const { set, input, answer, reload, table } = useList('mail', api.listOutbox);
	return (
		<div className="grid gap-14">
			<section aria-labelledby="outbox-title">
				<h2 id="outbox-title">Outbox</h2>
				{answer && <Transport {...answer} />}
				<div className="mt-5">
					<Segments
						label="What leaves"
						value={input.what}
						options={[
							{ value: 'mail', label: 'Mail' },
							{ value: 'jobs', label: 'Other jobs' },
						]}
						onChange={(what) => set({ what, state: '', q: '', letter: '' })}
					/>
				</div>
				{input.letter && (
					<p className="mt-5 flex flex-wrap items-center gap-3">
						The emails of one letter.
						<Button variant="quiet" onClick={() => set({ letter: '' })}>
							Show all
						</Button>
					</p>
				)}
				<div className="mt-5 mb-4 flex flex-wrap items-end gap-4">
					<Field
						label="State"
						type="select"
						value={input.state}
						options={[
							{ value: '', label: 'All' },
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
							<SearchField
								label="Address"
								value={input.q}
								onSearch={(q) => set({ q }, 'replace')}
							/>
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
			</section>
			<Records />
			<Enrollments />
		</div>
	);
}

function Transport({ transport, mailbox, counts }: OutboxView) {
	const waiting = counts.waiting + counts.retrying;
	return (
		<div className="mt-3" role={transport === 'none' ? 'alert' : undefined}>
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
		</div>
	);
}

function columnsFor(reload: () => void): Column<DeliveryView>[] {
	return [
		column('kind', 'What', ({ id, kind, isEmail }) =>
			isEmail ? (
				<a className="link" href={api.showEmail.path.replace(':id', id)} target="_blank">
					{KIND_LABELS[kind] ?? kind}
				</a>
			) : (
				(KIND_LABELS[kind] ?? kind)
			),
		),
		column('recipient', 'To', ({ recipient }) => (
			<span className="block min-w-40 wrap-anywhere">{recipient ?? '—'}</span>
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

const ENROLLMENT: Column<EnrollmentView>[] = [
	column('email', 'Address', ({ email, consent }) => (
		<>
			<span className="break-all">{email}</span>
			{consent && <span className="block break-words text-muted">Consent: {consent}</span>}
		</>
	)),
	column('lesson', 'Lessons', ({ lesson }) => `${lesson} of ${LESSONS.length}`),
	column('state', 'State', ({ state }) => COURSE[state]),
	column('nextAt', 'Next', ({ nextAt }) => <When at={nextAt} hour />, 'wide'),
	column('createdAt', 'Enrolled', ({ createdAt }) => <When at={createdAt} hour />, 'end', 'wide'),
];
const COURSE: Record<EnrollmentView['state'], string> = {
	running: 'Under way',
	paused: 'Paused',
	stopped: 'Stopped',
	done: 'Finished',
};

function Enrollments() {
	const { answer, ...state } = useAnswer(api.listEnrollments, NO_TEXT);
	const rows = answer?.enrollments ?? [];
	return (
		<section aria-labelledby="course-title">
			<h2 id="course-title" className="mb-4">
				Email course
			</h2>
			{answer && answer.total > rows.length && (
				<p className="mb-3 text-muted">
					The newest {rows.length} of {formatCount(answer.total)}.
				</p>
			)}
			<DataTable
				{...state}
				label="Enrollments"
				columns={ENROLLMENT}
				page={answer && { rows, total: rows.length, page: 1, pageSize: Math.max(1, rows.length) }}
				onRetry={state.reload}
				onPage={() => {}}
				idOf={({ email }) => email}
				empty={<p>Nobody is enrolled yet.</p>}
			/>
		</section>
	);
}
