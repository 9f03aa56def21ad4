/**
 * Folders of the bundle that all databases of this machine share: the page renderer with its scripts and
 * styles, and their compressed versions. Each version of the code has one.
 */
import type { AstroIntegration } from 'astro';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY } from '#src/lib/dates.ts';
import { hasRenderer, openRenderer, type Renderer } from './astro-internals.ts';
import { ROOT, type Progress } from './builds.ts';
import { bundleDigest } from './fingerprint.ts';
import { ignoreShell } from './ignore-shell.ts';
import { forkBeside, MemoryError, wantOfMemory } from './room.ts';

const FOLDER = join(ROOT, '.site', 'bundles');
/** Folders that no build has used for as long are removed. */
const KEPT_MS = 3 * DAY;

export type Bundle = {
	/** Short digest of the code. */
	code: string;
	renderer: string;
	compressed: string;
};

/** Returns where this code's bundle is kept, and removes those of code that nothing has run lately. */
export async function useBundle(): Promise<Bundle> {
	const code = (await bundleDigest()).slice(0, 10);
	const folder = join(FOLDER, code);
	await mkdir(folder, { recursive: true });
	const now = Date.now();
	await utimes(folder, new Date(now), new Date(now));
	for (const other of await readdir(FOLDER)) {
		const used = await stat(join(FOLDER, other)).catch(() => undefined);
		if (used && now - used.mtimeMs > KEPT_MS) {
			await rm(join(FOLDER, other), { recursive: true, force: true });
		}
	}
	return { code, renderer: join(folder, 'renderer'), compressed: join(folder, 'compressed') };
}

/** The bundling of this process, which is tried once. */
let bundling: Promise<void> | undefined;

/** Bundles the pages in a process of its own: all of Astro would stay in the memory of this one. */
async function bundle(): Promise<void> {
	const child = forkBeside(new URL('bundle-pages.ts', import.meta.url), { cwd: ROOT });
	const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
	const reason = wantOfMemory('Bundling scripts and styles', code, signal);
	if (reason) throw new MemoryError(reason);
}

/** Bundles the pages where no build with this code has, so that nothing else needs memory meanwhile. */
export async function bundleFirst(report: (progress: Progress) => void): Promise<void> {
	if (await hasRenderer((await useBundle()).renderer)) return;
	report(BUNDLING);
	await bundle();
}

const BUNDLING = { doing: 'Bundling scripts and styles' };

/**
 * Returns the renderer of this code's pages, and bundles them first where no build has. Returns undefined where Astro's version is
 * one that we cannot render without.
 */
export async function loadRenderer(
	report?: (progress: Progress) => void,
): Promise<Renderer | undefined> {
	const { renderer, code } = await useBundle();
	const open = () => openRenderer(renderer, code);
	const opened = await open();
	if (opened) return opened;
	report?.(BUNDLING);
	await (bundling ??= bundle());
	return open();
}

/** Builds with Astro, for `integration`. `outDir` must be within the repository. */
export async function runAstro(
	outDir: string,
	cacheDir: string,
	integration: AstroIntegration,
): Promise<void> {
	ignoreShell();
	// Slow to load, and only a build needs it.
	const { build } = await import('astro');
	// The default of Vite is in node_modules, where the server may not have write access.
	const vite = { cacheDir: join(cacheDir, 'vite') };
	await build({
		...{ root: ROOT, outDir, cacheDir, vite },
		logLevel: 'error',
		integrations: [integration],
	});
}
