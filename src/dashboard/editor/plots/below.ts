import type { Editor } from '@tiptap/core';

/** Draws a block of code as HTML that is safe to show; `tables` is the HTML of the article's tables. */
export type DrawBlock = (language: string, source: string, tables: string) => Promise<string>;

/** Languages of blocks of code that the article shows as a figure. */
const DRAWN = ['vega-lite', 'mermaid'];
/** Milliseconds from the last key until a block is drawn again. */
const SETTLE_MS = 400;

/** Keeps a place below a block of code up to date with its figure. */
export function figureBelow(place: HTMLElement, editor: Editor, drawBlock: DrawBlock) {
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
		} catch {
			// Without the server the last drawing stays; the next key asks again.
			last = '';
		}
	}
	return {
		show(language: string, source: string) {
			const key = `${language} ${source}`;
			if (isLast(key)) return;
			last = key;
			clearTimeout(timer);
			place.hidden = !DRAWN.includes(language) || source.trim() === '';
			if (!place.hidden) timer = setTimeout(() => void draw(language, source, key), SETTLE_MS);
		},
		stop() {
			clearTimeout(timer);
			last = '';
		},
	};
}
