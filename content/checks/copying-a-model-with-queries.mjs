// Other secret models, numbers of inputs and sizes of weights.
import { claim, programs } from './article.mjs';

const source = programs();
/** Returns the article's own functions for another secret. */
const victim = (seed, inputs, size, bias = 0) =>
	new Function(
		'console',
		`${source
			.replace('generator(31)', `generator(${seed})`)
			.replace('const d = 20', `const d = ${inputs}`)
			.replace('length: d + 1 }, normal)', `length: d + 1 }, () => ${size} * normal())`)
			.replace('// the bias comes last', `secret[d] += ${bias};`)
			.replace('length: 5000', 'length: 1000')
			.replace(/for \(const (n|precision) of \[[^\]]*\]/g, 'for (const $1 of []')}
		
		/** Six digits again, from a point on the border and with small steps. */
		function middle() {
			let count = 0;
			const ask = (x) => (count++, rounded(6)(x));
			const [yes, no] = [applicants.find((x) => service(x) >= 0.5), applicants.find((x) => service(x) < 0.5)];
			let [low, high] = [0, 1];
			const at = (t) => yes.map((v, i) => v + t * (no[i] - v));
			for (let k = 0; k < 12; k++) ask(at((low + high) / 2)) >= 0.5 ? (low = (low + high) / 2) : (high = (low + high) / 2);
			const point = at(low);
			const base = logit(ask(point));
			const w = zero.map((_, i) => (logit(ask(point.with(i, point[i] + 0.05))) - base) / 0.05);
			asked = count;
			return [...w, base - w.reduce((sum, v, i) => sum + v * point[i], 0)];
		}
		const same = applicants.filter((x) => service(x) >= 0.5).length / applicants.length;
		/** A logistic regression on the rounded answers to random questions. */
		function fitted(n, digits) {
			const xs = Array.from({ length: n }, () => Array.from({ length: d }, normal));
			const ys = xs.map((x) => Number(service(x).toFixed(digits)));
			let w = Array(d + 1).fill(0);
			for (let step = 0; step < 400; step++) {
				const g = Array(d + 1).fill(0);
				xs.forEach((x, k) => {
					const miss = (logistic(linear(w, x)) - ys[k]) / n;
					x.forEach((value, i) => (g[i] += miss * value));
					g[d] += miss;
				});
				w = w.map((v, i) => v - 3 * g[i]);
			}
			return w;
		}
		return { same: Math.max(same, 1 - same), fitted, steal, rounded, agreement, stealLabels, learn, middle, asked: () => asked };`,
	)({ log() {} });
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const span = (values) => [Math.min(...values), median(values), Math.max(...values)].map((v) => v.toFixed(0).padStart(4)).join('');

console.log('same decisions, %: least, median and most of the secrets');
console.log('                       rounded to      bisection by labels     learned from');
console.log('inputs size secrets    1 digit        5 steps     16 steps    as many as 5');
const found = {};
for (const [inputs, size, secrets] of [[20, 1, 20], [5, 1, 20], [100, 1, 3], [20, 0.3, 10], [20, 3, 10], [20, 10, 10]]) {
	const rows = Array.from({ length: secrets }, (_, seed) => {
		const { steal, rounded, agreement, stealLabels, learn, asked, middle } = victim(seed + 1, inputs, size);
		const five = stealLabels(5);
		const queries = asked();
		return [steal(rounded(1)), five, stealLabels(16), learn(queries), steal(rounded(6)), steal(rounded(2)), stealLabels(8), middle()].map(
			(copy) => 100 * agreement(copy),
		);
	});
	const columns = (found[`${inputs} ${size}`] = rows[0].map((_, i) => rows.map((row) => row[i])));
	console.log(
		`${inputs}`.padStart(4) + `${size}`.padStart(6) + `${secrets}`.padStart(7) +
			columns.slice(0, 4).map((c) => span(c).padStart(14)).join(''),
	);
}

const steep = found['20 10'];
delete found['20 10'];
const all = Object.values(found);
const text = found['20 1'];
const within = (values, low, high) => Math.min(...values) >= low && Math.max(...values) <= high;
claim('For 63 other secrets six digits gave at least 99.8% of the decisions', all.every((columns) => within(columns[4], 99.8, 100)));
claim('For twenty of this kind two digits gave 98% to 100%', within(text[5], 97.5, 100));

claim('21 answers of six digits leave 81% to 98%', within(steep[4], 80.5, 98.5) && Math.min(...steep[4]) < 81.5);
claim('33 questions gave every decision again', within(steep[7], 100, 100));
claim('Eight steps gave 91% to 100%', within(text[6], 90.5, 100) && Math.min(...text[6]) < 91.5);
claim('and one digit 84% to 96%', within(text[0], 83.5, 96.5));
claim('five steps gave 82% to 100%, with a median that rounds to 100%', within(text[1], 81.5, 100) && median(text[1]) > 99.4);
claim('and sixteen at least 99% for all of them', all.every((columns) => within(columns[2], 98.95, 100)));
claim('as many random inputs reached 93% to 97%', within(text[3], 92.5, 97.5));

const lopsided = [-6, 6].flatMap((bias) =>
	Array.from({ length: 8 }, (_, seed) => {
		const { same, steal, rounded, agreement } = victim(seed + 1, 20, 1, bias);
		return [same, ...[2, 6].map((digits) => agreement(steal(rounded(digits))))].map((share) => 100 * share);
	}),
);
const [same, two, six] = [0, 1, 2].map((i) => lopsided.map((row) => row[i]));
claim(
	'they left 88% to 97%, where saying the same to everybody is right for 83% to 97%. Six digits gave every decision',
	within(two, 87.5, 97.5) && within(same, 82.5, 97.5) && within(six, 99.9, 100),
);
const coarse = Array.from({ length: 8 }, (_, seed) => {
	const { fitted, agreement } = victim(seed + 1, 20, 1);
	return 100 * agreement(fitted(300, 1));
});
claim('Fitted to 300 random questions, answers of one digit gave 99% again', within(coarse, 98.5, 100));
