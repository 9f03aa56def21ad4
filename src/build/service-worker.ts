/** Bundles the service worker. */
import { build } from 'esbuild';
import { ROOT } from './builds.ts';

let bundled: Promise<string> | undefined;

/** Returns the service worker as one script. A process bundles it once, with the code that it was started with. */
export function bundleServiceWorker(): Promise<string> {
	return (bundled ??= bundle());
}

async function bundle(): Promise<string> {
	const { outputFiles } = await build({
		absWorkingDir: ROOT,
		entryPoints: ['src/features/offline/sw.ts'],
		bundle: true,
		write: false,
		format: 'iife',
		target: 'es2022',
		minify: true,
		logLevel: 'warning',
	});
	return outputFiles[0]!.text;
}

/**
 * Returns the service worker of a build, which knows the bytes of each file below /_astro/. Its first line names the build, so
 * that each build has a different one, which browsers install in place of the last.
 */
export async function serviceWorkerOf(
	build: string,
	sizes: Readonly<Record<string, number>>,
): Promise<string> {
	return `// ${build}\nself.sizes=${JSON.stringify(sizes)};${await bundleServiceWorker()}`;
}
