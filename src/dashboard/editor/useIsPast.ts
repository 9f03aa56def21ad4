import { useEffect, useState } from 'react';

/** Longest delay of a timer, in milliseconds. */
const MAX_DELAY = 2 ** 31 - 1;

/** Whether a time that lay ahead has come while this is open. */
export function useIsPast(time: string | null): boolean {
	const [come, setCome] = useState<string | null>(null);
	useEffect(() => {
		const delay = time === null ? Infinity : Math.max(0, Date.parse(time) - Date.now());
		if (delay > MAX_DELAY) return;
		const timer = setTimeout(() => setCome(time), delay);
		return () => clearTimeout(timer);
	}, [time]);
	return time !== null && come === time;
}
