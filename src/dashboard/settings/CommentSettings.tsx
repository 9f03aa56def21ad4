import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import {
	COMMENT_MAIL_HOUR,
	DEFAULTS,
	type CommentMails,
	type CommentMode,
	type Settings,
	type SettingsChange,
	type StoredSettings,
} from '#src/core/settings/setting.ts';
import { Choices } from '#src/dashboard/kit/Choices.tsx';
import { messageOf } from '#src/lib/errors.ts';
import { useSettings, useTyped } from './useSettings.tsx';

const MODES: { value: CommentMode; label: string; hint: string }[] = [
	{ value: 'publish', label: 'Publish at once', hint: 'You can hide comments later.' },
	{
		value: 'hold-first',
		label: 'Hold first-time authors',
		hint: 'Once you have approved a comment, more comments from the same browser with the same address are published immediately. An address alone proves nothing: anybody can type it.',
	},
	{ value: 'hold-all', label: 'Hold all', hint: 'Nothing appears before you approve it.' },
];

const MAILS: { value: CommentMails; label: string }[] = [
	{ value: 'at-once', label: 'At once, one email for each comment' },
	{ value: 'daily', label: `Once a day, at ${COMMENT_MAIL_HOUR} AM in the site’s time zone` },
	{ value: 'never', label: 'Never' },
];

const wordsOf = (value: string) =>
	[...MODES, ...MAILS].find((one) => one.value === value)?.label ?? value;

/** Choices that are not stored yet. */
type Chosen = Partial<Pick<Settings, 'comments' | 'commentMails'>>;

/** How comments are treated, of whom the admin hears, who is blocked, and which words are refused. */
export function Comments() {
	const { stored, error, reload, save, choice } = useSettings(wordsOf);
	const [chosen, setChosen] = useState<Chosen>({});
	const shown = stored && { ...stored, ...chosen };

	async function choose(change: Chosen) {
		setChosen((before) => ({ ...before, ...change }));
		try {
			await save(change);
			toast({ title: 'Saved', description: 'Applies to new comments.' });
		} catch (problem) {
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		} finally {
			setChosen({});
		}
	}

	return (
		<section className="desk-section">
			<h2>New comments</h2>
			<p>A held comment waits under Comments, and its author is told so.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!stored && error === undefined && <Skeleton label="Loading settings" rows={3} />}
			{choice}
			{stored && shown && (
				<>
					<Choices
						legend="New comments"
						hidesLegend
						name="comments"
						choices={MODES}
						chosen={shown.comments}
						onChoose={(comments) => void choose({ comments })}
					/>
					<Choices
						legend="Email me about new comments"
						name="commentMails"
						choices={MAILS}
						chosen={shown.commentMails}
						onChoose={(commentMails) => void choose({ commentMails })}
					/>
					<RefusedWords stored={stored} save={save} />
					<Blocked stored={stored} save={save} />
				</>
			)}
		</section>
	);
}

type ListProps = {
	stored: StoredSettings;
	save: (changes: SettingsChange, base: StoredSettings) => Promise<StoredSettings>;
};

/** The list of those whose comments are hidden. */
function Blocked(props: ListProps) {
	const { text, type, error, busy, submit, note } = useTyped({
		...props,
		name: 'blocked',
		textOf: ({ blocked }) => blocked.join('\n'),
		changeOf: (lines) => ({ blocked: lines.split('\n').filter((name) => name.trim() !== '') }),
		done: 'New comments of these are hidden.',
	});
	return (
		<form className="mt-6 grid max-w-xl gap-3" onSubmit={submit}>
			{note}
			<Field
				name="blocked"
				label="Blocked addresses and names"
				hint="One on each line. Their comments are hidden at once, and they are not told."
				type="textarea"
				rows={4}
				value={text}
				onChange={({ target }) => type(target.value)}
				error={error}
			/>
			<Button type="submit" variant="quiet" className="justify-self-start" busy={busy}>
				Save who is blocked
			</Button>
		</form>
	);
}

/** The list of words that no comment may hold. */
function RefusedWords(props: ListProps) {
	const { text, type, error, busy, submit, note } = useTyped({
		...props,
		name: 'refusedWords',
		textOf: ({ refusedWords }) => refusedWords.join(', '),
		changeOf: (words) => ({
			refusedWords: words.split(/[,\n]/).filter((word) => word.trim() !== ''),
		}),
		done: 'New comments are checked against this list.',
	});
	return (
		<form method="post" noValidate onSubmit={submit} className="mt-8 grid max-w-xl gap-3">
			{note}
			<Field
				label="Refused words"
				type="textarea"
				rows={3}
				value={text}
				onChange={({ target }) => type(target.value)}
				hint="A comment with one of them as a whole word is refused, and its author is told which. With commas or line breaks between; none refuses none. Addresses that begin with http are always refused; other links by their beginning, such as www. or t.me/."
				error={error}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={busy}>
					{busy ? 'Saving…' : 'Save the list'}
				</Button>
				<Button variant="quiet" onClick={() => type(DEFAULTS.refusedWords.join(', '))}>
					Fill in the usual words
				</Button>
			</div>
		</form>
	);
}
