import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { getLetter, listLetters, steerLetter } from '#src/features/newsletter/letters.api.ts';
import type { LetterAction, LetterState, LetterView } from '#src/features/newsletter/letters.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { SECOND } from '#src/lib/dates.ts';
import { messageOf } from '#src/lib/errors.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';

const NOTHING = {};
const REFRESH_MS = 4 * SECOND;
const STATES: Record<LetterState, [badge: string, label: string]> = {
	scheduled: ['badge badge-wait', 'Scheduled'],
	queueing: ['badge badge-wait', 'Starting'],
	sending: ['badge badge-on', 'Going out'],
	paused: ['badge badge-wait', 'Paused'],
	stopped: ['badge badge-off', 'Stopped'],
	sent: ['badge badge-on', 'Sent'],
	kept: ['badge badge-wait', 'Kept as files'],
};
const READERS = {
	each: ' · to those who want each article',
	weekly: '',
	monthly: ' · to those who want one a month',
};
const DONE: Record<LetterAction, string> = {
	pause: 'Paused. Nobody else gets it until you resume it.',
	resume: 'It goes on.',
	stop: 'Stopped. Nobody else gets it.',
};

/** The latest letters, with their progress. */
export function Letters() {
	const { answer, error, reload } = useAnswer(listLetters, NOTHING);
	const letters = answer?.letters ?? [];
	const isMoving = letters.some(({ state }) => state === 'queueing' || state === 'sending');
	useEffect(() => {
		if (!isMoving) return;
		const timer = setInterval(() => {
			if (!document.hidden) reload();
		}, REFRESH_MS);
		return () => clearInterval(timer);
	}, [isMoving]);
	return (
		<section aria-labelledby="letters-title">
			<h2 id="letters-title">Sent letters</h2>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading the letters" rows={3} />}
			{answer && letters.length === 0 && (
				<p className="mt-3 text-muted">
					Nothing went out yet. The first issue goes out when it is due and has an article.
				</p>
			)}
			{letters.length > 0 && (
				<ul className="letter-list mt-4 border-t border-line">
					{letters.map((letter) => (
						<li key={letter.id}>
							<Letter letter={letter} onChanged={reload} />
						</li>
					))}
				</ul>
			)}
		</section>
	);
}

function Letter({ letter, onChanged }: { letter: LetterView; onChanged: () => void }) {
	const {
		id,
		subject,
		isIssue,
		cadence,
		state,
		topic,
		source,
		label: group,
		dueAt,
		createdAt,
	} = letter;
	const [badge, label] = STATES[state];
	const { recipients, delivered, kept, failed, withdrawn, pace } = letter;
	const left = Math.max(0, recipients - delivered - failed - withdrawn);
	const [open, setOpen] = useState(false);

	async function steer(action: LetterAction) {
		try {
			await callAsAdmin(steerLetter, { id, action });
			toast({ title: DONE[action] });
		} catch (problem) {
			toast({ title: 'Not done', description: messageOf(problem), destructive: true });
		}
		onChanged();
	}
	const canPause = ['scheduled', 'queueing', 'sending'].includes(state);
	return (
		<>
			<p className="flex flex-wrap items-center gap-x-3 gap-y-1">
				<span className={badge}>{label}</span>
				{isIssue ? (
					<a className="link" href={paths.issue(id)}>
						{subject}
					</a>
				) : (
					<strong>{subject}</strong>
				)}
			</p>
			<p className="label">
				{state === 'scheduled' && dueAt ? (
					<>
						Due <When at={dueAt} hour />
					</>
				) : (
					<When at={createdAt} hour />
				)}
				{cadence && READERS[cadence]}
				{topic && ` · readers of ${topic}`}
				{source && ` · from ${source}`}
				{group && ` · labeled ${group}`}
				{state !== 'scheduled' &&
					recipients > 0 &&
					` · ${formatCount(delivered - kept)} of ${formatCount(recipients)} sent`}
				{kept > 0 && `, ${formatCount(kept)} kept as files on this machine`}
				{failed > 0 && `, ${formatCount(failed)} refused`}
				{withdrawn > 0 && `, ${formatCount(withdrawn)} not sent`}
				{state === 'sending' && pace > 0 && paceWords(pace, left)}
			</p>
			{['sending', 'queueing', 'paused'].includes(state) && recipients > 0 && (
				<progress max={recipients} value={delivered + failed + withdrawn} aria-label="Sent" />
			)}
			<div className="letter-actions">
				{canPause && (
					<Button variant="quiet" onClick={() => void steer('pause')}>
						Pause
					</Button>
				)}
				{state === 'paused' && (
					<Button variant="quiet" onClick={() => void steer('resume')}>
						Resume
					</Button>
				)}
				{(canPause || state === 'paused') && (
					<AskButton
						label="Stop"
						title="Stop this letter?"
						text={`${plural(left, 'reader')} who are in line do not get it, and it cannot be started again.`}
						answer="Stop it"
						work={() => steer('stop')}
					/>
				)}
				<Button variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
					Details
				</Button>
			</div>
			{open && <Detail id={id} />}
		</>
	);
}

function Detail({ id }: { id: string }) {
	const { answer, error, reload } = useAnswer(getLetter, { id });
	if (error !== undefined) return <SectionError message={error} onRetry={reload} />;
	if (!answer) return <Skeleton label="Loading the details" rows={1} />;
	const { refused, reasons, unsubscribed, readings, comments } = answer;
	return (
		<div role="status">
			<dl className="letter-figures">
				<Figure label="Articles opened by its links" count={readings} />
				<Figure label="Comments by who came from it" count={comments} />
				<Figure label="Unsubscribed within a week" count={unsubscribed} />
				<Figure label="Refused for good" count={refused.hard} />
				<Figure label="Refused for now" count={refused.soft} />
			</dl>
			{reasons.length > 0 && (
				<ul className="mt-2 list-disc pl-5">
					{reasons.map(({ reason, kind, count }) => (
						<li key={`${kind} ${reason}`} className="break-words">
							{formatCount(count)} × {kind === 'hard' ? 'for good' : 'for now'}: {reason}
						</li>
					))}
				</ul>
			)}
			<p className="mt-3 flex flex-wrap gap-x-4">
				<a className="link" href={mailOf(id, 'delivered')}>
					Who has it
				</a>
				<a className="link" href={mailOf(id, '')}>
					All its emails
				</a>
			</p>
		</div>
	);
}

const mailOf = (letter: string, state: string) =>
	`?${new URLSearchParams({ tab: 'mail', letter, ...(state && { state }) })}`;

/** Returns how fast a letter leaves, and how long that takes for those who are left. */
const paceWords = (pace: number, left: number) =>
	` · ${formatCount(pace)} a minute, about ${plural(Math.ceil(left / pace), 'minute')} left`;

function Figure({ label, count }: { label: string; count: number }) {
	return (
		<div>
			<dt className="label">{label}</dt>
			<dd>{formatCount(count)}</dd>
		</div>
	);
}
