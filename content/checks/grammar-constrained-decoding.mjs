// Other scores of the model and limits for the mask, and other lengths and differences for its bias.
import { readFileSync } from 'node:fs';
import { claim, programs } from './article.mjs';

const { allowed, within, vocabulary, END, accepting, texts } = new Function(
	'console',
	`${programs()}\nreturn { allowed, within, vocabulary, END, accepting, texts };`,
)({ log() {} });
let state = 3;
const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;

/** The chance of a complete text within a limit, exactly, for a model with these scores under a choice of tokens. */
function complete(weights, limit, choices) {
	let now = new Map([[0, 1]]);
	let done = 0;
	for (let left = limit; left > 0; left--) {
		const next = new Map();
		for (const [from, chance] of now) {
			const moves = choices(from, left);
			const sum = moves.reduce((total, { id }) => total + weights[id], 0);
			for (const { id, to } of moves) {
				const part = (chance * weights[id]) / sum;
				if (id === END) done += part;
				else next.set(to, (next.get(to) ?? 0) + part);
			}
		}
		now = next;
	}
	for (const [at, chance] of now) if (accepting.has(at)) done += chance;
	return done;
}
const models = Array.from({ length: 200 }, () => vocabulary.map(() => Math.exp(3 * (uniform() + uniform() + uniform() - 1.5))));
const sorted = (values) => values.toSorted((a, b) => a - b);
console.log('complete texts of 200 models with random scores, %: least, median, most');
console.log('limit       mask alone       mask and budget');
const rows = {};
for (const limit of [4, 6, 8, 20]) {
	const cells = [(s) => allowed[s], within].map((choices) => sorted(models.map((w) => 100 * complete(w, limit, choices))));
	rows[limit] = cells;
	console.log(`${limit}`.padStart(4) + cells.map((c) => [c[0], c[100], c[199]].map((v) => v.toFixed(0)).join(' ').padStart(17)).join(''));
}

/** Distance between what masking draws and what the model thinks, for two openings of equal odds that lose this much a step. */
const distance = (one, other, tokens) => {
	const [a, b] = [(1 - one) ** tokens, (1 - other) ** tokens];
	return 100 * Math.abs(a / (a + b) - 0.5);
};
console.log('\npoints by which masking is off: two even openings, then tokens that lose');
console.log('a share each step:    0 and 0.2% 0.5 and 1.5%   0 and 2%  2 and 2% 0 and 50%');
const off = {};
for (const tokens of [1, 10, 50, 200]) {
	off[tokens] = [[0, 0.002], [0.005, 0.015], [0, 0.02], [0.02, 0.02], [0, 0.5]].map(([a, b]) => distance(a, b, tokens));
	console.log(`${tokens} tokens`.padEnd(22) + off[tokens].map((v, i) => v.toFixed(1).padStart([10, 13, 11, 10, 10][i])).join(''));
}

claim('For 200 models with random scores the mask alone completes 14% to 100% of the texts in 6 tokens', Math.round(rows[6][0][0]) === 14 && Math.round(rows[6][0][199]) === 100);
claim('with the budget all are complete at every limit', Object.values(rows).every(([, both]) => both[0] > 99.999));
claim('Where tokens lose 1% on average, 0.5% after one opening and 1.5% after the other, masking is off by 0.3 points after one token and by 38 after 200', off[1][1].toFixed(1) === '0.3' && Math.round(off[200][1]) === 38);
claim('where every path loses the same, it is not off at all', Object.values(off).every((row) => row[3] === 0));
/** Returns all texts that the vocabulary can spell from a state, with what was written before. */
const spelled = (from, text) => [
	...(accepting.has(from) ? [text] : []),
	...allowed[from].flatMap(({ id, to }) => (id === END ? [] : spelled(to, text + vocabulary[id]))),
];
claim('here 32 of the 35 texts that this vocabulary can spell', new Set(texts).size === 32 && new Set(spelled(0, '')).size === 35);

/** Returns the chance of each complete text under a choice of tokens, exactly. */
function texts20(weights, limit) {
	const found = new Map();
	const walk = (from, text, left, chance) => {
		const moves = left === 0 ? [] : within(from, left);
		if (left === 0) found.set(text, (found.get(text) ?? 0) + chance);
		const sum = moves.reduce((total, { id }) => total + weights[id], 0);
		for (const { id, to } of moves) {
			const part = (chance * weights[id]) / sum;
			if (id === END) found.set(text, (found.get(text) ?? 0) + part);
			else walk(to, text + vocabulary[id], left - 1, part);
		}
	};
	walk(0, '', limit, 1);
	return found;
}
const moved = sorted(
	models.map((weights) => {
		const [short, long] = [6, 20].map((limit) => texts20(weights, limit));
		return 50 * [...long.keys()].reduce((sum, text) => sum + Math.abs((short.get(text) ?? 0) - long.get(text)), 0);
	}),
);
claim('the mask alone cuts off 22% of the texts at 6 tokens, and the budget sends 11% of the probability to other texts than those that the model writes in 20; for one model it is 62%', Math.round(100 - rows[6][0][100]) === 22 && Math.round(moved[100]) === 11 && Math.round(moved[199]) === 62);

/** Holds if masking two openings of these odds, of which these shares are valid, is off by no more than what is invalid. */
const bounded = (odds, one, other) => {
	const valid = odds * one + (1 - odds) * other;
	return Math.abs(odds - (odds * one) / valid) <= 1 - valid + 1e-12;
};
const steps = Array.from({ length: 21 }, (_, i) => i / 20);
/** Returns the probabilities that top-p keeps of some that fall. */
function nucleus(odds, p) {
	const kept = odds.filter((_, i) => odds.slice(0, i).reduce((sum, x) => sum + x, 0) < p);
	return kept.map((x) => x / kept.reduce((sum, y) => sum + y, 0));
}
claim('that can drop a valid token which it kept before', nucleus([0.8995, 0.0999, 0.0006], 0.9).length === 2 && nucleus([0.8995, 0.0999].map((x) => x / 0.9994), 0.9).length === 1);
claim('Masking is never off by more than the share of free outputs that are invalid', steps.every((odds) => steps.every((one) => steps.every((other) => odds * one + (1 - odds) * other === 0 || bounded(odds, one, other)))));
const reached = Array.from({ length: 60 }, () => {
	const seen = new Set();
	for (let run = 0; run < 1000; run++) {
		let [at, text] = [0, ''];
		for (let left = 12; left > 0; left--) {
			const moves = within(at, left);
			const { id, to } = moves[Math.floor(uniform() * moves.length)];
			if (id === END) break;
			[at, text] = [to, text + vocabulary[id]];
		}
		seen.add(text);
	}
	return seen.size;
});
claim('and 30 to 35 with 60 other seeds', Math.min(...reached) >= 30 && Math.max(...reached) === 35);

const [names, ...lines] = readFileSync(new URL('../data/grammar-constrained-decoding.csv', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map((line) => line.split(','));
const measured = lines.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i], cell])));
const count = (prompt, name, task) => measured.filter((row) => row.prompt === prompt && (!task || row.task === task)).reduce((sum, row) => sum + Number(row[name]), 0);
const percent = (prompt, name, of) => `${Math.round((100 * count(prompt, name)) / count(prompt, of))}%`;
for (const [prompt, line] of [
	['question', '| question alone | 0% | 86% | 50% | 9 of 70 | 1 of 70 |'],
	['described', '| format described | 0% | 32% | 17% | 33 of 70 | 0 of 70 |'],
	['examples', '| three examples | 100% | 0% | 0% | 0 of 70 | 0 of 70 |'],
]) {
	const sums = ['free_right', 'masked_right'].map((name) => `${count(prompt, name, 'sum')} of ${count(prompt, 'questions', 'sum')}`);
	const cells = [percent(prompt, 'free_valid', 'questions'), percent(prompt, 'overruled', 'steps'), percent(prompt, 'below_01_percent', 'steps'), ...sums];
	claim(line, line.endsWith(`| ${cells.join(' | ')} |`));
}
const typical = measured.filter(({ prompt }) => prompt === 'examples').map((row) => Number(row.lost_median));
claim('all 210 answers are the same with it and without, though it removed 8% of the probability from a typical one', count('examples', 'same') === 210 && Math.round(100 * typical.toSorted()[1]) === 8);
claim('Every answer began with a token to which the model gave less than 0.1%', ['question', 'described'].every((prompt) => count(prompt, 'first_below_01_percent') === 210));
claim('51 of 70 became `{"ok":true}`', count('described', 'masked_true', 'sum') === 51);
claim('it answered 36 sums with their first number', count('question', 'first_operand', 'sum') === 36);
claim('in 171 of 210 answers the key is `c`, `oun`, `t`', count('question', 'spelled') === 171 && count('question', 'canonical') === 2);
claim('all 70 sums were answered with *yes* or *no*, valid and of the wrong kind, and every comparison with *yes*', count('examples', 'masked_ok', 'sum') === 70 && count('examples', 'masked_true', 'greater') === 70);
