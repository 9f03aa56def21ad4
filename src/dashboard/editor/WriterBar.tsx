import { useStore } from '@nanostores/react';
import { Button } from '#src/components/ui/Button.tsx';
import { Menu } from '#src/dashboard/kit/Menu.tsx';
import { PostBadge } from './publishing/PostBadge.tsx';
import { writerActions } from './actions.ts';
import { ViewSwitch } from './preview/ViewSwitch.tsx';
import { keysHere } from './keys.ts';
import { $view, setView } from './view.store.ts';
import { isPublic, type WriterActions } from './useWriterActions.ts';
import type { Writing } from './writing/machine.ts';
import { useEffect, useState } from 'react';
import { $access } from '#src/core/session/session.store.ts';
import { localTime, relativeTime } from '#src/lib/dates.ts';

type Props = {
	writing: Writing;
	/** Whether something is written that readers do not see. */
	hasDraft: boolean;
	/** Whether the time of a scheduled post has come. */
	hasCome: boolean;
	actions: WriterActions;
	onRetry: () => void;
	onClose: () => void;
};

/** Where the post stands, and what can be done with it. */
export function WriterBar({ writing, hasDraft, hasCome, actions, onRetry, onClose }: Props) {
	const { post, conflict } = writing;
	const { busy } = actions;
	const isUpdate = isPublic(post);
	const { focus = false } = useStore($view);
	return (
		<div className="editor-bar">
			<div className="editor-state">
				{post && <PostBadge state={hasCome ? 'published' : post.state} />}
				{post?.state === 'scheduled' && !hasCome && post.publishedAt && (
					<span className="label">for {localTime(post.publishedAt)}</span>
				)}
				{isUpdate && hasDraft && <span className="label">with unpublished changes</span>}
				<SaveStatus writing={writing} onRetry={onRetry} />
			</div>
			<div className="editor-actions" hidden={conflict !== null}>
				{post && (
					<Button variant="quiet" className="wide-only" onClick={onClose}>
						Close
					</Button>
				)}
				<ViewSwitch name="preview" />
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
				<MoreActions writing={writing} hasDraft={hasDraft} actions={actions} onClose={onClose} />
			</div>
		</div>
	);
}

function MoreActions({
	writing,
	hasDraft,
	actions,
	onClose,
}: Pick<Props, 'writing' | 'hasDraft' | 'actions' | 'onClose'>) {
	return (
		<Menu label="More actions">
			{writing.post && (
				<button type="button" className="narrow-only" onClick={onClose}>
					Close
				</button>
			)}
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

/** Where the words are, in words. */
export function saveStatusText(
	{ save, message, savedAt, post }: Writing,
	online: boolean,
	now: number,
	expired = false,
): string {
	switch (save) {
		case 'saved':
			if (savedAt !== null) return `Saved ${relativeTime(new Date(savedAt), now)}`;
			return post ? 'Saved' : 'Nothing written yet';
		case 'unsaved':
			// It is saved by itself, seconds after the last key.
			return 'Saving…';
		case 'saving':
			return expired ? 'Not on the server yet: sign in to save it' : 'Saving…';
		case 'unreachable':
			if (!online) return 'Offline: kept on this device';
			return `Kept on this device. ${message}`;
		case 'signed-out':
			return `Kept on this device. ${message}`;
		case 'conflict':
			return 'Changed elsewhere: choose below';
		case 'refused':
			return `Kept on this device. ${message}`;
	}
}

type SaveStatusProps = { writing: Writing; onRetry: () => void };

export function SaveStatus({ writing, onRetry }: SaveStatusProps) {
	const [now, setNow] = useState(Date.now);
	const [online, setOnline] = useState(() => navigator.onLine);
	useEffect(() => {
		const tick = setInterval(() => setNow(Date.now()), 20_000);
		const change = () => setOnline(navigator.onLine);
		addEventListener('online', change);
		addEventListener('offline', change);
		return () => {
			clearInterval(tick);
			removeEventListener('online', change);
			removeEventListener('offline', change);
		};
	}, []);
	const expired = useStore($access).status === 'expired';
	const { save } = writing;
	const stuck = save === 'unreachable' || save === 'signed-out' || save === 'refused';
	return (
		<p className="save-status" data-save={save}>
			<span role="status">
				{saveStatusText(writing, online, Math.max(now, writing.savedAt ?? 0), expired)}
			</span>
			{stuck && writing.post && (
				<button type="button" className="link" onClick={onRetry}>
					{save === 'signed-out' ? 'Sign in' : 'Try now'}
				</button>
			)}
		</p>
	);
}
