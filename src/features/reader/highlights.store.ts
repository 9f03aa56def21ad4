import { atom } from 'nanostores';
import { paint, spanAt } from './paint.ts';
import { findQuote, PageText, type Span } from './quote.ts';
import { isNamedBy, isOnPage, type Highlight } from './reader.ts';
import { $highlights, markMissing } from './reader.store.ts';

/** Highlights of this page whose text still exists, with their position. */
export const $found = atom<readonly { highlight: Highlight; span: Span }[]>([]);

/** Keeps an article's highlights visible. A click on one selects it, which shows the toolbar. */
export function showHighlights(root: HTMLElement): void {
	let isNamed = !!location.hash && isFirstVisit();
	$highlights.subscribe((all) => {
		const mine = all.filter((highlight) => isOnPage(highlight, location.pathname));
		if (mine.length === 0 && $found.get().length === 0) return;
		const { letters } = new PageText(root);
		const places = mine.map((one) => ({ highlight: one, span: findQuote(letters, one) }));
		const present = places.flatMap(({ highlight, span }) => (span ? [{ highlight, span }] : []));
		paint(
			root,
			present.map(({ span }) => span),
		);
		$found.set(present);
		const named = isNamed && present.find(({ highlight }) => isNamedBy(location.hash, highlight));
		// A highlight of this moment is not the one that the address names.
		isNamed = false;
		if (named) reveal(new PageText(root).range(named.span));
		markMissing(new Map(places.map(({ highlight, span }) => [highlight, !span])));
	});
	root.addEventListener('click', (event) => {
		const isControl = event.target instanceof Element && event.target.closest('a, button');
		if (isControl || !getSelection()?.isCollapsed) return;
		const spans = $found.get().map(({ span }) => span);
		const span = spanAt(root, spans, event);
		if (!span) return;
		getSelection()?.removeAllRanges();
		getSelection()?.addRange(new PageText(root).range(span));
	});
}

/** Returns whether somebody came to the page by its address: who goes back or reloads is where they were. */
function isFirstVisit(): boolean {
	const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
	return visit?.type === 'navigate';
}

/** Scrolls to a passage, and goes on from there for who reads by keyboard. */
function reveal(passage: Range): void {
	const block = passage.startContainer.parentElement!;
	block.scrollIntoView({ block: 'center', behavior: 'instant' });
	const { top } = passage.getBoundingClientRect();
	scrollBy({ top: top - innerHeight / 3, behavior: 'instant' });
	block.tabIndex = -1;
	block.focus({ preventScroll: true });
	block.addEventListener('blur', () => block.removeAttribute('tabindex'), { once: true });
}

/** Returns the highlight that contains a whole span. */
export function highlightOf({ start, end }: Span): Highlight | undefined {
	return $found.get().find(({ span }) => span.start <= start && span.end >= end)?.highlight;
}
