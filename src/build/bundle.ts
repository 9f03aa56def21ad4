/** Bundles functions/ for Netlify. */
import { build } from 'esbuild';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './builds.ts';

/** Where netlify.toml expects the functions. */
export const BUNDLES = join(ROOT, '.site/functions');

/**
 * Bundles each function into its own file, with lazily loaded parts beside it: smaller and faster to load than
 * whole packages, which Netlify's bundler would include. Names stay readable in stack traces.
 */
export async function bundleFunctions(outdir = BUNDLES): Promise<void> {
	const files = await readdir(join(ROOT, 'functions'), { withFileTypes: true });
	await rm(outdir, { recursive: true, force: true });
	await build({
		absWorkingDir: ROOT,
		entryPoints: files.filter((file) => file.isFile()).map(({ name }) => `functions/${name}`),
		outdir,
		outExtension: { '.js': '.mjs' },
		// A file beside the functions would be a function.
		chunkNames: 'lib/[name]-[hash]',
		splitting: true,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		// A native package; Netlify's bundler adds it to the functions that use it.
		external: ['sharp'],
		// React would include both of its builds otherwise.
		define: { 'process.env.NODE_ENV': '"production"' },
		minifyWhitespace: true,
		minifySyntax: true,
		// CommonJS packages load Node's modules with it.
		banner: {
			js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
		},
		logLevel: 'warning',
	});
}
