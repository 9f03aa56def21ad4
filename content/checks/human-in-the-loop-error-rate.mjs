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

const at = (e) => Object.values(share).map((row) => row[[0.2, 0.05, 0.01, 0.001].indexOf(e)]);
claim('With other curves of attention the break-even lies between 0.5% and 1.0%', Object.values(border).every((row) => row[1] > 0.5 && row[1] < 1));
claim('a reviewer who spoils 2% does harm below 2.1% to 3.0%', Object.values(border).every((row) => row[2] > 2.05 && row[2] < 3.05));
claim('Even a reviewer who always catches 93% made 88% of what remains wrong at 1%', Math.round(share['no effect: 93%'][2]) === 88);
claim('The rarer the errors, the more of them the reviewer made', Object.values(share).every((row) => row.every((v, i) => i === 0 || v > row[i - 1])) && Math.min(...at(0.001)) > 80);
