import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { Dialog } from '#src/components/ui/Dialog.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import {
	getRevision,
	listRevisions,
	restoreRevision,
	type EditedPost,
	type Revision,
} from '#src/features/posts/editing.api.ts';
import type { PostForm } from '#src/features/posts/editing.ts';
import { messageOf } from '#src/lib/errors.ts';
import { useAsync } from '#src/lib/useAsync.ts';
import { ChangeSize } from '#src/dashboard/kit/ChangeSize.tsx';
import { Difference } from '#src/dashboard/kit/Difference.tsx';
import { FIELDS, fieldsBetween, partsOf, textOf } from './merge.ts';

const REASONS: Record<Revision['reason'], string> = {
	publish: 'Saved to the post',
	pause: 'A pause in writing',
	restore: 'Before a restore',
	import: 'As it came',
};

type Props = {
	open: boolean;
	postId: string;
	/** The form on the screen, to compare with. */
	form: PostForm;
	onClose: () => void;
	/** Saves what is on the screen, so that it is kept as a version too. */
	saveAll: () => Promise<void>;
	onRestore: (post: EditedPost) => void;
};

/** Earlier versions of a post, what is different in them, and a way back. */
export function Revisions({ open, onClose, ...rest }: Props) {
	return (
		<Dialog open={open} onClose={onClose} title="Earlier versions">
			<RevisionList {...rest} />
		</Dialog>
	);
}

function RevisionList({ postId, form, saveAll, onRestore }: Omit<Props, 'open' | 'onClose'>) {
	const list = useAsync(postId, () => callAsAdmin(listRevisions, { id: postId }));
	const [given, setChosenId] = useState<string | null>(null);
	const chosenId = given ?? list.data?.[0]?.id ?? null;
	const shown = useAsync(chosenId, () =>
		callAsAdmin(getRevision, { id: postId, revision: chosenId ?? '' }),
	);
	const [refusal, setRefusal] = useState<unknown>();
	const [restoring, setRestoring] = useState(false);
	const { data: revisions } = list;
	const { data: chosen } = shown;

	async function restore(revision: string) {
		setRestoring(true);
		try {
			await saveAll();
			onRestore(await callAsAdmin(restoreRevision, { id: postId, revision }));
		} catch (problem) {
			setRefusal(problem);
			setRestoring(false);
		}
	}
	function retry() {
		setRefusal(undefined);
		list.reload();
		if (shown.error) shown.reload();
	}

	const error = refusal || (!list.loading && list.error) || (!shown.loading && shown.error);
	if (error) return <SectionError message={messageOf(error)} onRetry={retry} />;
	if (!revisions) return <Skeleton label="Loading versions" rows={4} />;
	if (revisions.length === 0)
		return (
			<p className="text-muted">
				There are none yet. One is kept each time the post is saved, and after each long pause.
			</p>
		);
	return (
		<div className="revisions">
			<ol aria-label="Versions">
				{revisions.map(({ id, createdAt, reason, ...size }) => (
					<li key={id}>
						<button type="button" aria-pressed={chosen?.id === id} onClick={() => setChosenId(id)}>
							<span>
								{new Date(createdAt).toLocaleString('en-US', {
									dateStyle: 'medium',
									timeStyle: 'medium',
								})}
								<span className="label block">{REASONS[reason]}</span>
							</span>
							<span className="label">
								<ChangeSize {...size} />
							</span>
						</button>
					</li>
				))}
			</ol>
			{chosen ? (
				<div className="revision">
					<Changes old={chosen.form} later={form} />
					{!isSame(chosen.form, form) && (
						<>
							<Button busy={restoring} onClick={() => void restore(chosen.id)}>
								Restore this version
							</Button>
							<p className="field-hint">
								It becomes the draft; what is there now becomes a version. No page changes before
								you publish.
							</p>
						</>
					)}
				</div>
			) : (
				<Skeleton label="Loading the version" rows={3} />
			)}
		</div>
	);
}

const isSame = (old: PostForm, later: PostForm) =>
	fieldsBetween(old, later).length === 0 && old.content === later.content;

/** Shows the differences between two forms, word by word. */
function Changes({ old, later }: { old: PostForm; later: PostForm }) {
	const fields = fieldsBetween(old, later).filter((name) => name !== 'categoryId');
	const parts = partsOf(old.content, later.content).filter((part) => !('same' in part));
	if (fields.length + parts.length === 0)
		return <p className="text-muted">It says what is on the screen.</p>;
	return (
		<>
			<p className="field-hint">
				From that version to what is on the screen: <del>gone</del>, <ins>new</ins>.
			</p>
			{fields.map((name) => (
				<div key={name}>
					<p className="label">{FIELDS[name]}</p>
					<Difference old={String(old[name])} later={String(later[name])} />
				</div>
			))}
			{parts.map((part, index) => (
				<Difference
					key={index}
					old={'same' in part ? '' : textOf(part.mine.join('\n'))}
					later={'same' in part ? '' : textOf(part.theirs.join('\n'))}
				/>
			))}
		</>
	);
}
