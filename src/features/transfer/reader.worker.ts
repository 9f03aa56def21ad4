import { messageOf } from '#src/lib/errors.ts';
import { readFile } from './read-file.ts';
import type { FromReader } from './read-in-worker.ts';

/** Between two words about the progress: more often nobody could read them. */
const TELL_MS = 100;

let told = 0;
const say = (message: FromReader) => postMessage(message);

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
	void (async () => {
		try {
			const bytes = new Uint8Array(await file.arrayBuffer());
			const bundle = await readFile(bytes, (words, done, total) => {
				if (performance.now() - told < TELL_MS) return;
				told = performance.now();
				say({ words, done, total });
			});
			say({ bundle });
		} catch (error) {
			say({ refusal: messageOf(error) });
		}
	})();
});
