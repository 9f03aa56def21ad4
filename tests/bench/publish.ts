import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { currentBuild, isPage, openFiles, siteFolder } from '#src/build/builds.ts';
import type { Listing } from '#src/build/listing.ts';
import type { EditedPost } from '#src/features/posts/editing.api.ts';
import { startHost, wholeUsageOf } from '#tests/support/host.ts';
import { buildOnce, editPost, makeSites } from './build.ts';
import { idOf } from './corpus.ts';
import { withFolder } from './folder.ts';
import { median } from './measure.ts';
import { printTable } from './table.ts';

const ROUNDS = 5;
/** The same after a restart, on whatever port that is: a site that moves builds every page anew. */
const SITE_URL = 'http://127.0.0.1:9';
/** Between two publishes, and as long as any writer's desk is open before the first. */
const THOUGHT_MS = 5000;

/**
 * Measures how long a change takes from its PUT until the article's page shows it, on the real server, beside an
 * incremental build of the same posts by bare Astro. Medians, in seconds, and how many pages an edit rendered.
 */
export async function benchPublish(counts: number[]): Promise<void> {
	const rows: string[][] = [];
	const sizes: Awaited<ReturnType<typeof measureOurs>>[] = [];
	for (const count of counts) {
		await withFolder(async (folder) => {
			const { fresh, bareRoot } = await makeSites(folder, count);
			const url = `file:${fresh}`;
			try {
				const ours = await measureOurs(url, count);
				// At once: the largest size takes most of an hour.
				console.log(ours);
				sizes.push(ours);
				const bare = await measureBare(folder, bareRoot, url, count);
				for (const [label, seconds] of Object.entries({ ...ours, 'bare Astro, one edit': bare })) {
					const ratio = label.startsWith('bare') ? '' : (seconds / bare).toFixed(2);
					rows.push([count.toLocaleString('en-US'), label, seconds.toFixed(2), ratio]);
				}
			} finally {
				await rm(siteFolder(url), { recursive: true, force: true });
			}
		});
	}
	printTable(['posts', 'case', 'seconds', 'ratio to bare'], rows);
	console.log('Aims: 2 s, and at most 2.00 times as long with the most posts as with the fewest.');
	if (sizes.length === 1) return;
	for (const name of ['an edit', 'a new article'] as const)
		console.log(`${name}: ${(sizes.at(-1)![name] / sizes[0]![name]).toFixed(2)} times as long.`);
}

async function measureOurs(url: string, count: number) {
	let server = await start(url);
	const edits: number[] = [];
	const news: number[] = [];
	const rendered: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const id = idOf(Math.floor(count / 2) + round);
		const { content } = await server.call<EditedPost>('GET', `/api/admin/posts/${id}`);
		const change = { content: `${content}<p>A remark.</p>` };
		const before = await listingOf(url);
		await sleep(THOUGHT_MS);
		edits.push(await server.timed('PUT', `/api/admin/posts/${id}`, change));
		rendered.push(countRendered(before, await listingOf(url)));
		const { categoryId } = await server.call<EditedPost>('GET', `/api/admin/posts/${id}`);
		const post = { title: `New ${round}`, content: '<p>Words.</p>', categoryId, published: true };
		await sleep(THOUGHT_MS);
		news.push(await server.timed('POST', '/api/admin/posts', post));
	}
	const memory = Math.round((await wholeUsageOf(server.host))?.mb ?? NaN);
	console.log(
		`${count} posts: ${median(rendered)} pages rendered for an edit, ${memory} MB held by the server and its build process.`,
	);
	await server.stop();
	server = await start(url);
	const cold = await server.timed('PUT', `/api/admin/posts/${idOf(0)}`, { featured: true });
	await server.stop();
	return {
		'an edit': median(edits),
		'a new article': median(news),
		'an edit straight after a start': cold,
	};
}

/** Returns the files of the site that is served. */
async function listingOf(url: string): Promise<Listing> {
	const folder = siteFolder(url);
	return (await openFiles(folder, (await currentBuild(folder))!)).listing;
}

/** Returns how many pages a build rendered: those that changed, and those without a key, which each build renders. */
function countRendered(before: Listing, after: Listing): number {
	const isRendered = (path: string) => {
		const [old, now] = [before.get(path), after.get(path)!];
		return now.key === undefined || now.key !== old?.key;
	};
	return after.count((path) => isPage(path) && isRendered(path));
}

async function measureBare(folder: string, root: string, url: string, count: number) {
	const [out, cache] = [join(folder, 'bare-site', 'dist'), join(folder, 'bare-site', 'cache')];
	const build = async () => (await buildOnce(folder, [root, out, cache], url)).seconds;
	await build();
	const times: number[] = [];
	for (let round = 0; round < 3; round++) {
		await editPost(url, Math.floor(count / 2) + round);
		await rm(out, { recursive: true });
		times.push(await build());
	}
	return median(times);
}

async function start(url: string) {
	const host = await startHost({ DATABASE_URL: url, SITE_URL });
	const call = async <Out>(method: string, path: string, body?: object) => {
		const response = await host.asAdmin(method, path, body);
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
		return (await response.json()) as Out;
	};
	// Signs in, and tells the server of no writer at work.
	await call('GET', '/api/admin/status');
	return {
		host,
		call,
		/** Seconds from a change until its page is there. */
		async timed(method: string, path: string, body: object): Promise<number> {
			const begin = performance.now();
			const post = await call<EditedPost>(method, path, body);
			for (;;) {
				const page = await (await fetch(host.address + post.path)).text();
				if (page.includes(`data-digest="${post.digest}"`)) break;
				const [build] = await call<{ state: string; reason: string }[]>('GET', '/api/admin/builds');
				if (build?.state === 'failed') throw new Error(build.reason);
				await sleep(20);
			}
			return (performance.now() - begin) / 1000;
		},
		stop: () => host.stop(),
	};
}
