import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { $folded } from '#src/dashboard/editor/view.store.ts';
import { isPhone } from '#src/dashboard/kit/phone.ts';

type Props = {
	name: string;
	/** A few words about its fields, shown while it is folded. */
	note?: string | undefined;
	children: ReactNode;
};

/** A part of the panel, which stays on this device as it was left: on a phone folded until it is opened, else open. */
export function Fold({ name, note, children }: Props) {
	const isFolded = useStore($folded)[name] ?? isPhone();
	return (
		<section aria-label={name}>
			<details
				open={!isFolded}
				onToggle={({ currentTarget }) => {
					if (currentTarget.open === isFolded)
						$folded.set({ ...$folded.get(), [name]: !currentTarget.open });
				}}
			>
				<summary>
					<h2>{name}</h2>
					{isFolded && note && <span className="label fold-note">{note}</span>}
				</summary>
				{children}
			</details>
		</section>
	);
}
