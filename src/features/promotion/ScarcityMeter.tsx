import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { SCARCITY, spotsAt, urgencyOf } from './scarcity.ts';

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
