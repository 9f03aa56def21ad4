import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { requestReset, resetPassword } from '#src/core/session/session.api.ts';
import { NewPasswordField } from '#src/dashboard/kit/NewPasswordField.tsx';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { call, parse } from '#src/lib/endpoint.ts';

/** Asks for an address, to which a link to a new password is mailed. */
export function RequestReset({ onClose }: { onClose: () => void }) {
	const [sent, setSent] = useState<number>();
	const { busy, reason, send } = useSubmit();
	const request = send(async (typed) =>
		setSent((await call(requestReset, parse(requestReset.input, typed))).minutes),
	);

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
		<form method="post" noValidate onSubmit={request} className="grid gap-4">
			<Field
				label="Email"
				name="email"
				type="email"
				required
				autoComplete="username"
				autoFocus
				error={reason || undefined}
			/>
			<Button type="submit" busy={busy}>
				{busy ? 'Sending…' : 'Mail me a link'}
			</Button>
			<Button variant="quiet" onClick={onClose}>
				Back to sign-in
			</Button>
		</form>
	);
}

/** Asks for a new password, to which a mailed link led. */
export function ResetPassword({ token, onDone }: { token: string; onDone: () => void }) {
	const { busy, errors, reason, send } = useSubmit();
	const reset = send(async (typed) => {
		await call(resetPassword, parse(resetPassword.input, { ...typed, token }));
		toast({ title: 'Password changed', description: 'All sessions have ended. Sign in.' });
		onDone();
	});

	return (
		<form method="post" noValidate onSubmit={reset} className="grid gap-4">
			<NewPasswordField error={errors['password']} />
			<Button type="submit" busy={busy}>
				{busy ? 'Changing…' : 'Set the password'}
			</Button>
			<Button variant="quiet" onClick={onDone}>
				Back to sign-in
			</Button>
			<FieldError>{!errors['password'] && reason}</FieldError>
		</form>
	);
}
