import { afterPaint } from './after-paint.ts';

/** Milliseconds that one piece may take, and how many blocks are laid out at once. */
const PIECE = { ms: 5, blocks: 2 };
/** Blocks that a page has below each other. */
const BLOCKS = '[data-text] > :not(.footnotes), .article-columns ~ *, main ~ *';

/**
 * Lays out blocks that were left for later, in pieces between other work, so that no press waits for all of it, and no block waits to
 * be scrolled to. A font that comes late lays out anew what there is: each piece waits for fonts.
 */
export async function layOut(blocks: readonly HTMLElement[]): Promise<void> {
	const waiting = [...blocks];
	while (waiting.length > 0) {
		await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
		await document.fonts.ready;
		const end = performance.now() + PIECE.ms;
		do {
			for (const { style } of waiting.splice(0, PIECE.blocks))
				Object.assign(style, { contentVisibility: 'visible', blockSize: '' });
			document.body.getBoundingClientRect();
		} while (waiting.length > 0 && performance.now() < end);
	}
}

/**
 * Makes a change that concerns all of a page, first where the reader looks. Blocks far from the window keep their size, and follow
 * after the paint, or as soon as they come near. Where the browser does not keep the reader's place, all is changed at once.
 */
export function nearFirst(change: () => void): void {
	const blocks = CSS.supports('overflow-anchor', 'auto')
		? [...document.querySelectorAll<HTMLElement>(BLOCKS)]
		: [];
	const far = blocks
		.map((block) => ({ block, box: block.getBoundingClientRect() }))
		.filter(({ box }) => box.bottom < -innerHeight / 2 || box.top > 1.5 * innerHeight);
	for (const { block, box } of far)
		Object.assign(block.style, { blockSize: `${box.height}px`, contentVisibility: 'auto' });
	change();
	afterPaint(() => void layOut(far.map(({ block }) => block)));
}
