import type { Drawings } from '#src/core/figures/blocks.ts';
import { digest } from '#src/lib/digest.ts';
import { renderOrPlain, type Rendering } from './render.ts';

type Preview = Rendering & { problem?: string };
type Render = (content: string, drawings: Drawings) => Promise<Preview>;

/** Renderings that are kept: those of a preview that several people look at, or one person again. */
const KEPT = 20;

let render: Render = renderOrPlain;
/** Renders previews by other means from now on. */
export function setRenderer(other: Render): void {
	render = other;
}

const kept = new Map<string, Promise<Preview>>();

/** Renders an article that is not built yet. The newest renderings are kept by what they are made of. */
export function renderPreview(content: string, drawings: Drawings): Promise<Preview> {
	const key = digest(JSON.stringify([content, [...drawings]]));
	const rendering = kept.get(key) ?? render(content, drawings);
	// The last one asked for goes last.
	kept.delete(key);
	kept.set(key, rendering);
	for (const oldest of kept.keys()) {
		if (kept.size <= KEPT) break;
		kept.delete(oldest);
	}
	rendering.catch(() => kept.delete(key));
	return rendering;
}
