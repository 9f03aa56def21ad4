import { setImmediate } from 'node:timers';

/**
 * Watches the turns of the event loop from now on. The function that it returns ends that, and tells the most processor time
 * in milliseconds that this thread took in one turn. Time of a clock would count what other processes take.
 */
export function watchTurns(): () => number {
	let longest = 0;
	let last = used();
	let next: NodeJS.Immediate;
	const turn = () => {
		const now = used();
		longest = Math.max(longest, now - last);
		last = now;
		next = setImmediate(turn);
	};
	next = setImmediate(turn);
	return () => {
		clearImmediate(next);
		return Math.max(longest, used() - last);
	};
}

function used(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000;
}
