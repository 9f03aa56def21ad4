import { useId, useRef, type ReactNode } from 'react';

type Props = { label: string; children: ReactNode };

/** Actions behind a button with three dots. Choosing one closes them. */
export function Menu({ label, children }: Props) {
	const id = useId();
	const menu = useRef<HTMLDivElement>(null);
	return (
		<>
			<button type="button" className="icon-button" aria-label={label} popoverTarget={id}>
				<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
					<path
						d="M5 12h.5M12 12h.5M19 12h.5"
						stroke="currentColor"
						strokeWidth="3"
						strokeLinecap="round"
					/>
				</svg>
			</button>
			<div
				ref={menu}
				id={id}
				popover="auto"
				role="group"
				aria-label={label}
				className="menu"
				onClick={({ target }) => {
					if ((target as Element).closest('a, button')) menu.current?.hidePopover();
				}}
			>
				{children}
			</div>
		</>
	);
}
