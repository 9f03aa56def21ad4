import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { login } from '#src/core/session/session.api.ts';
import { ASK_FOR_CODE } from '#src/core/session/second-factor.ts';
import type { Credentials } from '#src/core/session/session.ts';
import { completeSignIn } from '#src/core/session/session.store.ts';

/** Asks for address and password until they are right, and for a code where an authenticator app is set up. */
export function SignIn() {
	/** Address and password that were right, while the code is asked for. */
	const [waiting, setWaiting] = useState<Credentials>();
	const [sending, setSending] = useState(false);
	const [error, setError] = useState('');

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (sending) return;
		const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
		const { email, password } = waiting ?? {
			email: typed['email'] ?? '',
			password: typed['password'] ?? '',
		};
		const code = typed['code'];
		setSending(true);
		setError('');
		try {
			await call(login, { email, password, code });
			completeSignIn();
			toast({ title: 'Login successful' });
		} catch (problem) {
			setSending(false);
			const reason = problem instanceof AppError ? problem.code : undefined;
			if (reason === 'second_factor') setWaiting({ email, password });
			if (reason === 'unauthorized') setWaiting(undefined);
			if (reason === 'second_factor' && !code) return;
			// The reason stands in the form: it is not told twice.
			setError(problem instanceof AppError ? messageOf(problem) : 'Invalid credentials');
			toast({ title: 'Login failed', destructive: true });
		}
	}

	return (
		<form method="post" onSubmit={send} className="grid gap-4">
			{waiting ? (
				<Field
					label="Code"
					name="code"
					required
					autoComplete="one-time-code"
					autoCapitalize="none"
					spellCheck={false}
					autoFocus
					hint={ASK_FOR_CODE}
				/>
			) : (
				<>
					<Field label="Email" name="email" type="email" required autoComplete="username" />
					<PasswordField
						label="Password"
						name="password"
						required
						autoComplete="current-password"
					/>
				</>
			)}
			<Button type="submit" busy={sending}>
				{sending ? 'Signing in…' : 'Sign in'}
			</Button>
			{waiting && (
				<Button
					variant="quiet"
					onClick={() => {
						setWaiting(undefined);
						setError('');
					}}
				>
					Start over
				</Button>
			)}
			{error && (
				<p role="alert" className="field-error">
					{error}
				</p>
			)}
		</form>
	);
}
