import { useEffect, useRef, type ReactNode } from 'react';

type Props = {
	/** Shown in place of the form; undefined to show the form. */
	replacement: ReactNode;
	/** Which of the two gets the focus after a click has swapped them. */
	focus: 'form' | 'sentence' | null;
	children: ReactNode;
};

/** Shows a form, or a sentence of the same size in its place, so that nothing moves. */
export function StableSwitch({ replacement, focus, children }: Props) {
	const form = useRef<HTMLDivElement>(null);
	const sentence = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (focus === 'form') form.current?.querySelector<HTMLElement>('[type=email]')?.focus();
		if (focus === 'sentence') sentence.current?.focus();
	}, [focus]);
	return (
		<div className="swap">
			<div ref={form}>{children}</div>
			{replacement && (
				<div ref={sentence} tabIndex={-1} className="swapped">
					{replacement}
				</div>
			)}
		</div>
	);
}
