// Other prices, seeds and sizes: what repeated answers give away, and how far off a private average is.
import { claim, programs } from './article.mjs';

const source = programs().replace(/^(for|const salaries)\b[^]*?(?=^(?:function|class)\b|(?![^]))/gm, '');
/** Returns the article's own noise and ledger, seeded. */
const seeded = (seed) =>
	new Function(`${source.replace('generator(8)', `generator(${seed})`)}
	return { laplace, Ledger, uniform };`)();
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

console.log('count recovered from answers at this price, %, least and most of 20 seeds');
console.log('price      1 answer   10         100        1,000');
const recovered = {};
for (const price of [0.1, 0.25, 0.5, 1]) {
	const cells = [1, 10, 100, 1000].map((answers) => {
		const shares = seeds.map((seed) => {
			const { laplace } = seeded(seed);
			let exact = 0;
			for (let trial = 0; trial < 200; trial++) {
				let sum = 0;
				for (let i = 0; i < answers; i++) sum += laplace(1 / price);
				if (Math.round(sum / answers) === 0) exact++;
			}
			return exact / 2;
		});
		recovered[`${price} ${answers}`] = shares;
		return `${Math.min(...shares).toFixed(0)} to ${Math.max(...shares).toFixed(0)}`;
	});
	console.log(`${price}`.padEnd(11) + cells.map((cell) => cell.padEnd(11)).join('').trimEnd());
}

console.log();
console.log('private average of pay, error in dollars: median and 95% below, of 400 seeds');
console.log('people     price 0.5        1                2');
const off = {};
for (const size of [12, 120, 1200, 12_000]) {
	const cells = [0.5, 1, 2].map((price) => {
		const errors = Array.from({ length: 400 }, (_, seed) => {
			const { Ledger, uniform } = seeded(seed + 1);
			const rows = Array.from({ length: size }, () => ({ pay: 40_000 + 60_000 * uniform() ** 2 }));
			const ledger = new Ledger(rows, price);
			const people = ledger.count(() => true, 0.2 * price);
			const total = ledger.sum(({ pay }) => pay, [0, 120_000], 0.8 * price);
			return Math.abs(total / people - rows.reduce((sum, { pay }) => sum + pay, 0) / size);
		}).sort((a, b) => a - b);
		off[`${size} ${price}`] = [errors[200], errors[380]];
		return [errors[200], errors[380]].map((error) => Math.round(error).toLocaleString('en-US')).join(' ');
	});
	console.log(`${size}`.padEnd(11) + cells.map((cell) => cell.padEnd(17)).join('').trimEnd());
}

const range = (key) => [Math.min(...recovered[key]), Math.max(...recovered[key])];
claim(
	'A hundred answers at 0.5 each recover the count nine times out of ten',
	range('0.5 100')[0] >= 88 && range('0.5 100')[1] <= 98,
);
claim(
	'a hundred at 0.1 do so three times out of ten and a thousand three times out of four',
	range('0.1 100')[0] >= 23 && range('0.1 100')[1] <= 37 && range('0.1 1000')[0] >= 66 && range('0.1 1000')[1] <= 80,
);
claim(
	'off by about 216 dollars at the median and by less than 830 in 19 cases of 20',
	Math.round(off['1200 1'][0]) === 216 && off['1200 1'][1] < 830 && off['1200 1'][1] > 780,
);
claim(
	'The ledger buys the number of people as well, and then the average is off by 21,000 at the median',
	Math.round(off['12 1'][0] / 1000) === 21,
);
const { laplace: noise } = seeded(8);
const middles = Array.from({ length: 10_000 }, () => {
	const answers = Array.from({ length: 100 }, () => noise(2)).sort((a, b) => a - b);
	return Math.round((answers[49] + answers[50]) / 2) === 0;
});
claim(
	'The median, which is closer with this noise, recovered the count from a hundred at 0.5 in 98% of the runs',
	Math.round(middles.filter(Boolean).length / 100) === 98,
);
/** Buys an average as the distance from the middle of the range. */
const centered = (Ledger, pay) => {
	const ledger = new Ledger(pay, 1);
	const people = ledger.count(() => true, 0.2);
	return 60_000 + ledger.sum((value) => value - 60_000, [-60_000, 60_000], 0.8) / people;
};
const median = (runs, one) => Array.from({ length: runs }, (_, seed) => one(seeded(seed + 1))).sort((a, b) => a - b)[runs / 2];
const better = [1200, 12].map((size) =>
	median(400, ({ Ledger, uniform }) => {
		const pay = Array.from({ length: size }, () => 40_000 + 60_000 * uniform() ** 2);
		return Math.abs(centered(Ledger, pay) - pay.reduce((sum, value) => sum + value, 0) / size);
	}),
);
const lower = median(400, ({ Ledger, uniform }) => {
	const pay = Array.from({ length: 1200 }, () => 30_000 + 45_000 * uniform() ** 2);
	return Math.abs(centered(Ledger, pay) - pay.reduce((sum, value) => sum + value, 0) / pay.length);
});
claim('Where people earn 45,000 on average, it leaves about 70 in the company', Math.abs(lower - 70) < 5);
claim(
	'At a price of 1 its counts are off by 0.7 at the median',
	median(2000, ({ laplace }) => Math.abs(laplace(1))).toFixed(1) === '0.7',
);
const attacked = median(2000, ({ Ledger }) => {
	const rest = Array(11).fill(70_000);
	return Math.abs(12 * centered(Ledger, [...rest, 85_000]) - 11 * centered(Ledger, rest) - 85_000);
});
claim(
	'The same price then leaves 45 dollars in the company and 4,400 in the department, and the attack still misses by 126,000',
	Math.round(better[0]) === 45 && Math.round(better[1] / 100) === 44 && Math.round(attacked / 1000) === 126,
);
const local = (people) => 100 * Math.sqrt((Math.E / (1 + Math.E) ** 2) / people) / ((2 * Math.E) / (1 + Math.E) - 1);
claim('the local error is 0.1 points for a million devices, and 10 for a hundred employees', local(1e6).toFixed(1) === '0.1' && Math.round(local(100)) === 10);
claim('twelve people who share one secret at a price of 0.5 have 403 for a factor', Math.round(Math.exp(12 * 0.5)) === 403);
const copied = [];
const open = new (seeded(1).Ledger)([{ pay: 1 }, {}], 1);
open.count((row) => copied.push(row), 0.01);
claim(
	"It hands each row to the analyst's function, which may copy it, and one missing value turns a sum into NaN",
	copied.length === 2 && Number.isNaN(open.sum(({ pay }) => pay, [0, 10], 0.1)),
);
const missed = Array.from({ length: 2000 }, (_, seed) => {
	const { Ledger } = seeded(seed + 1);
	const average = (pay) => {
		const ledger = new Ledger(pay.map((value) => ({ pay: value })), 1);
		const people = ledger.count(() => true, 0.2);
		return ledger.sum((row) => row.pay, [0, 120_000], 0.8) / people;
	};
	const rest = Array(11).fill(70_000);
	return Math.abs(12 * average([...rest, 85_000]) - 11 * average(rest) - 85_000);
}).sort((a, b) => a - b)[1000];
claim(
	'The differencing attack on two such averages then misses her salary by some \\$450,000 at the median',
	missed > 425_000 && missed < 475_000,
);
claim(
	'From 120 people to 12,000 the error of the ledger\'s average became 75 to 95 times smaller',
	[0.5, 1, 2].every((price) => {
		const ratio = off[`120 ${price}`][0] / off[`12000 ${price}`][0];
		return ratio > 75 && ratio < 95;
	}),
);
