// Other reviewers, curves of attention and rates of spoiling.
import { claim, programs } from './article.mjs';

const { after, catchRate } = new Function('console', `${programs()}\nreturn { after, catchRate };`)({ log() {} });
const logit = (p) => Math.log(p / (1 - p));
const logistic = (z) => 1 / (1 + Math.exp(-z));
/** Returns the catch rate through 93% at one half and another rate at one in a hundred. */
const through = (rare) => {
	const slope = (logit(0.93) - logit(rare)) / (logit(0.5) - logit(0.01));
	return (e) => logistic(logit(0.93) + slope * (logit(e) - logit(0.5)));
};
const CURVES = {
	'as in the text': catchRate,
	'no effect: 93%': () => 0.93,
	'50% at one in 100': through(0.5),
	'85% at one in 100': through(0.85),
	'70% down to 1%, then flat': (e) => catchRate(Math.max(e, 0.01)),
};
const SPOILED = [0.001, 0.005, 0.02];

/** The rate of errors of the model below which review makes more than it removes. */
function breakEven(caught, f) {
	let [low, high] = [1e-7, 0.5];
	for (let i = 0; i < 80; i++) {
		const middle = Math.sqrt(low * high);
		if (after(middle, caught(middle), f) < middle) high = middle;
		else low = middle;
	}
	return high;
}
console.log('error of the model below which review makes things worse, %');
console.log('good decisions spoiled           ' + SPOILED.map((f) => `${100 * f}%`.padStart(9)).join(''));
const border = {};
for (const [name, curve] of Object.entries(CURVES)) {
	border[name] = SPOILED.map((f) => 100 * breakEven(curve, f));
	console.log(name.padEnd(33) + border[name].map((v) => v.toFixed(2).padStart(9)).join(''));
}
console.log('\nshare of the remaining errors that the reviewer made, %, at 0.5% spoiled');
console.log('model wrong                      ' + [0.2, 0.05, 0.01, 0.001].map((e) => `${100 * e}%`.padStart(9)).join(''));
const share = {};
for (const [name, curve] of Object.entries(CURVES)) {
	share[name] = [0.2, 0.05, 0.01, 0.001].map((e) => (100 * (1 - e) * 0.005) / after(e, curve(e), 0.005));
	console.log(name.padEnd(33) + share[name].map((v) => v.toFixed(0).padStart(9)).join(''));
}

/** Returns the standard normal distribution function, by its series. */
function normal(z) {
	let term = z;
	let sum = z;
	for (let i = 1; i < 200; i++) sum += term *= -(z * z * (2 * i - 1)) / (2 * i * (2 * i + 1));
	return 0.5 + sum / Math.sqrt(2 * Math.PI);
}
/** Returns the value at which an increasing function is this large. */
function inverse(f, aim, low, high) {
	for (let i = 0; i < 80; i++) {
		const middle = (low + high) / 2;
		if (f(middle) < aim) low = middle;
		else high = middle;
	}
	return low;
}
const quantile = (p) => inverse(normal, p, -6, 6);
console.log('\na shift of criterion: good decisions spoiled, %, and share the reviewer made, %');
console.log('model wrong                      20%       5%       1%     0.1%   harm below, %');
const shifts = {};
for (const [spoiled, where] of [[0.005, 0.5], [0.005, 0.1], [0.005, 0.01], [0.02, 0.01]]) {
	const apart = quantile(catchRate(where)) - quantile(spoiled);
	const spoils = (e) => normal(quantile(catchRate(e)) - apart);
	const rates = [0.2, 0.05, 0.01, 0.001];
	const harm = (e) => after(e, catchRate(e), spoils(e)) - e;
	const below = 100 * Math.exp(inverse((x) => -harm(Math.exp(x)), 0, Math.log(1e-5), Math.log(0.4)));
	const shares = rates.map((e) => (100 * (1 - e) * spoils(e)) / after(e, catchRate(e), spoils(e)));
	shifts[`${spoiled} ${where}`] = { spoils, below, shares };
	const cells = rates.map((e, i) => `${(100 * spoils(e)).toFixed(2)} ${shares[i].toFixed(0).padStart(2)}`.padStart(9));
	console.log(`${100 * spoiled}% spoiled at ${100 * where}%`.padEnd(27) + cells.join('') + (below < 0.002 ? 'never' : below.toFixed(2)).padStart(13));
}

const at = (e) => Object.values(share).map((row) => row[[0.2, 0.05, 0.01, 0.001].indexOf(e)]);
claim('With other curves of attention ([the table](#what-was-varied)) the break-even lies between 0.5% and 1.0%', Object.values(border).every((row) => row[1] > 0.5 && row[1] < 1));
claim('A reviewer who spoils 2% does harm below 2.1% to 3.0%', Object.values(border).every((row) => row[2] > 2.05 && row[2] < 3.05));
claim('Even a reviewer who always catches 93% made 88% of what remains wrong at 1%', Math.round(share['no effect: 93%'][2]) === 88);
claim('the rarer the errors, the more of them the reviewer made, under each of the curves', Object.values(share).every((row) => row.every((v, i) => i === 0 || v > row[i - 1])) && Math.min(...at(0.001)) > 80);
claim('One who spoils 0.5% where half of the answers are wrong spoils 0.02% at an error of 1%', (100 * shifts['0.005 0.5'].spoils(0.01)).toFixed(2) === '0.02' && shifts['0.005 0.5'].below < 0.002);
claim('One who still spoils 0.5% at 1% does harm below 0.46%, and one who spoils 2% there, below 5.5%', shifts['0.005 0.01'].below.toFixed(2) === '0.46' && shifts['0.02 0.01'].below.toFixed(1) === '5.5');

/** Returns the share of wrong decisions without and with a known error for every fifty cases, for a reviewer whose criterion shifts. */
const seeded = ({ spoils }, e) => [e, (e + 0.02) / 1.02].map((seen) => e * (1 - catchRate(seen)) + (1 - e) * spoils(seen));
const ends = Object.values(shifts).map((shift) => seeded(shift, 0.01));
claim(
	'At an error of 1% the four reviewers [below](#what-was-varied) catch 78% instead of 70% with such seeds, and three of them end up with more wrong decisions than without, one of them with more than no review leaves',
	Math.round(100 * catchRate(0.03 / 1.02)) === 78 && ends.filter(([without, now]) => now > without).length === 3 && ends.filter(([without, now]) => without < 0.01 && now > 0.01).length === 1,
);
claim(
	'given that tenth alone, leaves 0.9% where reviewing everything made 2.3%',
	(10 * after(0.04, 0.7, 0.02) + 100 * 0.01 * 0.6).toFixed(1) === '0.9' && (100 * after(0.01, 0.7, 0.02)).toFixed(1) === '2.3',
);
const third = (e, held, spoiled) => e * (1 - 0.9 * held) + (1 / 3 - e * held) * spoiled;
const every = (e, spoiled) => e * (1 - 0.3) + (1 - e) * spoiled;
const grid = [0.001, 0.01, 0.05, 0.2].flatMap((e) => [0, 0.002, 0.02, 0.1].map((f) => [e, f]));
claim(
	'is better as soon as that third holds more than a third of the errors, if the longer look spoils no larger share of the good decisions',
	grid.every(([e, f]) => third(e, 0.34, f) < every(e, f)) && third(0.05, 0.4, 0.05) > every(0.05, 0.01),
);
const better = (held, e, f) => e * (1 - 0.9 * held) + (1 / 3 - e * held) * f < e * (1 - 0.6) + (1 - e) * f;
claim(
	'two thirds of them are enough, and fewer where looks spoil good decisions',
	grid.every(([e, f]) => better(0.667, e, f)) && better(0.5, 0.05, 0.02) && !better(0.5, 0.05, 0),
);
claim(
	'review helps at every error rate down to one in 50,000',
	Array.from({ length: 40 }, (_, i) => 0.00002 * 1.28 ** i).every((e) => after(e, catchRate(e), shifts['0.005 0.5'].spoils(e)) < e),
);
