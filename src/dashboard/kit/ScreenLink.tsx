import type { ReactNode } from 'react';
import { openScreen, screenAddress, wantsAnother, type Query } from './address.store.ts';

type Props = { to: string; query?: Query; className?: string; children: ReactNode };

/** A link to a screen of the desk, which opens in this window without loading it again. */
export function ScreenLink({ to, query, className = 'link', children }: Props) {
	return (
		<a
			className={className}
			href={screenAddress(to, query)}
			onClick={(event) => {
				if (wantsAnother(event)) return;
				event.preventDefault();
				openScreen(to, query);
			}}
		>
			{children}
		</a>
	);
}
