import type { ComponentProps } from 'react';

type Option = string | { value: string; label: string };

/** The browser's own select, styled. */
export function Select({
	options,
	className = '',
	...rest
}: ComponentProps<'select'> & { options: readonly Option[] }) {
	return (
		<select {...rest} className={`select ${className}`.trim()}>
			{options.map((option) => {
				const { value, label } =
					typeof option === 'string' ? { value: option, label: option } : option;
				return (
					<option key={value} value={value}>
						{label}
					</option>
				);
			})}
		</select>
	);
}
