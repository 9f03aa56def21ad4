import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { checkRecords } from '#src/features/mail/mail.api.ts';
import type { MailRecord, MailRecords } from '#src/features/mail/records.ts';

const STATES: Record<MailRecord['state'], [label: string, badge: string]> = {
	good: ['Good', 'badge-on'],
	wrong: ['To mend', 'badge-wait'],
	missing: ['Missing', 'badge-wait'],
	unknown: ['Not known', 'badge-off'],
};

/** Looks up the DNS records of the sender's domain, and says what to write into them. */
export function Records() {
	const [answer, setAnswer] = useState<MailRecords>();
	const { busy, reason, run } = useSubmit();
	const look = () => run(async () => setAnswer(await callAsAdmin(checkRecords, {})));
	return (
		<section aria-labelledby="records-title">
			<h3 id="records-title">Will it arrive?</h3>
			<p className="mt-3 mb-4 text-muted">
				A server has to take what the site sends, and others judge it by three records in the DNS of
				the sender’s domain.
			</p>
			<div role="status">
				{answer && (
					<>
						<h4 className="font-semibold break-all">{answer.domain}</h4>
						<dl className="mt-2 mb-6">
							{answer.records.map((record) => (
								<Record key={record.kind} record={record} />
							))}
						</dl>
					</>
				)}
			</div>
			<FieldError>{reason}</FieldError>
			<Button variant="quiet" className={reason && 'mt-4'} busy={busy} onClick={() => void look()}>
				{busy ? 'Looking…' : answer ? 'Look again' : 'Try the server and the records'}
			</Button>
		</section>
	);
}

function Record({ record: { kind, name, state, found, advice, write } }: { record: MailRecord }) {
	const [label, badge] = STATES[state];
	return (
		<div className="border-t border-line py-4">
			<dt className="flex flex-wrap items-center gap-3 font-semibold">
				{kind} <span className={`badge ${badge}`}>{label}</span>
			</dt>
			<dd className="mt-2 grid gap-2">
				<p>{advice}</p>
				{name && (
					<p className="label break-all">
						TXT record of <code>{name}</code>
					</p>
				)}
				{found && <Line label="As it is" value={found} />}
				{write && <Line label="Write" value={write} />}
			</dd>
		</div>
	);
}

function Line({ label, value }: { label: string; value: string }) {
	return (
		<p>
			<span className="label">{label}</span> <code className="break-all">{value}</code>
		</p>
	);
}
