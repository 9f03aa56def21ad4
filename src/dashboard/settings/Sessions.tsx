import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { parse } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { readableEmail } from '#src/lib/readable-email.ts';
import { plural } from '#src/lib/text.ts';
import type { OpenSession } from '#src/core/session/session.ts';
import {
	changeAddress,
	changePassword,
	endOtherSessions,
	endSession,
	listSessions,
} from '#src/core/session/session.api.ts';
import { NewPasswordField } from '#src/dashboard/kit/NewPasswordField.tsx';
import { PasswordField } from '#src/dashboard/kit/PasswordField.tsx';
import { $account, callAsAdmin } from '#src/core/session/session.store.ts';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';

const NOTHING = {};

/** Devices that are signed in, and how to end their sessions. */
export function Sessions() {
	const { answer, error, reload } = useAnswer(listSessions, NOTHING);

	async function end(work: () => Promise<{ ended: number }>) {
		try {
			const { ended } = await work();
			toast({ title: `${plural(ended, 'session')} ended` });
			reload();
		} catch (problem) {
			toast({ title: 'Not ended', description: messageOf(problem), destructive: true });
		}
	}

	const others = answer?.filter(({ isCurrent }) => !isCurrent) ?? [];
	return (
		<section className="desk-section">
			<h2>Open sessions</h2>
			<p>Where you are signed in. A session ends by itself after 30 days.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading sessions" rows={2} />}
			{answer && (
				<ul className="sessions">
					{answer.map((session) => (
						<SessionRow
							key={session.id}
							session={session}
							onEnd={() => void end(() => callAsAdmin(endSession, { id: session.id }))}
						/>
					))}
				</ul>
			)}
			{others.length > 1 && (
				<Button
					variant="quiet"
					className="mt-4"
					onClick={() => void end(() => callAsAdmin(endOtherSessions, {}))}
				>
					End all others
				</Button>
			)}
		</section>
	);
}

function SessionRow({ session, onEnd }: { session: OpenSession; onEnd: () => void }) {
	const { browser, createdAt, isCurrent } = session;
	return (
		<li>
			<span>
				<strong>{browser}</strong>
				<span className="label">
					since <When at={createdAt} hour />
				</span>
			</span>
			{isCurrent ? (
				<span className="badge badge-on">This one</span>
			) : (
				<Button variant="quiet" aria-label={`End ${browser}`} onClick={onEnd}>
					End
				</Button>
			)}
		</li>
	);
}

/** A form for another password. */
export function Password() {
	const { busy, errors, failure, send } = useSubmit();
	/** How often the password was changed, so that its field starts anew. */
	const [changes, setChanges] = useState(0);
	const change = send(async (typed, form) => {
		await callAsAdmin(changePassword, parse(changePassword.input, typed));
		form.reset();
		setChanges(changes + 1);
		toast({ title: 'Password changed', description: 'All other sessions have ended.' });
	});

	return (
		<section className="desk-section">
			<h2>Password</h2>
			<p>A new password ends all other sessions.</p>
			<form method="post" noValidate onSubmit={change} className="grid max-w-md gap-4">
				<PasswordField
					label="Current password"
					name="current"
					required
					autoComplete="current-password"
					error={errors['current']}
				/>
				<NewPasswordField key={changes} error={errors['password']} />
				<Button type="submit" className="justify-self-start" busy={busy}>
					{busy ? 'Changing…' : 'Change password'}
				</Button>
				<FieldError>{failure}</FieldError>
			</form>
			<Address />
		</section>
	);
}

/** A form for another address of the account. */
function Address() {
	const email = useStore($account);
	const { busy, errors, failure, send } = useSubmit();
	const change = send(async (typed, form) => {
		const changed = await callAsAdmin(changeAddress, parse(changeAddress.input, typed));
		form.reset();
		$account.set(changed.email);
		const description = `You sign in as ${readableEmail(changed.email)} from now on. All other sessions have ended.`;
		toast({ title: 'Address changed', description });
	});

	return (
		<section className="mt-8" aria-label="Your address">
			<h3>Your address</h3>
			<p>
				You sign in as <strong className="break-words">{readableEmail(email)}</strong>. Links to a
				new password, tests and warnings go there. Another address ends all other sessions.
			</p>
			<form method="post" noValidate onSubmit={change} className="grid max-w-md gap-4">
				<Field
					label="New address"
					name="email"
					type="email"
					required
					autoComplete="email"
					error={errors['email']}
				/>
				<PasswordField
					label="Your password"
					name="current"
					required
					autoComplete="current-password"
					error={errors['current']}
				/>
				<Button type="submit" className="justify-self-start" busy={busy}>
					{busy ? 'Changing…' : 'Change address'}
				</Button>
				<FieldError>{failure}</FieldError>
			</form>
		</section>
	);
}
