import { visit } from 'unist-util-visit';
import { parseHtml } from '#src/core/articles/sanitize.ts';

/** A part of an article's HTML, and the explainer that stands after it. */
export type Part = { html: string; explainer: string | null };

/**
 * Cuts rendered HTML where an explainer belongs: in its figure, after the caption. What is put together again is what it
 * was; what stands in the figure without scripts stays there.
 */
export function splitAtExplainers(html: string): Part[] {
	const cuts: { at: number; explainer: string }[] = [];
	if (html.includes('data-explainer=')) {
		visit(parseHtml(html), 'element', (figure) => {
			const explainer = figure.properties.dataExplainer;
			if (figure.tagName !== 'figure' || typeof explainer !== 'string') return;
			const start = figure.children.find((child) => child.type === 'element');
			const at =
				start?.tagName === 'figcaption'
					? start.position?.end.offset
					: html.indexOf('>', figure.position?.start.offset) + 1;
			if (at) cuts.push({ at, explainer });
		});
	}
	const ends = [...cuts.map(({ at }) => at), html.length];
	return ends.map((end, i) => ({
		html: html.slice(ends[i - 1] ?? 0, end),
		explainer: cuts[i]?.explainer ?? null,
	}));
}
