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
	setRenderer(async (content, drawings) => {
		const signal = AbortSignal.timeout(TIME_LIMIT_MS);
		const rendering = pool.run({ content, drawings }, { signal }) as ReturnType<
			typeof renderToStore
		>;
		const made = await rendering.catch((error: unknown) => {
			if (!signal.aborted) throw error;
			return { problem: `It took more than ${TIME_LIMIT_MS / SECOND} seconds to render.` };
		});
		return 'problem' in made ? { ...plainRendering(content), problem: made.problem } : made;
	});
}
