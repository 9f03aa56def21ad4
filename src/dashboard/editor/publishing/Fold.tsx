import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { $folded } from '#src/dashboard/editor/view.store.ts';

/** A part of the panel, which stays folded on this device until it is opened again. */
export function Fold({ name, children }: { name: string; children: ReactNode }) {
	const isFolded = useStore($folded)[name] === true;
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
				</summary>
				{children}
			</details>
		</section>
	);
}
