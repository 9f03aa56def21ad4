import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { siteFolder } from '#src/build/builds.ts';
import type { BuildView } from '#src/core/builds/builds.api.ts';
import type { BulkResult } from '#src/features/posts/bulk.ts';
import type { LetterView } from '#src/features/newsletter/letters.ts';
import { IMPORT_ROWS } from '#src/features/newsletter/subscribers.ts';
import { startHost, wholeUsageOf, type Host } from '#tests/support/host.ts';
import { lockDatabase } from '#tests/support/lock.ts';
import { idOf, makeDatabase, slugOf } from './corpus.ts';
import { withFolder } from './folder.ts';
import { startMailSink } from './sink.ts';
import { printTable } from './table.ts';

const SUBSCRIBERS = 100_000;
const LOCK_MS = 16_000;
/** Milliseconds from one question to the next, of those asked beside each act: for a page, an article by the API, the desk's list. */
const PROBES = { pages: 20, reads: 50, desk: 500 };

type Probe = keyof typeof PROBES;

/** Measures how long readers and writers wait while something large is done on the real server. */
export async function benchActs([count = 10_000]: number[]): Promise<void> {
	await withFolder(async (folder) => {
		const path = join(folder, 'acts.db');
		(await makeDatabase(`file:${path}`, count)).$client.close();
		const url = `file:${path}`;
		const sink = await startMailSink();
		const host = await startHost({
			DATABASE_URL: url,
			SMTP_URL: sink.url,
			TRUST_PROXY: 'on',
			SITE_URL: 'http://127.0.0.1:9',
		});
		try {
			await run(host, url, count);
		} finally {
			await host.stop();
			sink.stop();
			await rm(siteFolder(url), { recursive: true, force: true });
		}
	});
}

async function run(host: Host, url: string, count: number): Promise<void> {
	const call = async <Out>(method: string, path: string, body?: object): Promise<Out> => {
		const response = await host.asAdmin(method, path, body);
		if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
		return (await response.json()) as Out;
	};
	// A build is late where its change came later than it began.
	const built = async () => {
		for (let rest = 0; rest < 3; rest++) {
			await sleep(1000);
			const [build] = await call<Pick<BuildView, 'state'>[]>('GET', '/api/admin/builds');
			if (build?.state === 'queued' || build?.state === 'building') rest = -1;
		}
	};
	await built();
	const rows: string[][] = [];
	const act = async <Out>(name: string, work: () => Promise<Out>): Promise<Out> => {
		const stop = probe(host, count);
		const begin = performance.now();
		const result = await work();
		const seconds = (performance.now() - begin) / 1000;
		const waits = await stop();
		const memory = (await wholeUsageOf(host))?.mb ?? NaN;
		const row = [
			name,
			`${seconds.toFixed(1)} s`,
			...Object.values(waits).map(describe),
			`${memory.toFixed(0)} MB`,
		];
		console.log(row.join(' | '));
		rows.push(row);
		return result;
	};
	const ids = Array.from({ length: count }, (_, number) => idOf(number));
	const number = count.toLocaleString('en-US');

	await act('nothing', () => sleep(10_000));
	const bulk = { ids, action: 'tag', value: 'A tag for all' };
	const { undo } = await act(`a tag for ${number} articles`, () =>
		call<BulkResult>('POST', '/api/admin/posts/bulk', bulk),
	);
	await act('its build', built);
	await act('its undo', () => call('POST', '/api/admin/undo', { token: undo }));
	await act('its build', built);
	await act('two tags merged', () =>
		call('POST', `/api/admin/tags/${idOf(0)}/merge`, { into: idOf(1) }),
	);
	await act('its build', built);
	await act(`${SUBSCRIBERS.toLocaleString('en-US')} subscribers imported`, async () => {
		for (let from = 0; from < SUBSCRIBERS; from += IMPORT_ROWS) {
			const people = Array.from({ length: IMPORT_ROWS }, (_, row) => ({
				...{ email: `reader-${from + row}@example.com`, name: null, lastName: null, source: null },
				...{ active: true, createdAt: null },
			}));
			const input = { rows: people, reactivate: false, preview: false, consent: 'A list of ours' };
			await call('POST', '/api/admin/subscribers/import', input);
		}
	});
	const letter = { id: randomUUID(), subject: 'A letter', content: '<p>Words.</p>', confirm: true };
	await act('a letter to all of them, queued', async () => {
		await call('POST', '/api/admin/letters', letter);
		while (
			['scheduled', 'queueing'].includes(
				(await call<LetterView>('GET', `/api/admin/letters/${letter.id}`)).state,
			)
		)
			await sleep(200);
	});
	await act('30 s of its sending', () => sleep(30_000));
	await act('its end', () => call('POST', `/api/admin/letters/${letter.id}/stop`));
	await act('twelve whole lists', () =>
		Promise.all(
			Array.from({ length: 12 }, async (_, which) => {
				const file = which % 2 ? '/api/posts' : '/api/admin/subscribers/export';
				await (await host.asAdmin('GET', file)).arrayBuffer();
			}),
		),
	);
	await act('a lock of 16 s with 40 comments in it', async () => {
		const release = await lockDatabase(url);
		const comments = Array.from({ length: 40 }, (_, which) => comment(host, which));
		await sleep(LOCK_MS);
		await release();
		await Promise.all(comments);
	});
	const [category] = await call<{ id: string }[]>('GET', '/api/admin/categories');
	await act('a category renamed, and its build', async () => {
		await call('PUT', `/api/admin/categories/${category!.id}`, { name: 'Another name' });
		await built();
	});
	printTable(
		['act', 'took', ...Object.keys(PROBES).map((name) => `${name}: p50, p99, gap`), 'memory'],
		rows,
	);
	console.log(
		'Milliseconds; the gap is the longest time without an answer. Aims: p99 of pages 50 ms, of reads 250 ms.',
	);
}

/** Sends a comment of another person; whether it is stored or refused is its own business. */
async function comment(host: Host, which: number): Promise<void> {
	const response = await fetch(`${host.address}/api/comments`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.0.0.${which + 1}` },
		body: JSON.stringify({
			postId: idOf(which),
			author: 'Grace Hopper',
			email: `grace-${which}@example.com`,
			content: 'The second figure is what convinced me. Which seed did you use for it?',
		}),
	});
	await response.text();
}

type Waits = { times: number[]; gap: number; failed: number };

/** Asks at fixed times, whether the last answer is there or not. Returns what stops it and returns how long answers took. */
function probe(host: Host, count: number): () => Promise<Record<Probe, Waits>> {
	const running = Object.entries(PROBES).map(([name, every]) => {
		const waits: Waits = { times: [], gap: 0, failed: 0 };
		const pending = new Set<Promise<void>>();
		let [last, asked] = [performance.now(), 0];
		const timer = setInterval(() => {
			const begin = performance.now();
			const slug = slugOf((asked++ * 7919) % count);
			const answer =
				name === 'desk'
					? host.asAdmin('GET', '/api/admin/posts')
					: fetch(`${host.address}${name === 'pages' ? '/blog/' : '/api/posts/'}${slug}`);
			const done = answer
				.then(async (response) => {
					await response.arrayBuffer();
					if (!response.ok) waits.failed++;
				})
				.catch(() => void waits.failed++)
				.finally(() => {
					const now = performance.now();
					waits.times.push(now - begin);
					waits.gap = Math.max(waits.gap, now - last);
					last = now;
					pending.delete(done);
				});
			pending.add(done);
		}, every);
		return { name, waits, pending, timer };
	});
	return async () => {
		for (const { timer } of running) clearInterval(timer);
		await Promise.all(running.flatMap(({ pending }) => [...pending]));
		return Object.fromEntries(running.map(({ name, waits }) => [name, waits])) as Record<
			Probe,
			Waits
		>;
	};
}

function describe({ times, gap, failed }: Waits): string {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(0);
	return `${at(0.5)}, ${at(0.99)}, ${gap.toFixed(0)}${failed ? ` (${failed} failed)` : ''}`;
}
