import { atom } from 'nanostores';
import { findQuote, PageText, type Span } from './quote.ts';
import { type Highlight, isNamedBy, isOnPage } from './reader.ts';
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

/** Name of `::highlight()` and class of `<mark>` in reader.css. */
const NAME = 'reader-highlight';

/** Highlights exactly these spans of an element's text: with the CSS Custom Highlight API, or with `<mark>`. */
export function paint(root: Element, spans: readonly Span[]): void {
	if ('highlights' in CSS) {
		const text = new PageText(root);
		CSS.highlights.set(NAME, new Highlight(...spans.map((span) => text.range(span))));
		return;
	}
	for (const mark of root.querySelectorAll(`mark.${NAME}`)) {
		const { parentNode: parent } = mark;
		mark.replaceWith(...mark.childNodes);
		parent?.normalize();
	}
	for (const span of spans) {
		// Each mark splits text nodes.
		for (const { node, from, to } of new PageText(root).pieces(span)) {
			if (!(node.parentElement instanceof HTMLElement)) continue;
			const range = document.createRange();
			range.setStart(node, from);
			range.setEnd(node, to);
			const mark = document.createElement('mark');
			mark.className = NAME;
			range.surroundContents(mark);
		}
	}
}

/** Returns the span at a point of the window. */
function spanAt(
	root: Element,
	spans: readonly Span[],
	{ clientX: x, clientY: y }: { clientX: number; clientY: number },
): Span | undefined {
	const text = new PageText(root);
	return spans.find((span) =>
		[...text.range(span).getClientRects()].some(
			({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
		),
	);
}
