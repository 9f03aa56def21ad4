import { useStore } from '@nanostores/react';
import { useEffect, useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import {
	$passkeys,
	canFillIn,
	hasPasskeys,
	offerToFillIn,
	rememberPasskeys,
	signWithPasskey,
} from '#src/core/session/passkeys.store.ts';
import { ASK_FOR_CODE, ASK_FOR_PASSKEY } from '#src/core/session/second-factor.ts';
import { login, loginWithPasskey } from '#src/core/session/session.api.ts';
import type { Credentials } from '#src/core/session/session.ts';
import { $account, completeSignIn } from '#src/core/session/session.store.ts';
import { RequestReset } from './ResetPassword.tsx';

/**
 * Asks for a passkey, or for address and password until they are right, and then for a code or a passkey where one is
 * set up.
 */
export function SignIn() {
	/** Address and password that were right, while the second factor is asked for. */
	const [waiting, setWaiting] = useState<Credentials & { hint: string }>();
	const { used = false } = useStore($passkeys);
	/** True if the browser offers passkeys by itself; undefined until that is known. */
	const [fillsIn, setFillsIn] = useState<boolean>();
	const [isLost, setLost] = useState(false);
	const [sending, setSending] = useState(false);
	const [error, setError] = useState('');

	useEffect(() => {
		void canFillIn().then(setFillsIn);
	}, []);
	useEffect(() => {
		if (!fillsIn || waiting || isLost || sending) return;
		return offerToFillIn((passkey) => void attempt(() => call(loginWithPasskey, { passkey })));
	}, [fillsIn, waiting, isLost, sending]);

	async function attempt(work: () => Promise<unknown>, given?: Credentials) {
		if (sending) return;
		setSending(true);
		setError('');
		try {
			await work();
			completeSignIn();
			toast({ title: 'Login successful' });
		} catch (problem) {
			setSending(false);
			const reason = problem instanceof AppError ? problem.code : undefined;
			if (given && reason === 'second_factor' && !given.code && !given.passkey) {
				setWaiting({ ...given, hint: messageOf(problem) });
				return;
			}
			if (reason === 'unauthorized') setWaiting(undefined);
			setError(problem instanceof AppError ? messageOf(problem) : 'Invalid credentials');
		}
	}

	function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const typed = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
		const email = waiting?.email ?? typed['email'] ?? '';
		const password = waiting?.password ?? typed['password'] ?? '';
		const given = { email, password, code: typed['code'] };
		void attempt(async () => {
			await call(login, given);
			// The password alone was enough: there is none any more.
			if (!given.code) rememberPasskeys(false);
		}, given);
	}

	function usePasskey() {
		void attempt(async () => {
			const passkey = await signWithPasskey();
			if (!waiting) return call(loginWithPasskey, { passkey });
			const { email, password } = waiting;
			return call(login, { email, password, passkey });
		});
	}

	function startOver() {
		setWaiting(undefined);
		setLost(false);
		setError('');
	}

	// Where the browser offers them, a button stands only where one is known of: nobody is told whether there are any.
	const offersPasskey =
		hasPasskeys() && (waiting ? waiting.hint !== ASK_FOR_CODE : used || fillsIn === false);
	/** True where a code is only for whoever lost the passkey. */
	const wantsPasskey = offersPasskey && waiting?.hint === ASK_FOR_PASSKEY;
	const passkeyButton = offersPasskey && (
		<Button
			variant={wantsPasskey ? 'primary' : 'quiet'}
			autoFocus={wantsPasskey}
			onClick={usePasskey}
		>
			Use a passkey
		</Button>
	);

	if (isLost) return <RequestReset onClose={startOver} />;
	return (
		<form method="post" onSubmit={send} className="grid gap-4">
			{wantsPasskey && passkeyButton}
			{waiting ? (
				<Field
					label={wantsPasskey ? 'Recovery code' : 'Code'}
					name="code"
					required
					autoComplete="one-time-code"
					autoCapitalize="none"
					spellCheck={false}
					autoFocus={!wantsPasskey}
					hint={waiting.hint}
				/>
			) : (
				<>
					<Field
						label="Email"
						name="email"
						type="email"
						required
						autoComplete="username webauthn"
						defaultValue={readableEmail($account.get())}
					/>
					<PasswordField
						label="Password"
						name="password"
						required
						autoComplete="current-password"
					/>
				</>
			)}
			<FieldError>
				{error && (
					<>
						<strong className="block">Login failed</strong>
						{error}
					</>
				)}
			</FieldError>
			<Button type="submit" variant={wantsPasskey ? 'quiet' : 'primary'} busy={sending}>
				{sending ? 'Signing in…' : 'Sign in'}
			</Button>
			{!wantsPasskey && passkeyButton}
			{waiting ? (
				<Button variant="quiet" onClick={startOver}>
					Start over
				</Button>
			) : (
				<button type="button" className="link justify-self-start" onClick={() => setLost(true)}>
					Forgot your password?
				</button>
			)}
		</form>
	);
}
