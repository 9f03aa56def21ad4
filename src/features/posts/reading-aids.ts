import { offerRuns } from '#src/features/runs/controls.ts';
import { codeOf } from '#src/features/runs/block.ts';
import { COPY_KEYS, copyText } from '#src/lib/clipboard.ts';
import { onScroll, pageDepth } from '#src/lib/scroll.ts';
import { FRESHNESS, freshness } from './freshness.ts';
import { layOutRest } from './later.ts';

/**
 * Gives an article what needs a script: its badge as of now, copy buttons, the buttons of blocks that run, and in some
 * browsers the bar of progress.
 */
export function startReadingAids(): void {
	updateBadge();
	if (!CSS.supports('animation-timeline: scroll()')) fillProgress();
	const blocks = [...document.querySelectorAll<HTMLElement>('.prose figure.code')];
	for (const block of blocks) block.append(copyButton(block));
	offerRuns(document);
	void layOutRest().then(() => {
		if (!matchMedia('(width < 40rem)').matches) return;
		for (const block of blocks.filter(isCut))
			block.querySelector('.copy')!.after(wrapButton(block));
	});
}

/** The badge stays true between builds. */
function updateBadge(): void {
	const badge = document.querySelector<HTMLElement>('[data-freshness]');
	if (!badge) return;
	const now = freshness(new Date(badge.dataset['freshness']!), new Date());
	if (badge.textContent.trim() === now) return;
	badge.textContent = now;
	badge.dataset['state'] = FRESHNESS[now];
}

/** Returns whether lines of a block go on beyond its edge. */
function isCut(block: HTMLElement): boolean {
	const code = [...block.querySelectorAll('pre')];
	return code.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

/** A button that breaks the lines of a block that a phone cuts, and joins them again. */
function wrapButton(block: HTMLElement): HTMLButtonElement {
	const button = document.createElement('button');
	button.type = 'button';
	button.className = 'copy wrap-lines';
	button.textContent = 'Wrap';
	button.ariaPressed = 'false';
	button.addEventListener('click', () => {
		button.ariaPressed = String(block.toggleAttribute('data-wrapped'));
	});
	return button;
}

function fillProgress(): void {
	const bar = document.querySelector<HTMLElement>('.reading-progress')!;
	const fill = () => bar.style.setProperty('--read', String(pageDepth() / 100));
	onScroll(fill);
	fill();
}

function copyButton(block: HTMLElement): HTMLButtonElement {
	const button = document.createElement('button');
	button.type = 'button';
	button.className = 'copy';
	button.textContent = 'Copy';
	button.setAttribute('aria-live', 'polite');
	let timer: ReturnType<typeof setTimeout>;
	function say(text: string): void {
		clearTimeout(timer);
		button.textContent = text;
		timer = setTimeout(() => (button.textContent = 'Copy'), 2000);
	}
	async function copy(): Promise<void> {
		if (await copyText(codeOf(block))) return say('Copied');
		getSelection()?.selectAllChildren(block.querySelector('code')!);
		say(COPY_KEYS);
	}
	button.addEventListener('click', () => void copy());
	return button;
}
