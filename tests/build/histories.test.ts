import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
/** How many histories are tried; more by `HISTORIES`, from the seed `SEED` on. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 1);

let folder: string;

/** Runs tests/support/histories.ts. Returns what it prints. */
async function runHistories(args: string[], mutant?: [string, string]): Promise<unknown> {
	const env = { ...process.env, ...(mutant && { MUTANT: JSON.stringify(mutant) }) };
	const program = ['tests/support/histories.ts', folder, ...args];
	const { stdout } = await run(process.execPath, program, { env });
	return JSON.parse(stdout.trim().split('\n').at(-1) || 'null');
}

/** Returns the first history after which an update differs from a whole build. */
async function firstDifference(seeds: number[], mutant?: [string, string]): Promise<unknown> {
	for (const seed of seeds) {
		const difference = await runHistories([String(seed)], mutant);
		if (difference) return difference;
	}
	return null;
}

beforeAll(() => mkdir('.site', { recursive: true }));
beforeEach(async () => {
	// In the checkout: Astro takes no other for its bundles.
	folder = resolve(await mkdtemp(join('.site', 'histories-')));
	await runHistories([]);
	return () => rm(folder, { recursive: true, force: true });
}, 600_000);

test('after any history an update is what a whole build would be, byte by byte', async () => {
	const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);
	expect(await firstDifference(seeds)).toBeNull();
}, 14_400_000);

const KEY = 'footerPages,props])';
const without = (...names: string[]) =>
	`footerPages, props], (name, value) => ${JSON.stringify(names)}.includes(name) ? 0 : value)`;

/** Dependencies, how code would leave each of them out of the keys of pages, and a history that tells. */
test.each<[what: string, code: string, instead: string, seed: number]>([
	['comments', KEY, without('comments'), 74],
	['related articles', KEY, without('related'), 3],
	['neighbors in time', KEY, without('older', 'newer'), 43],
	['the text of an article', KEY, without('rendering', 'digest', 'wordCount'), 1],
	['pages in the footer', KEY, 'props])', 9],
	['settings', 'digest(buildSettings(),', "digest('',", 76],
])(
	'an update that forgets %s is told from a whole build',
	async (_, code, instead, seed) => {
		// The first one makes all pages by the changed code.
		expect(await firstDifference([0], [code, instead])).toBeNull();
		expect(await firstDifference([seed], [code, instead])).not.toBeNull();
	},
	600_000,
);
