import { LoadError } from '#src/components/ui/LoadError.tsx';
import { getTransport } from '#src/features/mail/mail.api.ts';
import { useAnswer } from './useAnswer.ts';

const NOTHING = {};

/** Returns whether emails are kept as files, because no mail server is known, and why that is not known. */
export function useTransport() {
	const { answer, error, reload } = useAnswer(getTransport, NOTHING);
	return { isKept: answer?.transport === 'mailbox', error, reload };
}

/** Says before a button that nothing leaves this machine, where that is so. */
export function KeptNote() {
	const { isKept, ...state } = useTransport();
	return isKept ? (
		<p className="letter-note" role="note">
			No mail server is set up (SMTP_URL): emails are kept as files on this machine and reach
			nobody.
		</p>
	) : (
		<LoadError what="Whether emails leave this machine" {...state} />
	);
}
