import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
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
					aria-pressed={focus}
					title={keysHere('Focus mode (Ctrl+Shift+F)')}
					onClick={() => setView('focus')}
				>
					Focus
				</Button>
				{!isUpdate && (
					<Button
						variant="quiet"
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
	const menu = useRef<HTMLDivElement>(null);
	return (
		<>
			<button
				type="button"
				className="icon-button editor-more"
				aria-label="More actions"
				popoverTarget="editor-menu"
			>
				<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
					<path
						d="M5 12h.5M12 12h.5M19 12h.5"
						stroke="currentColor"
						strokeWidth="3"
						strokeLinecap="round"
					/>
				</svg>
			</button>
			<div ref={menu} id="editor-menu" popover="auto" className="editor-menu">
				{writerActions(writing, hasDraft, actions)
					.filter(({ hasButton }) => !hasButton)
					.map(({ label, isDanger, run }) => (
						<button
							key={label}
							type="button"
							className={isDanger && 'text-danger'}
							onClick={() => {
								menu.current?.hidePopover();
								run();
							}}
						>
							{label}
						</button>
					))}
			</div>
		</>
	);
}
