// Other seeds, pools, kinds of work and costs of a batch for the curve of waiting.
import { claim, programs } from './article.mjs';

const source = programs().replace(/^for \([^]*?\n(?=\/\*\*|const|function|(?![^]))/gm, '');
/** Returns the article's own functions for one seed, and for a batch that costs other milliseconds. */
const seeded = (seed, fixed = 20, each = 2) =>
	new Function(`${source
		.replace('generator(1)', `generator(${seed})`)
		.replace('generator(2)', `generator(${seed})`)
		.replace('start + 20 + 2 *', `start + ${fixed} + ${each} *`)}
	return { simulate, batched };`)();
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
const numbers = (options, runs = seeds) =>
	runs.map((seed) => seeded(seed).simulate(options).map(Number));
const range = (values, digits = 1) =>
	`${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;

console.log('one server, 20 seeds: mean and 99% in service times');
console.log('load     mean            by theory   99%');
const curve = {};
for (const load of [0.5, 0.7, 0.8, 0.9, 0.95]) {
	const runs = numbers({ load });
	curve[load] = runs;
	console.log(
		`${load}`.padEnd(9) +
			range(runs.map(([mean]) => mean)).padEnd(16) +
			(1 / (1 - load)).toFixed(1).padEnd(12) +
			range(runs.map((run) => run[3])),
	);
}

console.log();
console.log('99%, mean of 20 seeds: by work and servers');
console.log('work              servers   60%     80%     85%     90%     95%   60 over 85');
const pools = {};
for (const service of ['fixed', 'exponential', 'short and long'])
	for (const servers of [1, 4, 8, 32]) {
		const cells = [0.6, 0.8, 0.85, 0.9, 0.95].map((load) => {
			const runs = numbers({ load, servers, service }, seeds.slice(0, 6));
			return runs.reduce((sum, run) => sum + run[3], 0) / runs.length;
		});
		pools[`${service} ${servers}`] = cells;
		console.log(
			service.padEnd(18) +
				`${servers}`.padEnd(8) +
				cells.map((cell) => cell.toFixed(1).padStart(6)).join('  ') +
				(cells[0] / cells[2]).toFixed(2).padStart(10),
		);
	}
const waits = (service) => numbers({ load: 0.8, service }).map(([mean]) => mean - 1);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const waiting = Object.fromEntries(['fixed', 'exponential', 'short and long'].map((s) => [s, waits(s)]));
console.log();
console.log('mean wait at 80% load over that of exponential work, 20 seeds');
const ratios = Object.fromEntries(Object.entries(waiting).map(([service, values]) => [service, values.map((v, i) => v / waiting.exponential[i])]));
for (const service of ['fixed', 'short and long'])
	console.log(service.padEnd(18) + range(ratios[service], 2) + ', mean ' + mean(ratios[service]).toFixed(2));

console.log();
console.log('eight replicas at 80%, exponential work, five seeds: mean and 99%');
/** Returns the mean and the 99th percentile of requests that a balancer deals to eight replicas. */
function dealt(how, seed, work = (uniform) => -Math.log(1 - uniform())) {
	const uniform = new Function(`${source}\nreturn generator;`)()(seed);
	const free = Array(8).fill(0);
	const open = free.map(() => []);
	const times = [];
	let now = 0;
	for (let i = 0; i < 60_000; i++) {
		now += -Math.log(1 - uniform()) / 6.4;
		for (const one of open) while (one[0] <= now) one.shift();
		const fewest = open.reduce((best, one, at) => (one.length < open[best].length ? at : best), 0);
		const to = { pool: () => free.indexOf(Math.min(...free)), 'in turn': () => i % 8, 'at random': () => Math.floor(8 * uniform()), 'fewest open': () => fewest }[how]();
		free[to] = Math.max(now, free[to]) + work(uniform);
		open[to].push(free[to]);
		times.push(free[to] - now);
	}
	times.sort((a, b) => a - b);
	return [times.reduce((sum, time) => sum + time, 0) / times.length, times[Math.floor(0.99 * times.length)]];
}
const deals = {};
for (const how of ['pool', 'fewest open', 'in turn', 'at random']) {
	const runs = seeds.slice(0, 5).map((seed) => dealt(how, seed));
	deals[how] = runs.map(([, high]) => high);
	console.log(how.padEnd(20) + range(runs.map(([mean]) => mean)).padEnd(16) + range(deals[how]));
}
console.log();
console.log('batches up to 32: median and 99% in ms, then what a window of 20 ms adds to each');
console.log('a batch costs       10% of capacity     50%                 80%');
const windows = {};
for (const [fixed, each] of [[20, 2], [5, 1], [50, 2], [2, 10]]) {
	const capacity = 32_000 / (fixed + 32 * each);
	const cells = [0.1, 0.5, 0.8].map((share) => {
		const { batched } = seeded(2, fixed, each);
		const read = (wait) => batched({ rate: share * capacity, most: 32, wait }).split(' / ').map(Number);
		const [plain, waited] = [read(0), read(20)];
		windows[`${fixed} ${share}`] = [plain, waited];
		const sign = (x) => (x < 0 ? '' : '+') + x;
		return `${plain[1]}/${plain[2]} ${sign(waited[1] - plain[1])}/${sign(waited[2] - plain[2])}`;
	});
	console.log(`${fixed} + ${each} n ms`.padEnd(20) + cells.map((cell) => cell.padEnd(20)).join('').trimEnd());
}

/** Share of requests answered within 25 service times near the end of a run that had an outage of 100. */
function comesBack(load, { retries = 3, budget = 1, refuse = false, seed }) {
	const uniform = new Function(`${source}\nreturn generator;`)()(seed);
	const drawn = () => -Math.log(1 - uniform());
	const [end, again] = [20_000 / load, []];
	let [next, head, free, sent, retried, good, all, down] = [drawn() / load, 0, 0, 0, 0, 0, 0, false];
	for (;;) {
		const retry = again[head]?.at <= next;
		const { at, left, first } = retry ? again[head++] : { at: next, left: retries, first: next };
		if (at > end) return good / all;
		if (!retry) {
			next += drawn() / load;
			all += at > 0.8 * end;
		}
		if (!down && at > 0.2 * end) [free, down] = [Math.max(free, at) + 100, true];
		if (retry && retried >= budget * sent) continue;
		sent++;
		retried += retry;
		const start = Math.max(at, free);
		if (!refuse || start <= at + 25) {
			free = start + drawn();
			if (free <= at + 25) {
				good += first > 0.8 * end;
				continue;
			}
		}
		if (left > 0) again.push({ at: at + 25, left: left - 1, first });
	}
}
const back = (load, options) => seeds.slice(0, 5).map((seed) => comesBack(load, { ...options, seed }));
claim(
	'with three retries, a simulated server at 30% load did not come back from an outage of four seconds',
	Math.max(...back(0.3, {})) < 0.05,
);
claim(
	'With it the server came back at up to 70% load, and at 90% it did not. Refusing what would be answered too late brought it back at up to 80%, with all three retries allowed.',
	[0.3, 0.5, 0.7].every((load) => Math.min(...back(load, { budget: 0.1 })) > 0.95) &&
		Math.max(...back(0.9, { budget: 0.1 })) < 0.5 &&
		[0.3, 0.5, 0.8].every((load) => Math.min(...back(load, { refuse: true })) > 0.95),
);
const timeAt = (load, c2) => 1 + (load / (1 - load)) * ((1 + c2) / 2);
claim(
	'with equal requests by 3.7, with the third kind below by 6',
	[0, 1, 2.25, 1e9].map((c2) => (timeAt(0.9, c2) / timeAt(0.5, c2)).toFixed(1)).join() === '3.7,5.0,6.0,9.0',
);
const answers = (0.1 * 2000 ** 2 + 0.9 * 100 ** 2) / (0.1 * 2000 + 0.9 * 100) ** 2 - 1;
claim('with one answer in ten of 2,000 tokens and the others of 100 by 6.7', (timeAt(0.9, answers) / timeAt(0.5, answers)).toFixed(1) === '6.7');
/** Returns the mean time at a load, of requests whose work depends on their place, with other work between them that is not interrupted. */
const between = (load, work, other = 0, runs = 5) =>
	mean(
		seeds.slice(0, runs).map((seed) => {
			const uniform = new Function(`${source}\nreturn generator;`)()(seed);
			const drawn = () => -Math.log(1 - uniform());
			let [now, free, sum] = [0, 0, 0];
			for (let i = 0; i < 100_000; i++) {
				now += drawn() / load;
				while (other > 0 && free < now) free += other * drawn();
				free = Math.max(now, free) + work(i) * drawn();
				sum += free - now;
			}
			return sum / 100_000;
		}),
	);
const stretch = (i) => (Math.floor(i / 400) % 2 ? 0.6 : 1.4);
claim(
	'With 400 requests of 1.4 times the mean work, then 400 of 0.6, and so on, it was nearly twenty',
	Math.abs(between(0.9, stretch) / between(0.5, stretch) - 19) < 1.5,
);
claim(
	'ten times as long as a request and run to their end, they took the mean of the others at 50% load from 2 to 12.',
	[0, 10].map((other) => Math.round(between(0.5, () => 1, other))).join() === '2,12',
);
const three = mean(seeds.map((seed) => Number(seeded(seed).simulate({ load: 0.85, servers: 3 })[3])));
claim('at 85%, with exponential work, the 99th percentile was 8 service times with four servers and 11 with three', Math.round(pools['exponential 4'][2]) === 8 && Math.round(three) === 11);
const eight = mean(seeds.slice(0, 5).map((seed) => Number(seeded(seed).simulate({ load: 0.9, servers: 8 })[0])));
claim('one server takes ten service times on average, five times as many as at 50%, and a pool of eight two', Math.round(eight) === 2 && timeAt(0.9, 1).toFixed(1) === '10.0');
const clumped = new Function(
	'console',
	`${source.replace(
		'() => (now += (-1000 * Math.log(1 - uniform())) / rate)',
		'(_, i) => (now += i % 6 === 0 ? (-6000 * Math.log(1 - uniform())) / rate : 2 / 6)',
	)}\nreturn batched;`,
)({ log() {} });
claim(
	'a window of 2 ms took the median from 51 ms to 33 at 20 requests a second, and from 62 to 58 at 200',
	[20, 200].flatMap((rate) => [0, 2].map((wait) => clumped({ rate, most: 32, wait }).split(' / ')[1])).join() === '51,33,62,58',
);
claim('its 99th percentile was 4.6 at 60% and 4.7 at 90%', pools['exponential 32'][0].toFixed(1) === '4.6' && pools['exponential 32'][3].toFixed(1) === '4.7');
const bursts = seeds.slice(0, 5).map((seed) => {
	const uniform = new Function(`${source}\nreturn generator;`)()(seed);
	let [now, free, sum] = [0, 0, 0];
	for (let i = 0; i < 120_000; i++) {
		if (i % 6 === 0) now -= (6 * Math.log(1 - uniform())) / 0.8;
		free = Math.max(now, free) - Math.log(1 - uniform());
		sum += free - now;
	}
	return sum / 120_000 / 5;
});
claim('Bursts of six, at the same average load, made the mean of one server 3.5 times as long', Math.abs(mean(bursts) - 3.5) < 0.25);
const high = curve[0.95].map(([mean]) => mean);
claim(
	'in twenty runs of that length it came out between 13 and 27, where theory says 20',
	range(high, 0) === '13 to 27',
);
claim(
	'between 1.4 and 2 times that of the exponential case in twenty runs',
	range(ratios['short and long']) === '1.5 to 1.9' || range(ratios['short and long'], 2) === '1.45 to 1.95',
);
claim(
	'with eight servers the lower target took a sixth to a half off the 99th percentile, with thirty-two a hundredth to a quarter',
	[8, 32].every((servers) => {
		const cut = ['fixed', 'exponential', 'short and long'].map((service) => {
			const [low, , high] = pools[`${service} ${servers}`];
			return 1 - low / high;
		});
		const [least, most] = servers === 8 ? [0.16, 0.5] : [0.005, 0.28];
		return Math.min(...cut) > least && Math.max(...cut) < most;
	}),
);
/** Returns the 99th percentile of 32 servers where the rate swings by a fifth around its mean, 200 service times up and 200 down. */
function swinging(load, work, seed) {
	const uniform = new Function(`${source}\nreturn generator;`)()(seed);
	const drawn = () => -Math.log(1 - uniform());
	const [free, times] = [Array(32).fill(0), []];
	for (let now = 0; times.length < 150_000; ) {
		now += drawn() / (load * 32 * (Math.floor(now / 200) % 2 ? 1.2 : 0.8));
		const next = free.indexOf(Math.min(...free));
		free[next] = Math.max(now, free[next]) + (work === 'fixed' ? 1 : drawn());
		times.push(free[next] - now);
	}
	return times.sort((a, b) => a - b)[148_500];
}
claim(
	'With a rate that swung by 20%, 200 service times up and 200 down, it took half off with thirty-two servers and exponential work, and seven eighths with fixed work.',
	['exponential', 'fixed'].every((work, i) => Math.abs(mean([1, 2, 3].map((seed) => 1 - swinging(0.6, work, seed) / swinging(0.85, work, seed))) - [0.5, 0.875][i]) < 0.05),
);
const added = (key, place) => windows[key][1][place] - windows[key][0][place];
claim(
	'of four simulated servers, by 2 ms at the median, and cost the others up to 28',
	added('20 0.8', 1) === 0 && added('50 0.1', 1) === -2 && added('2 0.8', 2) <= 28 && added('2 0.1', 2) === 28,
);
claim(
	'Where each request in a batch took 10 ms, the same window cost 20 to 28 ms at every load',
	[0.1, 0.5, 0.8].every((share) => [1, 2].every((place) => added(`2 ${share}`, place) >= 20 && added(`2 ${share}`, place) <= 28)),
);
claim('At 80% of capacity it cost nothing where the fixed part of a batch was 20 ms or more, and 5 to 7 ms where it was 5', added('20 0.8', 2) === 0 && added('50 0.8', 2) === 0 && added('5 0.8', 1) === 7 && added('5 0.8', 2) === 5);
claim('the 99th percentile is back at 22 to 28', range(deals['at random'], 0) === '22 to 28');
claim('Dealt in turn they arrive more evenly, and it is 12 to 16', deals['in turn'].every((high) => high > 11.5 && high < 16.5));
claim("the replica with the fewest open requests it is 6, close to the pool's 5", deals['fewest open'].every((high) => Math.round(high) === 6) && deals.pool.every((high) => Math.round(high) === 5));
const mixed = ['fewest open', 'pool'].map((how) => mean(seeds.slice(0, 5).map((seed) => dealt(how, seed, (uniform) => (uniform() < 0.1 ? 5.5 : 0.5))[1])));
claim("close to the pool's 5 (where work is short and long, 10 and 7)", mixed.map(Math.round).join() === '10,7');
