import type { ReactNode } from 'react';

/** Says what is wrong with a field or a form, and shows nothing where nothing is. */
export function FieldError({ children }: { children: ReactNode }) {
	return children ? (
		<p role="alert" className="field-error">
			{children}
		</p>
	) : null;
}
