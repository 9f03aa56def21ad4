import { eq, sql } from 'drizzle-orm';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { posts } from '#db/schema.ts';
import { openDb } from '#db/local.ts';
import { idOf, makeDatabase } from './corpus.ts';
import { withFolder } from './folder.ts';
import { buildOther, prepareOthers, type OtherRun } from './others.ts';
import { printTable } from './table.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BARE = fileURLToPath(new URL('bare/', import.meta.url));
const ONCE = fileURLToPath(new URL('build-once.ts', import.meta.url));
/** Each case is built this often, and its fastest build counts: noise only ever adds. */
const ROUNDS = 2;

const CASES = {
	unrendered: 'cold, nothing rendered',
	rendered: 'cold, articles rendered',
	edit: 'one edit',
	bareCold: 'bare Astro, cold',
	bareEdit: 'bare Astro, one edit',
};
type Case = keyof typeof CASES;
type Taken = { seconds: number; peakMb: number; pages: number };
type Run = Taken & { largestKb: number };

/**
 * Builds generated sites of these sizes, a bare Astro site of the same posts, and sites of the same posts as Markdown by the
 * generators that can be had here, and prints what each build took.
 */
export async function benchBuild(counts: number[]): Promise<void> {
	const rows: string[][] = [];
	const otherRows: string[][] = [];
	for (const count of counts) {
		const { best, others } = await withFolder(async (folder) => ({
			best: await measureCases(folder, count),
			others: await measureOthers(folder),
		}));
		const ratio = (ours: Case, bare: Case) => (best[ours].seconds / best[bare].seconds).toFixed(2);
		const ratios: Partial<Record<Case, string>> = {
			rendered: ratio('rendered', 'bareCold'),
			edit: ratio('edit', 'bareEdit'),
		};
		for (const [key, label] of Object.entries(CASES) as [Case, string][]) {
			rows.push([...figures(count, label, best[key]), ratios[key] ?? '']);
		}
		for (const { name, seconds, peakMb, pages } of others) {
			const ratio = (best.unrendered.seconds / seconds).toFixed(2);
			otherRows.push([...figures(count, name, { seconds, peakMb, pages }), ratio]);
		}
	}
	printTable(['posts', 'case', 'seconds', 'peak MB', 'pages', 'ratio to bare'], rows);
	console.log('Aims: 2.50 of bare Astro with articles rendered, 1.50 after an edit.');
	printTable(
		[
			'posts',
			'others, from Markdown',
			'seconds',
			'peak MB',
			'pages',
			'ours, nothing rendered, to it',
		],
		otherRows,
	);
}

const figures = (count: number, label: string, { seconds, peakMb, pages }: Taken) => [
	count.toLocaleString('en-US'),
	label,
	seconds.toFixed(1),
	peakMb.toFixed(0),
	pages.toLocaleString('en-US'),
];

/** Fills a folder with a database of generated posts and a bare site, to build in it. */
export async function makeSites(
	folder: string,
	count: number,
): Promise<{ fresh: string; bareRoot: string }> {
	const fresh = join(folder, 'fresh.db');
	const bareRoot = join(folder, 'bare');
	// A build works beside its output, so that others in this checkout do not disturb it.
	for (const name of ['node_modules', 'content'])
		await symlink(join(ROOT, name), join(folder, name));
	await cp(BARE, bareRoot, { recursive: true });
	const made = await makeDatabase(`file:${fresh}`, count);
	await made.run(sql`pragma wal_checkpoint(truncate)`);
	made.$client.close();
	return { fresh, bareRoot };
}

/** Builds the posts of a folder that `makeSites` has filled with each generator there is. Returns the fastest builds. */
async function measureOthers(folder: string): Promise<OtherRun[]> {
	const runs: OtherRun[] = [];
	for (const generator of await prepareOthers(folder, `file:${join(folder, 'fresh.db')}`)) {
		let best = await buildOther(generator);
		for (let round = 1; round < ROUNDS; round++) {
			const run = await buildOther(generator);
			if (run.seconds < best.seconds) best = run;
		}
		runs.push(best);
	}
	return runs;
}

async function measureCases(folder: string, count: number): Promise<Record<Case, Run>> {
	const file = join(folder, 'site.db');
	const { fresh, bareRoot } = await makeSites(folder, count);

	const best: Partial<Record<Case, Run>> = {};
	const measure = async (name: Case, cache: 'cold' | 'warm') => {
		const bare = name.startsWith('bare');
		const site = join(folder, bare ? 'bare-site' : 'site');
		const [out, cacheDir] = [join(site, 'dist'), join(site, 'cache')];
		await rm(cache === 'cold' ? site : out, { recursive: true, force: true });
		const run = await buildOnce(folder, [bare ? bareRoot : ROOT, out, cacheDir], `file:${file}`);
		const largest = `the largest page has ${run.largestKb.toFixed(0)} KB`;
		console.log(`${count} posts, ${CASES[name]}: ${run.seconds.toFixed(1)} s, ${largest}`);
		if (run.seconds < (best[name]?.seconds ?? Infinity)) best[name] = run;
	};
	for (let round = 0; round < ROUNDS; round++) {
		await Promise.all(
			[file, `${file}-wal`, `${file}-shm`].map((path) => rm(path, { force: true })),
		);
		await cp(fresh, file);
		await measure('unrendered', 'cold');
		await measure('rendered', 'cold');
		await measure('bareCold', 'cold');
		await editPost(`file:${file}`, Math.floor(count / 2));
		await measure('edit', 'warm');
		await measure('bareEdit', 'warm');
	}
	return best as Record<Case, Run>;
}

export async function buildOnce(
	cwd: string,
	[root, out, cacheDir]: [root: string, out: string, cacheDir: string],
	databaseUrl: string,
): Promise<Run> {
	const start = performance.now();
	const child = fork(ONCE, [root, out, cacheDir], {
		cwd,
		env: {
			...process.env,
			DATABASE_URL: databaseUrl,
			SITE_URL: 'https://groundtruth.example',
			ASTRO_TELEMETRY_DISABLED: '1',
		},
	});
	let peakKb = 0;
	child.on('message', (kb: number) => (peakKb = kb));
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0) throw new Error(`The build ended with exit code ${code}.`);
	const seconds = (performance.now() - start) / 1000;
	const files = await readdir(out, { recursive: true });
	const pages = files.filter((file) => file.endsWith('.html'));
	const sizes = await Promise.all(pages.map(async (file) => (await stat(join(out, file))).size));
	// Too many for the arguments of one call.
	const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
	return { seconds, peakMb: peakKb / 1024, pages: pages.length, largestKb: largest / 1024 };
}

export async function editPost(url: string, number: number): Promise<void> {
	const db = await openDb(url);
	await db
		.update(posts)
		.set({ content: sql`${posts.content} || '<p>A closing remark.</p>'`, updatedAt: new Date() })
		.where(eq(posts.id, idOf(number)));
	db.$client.close();
}
