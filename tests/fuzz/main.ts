/**
 * `npm run fuzz -- [--requests 100000] [--seed N]`: bad input for every endpoint, on a database of its own. Prints what
 * was answered, and what should not have been.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setDb } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { printTable } from '#tests/bench/table.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({
	options: {
		requests: { type: 'string', default: '100000' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
	},
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
const folder = await mkdtemp(join(tmpdir(), 'groundtruth-fuzz-'));
// Mail has nowhere to go: it waits.
setEnv(
	parseEnv({
		SITE_URL: 'https://groundtruth.test',
		SECRET: 'a secret that only this run knows',
		DATABASE_URL: ':memory:',
	}),
);
const db = await openDb(`file:${join(folder, 'fuzz.db')}`);
await migrateDb(db);
setDb(db);
try {
	console.log(`${requests} requests, --seed ${seed}`);
	let told = Date.now();
	const found = await fuzz(db, {
		requests,
		seed,
		onRound(sent) {
			if (Date.now() - told < 10_000) return;
			told = Date.now();
			console.log(`${sent} of ${requests}…`);
		},
	});
	printTable(
		['endpoint', 'requests', '2xx', '3xx', '4xx', '5xx', 'ms each'],
		found.tallies.map(({ name, requests: count, classes, ms }) => [
			name,
			String(count),
			...[2, 3, 4, 5].map((first) => String(classes[first] ?? 0)),
			(ms / Math.max(1, count)).toFixed(1),
		]),
	);
	const load = loadavg()[0]!.toFixed(1);
	console.log(
		`\n${requests} requests in ${found.seconds.toFixed(0)} seconds at a load of ${load}; ${found.rows} rows read back.`,
	);
	console.log(`${found.problems.length} problems.`);
	for (const problem of found.problems.slice(0, 50)) console.log(`- ${problem}`);
	if (found.problems.length > 0) process.exitCode = 1;
} finally {
	db.$client.close();
	await rm(folder, { recursive: true, force: true });
}
