/** Delays of specification section 9, in milliseconds. */
const TOOLTIP = { delayMs: 700, skipMs: 300 } as const;

/** How long a pointer must rest before a tooltip shows: not at all soon after another one was there. */
export function tooltipDelay(closedAt: number | undefined, now: number): number {
	return closedAt !== undefined && now - closedAt < TOOLTIP.skipMs ? 0 : TOOLTIP.delayMs;
}
