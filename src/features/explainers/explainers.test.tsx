// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AttentionWeights } from './AttentionWeights.tsx';
import { CosineSimilarity } from './CosineSimilarity.tsx';
import { EXPLAINERS } from './explainers.ts';
import { GradientDescent } from './GradientDescent.tsx';
import { PrecisionRecall } from './PrecisionRecall.tsx';
import { Sampler } from './Sampler.tsx';
import { Tokenizer } from './Tokenizer.tsx';

const VIEWS: Record<string, ComponentType> = {
	tokenizer: Tokenizer,
	'attention-weights': AttentionWeights,
	sampler: Sampler,
	'cosine-similarity': CosineSimilarity,
	'gradient-descent': GradientDescent,
	'precision-recall': PrecisionRecall,
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
