import { expect, test } from 'vitest';
import {
	bestF1,
	breakEven,
	drawOrders,
	histogram,
	logistic,
	logit,
	outcome,
	type Orders,
} from './threshold.ts';

const costs = { falseAlarm: 10, missed: 200 };
const orders = drawOrders();
const few: Orders = {
	honest: Float64Array.of(-2, -1, 0, 1),
	fraud: Float64Array.of(0, 1, 2),
};

test('the orders are those of the article', () => {
	expect(orders.fraud.length).toBe(1050);
	expect(orders.honest.length).toBe(18_950);
});

test.each([
	[0.01, 9053, 0.111, 0.953, 90_320],
	[10 / 210, 3944, 0.227, 0.854, 61_070],
	[0.5, 453, 0.746, 0.322, 143_550],
	[0.8, 149, 0.899, 0.128, 183_350],
])(
	'a threshold of %f has the outcome of the article',
	(threshold, held, precision, recall, cost) => {
		const found = outcome(orders, logit(threshold), costs);
		expect(found.hits + found.falseAlarms).toBe(held);
		expect(found.precision).toBeCloseTo(precision, 3);
		expect(found.recall).toBeCloseTo(recall, 3);
		expect(found.cost).toBe(cost);
	},
);

test('an order at the threshold is held, one below it passes', () => {
	expect(outcome(few, 0, costs)).toMatchObject({ hits: 3, falseAlarms: 2, missed: 0, passed: 2 });
	expect(outcome(few, 0.001, costs)).toMatchObject({
		hits: 2,
		falseAlarms: 1,
		missed: 1,
		passed: 3,
		cost: 210,
	});
});

test('where nothing is held there is no precision, and where nothing is to be found no recall', () => {
	expect(outcome(few, 3, costs)).toMatchObject({ precision: null, recall: 0, f1: 0, cost: 600 });
	expect(outcome(few, -Infinity, costs)).toMatchObject({ recall: 1, precision: 3 / 7, cost: 40 });
	const none = outcome({ ...few, fraud: new Float64Array() }, 0, costs);
	expect(none).toMatchObject({ precision: 0, recall: null, f1: 0 });
});

test('the break-even score is the share of the costs, and cheaper than the best F1', () => {
	expect(breakEven(costs)).toBeCloseTo(1 / 21, 12);
	expect(breakEven({ falseAlarm: 50, missed: 50 })).toBe(0.5);
	expect(bestF1(orders)).toBe(0.215);
	expect(outcome(orders, logit(0.215), costs).cost).toBe(97_300);
});

test('log-odds and probabilities are each other’s inverse', () => {
	expect(logistic(0)).toBe(0.5);
	for (const p of [0.001, 0.5, 0.99]) expect(logistic(logit(p))).toBeCloseTo(p, 12);
});

test('a histogram has the shares of its range', () => {
	expect(histogram(few.honest, -2, 2, 4)).toEqual([0.25, 0.25, 0.25, 0.25]);
	expect(histogram(few.fraud, -2, 2, 4)).toEqual([0, 0, 1 / 3, 1 / 3]);
});
