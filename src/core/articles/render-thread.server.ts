import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { plainRendering } from './render.ts';
import { renderToStore } from './render-to-store.ts';
import { setRenderer } from './rendering.server.ts';

/** Time of a thread for an article. None that is meant well comes near it. */
const TIME_LIMIT_MS = 20 * SECOND;

/** Renders previews in a thread from now on: for a process that serves a site meanwhile. */
export async function renderPreviewsInThread(): Promise<void> {
	const { Tinypool } = await import('tinypool');
	const pool = new Tinypool({
		filename: new URL('render-to-store.ts', import.meta.url).href,
		name: renderToStore.name,
		minThreads: 0,
		maxThreads: 1,
		idleTimeout: MINUTE,
	});
	let last: Promise<unknown> = Promise.resolve();
	setRenderer(async (content, drawings) => {
		// One after another, so that the time of an article begins with its turn.
		const rendering = last.then(async () => {
			const signal = AbortSignal.timeout(TIME_LIMIT_MS);
			const run = pool.run({ content, drawings }, { signal }) as ReturnType<typeof renderToStore>;
			return run.catch((error: unknown) => {
				if (!signal.aborted) throw error;
				return { problem: `It took more than ${TIME_LIMIT_MS / SECOND} seconds to render.` };
			});
		});
		last = rendering.catch(() => {});
		const made = await rendering;
		return 'problem' in made ? { ...plainRendering(content), problem: made.problem } : made;
	});
}
