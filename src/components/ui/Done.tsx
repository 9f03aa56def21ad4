import { useEffect, useRef, type ReactNode } from 'react';

type Props = { className?: string; children: ReactNode };

/** What stands in a form's place once it has done its work: it takes the focus, which the form had, and so is heard. */
export function Done({ className = 'frame p-5', children }: Props) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => place.current?.focus(), []);
	return (
		<div ref={place} tabIndex={-1} className={className}>
			{children}
		</div>
	);
}
