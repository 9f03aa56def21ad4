import type { Editor } from '@tiptap/core';

/** Draws a block of code as HTML that is safe to show; `tables` is the HTML of the article's tables. */
export type DrawBlock = (language: string, source: string, tables: string) => Promise<string>;

/** Returns whether the article shows blocks of code of a language as figures. */
export const isFigure = (language: unknown) => language === 'vega-lite' || language === 'mermaid';
/** Milliseconds from the last key until a block is drawn again. */
const SETTLE_MS = 400;

/** Keeps a place below a block of code up to date with its figure. `onDrawn` is told whether there is one. */
export function figureBelow(
	place: HTMLElement,
	editor: Editor,
	drawBlock: DrawBlock,
	onDrawn: (isDrawn: boolean) => void,
) {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let last = '';
	const isLast = (key: string) => key === last;
	async function draw(language: string, source: string, key: string) {
		const tables = [...editor.view.dom.querySelectorAll('table')].map((table) => table.outerHTML);
		try {
			const html = await drawBlock(language, source, tables.join(''));
			if (!isLast(key)) return;
			const drawn = document.createElement('div');
			drawn.innerHTML = html;
			const reason = drawn.querySelector('figure.code figcaption')?.textContent;
			if (reason === undefined) place.replaceChildren(...drawn.childNodes);
			else place.textContent = reason;
			place.toggleAttribute('data-problem', reason !== undefined);
			onDrawn(reason === undefined);
		} catch {
			// Without the server the last drawing stays; the next key asks again.
			last = '';
			onDrawn(place.childElementCount > 0 && !place.hasAttribute('data-problem'));
		}
	}
	return {
		show(language: string, source: string) {
			const key = `${language} ${source}`;
			if (isLast(key)) return;
			last = key;
			clearTimeout(timer);
			place.hidden = !isFigure(language) || source.trim() === '';
			if (!place.hidden) timer = setTimeout(() => void draw(language, source, key), SETTLE_MS);
		},
		stop() {
			clearTimeout(timer);
			last = '';
		},
	};
}
