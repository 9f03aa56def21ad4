/** Delays of product.md section 9, in milliseconds. */
const TOOLTIP = { delayMs: 700, skipMs: 300 } as const;

/** Returns how long the pointer must rest before a tooltip shows: 0 shortly after another one was shown. */
export function tooltipDelay(closedAt: number | undefined, now: number): number {
	return closedAt !== undefined && now - closedAt < TOOLTIP.skipMs ? 0 : TOOLTIP.delayMs;
}
