import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { DEFAULTS, type CommentMails, type CommentMode } from '#src/core/settings/setting.ts';
import { parse } from '#src/lib/endpoint.ts';
import { messageOf } from '#src/lib/errors.ts';
import { changeSettings, getSettings } from '#src/core/settings/settings.api.ts';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { Choices } from '#src/dashboard/kit/Choices.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';

const NOTHING = {};

const MODES: { value: CommentMode; label: string; hint: string }[] = [
	{ value: 'publish', label: 'Publish at once', hint: 'You can hide comments later.' },
	{
		value: 'hold-first',
		label: 'Hold first-time authors',
		hint: 'Once you have approved a comment, more comments from the same browser with the same address are published immediately. An address alone proves nothing: anybody can type it.',
	},
	{ value: 'hold-all', label: 'Hold all', hint: 'Nothing appears before you approve it.' },
];

/** How comments are treated, of whom the admin hears, who is blocked, and which words are refused. */
export function Comments() {
	const { answer, error, reload } = useAnswer(getSettings, NOTHING);
	const [chosen, setChosen] = useState<CommentMode>();
	const mode = chosen ?? answer?.comments;

	async function choose(comments: CommentMode) {
		const before = chosen;
		setChosen(comments);
		try {
			await callAsAdmin(changeSettings, { comments });
			toast({ title: 'Saved', description: 'Applies to new comments.' });
		} catch (problem) {
			setChosen(before);
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<section className="desk-section">
			<h2>New comments</h2>
			<p>A held comment waits under Comments, and its author is told so.</p>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!mode && error === undefined && <Skeleton label="Loading settings" rows={3} />}
			{mode && (
				<Choices
					legend="New comments"
					hidesLegend
					name="comments"
					choices={MODES}
					chosen={mode}
					onChoose={(value) => void choose(value)}
				/>
			)}
			{answer && <CommentMail chosen={answer.commentMails} onSaved={reload} />}
			{answer && <RefusedWords words={answer.refusedWords} onSaved={reload} />}
			{answer && <Blocked names={answer.blocked} onSaved={reload} />}
		</section>
	);
}

const MAILS: { value: CommentMails; label: string }[] = [
	{ value: 'at-once', label: 'At once, one email for each comment' },
	{ value: 'daily', label: 'Once a day, at 8:00 UTC' },
	{ value: 'never', label: 'Never' },
];

/** When the owner is emailed about new comments. */
function CommentMail({ chosen, onSaved }: { chosen: CommentMails; onSaved: () => void }) {
	async function choose(commentMails: CommentMails) {
		try {
			await callAsAdmin(changeSettings, { commentMails });
			toast({ title: 'Saved', description: 'Applies to new comments.' });
			onSaved();
		} catch (problem) {
			toast({ title: 'Not saved', description: messageOf(problem), destructive: true });
		}
	}

	return (
		<Choices
			legend="Email me about new comments"
			name="commentMails"
			choices={MAILS}
			chosen={chosen}
			onChoose={(value) => void choose(value)}
		/>
	);
}

/** The list of those whose comments are hidden. */
function Blocked({ names, onSaved }: { names: string[]; onSaved: () => void }) {
	const [error, setError] = useState<string>();
	const [saving, setSaving] = useState(false);

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving) return;
		const text = new FormData(event.currentTarget).get('blocked') as string;
		const blocked = text.split('\n').filter((name) => name.trim() !== '');
		setSaving(true);
		setError(undefined);
		try {
			parse(changeSettings.input, { blocked });
			await callAsAdmin(changeSettings, { blocked });
			toast({ title: 'Saved', description: 'New comments of these are hidden.' });
			onSaved();
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	return (
		<form className="mt-6 grid max-w-xl gap-3" onSubmit={save}>
			<Field
				key={names.join('\n')}
				name="blocked"
				label="Blocked addresses and names"
				hint="One on each line. Their comments are hidden at once, and they are not told."
				type="textarea"
				rows={4}
				defaultValue={names.join('\n')}
				error={error}
			/>
			<Button type="submit" variant="quiet" className="justify-self-start" busy={saving}>
				Save who is blocked
			</Button>
		</form>
	);
}

/** The list of words that no comment may hold. */
function RefusedWords({ words, onSaved }: { words: string[]; onSaved: () => void }) {
	const [text, setText] = useState(words.join(', '));
	const [error, setError] = useState<string>();
	const [saving, setSaving] = useState(false);

	async function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (saving) return;
		const refusedWords = text.split(/[,\n]/).filter((word) => word.trim() !== '');
		setSaving(true);
		setError(undefined);
		try {
			parse(changeSettings.input, { refusedWords });
			const saved = await callAsAdmin(changeSettings, { refusedWords });
			setText(saved.refusedWords.join(', '));
			toast({ title: 'Saved', description: 'New comments are checked against this list.' });
			onSaved();
		} catch (problem) {
			setError(messageOf(problem));
		} finally {
			setSaving(false);
		}
	}

	return (
		<form method="post" noValidate onSubmit={save} className="mt-8 grid max-w-md gap-4">
			<Field
				label="Refused words"
				type="textarea"
				rows={3}
				value={text}
				onChange={({ target }) => setText(target.value)}
				hint="A comment with one of them as a whole word is refused, and its author is told which. With commas or line breaks between; none refuses none. Addresses that begin with http are always refused; other links by their beginning, such as www. or t.me/."
				error={error}
			/>
			<div className="flex flex-wrap gap-3">
				<Button type="submit" busy={saving}>
					{saving ? 'Saving…' : 'Save the list'}
				</Button>
				<Button variant="quiet" onClick={() => setText(DEFAULTS.refusedWords.join(', '))}>
					Fill in the usual words
				</Button>
			</div>
		</form>
	);
}
