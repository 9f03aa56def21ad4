// Other shares of good answers, judges and numbers of labels for what a judge adds to labels by hand.
import { claim, programs } from './article.mjs';

const blocks = programs();
const source = blocks.slice(0, blocks.indexOf('for (const [sens, spec]')) + blocks.slice(blocks.indexOf('const logistic'), blocks.indexOf('for (const bias'));
/** Returns the article's own functions for one seed and true share of good answers. */
const seeded = (seed, share = 0.8, spread = 1.2) =>
	new Function(`${source.replace('generator(11)', `generator(${seed})`).replaceAll('chance(0.8)', `chance(${share})`).replace('1.2 * normal()', `${spread} * normal()`)}
	return { evaluate, duels, uniform, normal, logistic };`)();

console.log('width of the middle 95% over that of the labels alone, 2,000 judged');
console.log('share, labels   judge 0.90, 0.75      0.95, 0.90            0.98, 0.96');
console.log('                inv. diff. weighted   inv. diff. weighted   inv. diff. weighted');
const table = {};
const SEEDS = [3, 4, 5];
for (const share of [0.5, 0.8, 0.95])
	for (const labels of [50, 100, 400]) {
		const cells = [[0.9, 0.75], [0.95, 0.9], [0.98, 0.96]].map(([sens, spec]) => {
			const runs = SEEDS.flatMap((seed) => {
				const { evaluate } = seeded(seed, share);
				return Array.from({ length: 500 }, () => evaluate(2000, labels, sens, spec));
			});
			const width = (name) => {
				const found = runs.map((run) => run[name]).filter(Number.isFinite).sort((x, y) => x - y);
				return found[Math.floor(0.975 * found.length)] - found[Math.floor(0.025 * found.length)];
			};
			const columns = ['inverted', 'difference', 'weighted'].map((name) => width(name) / width('people'));
			table[`${share} ${labels} ${sens}`] = columns;
			return columns.map((one) => one.toFixed(2)).join(' ').padEnd(22);
		});
		console.log(`${share}, ${labels}`.padEnd(16) + cells.join('').trimEnd());
	}

console.log();
console.log('equal systems, first shown: wins, wins in both orders, verdicts that agree, %');
console.log('spread of answers   bias 0.5        1               2');
const duelled = {};
for (const spread of [0.3, 1.2, 4]) {
	const cells = [0.5, 1, 2].map((bias) => {
		const text = seeded(3, 0.8, spread).duels(0, bias);
		duelled[`${spread} ${bias}`] = text.match(/\d+/g).map(Number);
		return text.replaceAll('%', '').padEnd(16);
	});
	console.log(`${spread}`.padEnd(20) + cells.join('').trimEnd());
}

const rows = Object.entries(table);
const worth = (name, labels) => labels / table[name][2] ** 2;
const within = (value, low, high) => value > low && value < high;
claim(
	'at every share and number of labels in the grid, inverting with this judge is less precise than the labels alone',
	rows.every(([name, [inverted]]) => !name.endsWith(' 0.9') || inverted > 1),
);
claim(
	'where 95 answers of a hundred are good it is 40% to 70% less precise than the labels alone',
	rows.every(([name, [, difference]]) => !/^0.95 .* 0.9$/.test(name) || within(difference, 1.4, 1.7)),
);
claim('loses less than 3% anywhere in [the grid]', rows.every(([, [, , weighted]]) => weighted < 1.03));
claim(
	'turn 100 labels into about 150, and into about 120 where 95% are good',
	within(worth('0.8 100 0.9', 100), 140, 165) && within(worth('0.95 100 0.9', 100), 115, 125),
);
/** Returns what so many labels are worth with 2,000 verdicts, where the best weight is known. */
const exact = (share, labels, sens, spec) => {
	const rate = share * sens + (1 - share) * (1 - spec);
	const squared = (share * sens - share * rate) ** 2 / (share * (1 - share) * rate * (1 - rate));
	return labels / (1 - (squared * 2000) / (2000 + labels));
};
claim(
	'turns 100 labels into about 550 at this share of good answers, into 270 where 95% are good, and 400 labels into about 1,400',
	within(exact(0.8, 100, 0.98, 0.96), 535, 560) && within(exact(0.95, 100, 0.98, 0.96), 262, 280) && within(exact(0.8, 400, 0.98, 0.96), 1350, 1450) &&
		[['0.8 100 0.98', 100, exact(0.8, 100, 0.98, 0.96)], ['0.8 400 0.98', 400, exact(0.8, 400, 0.98, 0.96)]].every(([name, labels, value]) => Math.abs(worth(name, labels) / value - 1) < 0.12),
);
claim(
	'being first was worth 55% to 71% at this bias',
	duelled['4 1'][0] === 55 && duelled['0.3 1'][0] === 71,
);
const saved = (() => {
	const { uniform } = seeded(10);
	return Array.from({ length: 4000 }, () => {
		let [good, called, both] = [0, 0, 0];
		for (let i = 0; i < 100; i++) {
			const truth = uniform() < 0.8;
			const verdict = uniform() < (truth ? 0.9 : 0.25);
			good += truth / 100;
			called += verdict / 100;
			both += (truth && verdict) / 100;
		}
		return (100 * (both - good * called) ** 2) / (good * (1 - good) * called * (1 - called));
	}).sort((x, y) => x - y);
})();
claim(
	'with the judge of 0.90 and 0.75, where 38% are saved, 95% of the hundreds said 15% to 65%',
	Math.abs(saved[100] - 15) < 2.5 && Math.abs(saved[3900] - 65) < 2.5 && Math.round((100 * 0.104 ** 2) / (0.16 * 0.77 * 0.23)) === 38,
);
claim('verdicts all alike: 0', Number.isFinite(seeded(1).evaluate(2000, 1, 1, 1).weighted));
claim('make a hundred labels worth about 150 where 80 of a hundred answers are good', Math.abs(exact(0.8, 100, 0.9, 0.75) - 155) < 3);
claim('Between equal systems averaging over both orders came to within a point of 50%', Object.values(duelled).every(([, both]) => Math.abs(both - 50) <= 1));
const leads = [0, 2, 4].map((bias) => [3, 4, 5].map((seed) => Number(seeded(seed).duels(0.3, bias, 60_000).match(/\d+/g)[1]) - 50));
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
claim('the 8 points are 6 at a bias of 2, and 3 at 4', leads.map((values) => Math.round(mean(values))).join() === '8,6,3');

/** Returns the variances of the share of wins of equal systems from 200 calls, in both orders and in a random one, times 200. */
const variances = (bias, spread) => {
	const { uniform, normal, logistic } = seeded(6);
	const wins = (gap) => (uniform() < logistic(2 * gap + bias) ? 1 : 0);
	const [both, random] = [[], []];
	for (let round = 0; round < 1500; round++) {
		let [pairs, calls] = [0, 0];
		for (let i = 0; i < 100; i++) {
			const gap = spread * normal();
			pairs += (wins(gap) + 1 - wins(-gap)) / 200;
		}
		for (let i = 0; i < 200; i++) {
			const gap = spread * normal();
			calls += (uniform() < 0.5 ? wins(gap) : 1 - wins(-gap)) / 200;
		}
		both.push((pairs - 0.5) ** 2 * 200);
		random.push((calls - 0.5) ** 2 * 200);
	}
	return [mean(both), mean(random)];
};
claim(
	'twice as many pairs have a variance of $1/4$ against $a/2$, with $a$ for the share that agrees',
	[['1.2 0.5', 0.5, 1.2], ['1.2 1', 1, 1.2], ['0.3 2', 2, 0.3]].every(([name, bias, spread]) => {
		const [both, random] = variances(bias, spread);
		const agree = duelled[name][2] / 100;
		return Math.abs(both / (agree / 2) - 1) < 0.12 && Math.abs(random / 0.25 - 1) < 0.12;
	}),
);
const monthly = seeded(9).uniform;
let shown = 0;
for (let run = 0; run < 4000; run++) {
	const agreed = [[100, 0.87], [50, 0.72]].map(([n, rate]) => Array.from({ length: n }, () => monthly() < rate).filter(Boolean).length);
	const pooled = (agreed[0] + agreed[1]) / 150;
	shown += (agreed[0] / 100 - agreed[1] / 50) / Math.sqrt(pooled * (1 - pooled) * (1 / 100 + 1 / 50)) > 1.645;
}
claim('from 87% to 72% in some seven months of ten', Math.abs(shown / 4000 - 0.72) < 0.05);
