import { useEffect, useState, type ReactNode } from 'react';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { fromLocal, toLocal } from '#src/dashboard/kit/times.ts';
import { KeptNote } from '#src/dashboard/kit/KeptNote.tsx';
import { LetterPreview } from '#src/dashboard/kit/MailPreview.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { articleLetter } from '#src/features/newsletter/article-letter.ts';
import { checkLetter, getNextIssue } from '#src/features/newsletter/letters.api.ts';
import { sizeWarning } from '#src/features/newsletter/letters.ts';
import type { NextIssue } from '#src/features/newsletter/next-issue.ts';
import { slugOf, type PostForm } from '#src/features/posts/editing.ts';
import { localTimeZone, timeIn } from '#src/lib/dates.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import { mailingOf } from './last-mailing.store.ts';
import { people, sendTime, type Mailing } from './mailing.ts';

const NOTHING = {};

type Props = {
	form: PostForm;
	/** When the article is published, as ISO time; empty for now. */
	at: string;
	mailing: Mailing;
	onChange: (mailing: Mailing) => void;
	/** Hears how many people a letter reaches. */
	onReaders: (count: number | undefined) => void;
};

/** Asks how an article is mailed: in the next issue, as a letter of its own, or not. */
export function MailChoice({ form, at, mailing, onChange, onReaders }: Props) {
	const issue = useAnswer(getNextIssue, NOTHING);
	const [letter, setLetter] = useState(mailing.how === 'letter' ? mailing : mailingOf('letter'));
	const isLetter = mailing.how === 'letter';
	const choice = (how: Mailing['how'], label: string, about: ReactNode) => (
		<label className="mail-choice">
			<input
				type="radio"
				name="mail"
				checked={mailing.how === how}
				onChange={() => onChange(how === 'letter' ? letter : { how })}
			/>
			<span>
				{label}
				<span className="field-hint block">{about}</span>
			</span>
		</label>
	);
	return (
		<fieldset className="mail-choices">
			<legend>By mail</legend>
			{choice('issue', 'In the next issue', issue.answer ? aboutIssue(issue.answer, at) : '…')}
			{choice(
				'letter',
				'As a letter of its own',
				issue.answer ? `To ${people(allReaders(issue.answer))}, and not in the issue.` : '…',
			)}
			{choice('none', 'Not by mail', 'It is left out of the issue.')}
			<LoadError what="The next issue" {...issue} />
			{isLetter && (
				<Letter
					form={form}
					at={at}
					mailing={mailing}
					onReaders={onReaders}
					onTime={(sendAt) => {
						setLetter({ ...mailing, sendAt });
						onChange({ ...mailing, sendAt });
					}}
				/>
			)}
		</fieldset>
	);
}

/** Returns which issue an article that is published at a time is in, when that goes out, and to how many. */
function aboutIssue(issue: NextIssue, at: string): string {
	const { at: due, timeZone, mode, recipients, readers } = issue;
	// In the site's zone, as under Newsletter; the times that are typed here are in the writer's own.
	const clock = (zone?: string) =>
		new Date(due).toLocaleString('en-US', {
			...{ weekday: 'long', hour: 'numeric', minute: '2-digit' },
			timeZone: zone,
		});
	const here = clock() === clock(timeZone) ? '' : `, ${clock()} where you are`;
	const weekday = new Date(due).toLocaleDateString('en-US', { weekday: 'long', timeZone });
	const time = `${weekday}, ${timeIn(timeZone, due)}${here}`;
	const which =
		at > due ? `The first one after its publication, which is later than that of ${time}` : time;
	const how = {
		auto: '',
		ask: ', once you approve it',
		skip: ', which is skipped: then in the one after it',
	};
	const each =
		readers.each > 0
			? ` ${people(readers.each)} who want each article have it about ten minutes after publication.`
			: '';
	return `${which}${how[mode]}. ${people(recipients)} would get it now.${each}`;
}

const allReaders = ({ readers: { each, weekly, monthly } }: NextIssue) => each + weekly + monthly;

type LetterProps = Omit<Props, 'mailing' | 'onChange'> & {
	mailing: Mailing & { how: 'letter' };
	onTime: (time: string) => void;
};

/** When a letter leaves, whom it reaches, and what it looks like. */
function Letter({ form, at, mailing, onReaders, onTime }: LetterProps) {
	const address = new URL(paths.post(slugOf(form)), location.origin).href;
	const letter = articleLetter(form, address);
	const check = useAsync(`${mailing.sendAt} ${at}`, () =>
		callAsAdmin(checkLetter, { ...letter, sendAt: sendTime(mailing, at, new Date()) }),
	);
	const { data } = check;
	useEffect(() => {
		onReaders(data?.readers);
		return () => onReaders(undefined);
	}, [data]);
	return (
		<div className="mt-3 grid gap-3">
			<div className="field">
				<label htmlFor="mail-time">Send at</label>
				<input
					id="mail-time"
					type="datetime-local"
					value={mailing.sendAt && toLocal(mailing.sendAt)}
					onChange={({ currentTarget }) =>
						onTime(currentTarget.value && fromLocal(currentTarget.value))
					}
				/>
				<span className="field-hint">
					In your time zone ({localTimeZone()}). Empty for two minutes after publication: until then
					it can be stopped.
				</span>
			</div>
			<p role="status">
				{data && `“${letter.subject}” goes to ${people(data.readers)}.`}
				{data?.readers === 0 && ' Nobody gets letters yet.'}
			</p>
			{data?.near && <p className="field-error">{data.near}</p>}
			{data && sizeWarning(data.bytes) && <p className="field-error">{sizeWarning(data.bytes)}</p>}
			<LoadError what="Whom it reaches" {...check} />
			<KeptNote />
			<LetterPreview letter={letter} />
		</div>
	);
}
