/**
 * `npm run fuzz -- [--requests 100000] [--seed N]`: bad input for every endpoint, on databases of its own. Prints what
 * was answered, and what should not have been. Then the worst input of each parser, and what it costs.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { setDb } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { makeDatabase } from '#tests/bench/corpus.ts';
import { printTable } from '#tests/bench/table.ts';
import { measureCosts } from './costs.ts';
import { fuzz, type Findings } from './fuzz.ts';

/** Requests after which all is read back, and a new database begins: lists of everything stay short. */
const PART = 10_000;
/** Articles among which the costly searches search. */
const ARTICLES = 200;
/** Milliseconds that a hostile input of anybody may take of the thread beside a plain one. */
const MAX_TIME = 20;

const { values } = parseArgs({
	options: {
		requests: { type: 'string', default: '100000' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
	},
});
const [requests, seed] = [Number(values.requests), Number(values.seed)];
// Mail has nowhere to go: it waits.
setEnv(
	parseEnv({
		SITE_URL: 'https://groundtruth.test',
		SECRET: 'a secret that only this run knows',
		DATABASE_URL: ':memory:',
	}),
);
console.log(`${requests} requests, --seed ${seed}`);
const all: Findings = { tallies: [], rows: 0, seconds: 0, problems: [] };
for (let sent = 0; sent < requests; sent += PART) {
	const db = await openDb(':memory:');
	await migrateDb(db);
	setDb(db);
	const part = { requests: Math.min(PART, requests - sent), seed: seed + sent / PART };
	add(await fuzz(db, part));
	db.$client.close();
	const memory = Math.round(process.memoryUsage.rss() / 1024 ** 2);
	console.log(`${sent + part.requests} of ${requests}, ${memory} MB…`);
}
print();
await printCosts();

function add({ tallies, rows, seconds, problems }: Findings): void {
	all.rows += rows;
	all.seconds += seconds;
	all.problems.push(...problems);
	for (const one of tallies) {
		const known = all.tallies.find(({ name }) => name === one.name);
		if (!known) {
			all.tallies.push(one);
			continue;
		}
		known.requests += one.requests;
		known.ms += one.ms;
		for (const [first, count] of Object.entries(one.classes)) {
			known.classes[Number(first)] = (known.classes[Number(first)] ?? 0) + count;
		}
	}
}

function print(): void {
	printTable(
		['endpoint', 'requests', '2xx', '3xx', '4xx', '5xx', 'ms each'],
		all.tallies.map(({ name, requests: count, classes, ms }) => [
			name,
			String(count),
			...[2, 3, 4, 5].map((first) => String(classes[first] ?? 0)),
			(ms / Math.max(1, count)).toFixed(1),
		]),
	);
	const load = loadavg()[0]!.toFixed(1);
	console.log(
		`\n${requests} requests in ${all.seconds.toFixed(0)} seconds at a load of ${load}; ${all.rows} rows read back.`,
	);
	const problems = [...new Set(all.problems)];
	console.log(`${problems.length} problems.`);
	for (const problem of problems.slice(0, 50)) console.log(`- ${problem}`);
	if (problems.length > 0) process.exitCode = 1;
}

async function printCosts(): Promise<void> {
	const db = await makeDatabase(':memory:', ARTICLES);
	setDb(db);
	await renderStalePosts(db);
	const costs = await measureCosts(db, { rounds: 5, each: 5 });
	db.$client.close();
	printTable(
		['input', 'bytes', 'status', 'plain, ms', 'hostile, ms', 'more, ms'],
		costs.map(({ name, bytes, status, plain, hostile }) => [
			`\`${name.replaceAll('|', '\\|')}\``,
			String(bytes),
			String(status),
			...[plain, hostile, hostile - plain].map((ms) => ms.toFixed(1)),
		]),
	);
	const costly = costs.filter(
		({ plain, hostile, isAdmin }) => !isAdmin && hostile - plain > MAX_TIME,
	);
	const load = loadavg()[0]!.toFixed(1);
	console.log(
		`\nThe thread's time for one request, the median of 5 times 5, at a load of ${load}. Of what anybody can send, ${costly.length} cost more than ${MAX_TIME} ms.`,
	);
	if (costly.length > 0) process.exitCode = 1;
}
