import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { screenAddress } from '#src/dashboard/kit/address.store.ts';
import { AskButton } from '#src/dashboard/kit/AskButton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import * as api from '#src/features/programs/tokens.api.ts';
import { localDate, localTime } from '#src/lib/dates.ts';
import { parse } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';

const NOTHING = {};

/** Programs that may write drafts: each has a token, which is shown once and can be revoked. */
export function Programs() {
	const { answer, error, reload } = useAnswer(api.listPrograms, NOTHING);
	const { busy, errors, failure, send } = useSubmit();
	const [made, setMade] = useState<{ name: string; token: string }>();
	const add = send(async (typed, form) => {
		const { name, token } = await callAsAdmin(api.addProgram, parse(api.addProgram.input, typed));
		form.reset();
		setMade({ name, token });
		reload();
	});
	return (
		<>
			<h2>Programs that write drafts</h2>
			<p>
				An editor on your computer, a script or an assistant can begin drafts here, change those
				that it began, and upload pictures. It can publish nothing, and read neither people nor
				other drafts.
			</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading programs" rows={2} />}
			{answer && answer.length > 0 && (
				<ul className="sessions">
					{answer.map(({ id, name, createdAt, usedAt, drafts }) => (
						<li key={id}>
							<span>
								<strong className="break-words">{name}</strong>
								<span className="label">
									since {localDate(createdAt)},{' '}
									{usedAt ? `last used ${localTime(usedAt)}` : 'never used'},{' '}
									{plural(drafts, 'draft')}
								</span>
								<a
									className="link block"
									href={screenAddress('settings', { part: 'Audit log', q: `program ${name}` })}
								>
									What it did<span className="sr-only">: {name}</span>
								</a>
							</span>
							<AskButton
								label="Revoke"
								aria-label={`Revoke ${name}`}
								variant="quiet"
								title={`Revoke “${name}”?`}
								text="Its token ends at once and cannot be brought back. Its drafts and pictures stay."
								answer="Revoke"
								work={async () => {
									await callAsAdmin(api.revokeProgram, { id });
									setMade((now) => (now?.name === name ? undefined : now));
									toast({ title: `“${name}” can write no more drafts` });
									reload();
								}}
							/>
						</li>
					))}
				</ul>
			)}
			{made && <Token {...made} onClose={() => setMade(undefined)} />}
			<form method="post" noValidate onSubmit={add} className="mt-5 grid max-w-md gap-4">
				<Field
					label="Name of a program"
					name="name"
					required
					placeholder="Obsidian on my laptop"
					hint="The log and its drafts say it."
					error={errors['name']}
				/>
				<Button type="submit" className="justify-self-start" busy={busy}>
					{busy ? 'Making a token…' : 'Make a token'}
				</Button>
				<FieldError>{failure}</FieldError>
			</form>
		</>
	);
}

/** A new token, and how it is used. */
function Token({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
	const { origin } = location;
	async function copy() {
		try {
			await navigator.clipboard.writeText(token);
			toast({ title: 'Token copied' });
		} catch {
			toast({
				title: 'Not copied',
				description: 'Select it and copy it yourself.',
				destructive: true,
			});
		}
	}
	return (
		<section className="mt-5" aria-label={`Token of ${name}`}>
			<h3>Token of “{name}”</h3>
			<p role="status">It is shown this once: keep it where the program finds it.</p>
			<p className="mt-2">
				<code className="break-all">{token}</code>
			</p>
			<p className="mt-3 flex flex-wrap gap-3">
				<Button onClick={() => void copy()}>Copy the token</Button>
				<Button variant="quiet" onClick={onClose}>
					I have it
				</Button>
			</p>
			<details className="mt-3">
				<summary>How a program uses it</summary>
				<p className="mt-2">
					By HTTP: <code className="break-all">POST {origin}/api/admin/drafts</code>, and by the
					Model Context Protocol at <code className="break-all">{origin}/mcp</code>; both with the
					header <code className="break-all">Authorization: Bearer</code> and the token.
				</p>
				<pre className="mt-2 overflow-x-auto" tabIndex={0}>
					<code>{`curl ${origin}/api/admin/drafts \\
  -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"title": "A title", "markdown": "Some **words**."}'`}</code>
				</pre>
			</details>
		</section>
	);
}
