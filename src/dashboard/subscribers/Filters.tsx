import { useId, useState, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';

/** Filters of a list. On a phone they are folded behind a button, which says how many are `set`. */
export function Filters({ set, children }: { set: number; children: ReactNode }) {
	const [open, setOpen] = useState(false);
	const id = useId();
	return (
		<>
			<Button
				variant="quiet"
				className="filters-button"
				aria-expanded={open}
				aria-controls={id}
				onClick={() => setOpen(!open)}
			>
				{set > 0 ? `Filters (${set})` : 'Filters'}
			</Button>
			<div id={id} className="desk-filters" data-open={open || undefined}>
				{children}
			</div>
		</>
	);
}
