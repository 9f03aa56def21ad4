import { useStore } from '@nanostores/react';
import { $view, setView } from '#src/dashboard/editor/view.store.ts';

/** Chooses between the text alone and the text with its page beside it: an article’s or, by `page`, a page’s. */
export function ViewSwitch({ name }: { name: 'preview' | 'page' }) {
	const { [name]: isShown = false } = useStore($view);
	return (
		<div className="view-switch" role="group" aria-label="View">
			{[false, true].map((isPreview) => (
				<button
					key={String(isPreview)}
					type="button"
					aria-pressed={isShown === isPreview}
					onClick={() => setView(name, isPreview)}
				>
					{isPreview ? 'Preview' : 'Write'}
				</button>
			))}
		</div>
	);
}
