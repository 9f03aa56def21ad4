import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundleFunctions } from '#src/build/bundle.ts';
import { ROOT } from '#src/build/builds.ts';
import { loadZipIt } from '#tests/support/zip-it.ts';
import { withFolder } from './folder.ts';
import { printTable } from './table.ts';

const run = promisify(execFile);
const ROUNDS = 3;

/**
 * Each function as Netlify has it: how large its zip is and how long its file takes to load in a fresh process, beside what
 * Netlify's own bundler makes of the source.
 */
export async function benchFunctions(): Promise<void> {
	await withFolder(async (folder) => {
		const bundles = join(folder, 'bundles');
		const source = join(ROOT, 'functions');
		const traced = join(folder, 'traced');
		await bundleFunctions(bundles);
		const ours = await sizesOf(bundles, join(folder, 'zipped'));
		const theirs = await sizesOf(source, join(folder, 'traced-zipped'));
		await zip(source, traced, 'none');
		const rows: string[][] = [];
		for (const name of [...ours.keys()].sort((one, other) => ours.get(other)! - ours.get(one)!)) {
			const files = [join(bundles, `${name}.mjs`), join(traced, name, 'functions', `${name}.mjs`)];
			const [bundled, unbundled] = await loadTimes(files);
			const sizes = [ours.get(name)!, theirs.get(name)!].map((bytes) => (bytes / 1000).toFixed(0));
			rows.push([name, ...sizes, bundled!.toFixed(0), unbundled!.toFixed(0)]);
		}
		printTable(['function', 'zip, kB', 'unbundled, kB', 'load, ms', 'unbundled, ms'], rows);
		const [empty] = await loadTimes([import.meta.resolve('node:process')]);
		console.log(`\nA module that does nothing loads in ${empty!.toFixed(1)} ms.`);
	});
}

const zip = async (from: string, to: string, archiveFormat: 'zip' | 'none') =>
	(await loadZipIt()).zipFunctions(from, to, {
		basePath: ROOT,
		archiveFormat,
		config: { '*': { nodeVersion: '24' } },
	});

async function sizesOf(from: string, to: string): Promise<Map<string, number>> {
	const zipped = await zip(from, to, 'zip');
	return new Map(
		await Promise.all(
			zipped.map(async ({ name, path }) => [name, (await stat(path)).size] as const),
		),
	);
}

/** Milliseconds that files take to be imported, the median of some processes each, by turns. */
async function loadTimes(files: string[]): Promise<number[]> {
	const times: number[][] = files.map(() => []);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [index, file] of files.entries()) {
			const url = file.startsWith('node:') ? file : pathToFileURL(file).href;
			const script = `const start = performance.now(); await import(${JSON.stringify(url)});
				console.log(performance.now() - start); process.exit();`;
			const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
			times[index]!.push(Number(stdout));
		}
	}
	return times.map((some) => some.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
}
