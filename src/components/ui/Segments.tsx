import { useId } from 'react';
import { formatCount } from '#src/lib/text.ts';

type Option = { value: string; label: string; count?: number | undefined };
type Props = {
	label: string;
	value: string;
	options: readonly Option[];
	onChange: (value: string) => void;
};

/** Radio buttons side by side, for a choice of a few. */
export function Segments({ label, value, options, onChange }: Props) {
	const name = useId();
	return (
		<fieldset className="segments">
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
