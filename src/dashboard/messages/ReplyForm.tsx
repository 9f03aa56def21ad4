import { useStore } from '@nanostores/react';
import { useState, type FormEvent, type KeyboardEvent, type MouseEvent } from 'react';
import * as z from 'zod/mini';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { LoadError } from '#src/components/ui/LoadError.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { useTransport } from '#src/dashboard/kit/KeptNote.tsx';
import { MailPreview, PostedFrame } from '#src/dashboard/kit/MailPreview.tsx';
import { previewReply } from '#src/features/contact/messages.api.ts';
import type { Message } from '#src/features/contact/messages.ts';
import { storedMap } from '#src/lib/stored.ts';

/** Drafts of replies that were not sent, by message. */
const $drafts = storedMap('desk_replies', z.string());

export function keepDraft(id: string, text: string): void {
	const { [id]: _, ...others } = $drafts.get();
	$drafts.set(text ? { ...others, [id]: text } : others);
}

type ReplyProps = {
	message: Message;
	busy: boolean;
	/** Returns the message as it is afterwards, or undefined if it was not sent. */
	/** With `archived`, which tells of both, the message is archived as well. */
	send: (text: string, archived?: string) => Promise<Message | undefined>;
};

/** An answer by email. What is typed stays in this browser until it is sent. */
export function ReplyForm({ message: { id, name, email, state }, busy, send }: ReplyProps) {
	const text = useStore($drafts)[id] ?? '';
	const [error, setError] = useState<string>();
	const { isKept, ...transport } = useTransport();

	async function submit(event: FormEvent | KeyboardEvent | MouseEvent, archives = false) {
		event.preventDefault();
		if (text.trim() === '') {
			setError('Please fill in your answer');
			return;
		}
		const archived = isKept ? 'Answer kept as a file, archived' : 'Answer sent, archived';
		if (!(await send(text, archives ? archived : undefined))) return;
		// Keeps what was typed meanwhile.
		if ($drafts.get()[id] === text) keepDraft(id, '');
		// Its own notice, with the way back, says what became of the answer.
		if (archives) return;
		if (isKept) {
			const description = `Not sent to ${email}: no mail server is set up.`;
			toast({ title: 'Answer kept as a file on this machine', description });
		} else toast({ title: 'Answer sent', description: `It is on its way to ${email}.` });
	}
	return (
		<>
			<form className="message-reply" onSubmit={(event) => void submit(event)} noValidate>
				<Field
					label={`Answer to ${name}`}
					type="textarea"
					rows={6}
					maxLength={10_000}
					value={text}
					error={error}
					hint={
						isKept
							? `Kept as a file on this machine and not sent to ${email}: no mail server is set up.`
							: `Sent by email to ${email}, with the message below it.`
					}
					onChange={(event) => {
						setError(undefined);
						keepDraft(id, event.currentTarget.value);
					}}
					onKeyDown={(event) => {
						if (event.key === 'Enter' && (event.metaKey || event.ctrlKey))
							void submit(event, event.shiftKey);
					}}
				/>
				<LoadError what="Whether emails leave this machine" {...transport} />
				<p className="flex flex-wrap gap-3">
					<Button type="submit" busy={busy} aria-keyshortcuts="Control+Enter Meta+Enter">
						Send answer
					</Button>
					{state !== 'archived' && (
						<Button
							variant="quiet"
							disabled={busy}
							aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
							onClick={(event) => void submit(event, true)}
						>
							Send and archive
						</Button>
					)}
				</p>
			</form>
			{text.trim() !== '' && (
				<MailPreview>
					{(view, width) => (
						<PostedFrame
							title="The answer as an email"
							width={width}
							action={previewReply.path.replace(':id', id)}
							fields={{ text, view }}
						/>
					)}
				</MailPreview>
			)}
		</>
	);
}
