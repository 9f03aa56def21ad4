import { useRef, type ReactNode } from 'react';
import { Button } from '#src/components/ui/Button.tsx';

type Props<Item> = {
	label: string;
	items: readonly Item[];
	/** Name of an item in the names of its buttons. */
	nameOf: (item: Item, index: number) => string;
	children: (item: Item, index: number) => ReactNode;
	onChange: (items: Item[]) => void;
	removable?: boolean;
};

/** A list whose items are moved by buttons, and by Alt with an arrow key from anywhere in an item. */
export function OrderedList<Item>(props: Props<Item>) {
	const { label, items, nameOf, children, onChange, removable = false } = props;
	const list = useRef<HTMLOListElement>(null);

	function move(index: number, by: -1 | 1) {
		const to = index + by;
		if (to < 0 || to >= items.length) return;
		const next = [...items];
		[next[index], next[to]] = [items[to]!, items[index]!];
		// What has the focus moves with its item.
		const focused = document.activeElement;
		const controls = (at: number) => [
			...(list.current?.children[at]?.querySelectorAll<HTMLElement>(
				'input, textarea, select, button',
			) ?? []),
		];
		const place = controls(index).indexOf(focused as HTMLElement);
		onChange(next);
		requestAnimationFrame(() => controls(to)[place]?.focus());
	}

	return (
		<ol className="site-list" aria-label={label} ref={list}>
			{items.map((item, index) => (
				<li
					key={index}
					onKeyDown={(event) => {
						if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
						event.preventDefault();
						move(index, event.key === 'ArrowUp' ? -1 : 1);
					}}
				>
					{children(item, index)}
					<span className="site-list-moves">
						<Sign
							label={`Move ${nameOf(item, index)} up`}
							disabled={index === 0}
							path={UP}
							onClick={() => move(index, -1)}
						/>
						<Sign
							label={`Move ${nameOf(item, index)} down`}
							disabled={index === items.length - 1}
							path={DOWN}
							onClick={() => move(index, 1)}
						/>
						{removable && (
							<Sign
								label={`Remove ${nameOf(item, index)}`}
								path="m6 6 12 12M18 6 6 18"
								onClick={() => onChange(items.toSpliced(index, 1))}
							/>
						)}
					</span>
				</li>
			))}
		</ol>
	);
}

type AddProps = { className?: string; onAdd: () => void; children: ReactNode };

/** Adds an item at the end of the list beside it, and leads to its first field. */
export function AddButton({ className = 'justify-self-start', onAdd, children }: AddProps) {
	return (
		<Button
			variant="quiet"
			className={className}
			onClick={({ currentTarget }) => {
				const list = currentTarget.parentElement?.querySelector('.site-list');
				onAdd();
				requestAnimationFrame(() =>
					list?.querySelector<HTMLElement>(':scope > :last-child :is(input, textarea)')?.focus(),
				);
			}}
		>
			{children}
		</Button>
	);
}

type SignProps = {
	label: string;
	path: string;
	disabled?: boolean;
	onClick: () => void;
};

/** Strokes of the signs that move an item. */
export const UP = 'm6 14 6-6 6 6';
export const DOWN = 'm6 10 6 6 6-6';

/** A button with a sign. A disabled one keeps the focus. */
export function Sign({ label, path, disabled, onClick }: SignProps) {
	return (
		<button
			type="button"
			className="icon-button"
			aria-label={label}
			aria-disabled={disabled}
			onClick={onClick}
		>
			<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
				<path d={path} fill="none" stroke="currentColor" strokeWidth="2" />
			</svg>
		</button>
	);
}
