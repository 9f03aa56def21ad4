/** Megabytes of Python as they are sent, once: what the reader is told before. */
export const PYTHON_MB = 6;

/** Actions on a block that readers can run. */
export const ACTIONS = ['run', 'edit', 'reset'] as const;
export type Action = (typeof ACTIONS)[number];

/** Returns where a block's run is told of. */
export function say(block: HTMLElement): HTMLElement {
	return block.querySelector<HTMLElement>('.run-result')!;
}

/** Returns the code of a block, with what is folded in it. */
export function codeOf(block: HTMLElement): string {
	return [...block.querySelectorAll('code')].map(({ textContent }) => textContent).join('\n');
}
