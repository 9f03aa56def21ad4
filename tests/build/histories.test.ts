import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, expect, test } from 'vitest';

const run = promisify(execFile);
/** How many histories are tried; more by `HISTORIES`, from the seed `SEED` on. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 1);

type Mutant = [code: string, instead: string] | { trigger: string };

let folder: string;

/**
 * Runs tests/support/histories.ts. Returns the first history after which an update differs from a whole build, or null, and how
 * many pages updates have left to the next.
 */
async function firstDifference(
	seeds: number[],
	mutant: Mutant | null = null,
): Promise<{ difference: { seed: number } | null; left: number }> {
	const env = { ...process.env, MUTANT: JSON.stringify(mutant) };
	const program = ['tests/support/histories.ts', folder, ...seeds.map(String)];
	const { stdout } = await run(process.execPath, program, { env });
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as Awaited<
		ReturnType<typeof firstDifference>
	>;
}

/** Makes a folder for a test. Returns what removes it. */
async function setup() {
	await mkdir('.site', { recursive: true });
	// In the checkout: Astro takes no other for its bundles.
	folder = resolve(await mkdtemp(join('.site', 'histories-')));
	return () => rm(folder, { recursive: true, force: true });
}

// Mutants are copies of the bundle that this makes.
beforeAll(async () => {
	const cleanUp = await setup();
	await firstDifference([]);
	await cleanUp();
}, 600_000);
beforeEach(setup);

test('after any history an update is what a whole build would be, byte by byte', async () => {
	const seeds = Array.from({ length: HISTORIES }, (_, index) => SEED + index);
	const { difference, left } = await firstDifference(seeds);
	expect(difference).toBeNull();
	// Few histories may have none.
	expect(left).toBeGreaterThan(HISTORIES < 10 ? -1 : 5 * HISTORIES);
}, 14_400_000);

const without = (...names: string[]): Mutant => [
	'JSON.stringify(value, view)',
	`JSON.stringify(value, (name, held) => ${JSON.stringify(names)}.includes(name) ? 0 : view ? view(name, held) : held)`,
];
const CONTEXT = '[buildSettings(),footer,footerPages]';

/** Dependencies, how each of them would be left out of the keys of pages or of what is read, and a history that tells. */
test.each<[what: string, mutant: Mutant, seed: number]>([
	['comments', without('comments', 'commentCount'), 74],
	[
		'related articles',
		[
			'Object.entries(props).map',
			`Object.entries(props).filter(([name]) => name !== 'related').map`,
		],
		0,
	],
	['neighbors in time', without('older', 'newer'), 0],
	['the text of an article', without('rendering', 'digest', 'wordCount'), 0],
	['pages in the footer', [CONTEXT, '[buildSettings(), footer]'], 9],
	['settings', [CONTEXT, '[footer, footerPages]'], 20],
	['a saved article', { trigger: 'posts_changed_update' }, 0],
	['a written comment', { trigger: 'comments_changed_insert' }, 28],
	['shares', { trigger: 'post_totals_changed_insert' }, 36],
	['a correction', { trigger: 'post_changes_changed_insert' }, 34],
])(
	'an update that forgets %s is told from a whole build',
	{ tags: ['nightly'], timeout: 600_000 },
	async (_, mutant, seed) => {
		expect(await firstDifference([seed], mutant)).toMatchObject({ difference: { seed } });
	},
);
