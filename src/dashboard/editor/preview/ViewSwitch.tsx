import { useStore } from '@nanostores/react';
import { $view, setView } from '../view.store.ts';

/** Chooses between the text alone and the text with its page beside it. */
export function ViewSwitch() {
	const { preview = false } = useStore($view);
	return (
		<div className="view-switch" role="group" aria-label="View">
			{[false, true].map((isPreview) => (
				<button
					key={String(isPreview)}
					type="button"
					aria-pressed={preview === isPreview}
					onClick={() => setView('preview', isPreview)}
				>
					{isPreview ? 'Preview' : 'Write'}
				</button>
			))}
		</div>
	);
}
