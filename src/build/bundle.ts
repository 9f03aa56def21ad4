/** Bundles functions/ for Netlify. */
import { build } from 'esbuild';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './builds.ts';

/** Where netlify.toml looks for functions. */
export const BUNDLES = join(ROOT, '.site/functions');

/**
 * Bundles each function into a file of its own, with what it loads later beside it, because Netlify's bundler takes whole
 * packages: smaller, and sooner loaded. Names stay readable in stack traces.
 */
export async function bundleFunctions(outdir = BUNDLES): Promise<void> {
	const files = await readdir(join(ROOT, 'functions'), { withFileTypes: true });
	await rm(outdir, { recursive: true, force: true });
	await build({
		absWorkingDir: ROOT,
		entryPoints: files.filter((file) => file.isFile()).map(({ name }) => `functions/${name}`),
		outdir,
		outExtension: { '.js': '.mjs' },
		// Not beside the functions, where a file is one.
		chunkNames: 'lib/[name]-[hash]',
		splitting: true,
		bundle: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		// A native package: Netlify's bundler lays it beside the functions that ask for it.
		external: ['sharp'],
		// React brings two of everything otherwise.
		define: { 'process.env.NODE_ENV': '"production"' },
		minifyWhitespace: true,
		minifySyntax: true,
		// Packages in CommonJS ask for Node's modules by it.
		banner: {
			js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
		},
		logLevel: 'warning',
	});
}
