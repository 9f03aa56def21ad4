import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import type { RedirectRow } from '#src/features/redirects/redirect.ts';
import { saveRedirect } from '#src/features/redirects/redirects.api.ts';
import { parse } from '#src/lib/endpoint.ts';

type Props = {
	/** The one that is changed. */
	redirect: RedirectRow | undefined;
	onSaved: (title: string, undo: string | null) => void;
};

/** Asks for a former address and where it leads. */
export function RedirectForm({ redirect, onSaved }: Props) {
	const { busy, errors, failure, send } = useSubmit();
	const save = send(async (typed) => {
		const given = { ...typed, ...(redirect && { from: redirect.from }) };
		const { from, to, undo } = await callAsAdmin(saveRedirect, parse(saveRedirect.input, given));
		onSaved(`${from} leads to ${to}`, undo);
	});
	return (
		<form method="post" noValidate onSubmit={save} className="grid gap-4">
			{redirect ? (
				<p>
					<span className="label">Former address</span>
					<code className="block break-all">{redirect.from}</code>
				</p>
			) : (
				<Field
					label="Former address"
					name="from"
					required
					placeholder="/2023/04/old-address"
					hint="For a folder: /2023/*/:slug, where * stands for one part and :slug for another one. A * at the end stands for all below it."
					error={errors['from']}
				/>
			)}
			<Field
				label="Leads to"
				name="to"
				required
				defaultValue={redirect?.to}
				placeholder="/blog/new-address"
				hint="An address here or elsewhere. Names of the former one can be used again: /blog/:slug, and :splat for the * at its end."
				error={errors['to']}
			/>
			<FieldError>{failure || (redirect && errors['from'])}</FieldError>
			<Button type="submit" busy={busy}>
				{busy ? 'Saving…' : 'Save'}
			</Button>
		</form>
	);
}
