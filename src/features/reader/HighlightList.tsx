import { useStore } from '@nanostores/react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { toast } from '#src/components/ui/toast.store.ts';
import { isOnPage } from './reader.ts';
import { $highlights, removeHighlight } from './reader.store.ts';

/** The reader's highlights in this article, each with a button that removes it: they are in the text without one. */
export const HighlightList = island(List);

function List({ path }: { path: string }) {
	const all = useStore($highlights, { ssr: 'initial' }).filter((highlight) =>
		isOnPage(highlight, path),
	);
	return (
		<section aria-labelledby="your-highlights">
			<h2 id="your-highlights" className="label tracking-normal!" tabIndex={-1}>
				Your highlights
			</h2>
			<ul className="mt-2 border-t border-line">
				{all.map((highlight, index) => (
					<li
						key={`${String(highlight.timestamp)}${index}`}
						className="flex items-start justify-between gap-4 border-b border-line py-2"
					>
						<p className="min-w-0 py-2 font-serif">
							{highlight.text}
							{highlight.missing && <span className="label block">No longer in the article</span>}
						</p>
						<Button
							variant="quiet"
							className="shrink-0"
							aria-label={`Remove highlight: ${highlight.text}`}
							onClick={() => {
								const undo = removeHighlight(highlight);
								toast({ title: 'Highlight removed', action: { label: 'Undo', run: undo } });
								// With the last one the list goes.
								const next = all.length > 1 ? 'your-highlights' : 'main';
								document.getElementById(next)?.focus({ preventScroll: true });
							}}
						>
							Remove
						</Button>
					</li>
				))}
			</ul>
		</section>
	);
}
