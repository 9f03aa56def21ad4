import { getHeapStatistics } from 'node:v8';
import { MINUTE } from '#src/lib/dates.ts';

/** With more requests in a minute than this, a process is at work. */
const FEW = 60;
/** Bytes that the heap must have grown by, so that a collection is worth its time. */
const MUCH = 16 * 2 ** 20;

/**
 * Gives back the memory of requests once there are hardly any: V8 collects what is left of them only when it needs room, which at
 * rest is never. Does nothing without `--expose-gc`. Returns the function to call for each request.
 */
export function collectAtRest(
	sizeOfHeap = () => getHeapStatistics().total_physical_size,
): () => void {
	let requests = 0;
	let atLast = 0;
	setInterval(() => {
		const isBusy = requests > FEW;
		requests = 0;
		if (isBusy || !globalThis.gc || sizeOfHeap() < atLast + MUCH) return;
		globalThis.gc();
		atLast = sizeOfHeap();
	}, MINUTE).unref();
	return () => void requests++;
}
