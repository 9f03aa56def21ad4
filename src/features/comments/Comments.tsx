import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Form } from '#src/components/ui/Form.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { call } from '#src/lib/endpoint.ts';
import { longDate } from '#src/lib/dates.ts';
import { plural } from '#src/lib/text.ts';
import {
	commentFailure,
	commentForm,
	WAITS,
	type CommentView,
	type PostedComment,
} from './comment.ts';
import { createComment, listComments } from './comments.api.ts';

/** The comments of an article: prebuilt ones at once, newer ones when it comes into view, and the form. */
export const Comments = island(CommentSection);

function CommentSection({ postId, initial }: { postId: string; initial: CommentView[] }) {
	const [comments, setComments] = useState(initial);
	const [posted, setPosted] = useState('');

	useEffect(() => {
		let stale = false;
		call(listComments, { id: postId }).then(
			(fresh) => {
				if (!stale) setComments(fresh);
			},
			// The prebuilt comments stay; posting will say what is wrong.
			() => {},
		);
		return () => {
			stale = true;
		};
	}, [postId]);

	function add({ waits, ...comment }: PostedComment) {
		if (waits) {
			setPosted(`${WAITS.title} ${WAITS.description}`);
			toast(WAITS);
			return;
		}
		setComments((others) => [comment, ...others.filter(({ id }) => id !== comment.id)]);
		setPosted('Comment posted!');
		toast({ title: 'Comment posted!' });
	}

	return (
		<>
			<h2>{comments.length === 0 ? 'Comments' : plural(comments.length, 'comment')}</h2>
			{comments.length === 0 ? (
				<p className="mt-3 text-muted">No comments yet. Be the first to add something.</p>
			) : (
				<ol className="mt-6 grid gap-6">
					{comments.map((comment) => (
						<li key={comment.id} className="border-l-2 border-line pl-4">
							<p className="flex flex-wrap items-baseline gap-x-3">
								<strong>{comment.author}</strong>
								<time className="label" dateTime={comment.createdAt}>
									{longDate(comment.createdAt)}
								</time>
							</p>
							<p className="mt-1 font-serif text-lg whitespace-pre-line">{comment.content}</p>
						</li>
					))}
				</ol>
			)}
			<h3 className="mt-10 mb-4">{commentForm.title}</h3>
			<Form
				endpoint={createComment}
				form={commentForm}
				hidden={{ postId }}
				busy="Posting…"
				failure={commentFailure}
				onSuccess={add}
			>
				<p className="text-sm text-muted">Your email address is never shown.</p>
				<p role="status" className="font-semibold text-accent empty:hidden">
					{posted}
				</p>
			</Form>
		</>
	);
}
