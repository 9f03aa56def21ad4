import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { login } from '#src/core/session/session.api.ts';
import { completeSignIn } from '#src/core/session/session.store.ts';

/** Asks for address and password until they are right. */
export function SignIn() {
	const [sending, setSending] = useState(false);
	const [error, setError] = useState('');

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const { email = '', password = '' } = Object.fromEntries(
			new FormData(event.currentTarget),
		) as Record<string, string>;
		setSending(true);
		setError('');
		try {
			await call(login, { email, password });
			completeSignIn();
			toast({ title: 'Login successful' });
		} catch (problem) {
			// The reason stands in the form: it is not told twice.
			setError(problem instanceof AppError ? messageOf(problem) : 'Invalid credentials');
			setSending(false);
			toast({ title: 'Login failed', destructive: true });
		}
	}

	return (
		<form method="post" onSubmit={send} className="grid gap-4">
			<Field label="Email" name="email" type="email" required autoComplete="username" />
			<PasswordField label="Password" name="password" required autoComplete="current-password" />
			<Button type="submit" busy={sending}>
				{sending ? 'Signing in…' : 'Sign in'}
			</Button>
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
		</form>
	);
}
