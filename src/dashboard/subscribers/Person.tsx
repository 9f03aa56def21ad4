import type { ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { readProof } from '#src/features/confirmation/confirmation.ts';
import { courseSentence } from '#src/features/course/course.ts';
import { KIND_LABELS, STATE_LABELS } from '#src/features/mail/deliveries.ts';
import type { Cadence } from '#src/features/newsletter/subscriber.ts';
import { activateSubscribers, labelSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { erasePerson, getPerson, type PersonView } from '#src/features/people/person.api.ts';
import { localDate } from '#src/lib/dates.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import { cut, formatCount, joinWithAnd } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { LabelForm } from './Labels.tsx';
import { sourceOf, StateBadge } from './states.tsx';

type Props = {
	email: string;
	labels: readonly string[];
	onBack: () => void;
	onChanged: () => void;
};

/** Everything about one address: what it gets, how that was agreed to, what it was sent and what it wrote. */
export function Person({ email, labels, onBack, onChanged }: Props) {
	const { answer, error, reload } = useAnswer(getPerson, { email });
	return (
		<div className="person">
			<Button variant="quiet" onClick={onBack}>
				All subscribers
			</Button>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading this person" rows={6} />}
			{answer && error === undefined && (
				<Shown
					person={answer}
					labels={labels}
					onChanged={() => {
						reload();
						onChanged();
					}}
					onErased={() => {
						onChanged();
						onBack();
					}}
				/>
			)}
		</div>
	);
}

type ShownProps = {
	person: PersonView;
	labels: readonly string[];
	onChanged: () => void;
	onErased: () => void;
};

function Shown({ person, labels, onChanged, onErased }: ShownProps) {
	const { email, subscriber, course, unconfirmed, emails, comments, messages, held } = person;
	const { busy, run } = useSubmit('That did not work');
	const activate = (id: string, active: boolean, leftAt?: string) =>
		run(async () => {
			const done = await callAsAdmin(activateSubscribers, {
				...{ ids: [id], active },
				...(leftAt && { leftAt }),
			});
			toast({
				title: active ? 'Active again' : 'Unsubscribed',
				action: active
					? undefined
					: { label: 'Undo', run: () => void activate(id, true, done.leftAt) },
			});
			onChanged();
		});
	const label = (id: string, text: string, on: boolean) =>
		callAsAdmin(labelSubscribers, { ids: [id], label: text, on }).then(onChanged);
	return (
		<>
			<header>
				<h2 className="wrap-anywhere">{readableEmail(email)}</h2>
				{subscriber && (
					<p>
						{subscriber.name && <strong>{subscriber.name} </strong>}
						<StateBadge {...subscriber} />
					</p>
				)}
			</header>
			<section aria-label="The letter">
				<h3>The letter</h3>
				{subscriber ? (
					<dl className="person-facts">
						<Fact label="Since">
							<When at={subscriber.createdAt} hour />
						</Fact>
						<Fact label="Came by">{sourceOf(subscriber)}</Fact>
						<Fact label="Topics">
							{subscriber.topics.length > 0 ? joinWithAnd(subscriber.topics) : 'All'}
						</Fact>
						<Fact label="How often">{CADENCES[subscriber.cadence]}</Fact>
						<Fact label="Gets">
							{subscriber.wantsWhole ? 'Whole articles' : 'A few lines of each article'}
						</Fact>
						<Fact label="Agreed">
							<Consent {...subscriber} />
						</Fact>
						<Fact label="Labels">
							<ul className="person-labels" aria-label="Labels">
								{subscriber.labels.map((one) => (
									<li key={one} className="person-label">
										{one}
										<button
											type="button"
											aria-label={`Remove ${one}`}
											disabled={busy}
											onClick={() => void run(() => label(subscriber.id, one, false))}
										>
											×
										</button>
									</li>
								))}
							</ul>
							<LabelForm
								label="Add a label"
								known={labels}
								answers={[{ text: 'Add', work: (text) => label(subscriber.id, text, true) }]}
							/>
						</Fact>
					</dl>
				) : (
					<p className="text-muted">This address does not get the letter.</p>
				)}
				{unconfirmed.map(({ wish, page, createdAt }) => (
					<p key={wish} className="text-muted">
						Asked for {wish === 'newsletter' ? 'the letter' : wish}
						{page && ` on ${page}`}, not confirmed yet. <When at={createdAt} />
					</p>
				))}
			</section>
			{course && (
				<section aria-label="The course">
					<h3>The course</h3>
					<p>{courseSentence(course)}</p>
					<p className="text-muted">
						Enrolled <When at={course.createdAt} />
					</p>
				</section>
			)}
			<List
				title="Emails"
				list={emails}
				none="None in the last weeks: older ones are forgotten."
				all={screenAddress('mail', { q: email })}
				keyOf={({ kind, createdAt }) => `${kind} ${createdAt}`}
			>
				{({ kind, title, state, createdAt }) => (
					<>
						<span>
							{title || (KIND_LABELS[kind] ?? kind)}
							{title && <span className="text-muted"> · {KIND_LABELS[kind] ?? kind}</span>}
						</span>
						<span className={state === 'failed' ? 'field-error' : 'text-muted'}>
							{STATE_LABELS[state]}
						</span>
						<When at={createdAt} hour />
					</>
				)}
			</List>
			<p className="text-muted">
				Who opens a letter is not recorded. How often its links were used stands with each letter.
			</p>
			<List
				title="Comments"
				list={comments}
				none="None with this address."
				all={screenAddress('comments', { q: email })}
				keyOf={({ createdAt, content }) => createdAt + content}
			>
				{({ article, slug, content, isPublic, createdAt }) => (
					<>
						<span>
							<a className="link" href={paths.post(slug)}>
								{article}
							</a>
							<span className="block text-muted">{cut(content, 160)}</span>
						</span>
						<span className="text-muted">{isPublic ? 'Visible' : 'Not visible'}</span>
						<When at={createdAt} hour />
					</>
				)}
			</List>
			{messages.total > 0 && (
				<List title="Messages" list={messages} none="" keyOf={({ id }) => id}>
					{({ id, topic, message, createdAt }) => (
						<>
							<span>
								<a className="link" href={screenAddress('messages', { message: id })}>
									{topic}
								</a>
								<span className="block text-muted">{cut(message, 160)}</span>
							</span>
							<span />
							<When at={createdAt} hour />
						</>
					)}
				</List>
			)}
			<div className="person-actions">
				{subscriber && ['active', 'paused'].includes(subscriber.state) && (
					<Button variant="quiet" busy={busy} onClick={() => void activate(subscriber.id, false)}>
						Unsubscribe
					</Button>
				)}
				{held && (
					<AskButton
						label="Erase everything…"
						variant="danger"
						title={`Erase ${readableEmail(email)}?`}
						text={`${held} ${held.includes(' and ') || !held.startsWith('1 ') ? 'are' : 'is'} deleted for good, in public places as well. Do it when the owner of the address asks for it: no file brings the address back, only a new signup does. Numbers of past days stay as they are.`}
						answer="Erase everything"
						work={async () => {
							const { erased } = await callAsAdmin(erasePerson, { email });
							toast({ title: 'Erased', description: erased });
							onErased();
						}}
					/>
				)}
			</div>
		</>
	);
}

const CADENCES: Record<Cadence, string> = {
	each: 'With each article',
	weekly: 'With each issue',
	monthly: 'Once a month',
};

function Fact({ label, children }: { label: string; children: ReactNode }) {
	return (
		<div>
			<dt className="label">{label}</dt>
			<dd>{children}</dd>
		</div>
	);
}

/** When, where and to which words somebody agreed; what was stated of it; or that nobody was asked. */
function Consent({ consent, source, imported }: NonNullable<PersonView['subscriber']>) {
	const proof = consent ? readProof(consent) : null;
	if (proof)
		return (
			<>
				By the link in an email, <When at={proof.confirmedAt} hour />
				<span className="block text-muted">
					Asked for on {proof.page ?? 'a page that is not known'},{' '}
					{localDate(proof.askedAt, 'medium', 'short')}
				</span>
				<q className="block">{proof.wording}</q>
			</>
		);
	if (consent) return <q>{consent}</q>;
	return (
		<span className="text-muted">
			{imported
				? 'Came with a file that does not say how.'
				: `Filled in a form${source ? ` (${source})` : ''}. No email asked for a confirmation.`}
		</span>
	);
}

type ListProps<Row> = {
	title: string;
	list: { total: number; rows: Row[] };
	/** Said where there are none. */
	none: string;
	/** Where all are. */
	all?: string;
	keyOf: (row: Row) => string;
	children: (row: Row) => ReactNode;
};

function List<Row>({ title, list, none, all, keyOf, children }: ListProps<Row>) {
	return (
		<section aria-label={title}>
			<h3>
				{title} {list.total > 0 && <span className="count">{list.total}</span>}
			</h3>
			{list.total === 0 ? (
				<p className="text-muted">{none}</p>
			) : (
				<ul className="person-list">
					{list.rows.map((row) => (
						<li key={keyOf(row)}>{children(row)}</li>
					))}
				</ul>
			)}
			{all && list.total > list.rows.length && (
				<p>
					<a className="link" href={all}>
						{formatCount(list.total - list.rows.length)} more
					</a>
				</p>
			)}
		</section>
	);
}
