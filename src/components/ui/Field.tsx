import { type ComponentProps, useId } from 'react';

type Words = {
	label: string;
	/** Shows the label to screen readers only. */
	hideLabel?: boolean;
	hint?: string | undefined;
	error?: string | undefined;
};
type Control =
	| ({ type?: 'text' | 'email' | 'password' } & Omit<ComponentProps<'input'>, 'type'>)
	| ({ type: 'textarea' } & ComponentProps<'textarea'>)
	| ({ type: 'select' } & ComponentProps<typeof Select>);

/** A labeled control with its hint and, after a refusal, its error. */
export function Field({ label, hideLabel, hint, error, ...control }: Words & Control) {
	const ownId = useId();
	const id = control.id ?? ownId;
	const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
	const shared = {
		id,
		'aria-invalid': error !== undefined,
		'aria-describedby': described || undefined,
	};
	return (
		<div className="field">
			<label htmlFor={id} className={hideLabel ? 'sr-only' : undefined}>
				{label}
			</label>
			<Input {...control} {...shared} />
			{hint && (
				<span id={`${id}-hint`} className="field-hint">
					{hint}
				</span>
			)}
			{error !== undefined && (
				<span id={`${id}-error`} role="alert" className="field-error">
					{error}
				</span>
			)}
		</div>
	);
}

function Input(control: Control) {
	if (control.type === 'textarea') {
		const { type: _, ...rest } = control;
		return <textarea rows={5} {...rest} />;
	}
	if (control.type === 'select') {
		const { type: _, ...rest } = control;
		return <Select {...rest} />;
	}
	return <input {...control} />;
}

type Option = string | { value: string; label: string; group?: string | undefined };

/** The browser's own select, styled. Options with a group stand under its name. */
function Select({
	options,
	className = '',
	...rest
}: ComponentProps<'select'> & { options: readonly Option[] }) {
	return (
		<select {...rest} className={`select ${className}`.trim()}>
			{[...Map.groupBy(options, (one) => (typeof one === 'string' ? undefined : one.group))].map(
				([group, own]) => {
					const listed = own.map((option) => {
						const { value, label } =
							typeof option === 'string' ? { value: option, label: option } : option;
						return (
							<option key={value} value={value}>
								{label}
							</option>
						);
					});
					return group ? (
						<optgroup key={group} label={group}>
							{listed}
						</optgroup>
					) : (
						listed
					);
				},
			)}
		</select>
	);
}
