import { layOut } from '#src/lib/later.ts';

/** Blocks that an article may leave for later; global.css says which of them. */
const LATER = '[data-early] :is([data-text] > *, .article-columns ~ section)';

/** Lays out what an article that opens left for later (early.ts), once it is loaded. */
export async function layOutRest(): Promise<void> {
	if (document.readyState !== 'complete')
		await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
	const waiting = [...document.querySelectorAll<HTMLElement>(LATER)].filter(
		(block) => getComputedStyle(block).contentVisibility === 'auto',
	);
	// Where its first words are slanted far below, its font would come last.
	if (waiting.some((block) => block.querySelector('em'))) {
		const { fontFamily } = getComputedStyle(document.querySelector('[data-text]')!);
		await document.fonts.load(`italic 1em ${fontFamily}`).catch(() => {});
	}
	await layOut(waiting);
}
