import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { $folded } from './folded.store.ts';
import { isPhone } from './phone.ts';

type Props = {
	name: string;
	/** A few words about its fields, shown while it is folded. */
	note?: string | undefined;
	/** Keeps it open, whatever was chosen, because one of its fields was refused. */
	isNeeded?: boolean;
	/** Folds it at first on any screen, because it is seldom used. */
	isSeldom?: boolean;
	heading?: 'h2' | 'h3';
	children: ReactNode;
};

/** A part of a screen, which stays on this device as it was left; at first open, but on a phone, or where it is seldom used, folded. */
export function Fold({ name, note, isNeeded = false, isSeldom = false, ...rest }: Props) {
	const { heading: Heading = 'h2', children } = rest;
	const isFolded = (useStore($folded)[name] ?? (isSeldom || isPhone())) && !isNeeded;
	return (
		<section aria-label={name} className="fold">
			<details
				open={!isFolded}
				onToggle={({ currentTarget }) => {
					if (currentTarget.open === isFolded)
						$folded.set({ ...$folded.get(), [name]: !currentTarget.open });
				}}
			>
				<summary>
					<Heading>{name}</Heading>
					{isFolded && note && <span className="label fold-note">{note}</span>}
				</summary>
				{children}
			</details>
		</section>
	);
}
