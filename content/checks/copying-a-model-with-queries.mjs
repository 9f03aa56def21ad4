// Other secret models, numbers of inputs and sizes of weights.
import { claim, programs } from './article.mjs';

const source = programs();
/** Returns the article's own functions for another secret. */
const victim = (seed, inputs, size) =>
	new Function(
		'console',
		`${source
			.replace('generator(31)', `generator(${seed})`)
			.replace('const d = 20', `const d = ${inputs}`)
			.replace('length: d + 1 }, normal)', `length: d + 1 }, () => ${size} * normal())`)
			.replace('length: 5000', 'length: 1000')
			.replace(/for \(const (n|precision) of \[[^\]]*\]/g, 'for (const $1 of []')}
		return { steal, rounded, agreement, stealLabels, learn, asked: () => asked };`,
	)({ log() {} });
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const span = (values) => [Math.min(...values), median(values), Math.max(...values)].map((v) => v.toFixed(0).padStart(4)).join('');

console.log('same decisions, %: least, median and most of the secrets');
console.log('                       rounded to      bisection by labels     learned from');
console.log('inputs size secrets    1 digit        5 steps     16 steps    as many as 5');
const found = {};
for (const [inputs, size, secrets] of [[20, 1, 20], [5, 1, 20], [100, 1, 3], [20, 0.3, 10], [20, 3, 10]]) {
	const rows = Array.from({ length: secrets }, (_, seed) => {
		const { steal, rounded, agreement, stealLabels, learn, asked } = victim(seed + 1, inputs, size);
		const five = stealLabels(5);
		const queries = asked();
		return [steal(rounded(1)), five, stealLabels(16), learn(queries), steal(rounded(6)), steal(rounded(2))].map(
			(copy) => 100 * agreement(copy),
		);
	});
	const columns = (found[`${inputs} ${size}`] = rows[0].map((_, i) => rows.map((row) => row[i])));
	console.log(
		`${inputs}`.padStart(4) + `${size}`.padStart(6) + `${secrets}`.padStart(7) +
			columns.slice(0, 4).map((c) => span(c).padStart(14)).join(''),
	);
}

const all = Object.values(found);
const text = found['20 1'];
const within = (values, low, high) => Math.min(...values) >= low && Math.max(...values) <= high;
claim('For every one of 63 other secrets six digits gave all decisions', all.every((columns) => within(columns[4], 99.85, 100)));
claim('one digit 84% to 96% for secrets of this kind', within(text[0], 83.5, 96.5));
claim('five steps give 82% to 100%, with a median that rounds to 100%', within(text[1], 81.5, 100) && median(text[1]) > 99.4);
claim('sixteen steps give at least 99% for all of them', all.every((columns) => within(columns[2], 98.95, 100)));
claim('as many random inputs reach 93% to 97%', within(text[3], 92.5, 97.5));
