import { PageText, type Span } from './quote.ts';

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
export function spanAt(
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
