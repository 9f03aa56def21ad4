import { useEffect, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { openScreen } from '#src/dashboard/kit/address.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { getLetter, steerLetter } from '#src/features/newsletter/letters.api.ts';
import type { LetterView } from '#src/features/newsletter/letters.ts';
import { localTime, localTimeZone } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import { people } from './mailing.ts';

const POLL_MS = 5000;

/** The letter of an article that was just published: when it leaves, to how many it went, and a way to stop it. */
export function MailedNote({ letter: first }: { letter: LetterView }) {
	const [letter, setLetter] = useState(first);
	const { busy, run } = useSubmit('Not stopped');
	const { id, state } = letter;
	const isOver = ['stopped', 'sent', 'kept'].includes(state);
	useEffect(() => {
		if (isOver) return;
		const timer = setInterval(() => {
			// The next look may reach the server again, or find somebody signed in.
			callAsAdmin(getLetter, { id }).then(setLetter, () => {});
		}, POLL_MS);
		return () => clearInterval(timer);
	}, [id, isOver]);
	return (
		<section className="mailed" aria-label="The letter">
			<p role="status">{wordsOf(letter)}</p>
			<span className="flex flex-wrap gap-3">
				{!isOver && (
					<Button
						variant="quiet"
						busy={busy}
						onClick={() =>
							void run(async () =>
								setLetter(await callAsAdmin(steerLetter, { id, action: 'stop' })),
							)
						}
					>
						Stop the letter
					</Button>
				)}
				<button
					type="button"
					className="link"
					onClick={() => openScreen('newsletter', { part: 'letters' })}
				>
					All letters
				</button>
			</span>
		</section>
	);
}

function wordsOf({ state, dueAt, recipients, delivered, withdrawn, failed }: LetterView): string {
	const failures = failed > 0 ? `, ${plural(failed, 'failure')}` : '';
	if (state === 'scheduled' && dueAt)
		return `The letter goes out ${localTime(dueAt)} (${localTimeZone()}).`;
	if (state === 'stopped')
		return delivered > 0
			? `Stopped: ${people(delivered)} had it by then.`
			: 'Stopped: nobody got it.';
	if (state === 'sent') return `The letter went to ${people(delivered)}${failures}.`;
	if (state === 'kept')
		return `The letter is kept as ${plural(delivered, 'file')} on this machine: no mail server is set up.`;
	if (state === 'paused') return `The letter is paused: ${people(delivered)} have it.`;
	return `The letter goes out: ${people(delivered)} of ${recipients - withdrawn} have it${failures}.`;
}
