import { useEffect, useState } from 'react';
import { PASSWORD_RULE } from '#src/core/session/session.ts';
import type { Strength } from '#src/core/session/strength.ts';
import { PasswordField } from './PasswordField.tsx';

/** A field for a new password, with what it is worth while it is typed. */
export function NewPasswordField({ error }: { error?: string | undefined }) {
	const [typed, setTyped] = useState('');
	const [measured, setMeasured] = useState<Strength & { of: string }>();

	useEffect(() => {
		if (!typed) return;
		let isLatest = true;
		// The lists of common passwords are loaded with the first letter. Without them the server still refuses.
		void import('#src/core/session/strength.ts')
			.then(({ strengthOf }) => strengthOf(typed))
			.then(
				(strength) => isLatest && setMeasured({ ...strength, of: typed }),
				() => {},
			);
		return () => {
			isLatest = false;
		};
	}, [typed]);

	const strength = typed ? measured : undefined;
	return (
		<div className="grid gap-2">
			<PasswordField
				label="New password"
				name="password"
				required
				autoComplete="new-password"
				hint={error ? undefined : PASSWORD_RULE.replace('Password must be at', 'At')}
				error={error}
				onChange={(event) => setTyped(event.target.value)}
			/>
			<p className="label" role="status">
				{strength && (
					<>
						<meter
							min={0}
							max={4}
							low={2}
							high={3}
							optimum={4}
							value={strength.score}
							aria-hidden
						/>{' '}
						{strength.label}
						{strength.isCommon && ': among the first that are tried'}
					</>
				)}
			</p>
		</div>
	);
}
