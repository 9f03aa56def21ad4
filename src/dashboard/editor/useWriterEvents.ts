import { useEffect, useRef, type RefObject } from 'react';
import { $signIns, beforeSignOut } from '#src/core/session/session.store.ts';
import type { SurfaceHandle } from '#src/dashboard/editor/surface/Surface.tsx';
import type { WriterActions } from './useWriterActions.ts';
import { leaveFocus, setView } from './view.store.ts';
import type { WritingStore } from '#src/dashboard/editor/writing/writing.store.ts';

/** Handles the keys of the editor, and saves when the page is left or the network is back. */
export function useWriterEvents(
	writing: WritingStore,
	actions: WriterActions,
	root: RefObject<HTMLElement | null>,
	surface: RefObject<SurfaceHandle | null>,
): void {
	const current = useRef(actions);
	current.current = actions;
	useEffect(() => {
		const isHere = () =>
			!document.querySelector('dialog[open]') && !root.current?.closest('[hidden]');
		function onKeyDown(event: KeyboardEvent) {
			const isFree = !event.defaultPrevented && !document.querySelector(':popover-open');
			if (event.key === 'Escape' && isFree && isHere()) leaveFocus();
			const mod = event.ctrlKey || event.metaKey;
			if (!mod || event.altKey || !isHere()) return;
			const key = event.key.toLowerCase();
			if (key !== '/' && writing.state.get().conflict) {
				// First it is chosen what there is to save.
				if (key === 's') event.preventDefault();
				return;
			}
			const { save, updateOrPublish, setPanel } = current.current;
			if (key === 's' && !event.shiftKey) void save({}, 'saving');
			else if (key === 'enter' && event.shiftKey) updateOrPublish();
			else if (key === 'p' && event.shiftKey) setView('preview');
			else if (key === 'f' && event.shiftKey) setView('focus');
			else if (key === '/') setPanel('help');
			else return;
			event.preventDefault();
		}
		async function saveAll() {
			surface.current?.sync();
			await writing.flush();
		}
		const onHide = () => void saveAll();
		function onLeave(event: BeforeUnloadEvent) {
			surface.current?.sync();
			if (writing.atRisk()) event.preventDefault();
		}
		const onOnline = () => void writing.flush();
		// Another call may have asked.
		const unbind = $signIns.listen(onOnline);
		beforeSignOut.add(saveAll);
		document.addEventListener('keydown', onKeyDown);
		document.addEventListener('visibilitychange', onHide);
		addEventListener('online', onOnline);
		addEventListener('beforeunload', onLeave);
		return () => {
			unbind();
			beforeSignOut.delete(saveAll);
			document.removeEventListener('keydown', onKeyDown);
			document.removeEventListener('visibilitychange', onHide);
			removeEventListener('online', onOnline);
			removeEventListener('beforeunload', onLeave);
		};
	}, [writing]);
}
