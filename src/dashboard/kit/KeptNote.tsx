import { getTransport } from '#src/features/mail/mail.api.ts';
import { useAnswer } from './useAnswer.ts';

const NOTHING = {};

/** Returns whether emails are kept as files, because no mail server is known. */
export const useIsKept = () => useAnswer(getTransport, NOTHING).answer?.transport === 'mailbox';

/** Says before a button that nothing leaves this machine, where that is so. */
export function KeptNote() {
	return useIsKept() ? (
		<p className="letter-note" role="note">
			No mail server is set up (SMTP_URL): emails are kept as files on this machine and reach
			nobody.
		</p>
	) : null;
}
