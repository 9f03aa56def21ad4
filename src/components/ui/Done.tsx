import { useEffect, useRef, type ReactNode } from 'react';

type Props = { className?: string; children: ReactNode };

/** Replaces a form that has done its work. Takes the focus from the form, so that a screen reader announces it. */
export function Done({ className = 'frame p-5', children }: Props) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => place.current?.focus(), []);
	return (
		<div ref={place} tabIndex={-1} className={className}>
			{children}
		</div>
	);
}
