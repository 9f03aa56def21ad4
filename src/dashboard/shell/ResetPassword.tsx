import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { requestReset, resetPassword } from '#src/core/session/session.api.ts';
import { NewPasswordField } from '#src/dashboard/kit/NewPasswordField.tsx';
import { call, parse } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';

/** Asks for an address, to which a link to a new password is mailed. */
export function RequestReset({ onClose }: { onClose: () => void }) {
	const [sent, setSent] = useState<number>();
	const [error, setError] = useState('');
	const [sending, setSending] = useState(false);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const input = Object.fromEntries(new FormData(event.currentTarget)) as { email: string };
		setSending(true);
		setError('');
		try {
			parse(requestReset.input, input);
			setSent((await call(requestReset, input)).minutes);
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setSending(false);
		}
	}

	if (sent !== undefined) {
		return (
			<div className="grid gap-4">
				<p role="status">
					If this is the admin’s address, a link to a new password is on its way. It works once, for{' '}
					{sent} minutes.
				</p>
				<Button variant="quiet" onClick={onClose}>
					Back to sign-in
				</Button>
			</div>
		);
	}
	return (
		<form method="post" noValidate onSubmit={send} className="grid gap-4">
			<Field
				label="Email"
				name="email"
				type="email"
				required
				autoComplete="username"
				autoFocus
				error={error || undefined}
			/>
			<Button type="submit" busy={sending}>
				{sending ? 'Sending…' : 'Mail me a link'}
			</Button>
			<Button variant="quiet" onClick={onClose}>
				Back to sign-in
			</Button>
		</form>
	);
}

/** Asks for a new password, to which a mailed link led. */
export function ResetPassword({ token, onDone }: { token: string; onDone: () => void }) {
	const [fields, setFields] = useState<Record<string, string>>({});
	const [error, setError] = useState('');
	const [sending, setSending] = useState(false);

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const { password = '' } = Object.fromEntries(new FormData(event.currentTarget)) as {
			password?: string;
		};
		setSending(true);
		setFields({});
		setError('');
		try {
			parse(resetPassword.input, { token, password });
			await call(resetPassword, { token, password });
			toast({ title: 'Password changed', description: 'All sessions have ended. Sign in.' });
			onDone();
		} catch (problem) {
			const wrong = (problem instanceof AppError && problem.fields) || {};
			setFields(wrong);
			if (!wrong['password']) setError(messageOf(problem));
			setSending(false);
		}
	}

	return (
		<form method="post" noValidate onSubmit={send} className="grid gap-4">
			<NewPasswordField error={fields['password']} />
			<Button type="submit" busy={sending}>
				{sending ? 'Changing…' : 'Set the password'}
			</Button>
			<Button variant="quiet" onClick={onDone}>
				Back to sign-in
			</Button>
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
		</form>
	);
}
