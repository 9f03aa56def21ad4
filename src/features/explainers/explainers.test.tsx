// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttentionWeights } from './AttentionWeights.tsx';
import { CosineSimilarity } from './CosineSimilarity.tsx';
import { EXPLAINERS } from './explainers.ts';
import { GradientDescent } from './GradientDescent.tsx';
import { KalmanKnobs } from './KalmanKnobs.tsx';
import { PrecisionRecall } from './PrecisionRecall.tsx';
import { QueueLoad } from './QueueLoad.tsx';
import { Sampler } from './Sampler.tsx';
import { SimpsonWorlds } from './SimpsonWorlds.tsx';
import { Tokenizer } from './Tokenizer.tsx';
import { ValidationBudget } from './ValidationBudget.tsx';

const VIEWS: Record<string, ComponentType> = {
	tokenizer: Tokenizer,
	'attention-weights': AttentionWeights,
	sampler: Sampler,
	'cosine-similarity': CosineSimilarity,
	'gradient-descent': GradientDescent,
	'precision-recall': PrecisionRecall,
	'validation-budget': ValidationBudget,
	'queue-load': QueueLoad,
	'simpson-worlds': SimpsonWorlds,
	'kalman-knobs': KalmanKnobs,
};

const isStill = { matches: true };
beforeEach(() => void vi.stubGlobal('matchMedia', () => isStill));
afterEach(cleanup);

const slide = (name: string, value: number) =>
	fireEvent.change(screen.getByRole('slider', { name }), { target: { value } });
const slider = (name: string) => screen.getByRole('slider', { name });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const picture = (index = 0) => screen.getAllByRole('img')[index]!;
/** The picture's name says the current result. */
const named = (index = 0) => {
	const image = picture(index);
	return image.getAttribute('aria-label') ?? image.querySelector('title')!.textContent;
};
const row = (name: string) =>
	within(screen.getByRole('rowheader', { name }).closest('tr')!)
		.getAllByRole('cell')
		.map((cell) => cell.textContent);

test('every explainer is found by its name', async () => {
	expect([...EXPLAINERS.keys()].sort()).toEqual(Object.keys(VIEWS).sort());
	for (const [name, View] of Object.entries(VIEWS))
		expect(await EXPLAINERS.get(name)!()).toBe(View);
});

test.each(Object.entries(VIEWS))(
	'%s is a named group; its controls have labels, its pictures names, its figures a table',
	(_, View) => {
		render(<View />);
		const group = screen.getByRole('group', { name: /^Try it: / });
		for (const control of group.querySelectorAll('input, select, textarea'))
			expect((control as HTMLInputElement).labels).toHaveLength(1);
		for (const range of within(group).getAllByRole('slider'))
			expect(range.getAttribute('aria-valuetext')).toBeTruthy();
		for (const image of within(group).getAllByRole('img'))
			expect(
				image.getAttribute('aria-label') ?? image.querySelector('title')?.textContent,
			).toBeTruthy();
		expect(group.querySelector('table')).not.toBeNull();
		expect(screen.getByText('Try this.')).toBeDefined();
	},
);

test('a result is told when a slider has come to rest, and not on the way', async () => {
	vi.useFakeTimers();
	try {
		render(<Sampler />);
		const told = screen.getByRole('status');
		const before = told.textContent;
		for (const value of [1.1, 1.3, 1.5]) {
			slide('Temperature', value);
			expect(told.textContent).toBe(before);
			vi.advanceTimersByTime(300);
		}
		await vi.waitFor(() => expect(told.textContent).toContain('6 of 10 tokens'));
		expect(before).toContain('5 of 10 tokens');
	} finally {
		vi.useRealTimers();
	}
});

test('the sampler falls over the cliff of the long tail, and not with the order turned around', async () => {
	render(<Sampler />);
	expect(named()).toContain('5 of 10 tokens can be drawn.');
	await userEvent.selectOptions(
		screen.getByRole('combobox', { name: 'Distribution' }),
		'Long tail: 50,000 tokens',
	);
	slide('Top-p', 0.95);
	expect(named()).toContain('14 of 50,000 tokens can be drawn. 0.0% of the draws are bad');
	slide('Temperature', 1.2);
	expect(named()).toContain('31,708 of 50,000 tokens can be drawn. 9.1% of the draws are bad');
	await userEvent.selectOptions(
		screen.getByRole('combobox', { name: 'Order' }),
		'Top-p, then temperature',
	);
	expect(named()).toContain('14 of 50,000');
	await press('Reset');
	expect(named()).toContain('5 of 10 tokens');
	expect(slider('Temperature').getAttribute('aria-valuetext')).toBe('1.00');
});

test('the sampler draws forty tokens, none that was left out, and forgets them when a control moves', async () => {
	render(<Sampler />);
	slide('Top-p', 0.5);
	await press('Draw 40');
	const drawn = within(screen.getByRole('list', { name: 'Drawn' })).getAllByRole('listitem');
	expect(drawn).toHaveLength(40);
	expect(drawn.filter((one) => !['the', 'a'].includes(one.textContent))).toEqual([]);
	slide('Top-p', 0.6);
	expect(screen.queryByRole('list', { name: 'Drawn' })).toBeNull();
});

test('the tokenizer cuts what is typed, and falls apart in capitals', async () => {
	render(<Tokenizer />);
	const tokens = () =>
		within(screen.getByRole('list', { name: 'Tokens' }))
			.queryAllByRole('listitem')
			.map((one) => one.querySelector('b')!.textContent);
	expect(tokens()).toEqual(['N', 'ow', '␣is', '␣better', '␣than', '␣never']);
	const text = screen.getByRole('textbox', { name: 'Text to cut' });
	await userEvent.clear(text);
	expect(screen.getByText('Nothing to cut yet.')).toBeDefined();
	await userEvent.type(text, 'BETTER better');
	expect(tokens()).toEqual([...'BETTER', '␣better']);
	slide('Merges', 0);
	expect(tokens()).toHaveLength(13);
	expect(named()).toContain('856 bytes to 856 tokens after 0 merges, 1.00 bytes a token');
});

test('the tokenizer learns merge by merge, from a text of one’s own too', async () => {
	render(<Tokenizer />);
	const learned = screen.getByRole('combobox', { name: 'Learned from' });
	await userEvent.selectOptions(learned, 'banana ×3, bandana ×2, cabana ×1');
	slide('Merges', 0);
	await press('Next merge');
	await userEvent.click(screen.getByText('The last merges as a table'));
	expect(row('1')).toEqual(['a + n', 'an', '11']);
	await userEvent.selectOptions(learned, 'A text of your own');
	const own = screen.getByRole('textbox', { name: /^Your text/ });
	await userEvent.clear(own);
	await userEvent.type(own, 'xyxy');
	expect(row('1')).toEqual(['x + y', 'xy', '2']);
	expect(slider('Merges').getAttribute('aria-valuetext')).toBe('2 of 2');
	await press('Next merge');
	expect(slider('Merges').getAttribute('aria-valuetext')).toBe('2 of 2');
});

test('attention follows a query, and the first token only without the mask', async () => {
	render(<AttentionWeights />);
	expect(row('3')).toEqual(['0.248', '0.248', '0.503', '3.49, 4.50']);
	slide('First coordinate', 4);
	slide('Second coordinate', 2);
	expect(row('3')).toEqual(['0.164', '0.164', '0.673', '2.98, 4.33']);
	await press('Reset');
	await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Query of' }), 'Token 1');
	slide('Second coordinate', 4);
	expect(row('1')).toEqual(['1.000', 'masked', 'masked', '10.00, 0.00']);
	expect(named()).toContain('sees only itself');
	await userEvent.click(screen.getByRole('checkbox', { name: /^Causal mask/ }));
	expect(row('1')).not.toContain('masked');
	expect(named()).toContain('Token 1 looks most at token 2');
	slide('First coordinate', 0);
	slide('Second coordinate', 0);
	expect(row('1').slice(0, 3)).toEqual(['0.333', '0.333', '0.333']);
});

test('without the division by √2 the weights are sharper', async () => {
	render(<AttentionWeights />);
	await userEvent.click(screen.getByRole('checkbox', { name: 'Divide the scores by √2' }));
	expect(row('3').slice(0, 3)).toEqual(['0.212', '0.212', '0.576']);
});

test('cosines ignore length, and an offset makes everything similar', async () => {
	render(<CosineSimilarity />);
	expect(row('E')).toEqual(['−1.000', '−5.00', '4.47']);
	expect(named()).toContain('First by cosine: B (1.000). By dot product: C. By distance: A.');
	slide('Length of the query', 6);
	expect(row('E')[0]).toBe('−1.000');
	expect(row('E')[2]).not.toBe('4.47');
	await press('Reset');
	slide('Offset added to every vector', 6);
	expect(row('E')[0]).toBe('0.984');
	expect(row('E')[2]).toBe('4.47');
	expect(named()).toContain('everything looks similar');
	slide('Direction of the query', 90);
	expect(slider('Direction of the query').getAttribute('aria-valuetext')).toBe('90°');
});

test('descent steps, diverges above the limit after a fall, and says so', async () => {
	render(<GradientDescent />);
	slide('Steps', 0);
	slide('Learning rate', 0.041);
	expect(named()).toContain('A rate of 0.041 is not below the limit of 0.040');
	const losses: string[] = [];
	for (let step = 1; step <= 4; step++) {
		await press('Step');
		losses.push(/the loss is ([\d.]+)/.exec(named())![1]!);
	}
	expect(losses).toEqual(['73.5', '72.7', '72.4', '72.7']);
	slide('Learning rate', 0.04);
	expect(named()).toContain('not below the limit');
	slide('Learning rate', 0.039);
	expect(named()).toContain('below the limit of 0.040: it converges');
	await press('Polyak’s pair');
	expect(slider('Learning rate').getAttribute('aria-valuetext')).toBe('0.0614');
	expect(named()).toContain('it converges');
});

test('a run goes to the end at once where motion is not wanted, and step by step elsewhere', async () => {
	render(<GradientDescent />);
	await press('Run');
	expect(slider('Steps').getAttribute('aria-valuetext')).toBe('200');
	expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
	await press('Reset');
	vi.stubGlobal('matchMedia', () => ({ matches: false }));
	await press('Run');
	await waitFor(() =>
		expect(Number(slider('Steps').getAttribute('aria-valuetext'))).toBeGreaterThan(13),
	);
	await press('Pause');
	const paused = slider('Steps').getAttribute('aria-valuetext');
	expect(Number(paused)).toBeLessThan(200);
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(slider('Steps').getAttribute('aria-valuetext')).toBe(paused);
});

test('a threshold has its price: break-even, best F1, and nothing held', async () => {
	render(<PrecisionRecall />);
	await press(/^Best F1/);
	expect(named()).toContain('precision 0.486, recall 0.567 and cost $97,300');
	await press(/^Break-even/);
	expect(named()).toContain('precision 0.227, recall 0.854 and cost $61,070');
	expect(row('Fraud')).toEqual(['897 caught', '153 missed']);
	expect(row('Honest')).toEqual(['3,047 by mistake', '15,903 rightly']);
	slide('Threshold', 7);
	expect(named()).toContain('precision undefined, recall 0.000 and cost $210,000');
	expect(row('Fraud')[0]).toBe('0 caught');
	slide('A missed fraud costs', 10);
	expect(screen.getByRole('button', { name: 'Break-even 0.500' })).toBeDefined();
	await press('Reset');
	expect(screen.getByRole('button', { name: 'Break-even 0.048' })).toBeDefined();
});

test('a validation set wears out with each comparison, and lasts longer with more examples', async () => {
	render(<ValidationBudget />);
	const models = (value: number) => slide('Models compared', value);
	models(0);
	expect(named()).toContain('Of 1 model, judged on 1,000 examples, the best is reported at 80.0%');
	models(10);
	expect(named()).toContain('Of 100 models');
	expect(named()).toContain('reported at 83.2% and is truly at 80.0%: 3.2 points of luck');
	expect(named()).toContain('there was nothing to find');
	slide('True spread of the models', 0.01);
	expect(named()).toContain('It is really 1.6 points better than the average of them.');
	slide('True spread of the models', 0);
	slide('Validation examples', 9);
	expect(named()).toContain('on 5,000 examples');
	expect(named()).toContain('1.4 points of luck');
	expect(row('100').at(-1)).toBe('1.7');
	await press('Reset');
	expect(named()).toContain('Of 20 models, judged on 1,000 examples');
});

test('a queue is five times as slow at 90% as at 50%, and falls over when one of two fails', async () => {
	render(<QueueLoad />);
	slide('Load', 0.5);
	expect(named()).toContain('takes 2.0 service times');
	slide('Load', 0.9);
	expect(named()).toContain('takes 10.0 service times from arrival to answer: 400 ms');
	expect(row('90%')).toEqual(['10.0', '400 ms']);
	slide('Servers with one line', 8);
	expect(named()).toContain('8 servers with one line take 1.9 service times');
	expect(named()).toContain('If one fails, the others would need 103%');
	expect(screen.getByRole('button', { name: 'One server fails' }).ariaDisabled).toBe('true');
	await press('One server fails');
	expect(named()).toContain('8 servers');
	slide('Load', 0.7);
	await press('One server fails');
	expect(named()).toContain('At 80% load, 7 servers');
	await userEvent.selectOptions(
		screen.getByRole('combobox', { name: 'The work of a request' }),
		'Always the same',
	);
	slide('Servers with one line', 1);
	expect(named()).toContain('takes 3.0 service times');
	await press('Reset');
	expect(named()).toContain('At 70% load');
});

test('of three worlds one is split rightly, and its error remains when no sign turns', async () => {
	render(<SimpsonWorlds />);
	expect(row('Pooled')).toEqual(['−5.0', '−10.0']);
	expect(row('Adjusted')).toEqual(['5.0', '0.0']);
	expect(named()).toContain('a hard case in treatment, a hard case in outcome');
	slide('Strength of the link to g', 0.4);
	expect(named()).toContain('The pooled table says 1.0');
	expect(named()).toContain('the split is right, the pool is off by 4.0');
	slide('Strength of the link to g', 0);
	expect(named()).toContain('they agree');
	slide('Strength of the link to g', 1);
	const world = screen.getByRole('combobox', { name: 'World' });
	await userEvent.selectOptions(world, 'Between: g is a step on the way');
	expect(row('True')).toEqual(['9.5', '0.0']);
	expect(named()).toContain('the pool is right, the split is off by 12.5');
	await userEvent.selectOptions(world, 'After: g is decided by both');
	expect(row('Pooled')).toEqual(['0.0', '0.0']);
	expect(named(1)).toContain('pooled 0.0');
	slide('What the treatment does by itself', 0.1);
	expect(row('True')[0]).toBe('10.0');
	await press('Reset');
	expect(row('True')[0]).toBe('0.0');
});

test('a filter that is told the wrong noise claims the wrong error; one that is biased cannot know', async () => {
	render(<KalmanKnobs />);
	expect(named()).toContain('The filter is off by 0.60 m and claims 0.60 m.');
	expect(named()).toContain('it knows how good it is');
	const line = () => document.querySelector('polyline')!.getAttribute('points');
	const track = line();
	slide('q, how it may move', 1);
	slide('r, how the sensor scatters', 1);
	expect(named()).toContain('it is too modest');
	expect(slider('q, how it may move').getAttribute('aria-valuetext')).toBe('× 10');
	const last = (points: string | null) => points!.split(' ').at(-1);
	expect(last(line())).toBe(last(track));
	slide('q, how it may move', -2);
	slide('r, how the sensor scatters', 0);
	expect(named()).toContain('claims 0.36 m');
	expect(named()).toContain('it is too sure of itself');
	await press('Reset');
	await userEvent.click(screen.getByRole('checkbox', { name: 'The sensor reads 2 m too far' }));
	expect(named()).toContain('off by 2.09 m and claims 0.60 m');
	expect(named()).toContain('it is wrong, and cannot know');
	expect(row('Biased sensor')).toEqual(['2.088', '0.600', '1.00']);
});
