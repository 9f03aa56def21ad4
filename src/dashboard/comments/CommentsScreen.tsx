import { useState, type SubmitEvent } from 'react';
import { ActionBar } from '#src/components/ui/ActionBar.tsx';
import { Button } from '#src/components/ui/Button.tsx';
import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { Field } from '#src/components/ui/Field.tsx';
import { SearchField } from '#src/components/ui/SearchField.tsx';
import { Segments } from '#src/components/ui/Segments.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { getSettings } from '#src/core/settings/settings.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { saveSettings } from '#src/dashboard/settings/saving.store.ts';
import { useActions } from '#src/dashboard/kit/useActions.ts';
import { countAgain } from '#src/dashboard/kit/waiting.store.ts';
import { useList } from '#src/dashboard/kit/useQuery.ts';
import { Views } from '#src/dashboard/kit/Views.tsx';
import { PersonLink } from '#src/dashboard/kit/PersonLink.tsx';
import { createdColumn } from '#src/dashboard/kit/When.tsx';
import { localDate } from '#src/lib/dates.ts';
import { AppError, messageOf } from '#src/lib/errors.ts';
import { plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import {
	decideComments,
	deleteComments,
	listAllComments,
	pinComment,
	replyAsOwner,
} from '#src/features/comments/moderation.api.ts';
import { type CommentState, type ModeratedComment } from '#src/features/comments/moderation.ts';

const BADGES: Record<CommentState, [string, string]> = {
	waiting: ['badge badge-wait', 'Waiting'],
	visible: ['badge badge-on', 'Visible'],
	hidden: ['badge badge-off', 'Hidden'],
};
const DONE: Record<CommentState, string> = {
	visible: 'approved',
	hidden: 'hidden',
	waiting: 'waiting again',
};

/** Comments of readers: approve, hide or delete them, one at a time or many at once. */
export function CommentsScreen() {
	const { set, input, answer, reload, table } = useList('comments', listAllComments);
	const { selected, setSelected, done, busy, act, undo } = useActions(() => {
		reload();
		countAgain();
	}, answer?.rows);
	const [answering, setAnswering] = useState(input.answer);
	/** Texts of replies that are being written, by comment: a list that is shown anew takes nothing with it. */
	const [replies, setReplies] = useState<Record<string, string>>({});
	const keep = (id: string, text: string) => setReplies((all) => ({ ...all, [id]: text }));

	function decide(ids: string[], next: CommentState) {
		void act(async () => {
			const { before } = await callAsAdmin(decideComments, { ids, state: next });
			const changed = Object.keys(before);
			return {
				message: `${plural(changed.length, 'comment')} ${DONE[next]}.`,
				...(changed.length > 0 && { undo: () => putBack(before) }),
			};
		}, ids);
	}
	function remove(ids: string[]) {
		void act(async () => {
			const { deleted, undo: token } = await callAsAdmin(deleteComments, { ids });
			return {
				message: `${plural(deleted, 'comment')} deleted.`,
				...(token && { undo: async () => void (await callAsAdmin(undoAction, { token })) }),
			};
		}, ids);
	}

	function block({ id, author, email }: ModeratedComment) {
		void act(async () => {
			await changeBlocked((names) => [...names, email]);
			const { before } = await callAsAdmin(decideComments, { ids: [id], state: 'hidden' });
			return {
				message: `${author} is blocked: comments from ${email} are hidden from now on.`,
				undo: async () => {
					await changeBlocked((names) => names.filter((name) => name !== email));
					await putBack(before);
				},
			};
		}, [id]);
	}

	function pin(id: string, pinned: boolean) {
		void act(async () => {
			const { before } = await callAsAdmin(pinComment, { id, pinned });
			const undo = { id: before ?? id, pinned: before !== null };
			return {
				message: pinned ? 'Comment pinned: it comes first.' : 'Comment unpinned.',
				undo: async () => void (await callAsAdmin(pinComment, undo)),
			};
		}, [id]);
	}

	const columns: Column<ModeratedComment>[] = [
		column(
			'author',
			'Comment',
			(comment) => (
				<div className="moderated">
					<p>
						<strong>{comment.author}</strong>{' '}
						{comment.email && <PersonLink email={comment.email} />}{' '}
						<StateBadge state={comment.state} />
						{comment.byOwner && <span className="badge badge-on">Owner</span>}
						{comment.pinned && <span className="badge badge-on">Pinned</span>}
					</p>
					{comment.isReply && (
						<p className="text-sm text-muted">Answers {comment.answers ?? 'a deleted comment'}</p>
					)}
					<CommentText text={comment.content} />
					{comment.editedAt && (
						<details className="text-sm text-muted">
							<summary>Edited {localDate(comment.editedAt)}: what it said before</summary>
							{comment.earlier.map((text, index) => (
								<CommentText key={index} text={text} />
							))}
						</details>
					)}
					<p className="row-actions">
						{comment.state !== 'visible' && (
							<button type="button" onClick={() => decide([comment.id], 'visible')}>
								Approve
							</button>
						)}
						{comment.state !== 'hidden' && (
							<button type="button" onClick={() => decide([comment.id], 'hidden')}>
								Hide
							</button>
						)}
						<button
							type="button"
							aria-expanded={answering === comment.id}
							onClick={() => setAnswering(answering === comment.id ? undefined : comment.id)}
						>
							Reply
						</button>
						{comment.state === 'visible' && !comment.isReply && (
							<button type="button" onClick={() => pin(comment.id, !comment.pinned)}>
								{comment.pinned ? 'Unpin' : 'Pin'}
							</button>
						)}
						{comment.email && (
							<button type="button" onClick={() => block(comment)}>
								Block
							</button>
						)}
						<button type="button" className="text-danger" onClick={() => remove([comment.id])}>
							Delete
						</button>
					</p>
					{answering === comment.id && (
						<ReplyForm
							comment={comment}
							text={replies[comment.id] ?? ''}
							onType={(text) => keep(comment.id, text)}
							onDone={(said) => {
								keep(comment.id, '');
								setAnswering((now) => (now === comment.id ? undefined : now));
								if (said) void act(async () => ({ message: 'Reply published.' }), []);
							}}
						/>
					)}
				</div>
			),
			'sortable',
		),
		column(
			'post',
			'Post',
			({ post }) => (
				<div className="moderated-post">
					<a className="link" href={`${paths.post(post.slug)}#comments`}>
						{post.title}
					</a>
					{input.post !== post.id && (
						<p className="row-actions">
							<button type="button" onClick={() => set({ post: post.id })}>
								Only this post
							</button>
						</p>
					)}
				</div>
			),
			'wide',
		),
		createdColumn('Written'),
	];

	const ids = [...selected];
	const counts = answer?.counts;
	const filtered = [input.q, input.state, input.post, input.answer].some(Boolean);
	const all = { q: '', state: '', post: '', answer: '' };
	return (
		<>
			<div className="desk-tools">
				<Segments
					label="State"
					value={input.state ?? ''}
					options={[
						{ value: '', label: 'All' },
						{ value: 'waiting', label: 'Waiting', count: counts?.waiting },
						{ value: 'visible', label: 'Visible', count: counts?.visible },
						{ value: 'hidden', label: 'Hidden', count: counts?.hidden },
					]}
					onChange={(value) => set({ state: value })}
				/>
				<SearchField
					label="Search names, addresses and texts"
					value={input.q}
					onSearch={(q) => set({ q }, 'replace')}
				/>
				{(input.post || input.answer) && (
					<Button variant="quiet" onClick={() => set({ post: '', answer: '' })}>
						{input.answer ? 'One comment only: show all' : 'One post only: show all'}
					</Button>
				)}
			</div>
			<Views screen="comments" />
			<ActionBar
				chosen={selected.size}
				onClear={() => setSelected(new Set())}
				summary={answer ? plural(answer.total, 'comment') : ''}
				done={done}
				busy={busy}
				onUndo={undo}
				actions={
					<>
						<Button busy={busy} onClick={() => decide(ids, 'visible')}>
							Approve
						</Button>
						<Button variant="quiet" busy={busy} onClick={() => decide(ids, 'hidden')}>
							Hide
						</Button>
						<Button variant="danger" busy={busy} onClick={() => remove(ids)}>
							Delete
						</Button>
					</>
				}
			/>
			<DataTable
				{...table}
				label="Comments"
				columns={columns}
				idOf={({ id }) => id}
				nameOf={({ author, post }) => `Comment by ${author} on ${post.title}`}
				selected={selected}
				onSelect={setSelected}
				empty={<p>Nobody has commented yet. What readers write under an article comes here.</p>}
				onShowAll={filtered ? () => set(all) : undefined}
			/>
		</>
	);
}

type ReplyFormProps = {
	comment: ModeratedComment;
	text: string;
	onType: (text: string) => void;
	onDone: (said: boolean) => void;
};

/** Publishes the owner's reply to a comment. One that waits is approved with it. */
function ReplyForm({ comment, text, onType, onDone }: ReplyFormProps) {
	const { id, author, state } = comment;
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<string>();

	async function send(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		setBusy(true);
		setError(undefined);
		try {
			await callAsAdmin(replyAsOwner, { parentId: id, content: text });
			onDone(true);
		} catch (problem) {
			setError((problem instanceof AppError && problem.fields?.['content']) || messageOf(problem));
			setBusy(false);
		}
	}

	return (
		<form className="mt-2 grid max-w-xl gap-3" onSubmit={send}>
			<Field
				name="content"
				label={`Reply to ${author}`}
				hint={
					state === 'visible'
						? 'Readers see it with the badge “Author”.'
						: 'Readers see it with the badge “Author”. The comment is approved with it.'
				}
				type="textarea"
				maxLength={10_000}
				value={text}
				onChange={({ currentTarget }) => onType(currentTarget.value)}
				error={error}
				autoFocus
			/>
			<div className="flex gap-3">
				<Button type="submit" busy={busy}>
					Publish reply
				</Button>
				<Button type="button" variant="quiet" onClick={() => onDone(false)}>
					Cancel
				</Button>
			</div>
		</form>
	);
}

/** Characters and lines of a comment that are shown before somebody asks for all. */
const FOLD = { characters: 600, lines: 8 };

/** The text of a comment, collapsed if it is long. */
function CommentText({ text }: { text: string }) {
	const [open, setOpen] = useState(false);
	const isLong = text.length > FOLD.characters || text.split('\n').length > FOLD.lines;
	return (
		<>
			<p className="moderated-text" data-folded={(isLong && !open) || undefined}>
				{text}
			</p>
			{isLong && (
				<p className="row-actions">
					<button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
						{open ? 'Show less' : 'Show all'}
					</button>
				</p>
			)}
		</>
	);
}

function StateBadge({ state }: { state: CommentState }) {
	const [className, label] = BADGES[state];
	return <span className={className}>{label}</span>;
}

/** Changes who is blocked; what somebody else changes meanwhile stays. */
async function changeBlocked(change: (names: string[]) => string[]): Promise<void> {
	const stored = await callAsAdmin(getSettings, {});
	// Lists are merged, so that there is nothing to choose.
	await saveSettings(stored, { blocked: change(stored.blocked) }, async () => []);
}

/** Gives comments the states that they had. */
async function putBack(before: Record<string, CommentState>): Promise<void> {
	const states = Object.groupBy(Object.keys(before), (id) => before[id]!);
	for (const [state, ids] of Object.entries(states)) {
		await callAsAdmin(decideComments, { ids, state: state as CommentState });
	}
}
