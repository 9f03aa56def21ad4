import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import type { PostForm } from '#src/features/posts/editing.ts';
import { NetworkChoice } from '#src/dashboard/networks/NetworkChoice.tsx';
import { Checklist } from './Checklist.tsx';
import { MailChoice } from '#src/dashboard/editor/mailing/MailChoice.tsx';
import { people, type Telling } from '#src/dashboard/editor/mailing/mailing.ts';
import {
	lastHow,
	mailingOf,
	rememberHow,
} from '#src/dashboard/editor/mailing/last-mailing.store.ts';
import type { Advice } from './checklist.ts';
import { fromLocal, toLocal } from '#src/dashboard/kit/times.ts';
import { localTimeZone } from '#src/lib/dates.ts';

type Props = {
	open: boolean;
	form: PostForm;
	advice: readonly Advice[];
	busy: boolean;
	error: string | undefined;
	onClose: () => void;
	onPublish: (publishedAt: string, telling: Telling) => void;
};

/** The last look before publishing: when, and what could be better. */
export function PublishDialog({ open, onClose, ...rest }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Publish" firstFocus="input">
			<PublishForm {...rest} />
		</Dialog>
	);
}

function PublishForm({ form, advice, busy, error, onPublish }: Omit<Props, 'open' | 'onClose'>) {
	const isFuture = (time: string) => Date.parse(time) > Date.now();
	// A date of the past is kept: the article was first published then.
	const now = form.publishedAt && !isFuture(form.publishedAt) ? form.publishedAt : '';
	const [later, setLater] = useState(isFuture(form.publishedAt));
	const [time, setTime] = useState(
		form.publishedAt || new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString(),
	);
	const [mailing, setMailing] = useState(() => (now ? mailingOf('none') : mailingOf(lastHow())));
	const [posts, setPosts] = useState(true);
	const [readers, setReaders] = useState<number>();
	const usable = !later || isFuture(time);
	const isLetter = mailing.how === 'letter';
	const words = isLetter
		? `${later ? 'Schedule' : 'Publish'} and send to ${people(readers ?? 0)}`
		: later
			? 'Schedule'
			: 'Publish now';
	return (
		<div className="publish-form">
			<div className="segments" role="radiogroup" aria-label="When">
				<label>
					<input type="radio" name="when" checked={!later} onChange={() => setLater(false)} />
					Now
				</label>
				<label>
					<input type="radio" name="when" checked={later} onChange={() => setLater(true)} />
					Later
				</label>
			</div>
			{later && (
				<div className="field">
					<label htmlFor="publish-time">Date and time</label>
					<input
						id="publish-time"
						type="datetime-local"
						value={toLocal(time)}
						onChange={(event) => setTime(fromLocal(event.currentTarget.value))}
					/>
					<span className="field-hint">
						{usable
							? `In your time zone (${localTimeZone()}). The page appears at that time.`
							: 'Choose a time that lies ahead.'}
					</span>
				</div>
			)}
			<MailChoice
				form={form}
				at={later ? time : ''}
				mailing={mailing}
				onChange={setMailing}
				onReaders={setReaders}
			/>
			{!now && <NetworkChoice checked={posts} onChange={setPosts} />}
			<h3>Before publishing</h3>
			<Checklist advice={advice} />
			<FieldError>{error}</FieldError>
			<p className="publish-answer">
				<Button
					busy={busy}
					disabled={!usable || (isLetter && !readers)}
					onClick={({ detail }) => {
						// The second press of a double click is no answer.
						if (detail >= 2) return;
						if (!now) rememberHow(mailing.how);
						onPublish(later ? time : now, { mailing, posts });
					}}
				>
					{busy ? 'Publishing…' : words}
				</Button>
			</p>
		</div>
	);
}
