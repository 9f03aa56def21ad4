import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { $access } from '#src/core/session/session.store.ts';
import { ago } from '#src/dashboard/editor/times.ts';
import type { Writing } from './machine.ts';

/** Where the words are, in words. */
export function saveStatusText(
	{ save, message, savedAt, post }: Writing,
	online: boolean,
	now: number,
	expired = false,
): string {
	switch (save) {
		case 'saved':
			if (savedAt !== null) return `Saved ${ago(savedAt, now)}`;
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

type Props = { writing: Writing; onRetry: () => void };

export function SaveStatus({ writing, onRetry }: Props) {
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
