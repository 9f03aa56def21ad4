import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { MergeView } from '#src/dashboard/editor/versions/MergeView.tsx';
import type { FoundCopy } from '#src/dashboard/editor/writing/local-copies.ts';
import { workingForm } from '#src/dashboard/editor/writing/machine.ts';
import type { Category } from '#src/features/categories/category.ts';
import { emptyForm, type EditedPost, type PostForm } from '#src/features/posts/editing.ts';
import { relativeTime } from '#src/lib/dates.ts';

type Props = {
	post: EditedPost | null;
	copy: FoundCopy;
	categories: readonly Category[];
	/** Goes on with the copy, or with what was made of it and the post. */
	onUse: (form: PostForm) => void;
	/** Begins a new post; the copy stays. */
	onBegin: () => void;
	onThrowAway: () => void;
};

/** Offers what this device has of a post and the server never had. */
export function CopyOffer({ post, copy, categories, onUse, onBegin, onThrowAway }: Props) {
	const [comparing, setComparing] = useState(false);
	if (comparing) {
		const form = post ? workingForm(post) : emptyForm;
		return (
			<MergeView
				mine={copy.form}
				theirs={form}
				base={form}
				origin={`Yours is from this device, ${relativeTime(new Date(copy.at), Date.now())}; theirs is on the server`}
				categories={new Map(categories.map(({ id, name }) => [id, name]))}
				onDone={onUse}
				onCancel={() => setComparing(false)}
			/>
		);
	}
	const isNewer = !post || copy.at > Date.parse(post.draft?.updatedAt ?? post.savedAt);
	return (
		<div className="copy-offer frame">
			<p className="frame-label">kept on this device</p>
			<h2>{copy.form.title || 'Without a title'}</h2>
			<p>
				Something written {relativeTime(new Date(copy.at), Date.now())} never reached the server.
				{post && !isNewer && ' What is on the server was saved after it.'}
			</p>
			<div className="mt-4 flex flex-wrap gap-3">
				<Button onClick={() => onUse(copy.form)}>Go on with it</Button>
				{post && (
					<Button variant="quiet" onClick={() => setComparing(true)}>
						Compare
					</Button>
				)}
				{!post && (
					<Button variant="quiet" onClick={onBegin}>
						Begin a new one
					</Button>
				)}
				<Button variant="quiet" onClick={onThrowAway}>
					{post ? 'Use the one on the server' : 'Throw it away'}
				</Button>
			</div>
		</div>
	);
}
