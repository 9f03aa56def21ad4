import autocannon from 'autocannon';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '#db/local.ts';
import { comments, subscribers } from '#db/schema.ts';
import { currentBuild, openFiles, siteFolder, storeOf } from '#src/build/builds.ts';
import { layOut } from '#src/build/site-files.ts';
import type { PostSummary } from '#src/features/posts/post.ts';
import { atRest, startHost, usageOf, wholeUsageOf, type Host } from '#tests/support/host.ts';
import { freePort } from '#tests/support/ports.ts';
import { benchApi } from './api.ts';
import { withFolder } from './folder.ts';
import { printTable } from './table.ts';

const READERS = 200;
const WARM_UP_SECONDS = 10;
const SECONDS = 60;
/** One request in so many writes. */
const WRITES = 20;
/** Rounds of a comparison: each server this often, in turn, and its fastest run counts. */
const ROUNDS = 2;
const PAGE_SECONDS = 8;
const PAGE_CONNECTIONS = 50;
const SEARCH_CONNECTIONS = 16;

type Load = Parameters<typeof autocannon>[0]['requests'][number];

/** Many readers and some writers on the real server; its pages beside nginx; its functions beside a bare handler. */
export async function benchLoad(): Promise<void> {
	await onHost(mixed);
	// A server of its own: the first one still has mail to send.
	await onHost(pages);
	await scaling();
	await benchApi();
}

type Site = { host: Host; url: string; folder: string; posts: PostSummary[] };

async function onHost<Out>(
	measure: (site: Site) => Promise<Out>,
	env: Record<string, string> = {},
): Promise<Out> {
	return withFolder(async (folder) => {
		const url = `file:${join(folder, 'load.db')}`;
		const host = await startHost({ DATABASE_URL: url, TRUST_PROXY: 'on', ...env });
		try {
			const posts = (await (await fetch(`${host.address}/api/posts`)).json()) as PostSummary[];
			return await measure({ host, url, folder, posts });
		} finally {
			await host.stop();
			await rm(siteFolder(url), { recursive: true, force: true });
		}
	});
}

/** A browser's requests, in turn: pages as browsers ask for them. */
function reading(posts: PostSummary[], encoding: string): Load {
	const paths = ['/', '/blog', '/states', '/ai-best-practices/texas', '/about'].concat(
		posts.map(({ slug }) => `/blog/${slug}`),
	);
	let sent = 0;
	return {
		method: 'GET',
		setupRequest: (request) => ({
			...request,
			path: paths[sent++ % paths.length]!,
			headers: { 'Accept-Encoding': encoding },
		}),
	};
}

/** Comments and signups, each of another person at another address, so that no limit refuses. */
function writing(posts: PostSummary[]): Load {
	let sent = 0;
	return {
		method: 'POST',
		setupRequest(request) {
			const number = sent++;
			const email = `reader-${number}@example.com`;
			const comment = {
				postId: posts[number % posts.length]!.id,
				author: 'Grace Hopper',
				email,
				content: 'The second figure is what convinced me. Which seed did you use for it?',
			};
			return {
				...request,
				path: number % 2 === 0 ? '/api/comments' : '/api/subscribers',
				headers: {
					'Content-Type': 'application/json',
					'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
				},
				body: JSON.stringify(number % 2 === 0 ? comment : { email }),
			};
		},
	};
}

async function mixed({ host, url, posts }: Site): Promise<void> {
	const read = reading(posts, 'br');
	const requests = [...Array.from({ length: WRITES - 1 }, () => read), writing(posts)];
	const shared = { url: host.address, connections: READERS, requests };
	const warm = await autocannon({ ...shared, duration: WARM_UP_SECONDS });
	const memory: number[] = [];
	let done = false;
	const watching = (async () => {
		while (!done) {
			memory.push((await wholeUsageOf(host))?.mb ?? NaN);
			await sleep(1000);
		}
	})();
	const result = await autocannon({ ...shared, duration: SECONDS });
	done = true;
	await watching;
	const { requests: speed, latency, non2xx, errors, statusCodeStats } = result;
	const at = (part: number) => `${Math.round(memory[Math.floor((memory.length - 1) * part)]!)} MB`;
	printTable(
		[
			'readers',
			'seconds',
			'requests/s',
			'writes',
			'p50',
			'p99',
			'errors',
			'memory at start',
			'middle',
			'end',
		],
		[
			[
				String(READERS),
				String(SECONDS),
				speed.average.toFixed(0),
				String(statusCodeStats['201']?.count ?? 0),
				`${latency.p50} ms`,
				`${latency.p99} ms`,
				String(non2xx + errors),
				at(0),
				at(0.5),
				at(1),
			],
		],
	);
	const db = await openDb(url);
	const kept = (await db.$count(comments)) + (await db.$count(subscribers));
	db.$client.close();
	const acknowledged = [warm, result].map((one) => one.statusCodeStats['201']?.count ?? 0);
	console.log(
		`${acknowledged[0]! + acknowledged[1]!} writes were acknowledged, ${kept} are stored. Load average ${loadavg()[0]!.toFixed(1)}.`,
	);
}

/** Pages per second, and the processor's time for them, beside nginx with the same files. */
async function pages({ host, url, folder, posts }: Site): Promise<void> {
	const site = siteFolder(url);
	const { listing } = await openFiles(site, (await currentBuild(site))!);
	const laidOut = join(folder, 'laid-out');
	await layOut(listing, storeOf(site), laidOut);
	const nginx = await startNginx(folder, laidOut);
	if (!nginx) {
		console.log('\nnginx is not installed here: pages are not compared with it.');
		return;
	}
	type Best = { perSecond: number; p99: number; cpu: number; wrong: number };
	const best: Record<string, Best> = {};
	const measure = async (name: string, address: string, pids: () => number[]) => {
		const load = {
			url: address,
			connections: PAGE_CONNECTIONS,
			requests: [reading(posts, 'gzip')],
		};
		await autocannon({ ...load, duration: 2 });
		const used = async () =>
			(await Promise.all(pids().map(usageOf))).reduce((sum, one) => sum + (one?.seconds ?? NaN), 0);
		const before = await used();
		const { requests, latency, non2xx, errors } = await autocannon({
			...load,
			duration: PAGE_SECONDS,
		});
		const cpu = (((await used()) - before) / requests.total) * 1e6;
		const one = { perSecond: requests.average, p99: latency.p99, cpu, wrong: non2xx + errors };
		console.log(`pages, ${name}: ${one.perSecond.toFixed(0)} a second`);
		if (one.perSecond > (best[name]?.perSecond ?? 0)) best[name] = one;
	};
	try {
		for (let round = 0; round < ROUNDS; round++) {
			await measure('nginx', nginx.address, nginx.pids);
			await measure('ours', host.address, () => [host.process.pid!]);
		}
	} finally {
		await nginx.stop();
	}
	const { nginx: theirs } = best;
	printTable(
		[
			'pages by',
			'pages/s',
			'p99',
			'not 2xx',
			'µs of processor each',
			'ratio to nginx',
			'ratio by processor',
		],
		Object.entries(best).map(([name, { perSecond, p99, cpu, wrong }]) => [
			name,
			perSecond.toFixed(0),
			`${p99} ms`,
			String(wrong),
			cpu.toFixed(0),
			(perSecond / theirs!.perSecond).toFixed(2),
			(theirs!.cpu / cpu).toFixed(2),
		]),
	);
	console.log(
		`Aim: a ratio of 0.70 or more by processor. The client shares the machine's cores. Load average ${loadavg()[0]!.toFixed(1)}.`,
	);
}

/** Searches per second by one server and by two on one port. They keep a processor busy, and the client does not. */
async function scaling(): Promise<void> {
	const rows: string[][] = [];
	let one = NaN;
	for (const workers of [1, 2]) {
		const { perSecond, p99, wrong } = await onHost(searches, { WORKERS: String(workers) });
		if (workers === 1) one = perSecond;
		const ratio = (perSecond / one).toFixed(2);
		rows.push([String(workers), perSecond.toFixed(0), `${p99} ms`, String(wrong), ratio]);
	}
	printTable(['WORKERS', 'searches/s', 'p99', 'not 2xx', 'ratio to one'], rows);
	console.log(`Aim: a ratio of 1.70 or more. Load average ${loadavg()[0]!.toFixed(1)}.`);
}

/** Searches for two words of titles, hardly ever the same two, on a server at rest. Returns the fastest round. */
async function searches({ host, posts }: Site) {
	await atRest(host);
	const words = posts.flatMap(({ title }) => title.toLowerCase().match(/[a-z]{3,}/g) ?? []);
	let sent = 0;
	const search: Load = {
		method: 'GET',
		setupRequest(request) {
			const number = sent++;
			// The second word is another one each time that the first ones are through.
			const at = [number, number + Math.floor(number / words.length) + 1];
			const [first, second] = at.map((index) => words[index % words.length]);
			return { ...request, path: `/api/posts/search?q=${first}+${second}` };
		},
	};
	const load = { url: host.address, connections: SEARCH_CONNECTIONS, requests: [search] };
	await autocannon({ ...load, duration: 2 });
	let best = { perSecond: 0, p99: NaN, wrong: 0 };
	for (let round = 0; round < ROUNDS; round++) {
		const { requests, latency, non2xx, errors } = await autocannon({
			...load,
			duration: PAGE_SECONDS,
		});
		if (requests.average > best.perSecond)
			best = { perSecond: requests.average, p99: latency.p99, wrong: non2xx + errors };
	}
	return best;
}

/** nginx with a build's folder, one worker and compressed copies; undefined where it is not installed. */
async function startNginx(folder: string, root: string) {
	if (spawnSync('nginx', ['-v']).status !== 0) return undefined;
	const port = await freePort();
	const config = join(folder, 'nginx.conf');
	await writeFile(
		config,
		`${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes 1;
daemon off;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'nginx.log')};
events { worker_connections 1024; }
http {
	types { text/html html; }
	access_log off;
	sendfile on;
	tcp_nopush on;
	keepalive_requests 1000000000;
	open_file_cache max=10000;
	gzip_static on;
	client_body_temp_path ${folder};
	proxy_temp_path ${folder};
	fastcgi_temp_path ${folder};
	uwsgi_temp_path ${folder};
	scgi_temp_path ${folder};
	server {
		listen 127.0.0.1:${port};
		root ${root};
		location / { try_files $uri $uri.html $uri/index.html =404; add_header Cache-Control "public, max-age=0, must-revalidate"; }
		location = / { try_files /index.html =404; }
	}
}
`,
	);
	const child = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'inherit' });
	const address = `http://127.0.0.1:${port}`;
	while (!(await fetch(address).catch(() => undefined))) {
		if (child.exitCode !== null) throw new Error('nginx ended.');
		await sleep(50);
	}
	const workers = spawnSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], {
		encoding: 'utf8',
	});
	const pids = workers.stdout.trim().split(/\s+/).map(Number);
	return {
		address,
		pids: () => pids,
		async stop() {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}
