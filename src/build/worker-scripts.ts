/** Bundles workers whose code is handed to a frame that can load nothing. */
import { build } from 'esbuild';
import type { ViteUserConfig } from 'astro';

const SCRIPT = '?script';

/** Makes `import code from './thing.worker.ts?script'` the text of one script. */
export function workerScripts(): NonNullable<ViteUserConfig['plugins']>[number] {
	return {
		name: 'worker-scripts',
		enforce: 'pre',
		async load(id) {
			if (!id.endsWith(SCRIPT)) return null;
			const { outputFiles } = await build({
				entryPoints: [id.slice(0, -SCRIPT.length)],
				bundle: true,
				write: false,
				format: 'iife',
				target: 'es2022',
				minify: true,
				// Modules that a package loads under Node only.
				external: ['node:*', 'ws'],
				logLevel: 'warning',
			});
			return `export default ${JSON.stringify(outputFiles[0]!.text)};`;
		},
	};
}
