import { useStore } from '@nanostores/react';
import { Button } from '#src/components/ui/Button.tsx';
import { Menu } from '#src/dashboard/kit/Menu.tsx';
import { PostBadge } from '#src/dashboard/editor/publishing/PostBadge.tsx';
import { SaveStatus } from '#src/dashboard/editor/writing/SaveStatus.tsx';
import { writerActions } from './actions.ts';
import { keysHere } from './keys.ts';
import { $view, setView } from './view.store.ts';
import { isPublic, type WriterActions } from './useWriterActions.ts';
import type { Writing } from '#src/dashboard/editor/writing/machine.ts';

type Props = {
	writing: Writing;
	/** Whether something is written that readers do not see. */
	hasDraft: boolean;
	/** Whether the time of a scheduled post has come. */
	hasCome: boolean;
	actions: WriterActions;
	onRetry: () => void;
	onCancel: () => void;
};

/** Where the post stands, and what can be done with it. */
export function WriterBar({ writing, hasDraft, hasCome, actions, onRetry, onCancel }: Props) {
	const { post, conflict } = writing;
	const { busy } = actions;
	const isUpdate = isPublic(post);
	const { focus = false, preview = false } = useStore($view);
	return (
		<div className="editor-bar">
			<div className="editor-state">
				{post && <PostBadge state={hasCome ? 'published' : post.state} />}
				{isUpdate && hasDraft && <span className="label">with unpublished changes</span>}
				<SaveStatus writing={writing} onRetry={onRetry} />
			</div>
			<div className="editor-actions" hidden={conflict !== null}>
				{post && (
					<Button variant="quiet" onClick={onCancel}>
						Cancel
					</Button>
				)}
				<div className="view-switch" role="group" aria-label="View">
					{[false, true].map((isPreview) => (
						<button
							key={String(isPreview)}
							type="button"
							aria-pressed={preview === isPreview}
							onClick={() => setView('preview', isPreview)}
						>
							{isPreview ? 'Preview' : 'Write'}
						</button>
					))}
				</div>
				<Button
					variant="quiet"
					className="wide-only"
					aria-pressed={focus}
					title={keysHere('Focus mode (Ctrl+Shift+F)')}
					onClick={() => setView('focus')}
				>
					Focus
				</Button>
				{!isUpdate && (
					<Button
						variant="quiet"
						className="wide-only"
						busy={busy === 'saving'}
						onClick={() => void actions.save({}, 'saving')}
					>
						Save draft
					</Button>
				)}
				<Button busy={busy === 'publishing'} onClick={actions.updateOrPublish}>
					{isUpdate ? (busy ? 'Updating…' : 'Update') : 'Publish…'}
				</Button>
				<MoreActions writing={writing} hasDraft={hasDraft} actions={actions} />
			</div>
		</div>
	);
}

function MoreActions({
	writing,
	hasDraft,
	actions,
}: Pick<Props, 'writing' | 'hasDraft' | 'actions'>) {
	return (
		<Menu label="More actions">
			{writerActions(writing, hasDraft, actions)
				.filter(({ hasButton }) => hasButton !== 'always')
				.map(({ label, hasButton, isDanger, run }) => (
					<button
						key={label}
						type="button"
						className={isDanger ? 'text-danger' : hasButton && 'narrow-only'}
						onClick={run}
					>
						{label}
					</button>
				))}
		</Menu>
	);
}
