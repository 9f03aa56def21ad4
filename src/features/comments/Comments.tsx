import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { exactTime, localDate, longDate, MINUTE, relativeTime } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { plural } from '#src/lib/text.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import {
	commentFailure,
	commentForm,
	POSTED_TOAST,
	WAITING_TOAST,
	mergeOwn,
	type CommentInput,
	type CommentView,
	type PostedComment,
} from './comment.ts';
import { createComment, listComments } from './comments.api.ts';

/** An article's comments: the prebuilt ones at once, updates when it comes into view, and the form. */
export const Comments = island(CommentSection);

function CommentSection({ postId, initial }: { postId: string; initial: CommentView[] }) {
	// Without an answer the prebuilt comments stay; posting will report the error.
	const { data: listed = initial } = useAsync(postId, () => call(listComments, { id: postId }));
	const [own, setOwn] = useState<CommentView[]>([]);
	const [sending, setSending] = useState<CommentView>();
	const [posted, setPosted] = useState('');
	const now = useNow();
	const comments = mergeOwn(listed, own);

	function show({ author, content }: CommentInput) {
		setPosted('');
		setSending({ id: 'sending', author, content, createdAt: new Date().toISOString() });
		return () => setSending(undefined);
	}

	function add({ waits, ...comment }: PostedComment) {
		const notice = waits ? WAITING_TOAST : POSTED_TOAST;
		setSending(undefined);
		if (!waits) setOwn((others) => [comment, ...others]);
		setPosted(Object.values(notice).join(' '));
		toast(notice);
	}

	return (
		<>
			<h2>{comments.length === 0 ? 'Comments' : plural(comments.length, 'comment')}</h2>
			{comments.length === 0 && !sending && (
				<p className="mt-3 text-muted">No comments yet. Be the first to add something.</p>
			)}
			{(comments.length > 0 || sending) && (
				<ol className="mt-6 grid gap-6">
					{sending && <Comment comment={sending} when="Posting…" />}
					{comments.map((comment) => (
						<Comment
							key={comment.id}
							comment={comment}
							when={now ? relativeTime(comment.createdAt, now) : longDate(comment.createdAt)}
							exact={
								now ? localDate(comment.createdAt, 'long', 'short') : exactTime(comment.createdAt)
							}
						/>
					))}
				</ol>
			)}
			<h3 className="no-print mt-10 mb-4">{commentForm.title}</h3>
			<Form
				endpoint={createComment}
				form={commentForm}
				hidden={{ postId }}
				busy="Posting…"
				isOffWhenEmpty
				draft={`comment:${postId}`}
				optimistic={show}
				failure={commentFailure}
				onSuccess={add}
			>
				<p className="text-sm text-muted">Your email address is never shown.</p>
				<p role="status" className="font-semibold text-accent">
					{posted}
				</p>
			</Form>
		</>
	);
}

type CommentProps = { comment: CommentView; when: string; exact?: string };

function Comment({ comment, when, exact }: CommentProps) {
	const { id, author, content, createdAt } = comment;
	return (
		<li id={`comment-${id}`} className="comment" aria-busy={id === 'sending'}>
			<p className="flex flex-wrap items-baseline gap-x-3">
				<strong dir="auto">{author}</strong>
				<a href={`#comment-${id}`} className="comment-time label">
					<time dateTime={createdAt} title={exact}>
						{when}
					</time>
				</a>
			</p>
			<p dir="auto" className="mt-1 font-serif text-lg whitespace-pre-line">
				{content}
			</p>
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
