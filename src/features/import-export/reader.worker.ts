import { messageOf } from '#src/lib/errors.ts';
import { readFile } from './read-file.ts';
import type { FromReader } from './read-in-worker.ts';

/** Between two words about the progress: more often nobody could read them. */
const PROGRESS_INTERVAL_MS = 100;

let reportedAt = 0;
const postProgress = (message: FromReader) => postMessage(message);

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
	void (async () => {
		try {
			const bytes = new Uint8Array(await file.arrayBuffer());
			const bundle = await readFile(bytes, (words, done, total) => {
				if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
				reportedAt = performance.now();
				postProgress({ words, done, total });
			});
			postProgress({ bundle });
		} catch (error) {
			postProgress({ refusal: messageOf(error) });
		}
	})();
});
