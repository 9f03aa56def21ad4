import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import type { StoredSettings } from '#src/core/settings/setting.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { useSubmit } from '#src/dashboard/kit/useSubmit.ts';
import { parse } from '#src/lib/endpoint.ts';
import { DEFAULT_ABBREVIATIONS } from '#src/core/settings/abbreviations.ts';
import { useSettings } from './useSettings.tsx';

/** The desk's list of what search takes for the same. */
export function AbbreviationsForm() {
	const { stored, error, reload, save: store, choice } = useSettings();
	const [typed, setTyped] = useState<{ text: string; base: StoredSettings | undefined }>();
	const { busy: saving, reason, send } = useSubmit();
	const text = typed?.text ?? stored?.abbreviations;
	const type = (next: string) =>
		setTyped((before) => ({ text: next, base: before?.base ?? stored }));

	const save = send(async () => {
		if (text === undefined) return;
		const input = { abbreviations: text };
		parse(changeSettings.input, input);
		await store(input, typed?.base);
		// What was typed while it was saved stays.
		setTyped((now) => (now?.text === text ? undefined : now));
		toast({ title: 'Saved', description: 'Search knows them from now on.' });
	});

	return (
		<>
			<h2>Words that search knows</h2>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{text === undefined && error === undefined && <Skeleton label="Loading words" rows={3} />}
			{choice}
			{text !== undefined && (
				<form method="post" noValidate onSubmit={save}>
					<Field
						type="textarea"
						label="Abbreviations and other names"
						hint="One line each: “RAG = retrieval-augmented generation” finds one by the other, “hallucination > retrieval, judge” also looks for the words on the right. Lines that begin with # are notes."
						name="abbreviations"
						error={reason || undefined}
						rows={12}
						spellCheck={false}
						value={text}
						onChange={(event) => type(event.target.value)}
					/>
					<div className="mt-3 flex flex-wrap gap-3">
						<Button type="submit" busy={saving}>
							{saving ? 'Saving…' : 'Save words'}
						</Button>
						{text !== DEFAULT_ABBREVIATIONS && (
							<Button variant="quiet" onClick={() => type(DEFAULT_ABBREVIATIONS)}>
								Put the first list back
							</Button>
						)}
					</div>
				</form>
			)}
		</>
	);
}
