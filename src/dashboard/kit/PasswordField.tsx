import { useState, type ComponentProps } from 'react';
import { Field } from '#src/components/ui/Field.tsx';

type Props = Omit<ComponentProps<'input'>, 'type'> & {
	label: string;
	hint?: string | undefined;
	error?: string | undefined;
};

/** A field for a password, which can be shown while it is typed. */
export function PasswordField(props: Props) {
	const [isShown, setShown] = useState(false);
	return (
		<div className="password">
			<Field
				{...props}
				type={isShown ? 'text' : 'password'}
				spellCheck={false}
				autoCapitalize="none"
			/>
			<button type="button" className="link" onClick={() => setShown(!isShown)}>
				{isShown ? 'Hide' : 'Show'}
				<span className="sr-only"> {props.label.toLowerCase()}</span>
			</button>
		</div>
	);
}
