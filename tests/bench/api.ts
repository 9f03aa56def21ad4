import autocannon from 'autocannon';
import { sql } from 'drizzle-orm';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { idOf, makeDatabase, slugOf } from './corpus.ts';
import { withFolder } from './folder.ts';
import { printTable } from './table.ts';

const POSTS = 1000;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const SECONDS = 10;
/** Each server is measured this often, in turn, and its fastest run counts: noise only ever slows. */
const ROUNDS = 3;
const SERVERS = { bare: 'api-bare.ts', ours: 'api-ours.ts' };

type Load = Parameters<typeof autocannon>[0]['requests'][number];
type Result = Awaited<ReturnType<typeof autocannon>>;

let sent = 0;
const LOADS: Record<string, Load> = {
	'GET /api/posts/{slug}': {
		method: 'GET',
		setupRequest: (request) => ({ ...request, path: `/api/posts/${slugOf(sent++ % POSTS)}` }),
	},
	'POST /api/comments': {
		method: 'POST',
		// Another person at another address each time, so that no limit refuses.
		setupRequest(request) {
			const number = sent++;
			return {
				...request,
				path: '/api/comments',
				headers: {
					'Content-Type': 'application/json',
					'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
				},
				body: JSON.stringify({
					postId: idOf(number % POSTS),
					author: 'Grace Hopper',
					email: `reader-${number}@example.com`,
					content: 'The second figure is what convinced me. Which seed did you use for it?',
				}),
			};
		},
	},
};

/** Measures two calls of the API against a bare handler that runs the same statements, and prints how they compare. */
export async function benchApi(): Promise<void> {
	const rows: string[][] = [];
	await withFolder(async (folder) => {
		const fresh = join(folder, 'fresh.db');
		const made = await makeDatabase(`file:${fresh}`, POSTS);
		await made.run(sql`pragma wal_checkpoint(truncate)`);
		made.$client.close();
		for (const [name, load] of Object.entries(LOADS)) {
			const best: Record<string, Result> = {};
			for (let round = 0; round < ROUNDS; round++) {
				for (const [server, file] of Object.entries(SERVERS)) {
					const database = join(folder, `${load.method}-${server}-${round}.db`);
					await cp(fresh, database);
					const result = await measure(file, `file:${database}`, load);
					const { average } = result.requests;
					console.log(`${name}, ${server}: ${average.toFixed(0)} requests/s`);
					if (average > (best[server]?.requests.average ?? 0)) best[server] = result;
				}
			}
			for (const [server, { requests, latency, non2xx, errors }] of Object.entries(best)) {
				rows.push([
					name,
					server,
					requests.average.toFixed(0),
					`${latency.p50} ms`,
					`${latency.p99} ms`,
					String(non2xx + errors),
					(requests.average / best['bare']!.requests.average).toFixed(2),
				]);
			}
		}
	});
	printTable(['call', 'server', 'requests/s', 'p50', 'p99', 'not 2xx', 'ratio to bare'], rows);
	console.log('Aim: a ratio of 0.80 or more for a post, 0.60 for a comment, and every answer 2xx.');
}

async function measure(file: string, databaseUrl: string, load: Load): Promise<Result> {
	const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
		env: {
			...process.env,
			DATABASE_URL: databaseUrl,
			HOST: '127.0.0.1',
			PORT: '0',
			SECRET: 'a secret that only the benchmark knows',
			TRUST_PROXY: 'on',
		},
	});
	const exit = once(child, 'exit');
	const [port] = (await Promise.race([once(child, 'message'), exit])) as [number];
	if (child.exitCode !== null) throw new Error(`${file} ended with exit code ${child.exitCode}.`);
	const shared = {
		url: `http://127.0.0.1:${port}`,
		connections: CONNECTIONS,
		requests: [load],
	};
	await autocannon({ ...shared, duration: WARM_UP_SECONDS });
	const result = await autocannon({ ...shared, duration: SECONDS });
	child.disconnect();
	await exit;
	return result;
}
