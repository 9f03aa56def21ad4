import type { ComponentProps } from 'react';

export type ButtonVariant = 'primary' | 'quiet' | 'danger';

type Props = ComponentProps<'button'> & {
	variant?: ButtonVariant;
	/** Its work is in progress: it stays in the tab order, says so, and does nothing more. */
	busy?: boolean;
};

/** A button of an island; `Button.astro` is the same outside of islands. Submits only if its type says so. */
export function Button({ variant = 'primary', busy, className = '', onClick, ...rest }: Props) {
	return (
		<button
			type="button"
			aria-disabled={busy}
			onClick={busy ? (event) => event.preventDefault() : onClick}
			{...rest}
			className={`button button-${variant} ${className}`.trim()}
		/>
	);
}

/** A cross that closes its container. */
export function CloseButton({ label, onClick }: { label: string; onClick?: () => void }) {
	return (
		<button type="button" className="icon-button" aria-label={label} onClick={onClick}>
			<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
				<path d="m6 6 12 12M18 6 6 18" fill="none" stroke="currentColor" strokeWidth="2" />
			</svg>
		</button>
	);
}
