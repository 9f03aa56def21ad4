import { SECOND } from '#src/lib/dates.ts';

/** Values of product.md section 4, "Scarcity meter". */
export const SCARCITY = { dropMs: 45 * SECOND, atLeast: 3, share: 0.2 } as const;

/**
 * Returns the spots left after some time: one fewer every 45 seconds, never below three. Starts at a fifth
 * unless `left` is given.
 */
export function spotsAt(
	elapsedMs: number,
	total: number,
	left = Math.round(total * SCARCITY.share),
): number {
	const dropped = Math.floor(elapsedMs / SCARCITY.dropMs);
	return Math.min(left, Math.max(SCARCITY.atLeast, left - dropped));
}

export type Urgency = 'high' | 'medium' | 'low';

/** Returns high for a tenth of the total or less, medium for three tenths or less. */
export function urgencyOf(left: number, total: number): Urgency {
	if (left * 10 <= total) return 'high';
	return left * 10 <= total * 3 ? 'medium' : 'low';
}
