// Other prices, sizes of the documents, hit rates and numbers of questions.
import { claim, programs } from './article.mjs';

const { advice } = new Function('console', `${programs()}\nreturn { advice };`)({ log() {} });
/** Returns dollars a question for the three ways, at prices relative to a dollar per million of input. */
const ways = ({ manual, cached = 0.1, write = 1.25, output = 4, shown = 3000, hits = 1, said = 300 }) => {
	const end = 200 + said * output;
	return {
		all: (manual + end) / 1e6,
		cached: (manual * (hits * cached + (1 - hits) * write) + end) / 1e6,
		retrieval: (shown + end) / 1e6,
	};
};

console.log('times what retrieval costs, and questions a month that pay $2,000');
console.log('                       all in context    cached      all in context     cached');
const CASES = {
	'as in the text': {},
	'cached at a quarter': { cached: 0.25 },
	'cached at half': { cached: 0.5 },
	'hit rate 90%': { hits: 0.9 },
	'10,000 shown': { shown: 10_000 },
	'3,000 tokens said': { said: 3000 },
	'manual of 20,000': { manual: 20_000 },
	'manual of 500,000': { manual: 500_000 },
};
const table = {};
for (const [name, change] of Object.entries(CASES)) {
	const { all, cached, retrieval } = ways({ manual: 120_000, ...change });
	const pays = [all, cached].map((way) => 2000 / (way - retrieval));
	table[name] = { ratios: [all / retrieval, cached / retrieval], pays };
	console.log(
		name.padEnd(23) +
			table[name].ratios.map((r) => r.toFixed(1).padStart(12)).join('') +
			pays.map((n) => (n > 0 ? (1000 * Math.round(n / 1000)).toLocaleString('en-US') : 'never').padStart(16)).join(''),
	);
}

let state = 5;
const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
/** Returns shares of right answers to n questions, which are as hard for all ways or independently hard for each. */
const sample = (rates, n, isSame) => {
	const hits = Object.fromEntries(Object.keys(rates).map((name) => [name, 0]));
	for (let i = 0; i < n; i++) {
		const same = uniform();
		for (const [name, p] of Object.entries(rates)) hits[name] += (isSame ? same : uniform()) < p;
	}
	return Object.fromEntries(Object.entries(hits).map(([name, count]) => [name, count / n]));
};
console.log('\nof 2,000 samples of the true shares, % with the advice of the true shares');
console.log('                                     independent            the same hard');
console.log('closed oracle  all  retrieval    n = 50  200  1,000     n = 50  200  1,000');
const right = [];
const same = [];
for (const rates of [
	{ closed: 0.3, oracle: 0.92, everything: 0.9, retrieval: 0.82 },
	{ closed: 0.3, oracle: 0.92, everything: 0.8, retrieval: 0.74 },
	{ closed: 0.3, oracle: 0.68, everything: 0.6, retrieval: 0.62 },
	{ closed: 0.3, oracle: 0.92, everything: 0.8, retrieval: 0.9 },
]) {
	const kind = (shares) => advice(shares).slice(0, 12);
	const [row, joint] = [false, true].map((isSame) =>
		[50, 200, 1000].map(
			(n) => (100 * Array.from({ length: 2000 }, () => kind(sample(rates, n, isSame)) === kind(rates)).filter(Boolean).length) / 2000,
		),
	);
	right.push(row);
	same.push(joint);
	const cells = ([a, b, c]) => a.toFixed(0).padStart(10) + b.toFixed(0).padStart(5) + c.toFixed(0).padStart(7);
	console.log(Object.values(rates).map((v) => v.toFixed(2).padStart(6)).join(' ') + cells(row) + cells(joint));
}

claim('With prices, hit rates and sizes changed one at a time, the first factor runs from 5 to 114 and the second from 0.8 to 14', Object.values(table).every(({ ratios: [a, b] }) => a > 4.5 && a < 114.5 && b > 0.75 && b < 14.05));
claim('a cached manual of 20,000 tokens is cheaper than retrieval of 3,000', table['manual of 20,000'].ratios[1] < 1);
claim('With 50 questions the function gave the advice of the true shares in 64% of the samples where a way was three points from a margin, with 200 in 85%', [0, 3].every((i) => Math.abs(right[i][0] - 64) < 3 && Math.abs(right[i][1] - 85) < 3));
claim('50 gave the right advice nine times in ten at three points', [0, 3].every((i) => Math.abs(same[i][0] - 90) < 5));
const near = { closed: 0.3, oracle: 0.92, everything: 0.88, retrieval: 0.82 };
const given = (n, isSame) => Array.from({ length: 2000 }, () => advice(sample(near, n, isSame)) === advice(near)).filter(Boolean).length / 2000;
claim('At one point, 200 give it in 61%', Math.abs(given(200, false) - 0.61) < 0.03);
claim('and two times in three at one', Math.abs(given(50, true) - 0.66) < 0.04);
const worth = (1.25 - 1) / (1.25 - 0.1);
claim('Below a hit rate of 22% the cached manual costs more than the uncached one.', Math.round(100 * worth) === 22);
claim('at ten minutes on average, 39% do, and paying for writes is worth it down to one in about 20 minutes', Math.round(100 * (1 - Math.exp(-5 / 10))) === 39 && Math.round(-5 / Math.log(1 - worth)) === 20);
claim('costs up to five times what retrieving 3,000 does', ways({ manual: 120_000, shown: 20_000 }).retrieval / ways({ manual: 120_000 }).retrieval < 5);
