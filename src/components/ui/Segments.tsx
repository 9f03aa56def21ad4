import { useEffect, useId, useRef, type RefObject } from 'react';
import { formatCount } from '#src/lib/text.ts';

type Option = { value: string; label: string; count?: number | undefined };
type Props = {
	label: string;
	value: string;
	options: readonly Option[];
	onChange: (value: string) => void;
};

/**
 * Scrolls a line of choices, where there is no room for all, to the one that is chosen. `shape` changes with that and with
 * what makes choices wider.
 */
export function useShownChoice(list: RefObject<HTMLElement | null>, shape: string): void {
	useEffect(() => {
		const chosen = list.current?.querySelector('label:has(:checked)');
		if (!list.current || !chosen) return;
		const [line, label] = [list.current, chosen].map((one) => one.getBoundingClientRect());
		list.current.scrollLeft += label!.left - line!.left - (line!.width - label!.width) / 2;
	}, [shape]);
}

/** Radio buttons side by side, for a choice of a few. */
export function Segments({ label, value, options, onChange }: Props) {
	const name = useId();
	const list = useRef<HTMLFieldSetElement>(null);
	useShownChoice(list, [value, ...options.map(({ count }) => count)].join());
	return (
		<fieldset ref={list} className="segments">
			<legend className="sr-only">{label}</legend>
			{options.map((option) => (
				<label key={option.value}>
					<input
						type="radio"
						name={name}
						checked={option.value === value}
						onChange={() => onChange(option.value)}
					/>
					{option.label}
					{option.count !== undefined && <span className="count">{formatCount(option.count)}</span>}
				</label>
			))}
		</fieldset>
	);
}
