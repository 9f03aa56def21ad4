// Other kinds of errors at the same accuracy, and errors that two labelers share.
import { claim, programs } from './article.mjs';

const { kappa } = new Function('console', `${programs()}\nreturn { kappa };`)({ log() {} });

/** Kappa, trust in a yes, and that of a majority of three, for labelers that miss and invent this often and share part of it. */
function labelers(p, miss, invent, shared = 0) {
	// With the chance `shared`, all labelers repeat one label; otherwise each errs for itself.
	const pair = (e) => shared * (1 - e) + (1 - shared) * (1 - e) ** 2;
	const wrongPair = (e) => shared * e + (1 - shared) * e ** 2;
	const both = p * pair(miss) + (1 - p) * wrongPair(invent);
	const neither = p * wrongPair(miss) + (1 - p) * pair(invent);
	const half = (1 - both - neither) / 2;
	const three = (e) => shared * e + (1 - shared) * (e ** 3 + 3 * e ** 2 * (1 - e));
	const trust = (m, i) => (p * (1 - m)) / (p * (1 - m) + (1 - p) * i);
	return [kappa(both, half, half, neither).kappa, trust(miss, invent), trust(three(miss), three(invent))];
}
const PREVALENCES = [0.5, 0.05, 0.02];
console.log('kappa, right when "yes", and the same for a majority of three; by share of yes');
console.log('each labeler              ' + PREVALENCES.map((p) => `${100 * p}%`.padStart(15)).join(''));
const table = {};
for (const [name, errors] of Object.entries({
	'errs on 5% of all': () => [0.05, 0.05],
	'right on 95%, only invents': (p) => [0, 0.05 / (1 - p)],
	'misses 20%, invents 1%': () => [0.2, 0.01],
	'misses 5%, invents 0.5%': () => [0.05, 0.005],
	'errs on 5%, half shared': () => [0.05, 0.05, 0.5],
	'errs on 5%, all shared': () => [0.05, 0.05, 1],
})) {
	table[name] = PREVALENCES.map((p) => labelers(p, ...errors(p)));
	console.log(name.padEnd(27) + table[name].map((row) => row.map((v) => (Number.isNaN(v) ? '-' : v.toFixed(2))).join(' ').padStart(15)).join(''));
}

const cell = (name, p) => table[name][PREVALENCES.indexOf(p)];
claim('Labelers who miss 5% and invent 0.5% go from 0.89 to 0.75', cell('misses 5%, invents 0.5%', 0.5)[0].toFixed(2) === '0.89' && cell('misses 5%, invents 0.5%', 0.02)[0].toFixed(2) === '0.75');
claim('those who are right on 95% because they only invent go from 0.82 to 0.27', cell('right on 95%, only invents', 0.5)[0].toFixed(2) === '0.82' && cell('right on 95%, only invents', 0.02)[0].toFixed(2) === '0.27');
claim('If half of the errors are shared, kappa at 5% is 0.72 instead of 0.45, and the trust in a majority 0.64 instead of 0.88', ['errs on 5%, half shared', 'errs on 5% of all'].map((n) => [0, 2].map((i) => cell(n, 0.05)[i].toFixed(2)).join()).join(' ') === '0.72,0.64 0.45,0.88');

/** Share of items with five votes of 4 to 1 and of 3 to 2, where a share of the items is a coin toss and the others are mislabeled this often. */
const votes = (hard, e) => {
	const split = (p, k, ways) => ways * (p ** k * (1 - p) ** (5 - k) + p ** (5 - k) * (1 - p) ** k);
	return [[1, 5], [2, 10]].map(([k, ways]) => (1 - hard) * split(e, k, ways) + hard * split(0.5, k, ways));
};
claim('Slips of 5% give a vote of 3 to 2 on two items in a hundred, a tenth of hard items on seven', [votes(0, 0.05), votes(0.1, 0.02)].map(([, three]) => Math.round(100 * three)).join() === '2,7');
claim('slips of 10% on eight', Math.round(100 * votes(0, 0.1)[1]) === 8);

/** Items of a thousand that only the first and only the second labeler calls yes, where they err this often. */
const split = (p, one, other) => [[one, other], [other, one]].map(([mine, theirs]) => Math.round(1000 * (p * (1 - mine) * theirs + (1 - p) * mine * (1 - theirs))));
claim('at 2%, a labeler who errs on 8% and one who errs on 3% by 77 against 29', split(0.02, 0.08, 0.03).join() === '77,29' && split(0.5, 0.08, 0.03).join() === '53,53');
claim('At even classes, one who overlooks 20% and one who overlooks 5% differ by 95 against 20 in 1,000 items', [[0.2, 0.05], [0.05, 0.2]].map(([missed, other]) => Math.round(1000 * 0.5 * missed * (1 - other))).join() === '95,20');
claim('a model that knows the truth scores 90.2%, and one that learned to be misled 96.2%', [0.2, 0.8].map((right) => (0.9 * 0.98 + 0.1 * right).toFixed(3)).join() === '0.902,0.962');
const [found, invented] = [0.95 * (1 - 0.05 ** 2), 0.05 * (1 - 0.95 ** 2)];
claim('At 5% prevalence that is 1.2 labels an item instead of three, with a trust of 0.91 in a *yes*', (1 + 2 * (0.05 * 0.95 + 0.95 * 0.05)).toFixed(1) === '1.2' && ((0.05 * found) / (0.05 * found + 0.95 * invented)).toFixed(2) === '0.91');

/** Share of samples whose bootstrapped 95% interval holds the true kappa, for labelers who err on 5%. */
function covered(p, size) {
	const { kappa, generator } = new Function('console', `${programs()}\nreturn { kappa, generator };`)({ log() {} });
	const uniform = generator(5);
	const draw = (chances) => {
		const counts = [0, 0, 0, 0];
		for (let i = 0; i < size; i++) {
			let [left, cell] = [uniform() - chances[0], 0];
			while (left > 0 && cell < 3) left -= chances[++cell];
			counts[cell]++;
		}
		return counts;
	};
	const [both, split] = [p * 0.95 ** 2 + (1 - p) * 0.05 ** 2, 0.05 * 0.95];
	const chances = [both, split, split, 1 - both - 2 * split];
	const truth = kappa(...chances).kappa;
	let held = 0;
	for (let i = 0; i < 200; i++) {
		const counts = draw(chances).map((count) => count / size);
		const found = Array.from({ length: 200 }, () => kappa(...draw(counts)).kappa || 0).sort((a, b) => a - b);
		held += found[5] <= truth && truth <= found[194];
	}
	return held / 200;
}
const [rare, usual] = [covered(0.02, 100), covered(0.1, 100)];
claim('Where 2% of the items were *yes*, its 95% interval held in some 85% of samples of 100', Math.abs(rare - 0.85) < 0.04 && usual > 0.9);
