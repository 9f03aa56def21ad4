import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { SECOND } from '#src/lib/dates.ts';

type Props = { total: number; left?: number };

/** A claim of how few spots are left (product.md section 4). */
export const ScarcityMeter = island(Meter);

function Meter({ total, left: initial }: Props) {
	const [left, setLeft] = useState(spotsAt(0, total, initial));
	useEffect(() => {
		const startedAt = Date.now();
		const timer = setInterval(
			() => setLeft(spotsAt(Date.now() - startedAt, total, initial)),
			SCARCITY.dropMs,
		);
		return () => clearInterval(timer);
	}, [total, initial]);
	return (
		<span className="label scarcity" data-urgency={urgencyOf(left, total)}>
			<meter min={0} max={total} value={left} aria-label="Spots left" />
			{left} of {total} spots left
		</span>
	);
}

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

type Urgency = 'high' | 'medium' | 'low';

/** Returns high for a tenth of the total or less, medium for three tenths or less. */
export function urgencyOf(left: number, total: number): Urgency {
	if (left * 10 <= total) return 'high';
	return left * 10 <= total * 3 ? 'medium' : 'low';
}
