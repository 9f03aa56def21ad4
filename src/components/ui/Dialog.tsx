import { useEffect, useId, useRef, type ReactNode } from 'react';
import { CloseButton } from './Button.tsx';

type Props = {
	open: boolean;
	/** Called when the user wants to close it: by Escape, the cross or a press outside. */
	onClose: () => void;
	title: string;
	closeLabel?: string;
	/** Selector of the element that gets the focus first; by default the cross. */
	firstFocus?: string;
	/** On a phone, a sheet at the bottom edge that leaves the page readable and the focus where it was. */
	sheet?: boolean;
	children: ReactNode;
};

/** The browser's own modal dialog: the focus stays inside and returns afterwards. */
export function Dialog({
	open,
	onClose,
	title,
	closeLabel = 'Close',
	firstFocus,
	sheet = false,
	children,
}: Props) {
	const id = useId();
	const dialog = useRef<HTMLDialogElement>(null);
	const pressedBeside = useRef(false);

	// Runs on every render, to reopen a pending dialog when its tab is shown again.
	useEffect(() => {
		if (open && !dialog.current?.open && !dialog.current?.closest('[hidden]')) {
			if (sheet && matchMedia('(max-width: 40rem)').matches) {
				// The `autofocus` method of its own would take the focus.
				dialog.current?.setAttribute('open', '');
				return;
			}
			dialog.current?.showModal();
			if (firstFocus) dialog.current?.querySelector<HTMLElement>(firstFocus)?.focus();
		}
		if (!open && dialog.current?.open) dialog.current.close();
	});

	useEffect(() => {
		if (!open || !sheet) return;
		function leave(event: KeyboardEvent) {
			if (event.key === 'Escape' && !event.defaultPrevented) onClose();
		}
		addEventListener('keydown', leave);
		return () => removeEventListener('keydown', leave);
	}, [open, sheet, onClose]);

	return (
		<dialog
			ref={dialog}
			className={sheet ? 'dialog dialog-sheet frame' : 'dialog frame'}
			aria-labelledby={id}
			// Closed by the caller, so that no click falls in between.
			onCancel={(event) => {
				if (event.target !== event.currentTarget) return;
				event.preventDefault();
				onClose();
			}}
			onClose={() => {
				if (!dialog.current?.open) onClose();
			}}
			// A text selection that ends outside is not a press outside.
			onPointerDown={(event) => {
				pressedBeside.current = event.target === event.currentTarget;
			}}
			onClick={(event) => {
				if (pressedBeside.current && event.target === event.currentTarget) onClose();
			}}
		>
			{open && (
				<div className="dialog-body">
					<div className="dialog-head">
						<h2 id={id}>{title}</h2>
						<CloseButton label={closeLabel} onClick={onClose} />
					</div>
					{children}
					<div className="toaster" aria-live="polite" />
				</div>
			)}
		</dialog>
	);
}
