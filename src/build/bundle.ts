/** Bundles functions/ for Netlify. */
import { build, type Metafile, type Plugin } from 'esbuild';
import { readFile, rm } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { ROOT } from './builds.ts';
import { loadFunctions, type FunctionFile } from './functions.ts';

/** Where netlify.toml expects the functions. */
export const BUNDLES = join(ROOT, '.site/functions');

/**
 * Bundles each function into one file, which Netlify zips as it is (`node_bundler` in netlify.toml). What is loaded later
 * runs only then. Names stay readable in stack traces. Returns what each bundle is made of.
 */
export async function bundleFunctions(outdir = BUNDLES): Promise<Metafile> {
	const files = await loadFunctions();
	await rm(outdir, { recursive: true, force: true });
	const { metafile } = await build({
		absWorkingDir: ROOT,
		entryPoints: files.map(({ name }) => `functions/${name}.ts`),
		outdir,
		outExtension: { '.js': '.mjs' },
		bundle: true,
		metafile: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		// A native package; Netlify's bundler adds it to the functions that use it.
		external: ['sharp'],
		// React would include both of its builds otherwise.
		define: { 'process.env.NODE_ENV': '"production"' },
		minify: true,
		keepNames: true,
		// CommonJS packages load Node's modules with it.
		banner: {
			js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
		},
		logLevel: 'warning',
		plugins: [unusedModules, exclusions(files)],
	});
	return metafile;
}

/** Leaves out those modules of src/ and functions/ of which nothing is used: loading one does nothing else. db/ prepares its driver. */
const unusedModules: Plugin = {
	name: 'unused modules',
	setup(build) {
		build.onResolve({ filter: /^(#src|#functions|\.\.?)\// }, async ({ path, ...from }) => {
			if (from.pluginData === unusedModules) return null;
			const found = await build.resolve(path, { ...from, pluginData: unusedModules });
			const [top] = relative(ROOT, found.path).split(sep);
			return top === 'src' || top === 'functions' ? { ...found, sideEffects: false } : found;
		});
	},
};

/** Writes into a function's `config`, which Netlify reads without running it, what it leaves to others. */
function exclusions(files: FunctionFile[]): Plugin {
	const excluded = new Map(
		files.map(({ name, config }) => [`${name}.ts`, config?.excludedPath ?? []]),
	);
	const declaration = 'export const config: Config = {';
	return {
		name: 'exclusions',
		setup(build) {
			build.onLoad({ filter: /[/\\]functions[/\\][^/\\]+\.ts$/ }, async ({ path }) => {
				const paths = excluded.get(basename(path)) ?? [];
				if (paths.length === 0) return null;
				const code = await readFile(path, 'utf8');
				if (!code.includes(declaration)) {
					return { errors: [{ text: `${path} must say: ${declaration} … };` }] };
				}
				const list = `excludedPath: ${JSON.stringify(paths)},`;
				return { contents: code.replace(declaration, `${declaration} ${list}`), loader: 'ts' };
			});
		},
	};
}
