import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { FieldError } from '#src/components/ui/FieldError.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { importRedirects, type ImportedRedirects } from '#src/features/redirects/redirects.api.ts';
import { MAX_FILE } from '#src/features/redirects/redirect.ts';
import { parse } from '#src/lib/endpoint.ts';
import { invalid } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';

/** Refused lines that are shown. */
const SHOWN = 20;

/** Takes a list of redirects, says what it would do, and saves it. */
export function ImportForm({ onSaved }: { onSaved: (title: string, undo: string | null) => void }) {
	const { busy, errors, failure, send, run } = useSubmit();
	const [looked, setLooked] = useState<ImportedRedirects & { text: string }>();
	const look = send(async (typed) => {
		const input = parse(importRedirects.input, { ...typed, preview: true });
		setLooked({ ...(await callAsAdmin(importRedirects, input)), text: input.text });
	});
	const save = (text: string) =>
		run(async () => {
			const { saved, undo } = await callAsAdmin(importRedirects, { text, preview: false });
			onSaved(`${plural(saved, 'redirect')} saved`, undo);
		});
	const [text, setText] = useState('');

	async function read(file: File | undefined) {
		if (!file) return;
		await run(async () => {
			if (file.size > MAX_FILE) throw invalid({ text: 'The file is larger than 500 KB' });
			setText(await file.text());
			setLooked(undefined);
		});
	}

	return (
		<form method="post" noValidate onSubmit={look} className="grid gap-4">
			<label className="field">
				<span>File</span>
				<input
					type="file"
					accept=".txt,.csv,.tsv,text/plain,text/csv"
					onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
				/>
			</label>
			<Field
				type="textarea"
				label="Lines"
				name="text"
				rows={6}
				value={text}
				placeholder="/old-address /blog/new-address"
				hint="The former address, then the new one, parted by a space or a comma, as Netlify’s _redirects and tables have them."
				onChange={({ currentTarget }) => {
					setText(currentTarget.value);
					setLooked(undefined);
				}}
				error={errors['text']}
			/>
			<FieldError>{failure}</FieldError>
			<div role="status">
				{looked && (
					<>
						<p>
							{plural(looked.saved, 'new redirect')}
							{looked.known > 0 && `, ${looked.known} known already`}
							{looked.refused.length > 0 && `, ${plural(looked.refused.length, 'line')} refused`}.
						</p>
						<ul className="mt-2 text-muted">
							{looked.refused.slice(0, SHOWN).map(({ line, from, reason }) => (
								<li key={line} className="break-words">
									Line {line}, {from || 'no address'}: {reason}.
								</li>
							))}
						</ul>
						{looked.refused.length > SHOWN && <p>And {looked.refused.length - SHOWN} more.</p>}
					</>
				)}
			</div>
			{looked && looked.saved > 0 ? (
				<Button busy={busy} onClick={() => void save(looked.text)}>
					Save {plural(looked.saved, 'redirect')}
				</Button>
			) : (
				<Button type="submit" busy={busy}>
					Look at it
				</Button>
			)}
		</form>
	);
}
