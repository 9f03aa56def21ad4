import { useEffect, useState } from 'react';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { plural } from '#src/lib/text.ts';
import { endOf, nextTick, partsOf, restartOf } from './countdown.ts';

type Props = {
	/** Initial countdown in milliseconds. */
	ms: number;
	/** Called when it has run out, before it restarts. */
	onExpire?: () => void;
};

/** A countdown that restarts when it has run out (product.md section 4). */
export const Countdown = island(Clock);

function Clock({ ms, onExpire }: Props) {
	const [left, setLeft] = useState(ms);
	useEffect(() => {
		let end = endOf(Date.now(), ms, Math.random());
		let timer: ReturnType<typeof setTimeout>;
		function tick() {
			if (Date.now() >= end) {
				onExpire?.();
				end = restartOf(Date.now(), Math.random());
			}
			setLeft(end - Date.now());
			timer = setTimeout(tick, nextTick(Math.random()));
		}
		tick();
		return () => clearTimeout(timer);
	}, [ms]);

	const { days, hours, minutes, seconds } = partsOf(left);
	return (
		<span
			role="timer"
			aria-label={`${plural(days, 'day')} and ${plural(hours, 'hour')} left`}
			className="label tabular"
		>
			{days}d {two(hours)}h {two(minutes)}m {two(seconds)}s
		</span>
	);
}

const two = (count: number) => String(count).padStart(2, '0');
