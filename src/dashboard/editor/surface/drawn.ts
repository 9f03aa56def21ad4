import type { Editor } from '@tiptap/core';
import { callAsAdmin } from '#src/core/session/session.store.ts';
import { renderContent } from '#src/features/posts/editing.api.ts';
import { escapeHtml } from '#src/lib/text.ts';

/** Languages of blocks of code that the article shows as a figure. */
const DRAWN = ['vega-lite', 'mermaid'];
/** Milliseconds from the last key until a block is drawn again. */
const SETTLE_MS = 400;

/**
 * Returns a block's figure as the article's page shows it, or why it cannot be drawn, as HTML that is safe to show. `tables` is the
 * HTML of the article's tables, which its data may be.
 */
export async function drawBlock(language: string, source: string, tables = ''): Promise<string> {
	const block = `<pre><code class="language-${language}">${escapeHtml(source)}</code></pre>`;
	const { html } = await callAsAdmin(renderContent, { content: tables + block });
	return html.slice(Math.max(0, html.lastIndexOf('<figure')));
}

/** Keeps a place below a block of code up to date with its figure. */
export function figureBelow(place: HTMLElement, editor: Editor) {
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
