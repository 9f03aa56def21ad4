import { useStore } from '@nanostores/react';
import { useEffect, useRef, useSyncExternalStore, type PointerEvent, type Ref } from 'react';
import { createPortal } from 'react-dom';
import { Button, CloseButton } from './Button.tsx';
import { island } from './ErrorBoundary.tsx';
import { dismissToast, holdToast, isSwipe, TOAST, $toasts, type Toast } from './toast.store.ts';

/** Region for toasts; one per page, hydrated by the first toast. */
export const Toaster = island(ToastRegion);

function ToastRegion() {
	const shown = useStore($toasts, { ssr: 'initial' }).find(({ open }) => open);
	// Content outside of a modal dialog can neither be reached nor heard.
	const region = useSyncExternalStore(onClose, openRegion, () => null);

	useEffect(() => {
		holdToast('asleep', false);
		const hold = () => holdToast('hidden tab', document.hidden);
		hold();
		document.addEventListener('visibilitychange', hold);
		return () => document.removeEventListener('visibilitychange', hold);
	}, []);

	const card = shown && <LiveToast key={shown.id} toast={shown} />;
	const inPlace = region && card ? createPortal(card, region) : card;
	return (
		<div className="toaster">
			<div aria-live="polite">{!shown?.destructive && inPlace}</div>
			{shown?.destructive && inPlace}
		</div>
	);
}

function onClose(listener: () => void) {
	document.addEventListener('close', listener, true);
	return () => document.removeEventListener('close', listener, true);
}

function openDialog() {
	return document.querySelector('dialog[open]');
}

/** Returns the region for toasts of an open dialog, which is there before them: so they are spoken. */
function openRegion() {
	return openDialog()?.querySelector('.toaster') ?? openDialog();
}

/** A toast that can be dismissed, and whose clock stops while somebody reads it. */
function LiveToast({ toast }: { toast: Toast }) {
	const card = useRef<HTMLDivElement>(null);
	const opener = useRef<Element>(null);
	const start = useRef<{ x: number; y: number }>(null);

	function dismiss() {
		const focused = card.current?.contains(document.activeElement);
		dismissToast(toast.id);
		if (focused && opener.current instanceof HTMLElement) opener.current.focus();
	}

	useEffect(() => {
		function onKeyDown(event: KeyboardEvent) {
			if (event.key === TOAST.hotkey) {
				opener.current = document.activeElement;
				card.current?.focus();
			} else if (event.key === 'Escape' && !event.defaultPrevented) {
				// A dialog closes first, unless the focus is here.
				if (openDialog() && !card.current?.contains(document.activeElement)) return;
				dismiss();
			} else return;
			event.preventDefault();
		}
		document.addEventListener('keydown', onKeyDown);
		return () => {
			document.removeEventListener('keydown', onKeyDown);
			holdToast('pointer', false);
			holdToast('focus', false);
		};
	}, []);

	function moved(event: PointerEvent): [number, number] {
		const from = start.current ?? { x: event.clientX, y: event.clientY };
		return [event.clientX - from.x, event.clientY - from.y];
	}
	function release() {
		start.current = null;
		card.current?.style.removeProperty('translate');
	}

	return (
		<div
			onPointerEnter={() => holdToast('pointer', true)}
			onPointerLeave={() => holdToast('pointer', false)}
			onFocus={() => holdToast('focus', true)}
			onBlur={() => holdToast('focus', false)}
			onPointerDown={(event) => {
				if ((event.target as Element).closest('button, a')) return;
				start.current = { x: event.clientX, y: event.clientY };
				event.currentTarget.setPointerCapture?.(event.pointerId);
			}}
			onPointerMove={(event) => {
				if (start.current && card.current)
					card.current.style.translate = `${Math.max(0, moved(event)[0])}px`;
			}}
			onPointerUp={(event) => {
				if (isSwipe(...moved(event))) dismiss();
				else release();
			}}
			onPointerCancel={release}
		>
			<ToastCard ref={card} {...toast} onDismiss={dismiss} />
		</div>
	);
}

type CardProps = Pick<Toast, 'title' | 'description' | 'link' | 'destructive' | 'action'> & {
	ref?: Ref<HTMLDivElement>;
	onDismiss?: () => void;
};

/** The look of a toast. */
export function ToastCard(props: CardProps) {
	const { ref, title, description, link, destructive, action, onDismiss } = props;
	return (
		<div
			ref={ref}
			tabIndex={-1}
			role={destructive ? 'alert' : 'status'}
			className={`toast frame ${destructive ? 'toast-destructive' : ''}`.trim()}
		>
			<div>
				<p className="font-semibold">{title}</p>
				{(description || link) && (
					<p className="mt-0.5 text-muted">
						{description}
						{link && (
							<>
								{' '}
								<a className="link" href={link.href}>
									{link.label}
								</a>
							</>
						)}
					</p>
				)}
			</div>
			{action && (
				<Button
					variant="quiet"
					className="ml-auto shrink-0"
					onClick={() => {
						onDismiss?.();
						action.run();
					}}
				>
					{action.label}
				</Button>
			)}
			<CloseButton label="Dismiss" {...(onDismiss && { onClick: onDismiss })} />
		</div>
	);
}
