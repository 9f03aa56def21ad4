import { AppError } from '#src/lib/errors.ts';
import { MINUTE } from '#src/lib/dates.ts';
import type { Progress } from './read-file.ts';
import type { Bundle } from './bundle.ts';

/** Messages from the worker: progress, then one of the others at the end. */
export type FromReader =
	| { words: string; done: number; total: number }
	| { bundle: Bundle }
	| { refusal: string };

/** How long it may be silent. */
const READER_TIMEOUT_MS = 2 * MINUTE;

/** Reads a file beside the page, which stays alive meanwhile. Always ends: with the bundle, or with the reason why not. */
export function readInWorker(
	file: File,
	onProgress: Progress,
	signal: AbortSignal,
): Promise<Bundle> {
	const worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' });
	let timer: ReturnType<typeof setTimeout>;
	return new Promise<Bundle>((resolve, reject) => {
		const fail = (message: string) => reject(new AppError('validation', message));
		const wait = () => {
			clearTimeout(timer);
			timer = setTimeout(
				() => fail('Reading this file took too long. Try a smaller one.'),
				READER_TIMEOUT_MS,
			);
		};
		wait();
		signal.addEventListener('abort', () => reject(signal.reason as Error));
		worker.addEventListener('error', () =>
			fail(
				'This file cannot be read here: the reader did not start, or it broke. Reload the page and try again.',
			),
		);
		worker.addEventListener('message', ({ data }: MessageEvent<FromReader>) => {
			wait();
			if ('bundle' in data) resolve(data.bundle);
			else if ('refusal' in data) fail(data.refusal);
			else onProgress(data.words, data.done, data.total);
		});
		worker.postMessage(file);
	}).finally(() => {
		clearTimeout(timer);
		worker.terminate();
	});
}
