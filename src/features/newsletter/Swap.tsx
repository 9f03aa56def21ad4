import { useEffect, useRef, type ReactNode } from 'react';

type Props = {
	/** What stands in the form's place; nothing while the form is wanted. */
	instead: ReactNode;
	/** Which of the two takes the focus once a click has changed what is there. */
	focus: 'form' | 'sentence' | null;
	children: ReactNode;
};

/** A form, or a sentence in its place that takes as much room, so that nothing moves. */
export function Swap({ instead, focus, children }: Props) {
	const form = useRef<HTMLDivElement>(null);
	const sentence = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (focus === 'form') form.current?.querySelector<HTMLElement>('[type=email]')?.focus();
		if (focus === 'sentence') sentence.current?.focus();
	}, [focus]);
	return (
		<div className="swap">
			<div ref={form}>{children}</div>
			{instead && (
				<div ref={sentence} tabIndex={-1} className="swapped">
					{instead}
				</div>
			)}
		</div>
	);
}
