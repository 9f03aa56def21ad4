import { useState, type SubmitEvent } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { EDIT_MS, type CommentView, type PostedComment } from './comment.ts';
import { editComment, withdrawComment } from './comments.api.ts';

type Props = {
	comment: CommentView;
	/** It can be changed no longer; what was typed until then stays. */
	isOver: boolean;
	onOpen: () => void;
	/** Called with what it became; without, it is gone. */
	onChange: (id: string, next?: PostedComment) => void;
};

const OVER = `${EDIT_MS / MINUTE} minutes have passed, so it can no longer be changed. What you typed stays here: copy it, or post it as a new comment.`;

/** Edits or deletes a comment of this browser. */
export function OwnActions({ comment: { id, content }, isOver, onOpen, onChange }: Props) {
	const [open, setOpen] = useState(false);
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<string>();

	async function act(work: () => Promise<PostedComment | undefined>) {
		setBusy(true);
		setError(undefined);
		try {
			onChange(id, await work());
			setOpen(false);
		} catch (problem) {
			const reason = problem instanceof AppError && problem.fields?.['content'];
			setError(reason || messageOf(problem));
			if (!open) toast({ title: 'Error', description: messageOf(problem), destructive: true });
		} finally {
			setBusy(false);
		}
	}

	function save(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		const text = new FormData(event.currentTarget).get('text') as string;
		void act(() => call(editComment, { id, content: text }));
	}

	function withdraw() {
		void act(async () => void (await call(withdrawComment, { id })));
	}

	return (
		<>
			{!isOver && (
				<>
					<button
						type="button"
						className="link inline-flex min-h-6 items-center text-sm"
						aria-expanded={open}
						onClick={() => {
							setOpen(!open);
							onOpen();
						}}
					>
						Edit
					</button>
					<button
						type="button"
						className="link inline-flex min-h-6 items-center text-sm"
						disabled={busy}
						onClick={withdraw}
					>
						Delete
					</button>
				</>
			)}
			{open && (
				<form className="mt-2 grid basis-full gap-3" onSubmit={save}>
					<Field
						name="text"
						label="Your comment"
						type="textarea"
						maxLength={2000}
						defaultValue={content}
						error={isOver ? OVER : error}
					/>
					<div className="flex gap-3">
						{!isOver && (
							<Button type="submit" busy={busy}>
								Save
							</Button>
						)}
						<Button type="button" variant="quiet" onClick={() => setOpen(false)}>
							{isOver ? 'Close' : 'Cancel'}
						</Button>
					</div>
				</form>
			)}
		</>
	);
}
