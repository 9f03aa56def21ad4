import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { addSubscriber } from '#src/features/newsletter/subscribers.api.ts';

/** Adds one person by hand. */
export function AddSubscriber({ onAdded }: { onAdded: (email: string) => void }) {
	const { errors, failure, busy, send } = useSubmit();
	return (
		<form
			className="grid gap-4"
			noValidate
			onSubmit={send(async ({ email = '', name = '', consent = '' }) => {
				await callAsAdmin(addSubscriber, { email, name, consent });
				onAdded(email.trim().toLowerCase());
			})}
		>
			<p className="text-muted">
				This person gets your letters from the next one on. Nothing is sent now.
			</p>
			<Field
				label="Email address"
				name="email"
				type="email"
				autoComplete="off"
				required
				error={errors['email']}
			/>
			<Field label="Name (optional)" name="name" autoComplete="off" error={errors['name']} />
			<Field
				label="How did this person agree?"
				name="consent"
				required
				maxLength={300}
				placeholder="Asked me by email on November 3"
				hint="Kept with the address, and told to whoever asks for their data."
				error={errors['consent']}
			/>
			<FieldError>{failure}</FieldError>
			<p>
				<Button type="submit" busy={busy}>
					Add
				</Button>
			</p>
		</form>
	);
}
