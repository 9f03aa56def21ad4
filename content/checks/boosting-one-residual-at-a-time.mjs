// Other draws, noises and sizes: where rate times rounds is best, and what rate 1 costs.
import { claim, programs } from './article.mjs';

const source = programs().replace(/^for \(const rate of[^]*$/m, '');
const silent = { log() {} };
/** Returns the article's own functions for one seed, number of points and noise. */
const setting = (seed, points, noise) =>
	new Function('console', `${source
		.replace('generator(3)', `generator(${seed})`)
		.replace('draw(80)', `draw(${points})`)
		.replace('0.5 * normal()', `${noise} * normal()`)}
	return boost;`)(silent);

const RATES = [1, 0.3, 0.1, 0.03];
/** Returns for each rate the best number of rounds and the test error there. */
function best(boost) {
	return RATES.map((rate) => {
		let least = [0, Infinity];
		let round = 0;
		for (const [, error] of boost(rate)) {
			round++;
			if (error < least[1]) least = [round, error];
			if (round * rate > 60 || round === 1500) break;
		}
		return { product: rate * least[0], error: least[1] };
	});
}

const CASES = {
	'as in the text': [80, 0.5],
	'40 points': [40, 0.5],
	'160 points': [160, 0.5],
	'noise 0.25': [80, 0.25],
	'noise 1': [80, 1],
};
const spread = (values, digits = 1) =>
	`${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
console.log('               rate x rounds    largest product   largest error    loss of rate 1');
console.log('               at rate 0.1      over smallest     over smallest    against 0.1, %');
const all = [];
for (const [name, [points, noise]] of Object.entries(CASES)) {
	const draws = Array.from({ length: 6 }, (_, i) => best(setting(3 + i, points, noise)));
	const ratio = (field) =>
		draws.map((rates) => {
			const small = rates.slice(1).map((rate) => rate[field]);
			return Math.max(...small) / Math.min(...small);
		});
	const row = {
		products: draws.map((rates) => rates[2].product),
		ratios: ratio('product'),
		errors: ratio('error'),
		losses: draws.map(([one, , tenth]) => 100 * (one.error / tenth.error - 1)),
	};
	all.push(row);
	console.log(
		name.padEnd(15) +
			spread(row.products).padEnd(17) +
			spread(row.ratios, 2).padEnd(18) +
			spread(row.errors, 3).padEnd(17) +
			spread(row.losses),
	);
}

const first = (field) => all[0][field];
claim(
	'the error there is the same to within two percent',
	all.every(({ errors }) => Math.max(...errors) < 1.02),
);
claim('at rate 0.1 it ran from 11 to 29 in six draws of 80 points', spread(first('products'), 0) === '11 to 29');
claim(
	'in the other four rows the products of the three small rates agree within a factor of 1.3',
	Math.max(...all.filter((_, i) => i !== 1).flatMap(({ ratios }) => ratios)) < 1.315,
);
claim(
	'between 1% better and 5% worse',
	spread(first('losses'), 0) === '-1 to 5',
);
