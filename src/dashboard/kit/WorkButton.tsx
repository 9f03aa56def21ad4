import { Button } from '#src/components/ui/Button.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import type { SentTest, TestEmail } from '#src/features/mail/deliveries.ts';
import { sendTest } from '#src/features/mail/mail.api.ts';
import { useSubmit } from './useSubmit.ts';

type Props = { label: string; work: () => Promise<string> };

/** A button whose work says in a toast how it went. */
export function WorkButton({ label, work }: Props) {
	const { busy, run } = useSubmit('Error');
	return (
		<Button
			variant="quiet"
			busy={busy}
			onClick={() => void run(async () => toast({ title: await work() }))}
		>
			{label}
		</Button>
	);
}

/** Returns what became of a test email. */
export const testWords = ({ recipient, isKept }: SentTest) =>
	isKept
		? `Kept as a file on this machine, not sent to ${recipient}.`
		: `On its way to ${recipient}.`;

type TestProps = { what: TestEmail; label: string; onSent: () => void };

/** Sends the admin a test email. */
export function TestButton({ what, label, onSent }: TestProps) {
	return (
		<WorkButton
			label={label}
			work={async () => {
				const sent = await callAsAdmin(sendTest, { what });
				onSent();
				return testWords(sent);
			}}
		/>
	);
}
