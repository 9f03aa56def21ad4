import { useStore } from '@nanostores/react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { Steady } from '#src/components/ui/Steady.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { exactTime, localDate, longDate, MINUTE, relativeTime } from '#src/lib/dates.ts';
import { letterBehind } from '#src/core/outbox/campaign.ts';
import { call } from '#src/lib/endpoint.ts';
import { storedMap } from '#src/lib/stored.ts';
import { plural } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { paths } from '#src/site.ts';
import {
	commentFailure,
	commentForm,
	type CommentInput,
	COMMENTS_PAGE,
	type CommentView,
	mergeOwn,
	placeAfter,
	POSTED_TOAST,
	type PostedComment,
	threadsOf,
	WAITING_TOAST,
} from './comment.ts';
import { createComment, listComments } from './comments.api.ts';
import { $commenter, isChangeable, rememberOwn } from './own.store.ts';
import { codeParts } from '#src/lib/code-parts.ts';

// For the few who have just written something.
const OwnActions = lazy(() =>
	import('./OwnActions.tsx').then((module) => ({ default: module.OwnActions })),
);

/** An article's comments: the prebuilt ones at once, updates when it comes into view, and the form. */
export const Comments = island(CommentSection);

const FORM = 'comment-form';
const TITLE = `${FORM}-title`;

/** The order that this reader wants, on every article. */
const $chosen = storedMap('commentsOrder', z.enum(['newest', 'oldest']));

/** `total`: of all comments, where `initial` are not all. */
type Props = { postId: string; initial: CommentView[]; total?: number };

function CommentSection({ postId, initial, total = initial.length }: Props) {
	const {
		data: newest = initial,
		error,
		loading,
		reload,
	} = useAsync(postId, () => call(listComments, { id: postId, limit: COMMENTS_PAGE }));
	const failed = error !== undefined && !loading;
	const older = useOlder(postId, newest);
	const listed = older.comments;
	// A link to a comment that is not among the newest.
	useEffect(() => {
		const id = /^#(comment-[\w-]+)$/.exec(location.hash)?.[1];
		if (!id || !older.place || older.busy || older.failed || document.getElementById(id)) return;
		void older.load().then(() => document.getElementById(id)?.scrollIntoView());
	}, [older.place, older.busy]);
	const [own, setOwn] = useState<CommentView[]>([]);
	const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
	const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
	const [sending, setSending] = useState<CommentView>();
	const [posted, setPosted] = useState('');
	const [answered, setAnswered] = useState<CommentView>();
	const [letter, setLetter] = useState<string>();
	const { order = 'newest' } = useStore($chosen, { ssr: (): Record<string, never> => ({}) });
	const commenter = useStore($commenter, { ssr: (): Record<string, never> => ({}) });
	const now = useNow();
	const comments = mergeOwn(listed, own).filter(({ id }) => !gone.has(id));
	const shown = threadsOf(sending ? [sending, ...comments] : comments);
	const threads = order === 'newest' ? shown : shown.toReversed().sort(pinnedFirst);

	useEffect(() => setLetter(letterBehind(location.search)), []);
	useEffect(() => fillIn($commenter.get()), []);

	function answer(comment?: CommentView) {
		flushSync(() => setAnswered(comment));
		const fields = document.querySelectorAll<HTMLInputElement>(
			`#${FORM} .field :is(input, textarea)`,
		);
		const first = [...fields].find(({ value }) => value === '') ?? fields[0];
		first?.focus();
	}

	function show({ author, content, parentId }: CommentInput) {
		setPosted('');
		setSending({
			id: 'sending',
			author,
			content,
			createdAt: new Date().toISOString(),
			parentId: parentId || null,
			byOwner: false,
			pinned: false,
			editedAt: null,
		});
		return () => setSending(undefined);
	}

	function add({ waits, ...comment }: PostedComment, { author, email }: Record<string, unknown>) {
		$commenter.set({ author: String(author), email: String(email) });
		const notice = waits ? WAITING_TOAST : POSTED_TOAST;
		setSending(undefined);
		setAnswered(undefined);
		rememberOwn(comment);
		if (!waits) setOwn((others) => [comment, ...others]);
		// What is published stands in the list.
		if (waits) setPosted(Object.values(notice).join(' '));
		toast(notice);
	}

	function change(id: string, next?: PostedComment) {
		setPosted(next ? (next.waits ? WAITING_TOAST.title : 'Changed.') : 'Deleted.');
		if (!next || next.waits) setGone((others) => new Set([...others, id]));
		else setOwn((others) => [next, ...others.filter((other) => other.id !== id)]);
	}

	const actions = (comment: CommentView) => {
		if (comment.id === 'sending') return null;
		const { id, author, parentId } = comment;
		// A radio button of the form until there is a script for a button of its own.
		if (now === undefined)
			return (
				<label className="link inline-flex min-h-6 items-center text-sm">
					<input
						type="radio"
						name="parentId"
						value={parentId ?? id}
						form={FORM}
						onChange={() => setAnswered(comment)}
						aria-label={`Reply to ${author}`}
					/>{' '}
					Reply
				</label>
			);
		return (
			<>
				<button
					type="button"
					className="link inline-flex min-h-6 items-center text-sm"
					aria-label={`Reply to ${author}`}
					aria-pressed={answered?.id === id}
					onClick={() => answer(comment)}
				>
					Reply
				</button>
				{(isChangeable(comment, now) || edited.has(id)) && (
					<Suspense>
						<OwnActions
							comment={comment}
							isOver={!isChangeable(comment, now)}
							onOpen={() => setEdited((others) => new Set([...others, id]))}
							onChange={change}
						/>
					</Suspense>
				)}
			</>
		);
	};
	const item = (comment: CommentView) => ({ comment, now, actions: actions(comment) });

	return (
		<>
			<div className="flex flex-wrap items-center justify-between gap-3">
				<h2>
					{comments.length === 0
						? 'Comments'
						: plural(older.place ? Math.max(total, comments.length) : comments.length, 'comment')}
				</h2>
				{now !== undefined && threads.length > 1 && !older.place && (
					<button
						type="button"
						className="link inline-flex min-h-6 items-center text-sm"
						onClick={() => $chosen.set({ order: order === 'newest' ? 'oldest' : 'newest' })}
					>
						{order === 'newest' ? 'Oldest first' : 'Newest first'}
					</button>
				)}
			</div>
			{failed && (
				<div role="alert" className="mt-3">
					<p className="text-muted">
						{threads.length === 0
							? 'Comments could not be loaded.'
							: 'Newer comments could not be loaded.'}
					</p>
					<Button variant="quiet" className="mt-3" onClick={reload}>
						Try again
					</Button>
				</div>
			)}
			{!failed && threads.length === 0 && (
				<p className="mt-3 text-muted">No comments yet. Be the first to add something.</p>
			)}
			{threads.length > 0 && (
				<ol className="mt-6 grid gap-6">
					{threads.map(({ comment, replies }) => (
						<Comment key={comment.id} {...item(comment)}>
							{replies.length > 0 && (
								<ol className="mt-4 grid gap-4" aria-label={`Replies to ${comment.author}`}>
									{replies.map((reply) => (
										<Comment key={reply.id} {...item(reply)} />
									))}
								</ol>
							)}
						</Comment>
					))}
				</ol>
			)}
			{older.place && (
				<p className="no-print mt-6">
					<a
						href={paths.olderComments(postId, older.place)}
						className="link inline-flex min-h-6 items-center"
						aria-busy={older.busy}
						onClick={(event) => {
							event.preventDefault();
							void older.load();
						}}
					>
						Show older comments
					</a>
					{older.failed && <span role="alert"> They could not be loaded: please try again.</span>}
				</p>
			)}
			{now === undefined && comments.length > 0 && (
				<label className="link mt-6 flex min-h-6 gap-1 items-center text-sm">
					<input
						type="radio"
						name="parentId"
						value=""
						form={FORM}
						defaultChecked
						onChange={() => setAnswered(undefined)}
					/>
					Not a reply
				</label>
			)}
			<Steady>
				<h3 id={TITLE} className="no-print mt-10 mb-4">
					{answered ? `Reply to ${answered.author}` : commentForm.title}
				</h3>
				{answered && (
					<p className="mb-4">
						<button type="button" className="link" onClick={() => answer()}>
							Write a new comment instead
						</button>
					</p>
				)}
				<Form
					id={FORM}
					titleId={TITLE}
					endpoint={createComment}
					form={commentForm}
					hidden={{
						postId,
						...(answered && { parentId: answered.parentId ?? answered.id }),
						...(letter !== undefined && { letter }),
					}}
					busy="Posting…"
					isOffWhenEmpty
					keeps={['author', 'email']}
					draft={`comment:${postId}`}
					optimistic={show}
					failure={commentFailure}
					onSuccess={add}
					choices={
						<label className="flex min-h-6 items-center gap-2">
							<input className="size-6 shrink-0" type="checkbox" name="notify" value="true" />
							Tell me when it is approved or answered
						</label>
					}
				>
					{'email' in commenter && (
						<p className="text-sm text-muted">
							Your name and email are kept in this browser.{' '}
							<button type="button" className="link" onClick={forget}>
								Forget them
							</button>
						</p>
					)}
					<p role="status" className="font-semibold text-accent">
						{posted}
					</p>
				</Form>
			</Steady>
		</>
	);
}

/** Names of the fields that say who comments. */
const WHO = ['author', 'email'];

/** Fills in who comments where nothing stands, and tells the form. */
function fillIn(commenter: Readonly<Record<string, string>>): void {
	for (const name of WHO) {
		const field = fieldOf(name);
		if (!field || field.value || !commenter[name]) continue;
		field.value = commenter[name];
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}
}

/** Forgets who comments, here and in the form; what is written stays. */
function forget(): void {
	$commenter.set({});
	for (const name of WHO) {
		const field = fieldOf(name);
		if (field) field.value = '';
	}
	const first = fieldOf(WHO[0]!);
	first?.dispatchEvent(new Event('input', { bubbles: true }));
	first?.focus();
}

const fieldOf = (name: string) =>
	document.querySelector<HTMLInputElement>(`#${FORM} [name="${name}"]`);

/** The newest comments of an article with the older ones that were asked for, and where the next ones begin. */
function useOlder(postId: string, newest: CommentView[]) {
	const [pages, setPages] = useState<CommentView[][]>([]);
	const [state, setState] = useState<'busy' | 'failed'>();
	const last = pages.at(-1) ?? newest;
	const known = new Set(newest.map(({ id }) => id));
	const place = last.length < COMMENTS_PAGE ? undefined : placeAfter(last);

	async function load() {
		if (state === 'busy' || !place) return;
		setState('busy');
		try {
			const input = { id: postId, limit: COMMENTS_PAGE, before: place };
			const page = await call(listComments, input);
			flushSync(() => {
				// Newer ones may come meanwhile: the older pages go on from this one.
				setPages((others) => [...(others.length > 0 ? others : [newest]), page]);
				setState(undefined);
			});
			// Where the link was, or would be.
			document.querySelector<HTMLElement>(`#comment-${page[0]?.id} a`)?.focus();
		} catch {
			setState('failed');
		}
	}

	return {
		comments: [...newest, ...pages.flat().filter(({ id }) => !known.has(id))],
		place,
		load,
		busy: state === 'busy',
		failed: state === 'failed',
	};
}

type Threads = ReturnType<typeof threadsOf>;
const pinnedFirst = (a: Threads[number], b: Threads[number]) =>
	Number(b.comment.pinned) - Number(a.comment.pinned);

type CommentProps = {
	comment: CommentView;
	now: number | undefined;
	actions: ReactNode;
	children?: ReactNode;
};

function Comment({ comment, now, actions, children }: CommentProps) {
	const { id, author, content, createdAt, editedAt, byOwner, pinned } = comment;
	const when = now ? relativeTime(createdAt, now) : longDate(createdAt);
	return (
		<li id={`comment-${id}`} className="comment" aria-busy={id === 'sending'}>
			<p className="flex flex-wrap items-baseline gap-x-3">
				<strong dir="auto">{author}</strong>
				{byOwner && <span className="chip">Author</span>}
				{pinned && <span className="label">Pinned</span>}
				<a href={`#comment-${id}`} className="comment-time label">
					<time
						dateTime={createdAt}
						title={now ? localDate(createdAt, 'long', 'short') : exactTime(createdAt)}
					>
						{id === 'sending' ? 'Posting…' : when}
					</time>
				</a>
				{editedAt && <span className="label">Edited</span>}
			</p>
			<CommentText content={content} />
			{actions && <div className="no-print flex flex-wrap gap-x-4">{actions}</div>}
			{children}
		</li>
	);
}

/** Returns the current time to the minute, or undefined in the prebuilt page, which may be read at any time. */
function useNow(): number | undefined {
	const [now, setNow] = useState<number>();
	useEffect(() => {
		const look = () => setNow(Date.now());
		look();
		const timer = setInterval(look, MINUTE);
		return () => clearInterval(timer);
	}, []);
	return now;
}

/** The text of a comment, with fenced code as code. */
function CommentText({ content }: { content: string }) {
	return codeParts(content).map(({ isCode, text }, index) =>
		isCode ? (
			<pre key={index} className="label my-2 overflow-x-auto bg-sunken p-4 text-ink" tabIndex={0}>
				<code>{text}</code>
			</pre>
		) : (
			<p key={index} dir="auto" className="mt-1 font-serif text-lg whitespace-pre-line">
				{text}
			</p>
		),
	);
}
