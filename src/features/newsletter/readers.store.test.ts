// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readersText, watchReaders } from './readers.store.ts';

let count = 0;
let calls = 0;
let hidden = false;
let end: () => void;
const shown: number[] = [];

beforeEach(() => {
	[count, calls, hidden] = [0, 0, false];
	shown.length = 0;
	vi.useFakeTimers();
	vi.stubGlobal('fetch', async () => {
		calls++;
		return Response.json({ count });
	});
	vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
	end();
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const watch = () => (end = watchReaders((now) => shown.push(now)));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('the count is asked for at once and every 30 seconds', async () => {
	count = 1;
	watch();
	await pass(0);
	expect(shown).toEqual([1]);
	count = 1234;
	await pass(29_999);
	expect(calls).toBe(1);
	await pass(1);
	expect(shown).toEqual([1, 1234]);
});

test('a page that nobody sees asks nothing', async () => {
	hidden = true;
	watch();
	await pass(90_000);
	expect(calls).toBe(0);
});

test('a call that fails leaves what is shown', async () => {
	count = 7;
	watch();
	await pass(0);
	vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
	await pass(30_000);
	expect(shown).toEqual([7]);
});

test('of few readers nothing is said, and a claim stands until the real figure is higher', () => {
	const claim = { count: 10_000, text: '10,000+ readers' };
	expect([0, 1, 499, 500, 1234].map((count) => readersText(count))).toEqual([
		'',
		'',
		'',
		'Join 500 readers',
		'Join 1,234 readers',
	]);
	expect([readersText(0, claim), readersText(10_000, claim), readersText(10_001, claim)]).toEqual([
		'Join 10,000+ readers',
		'Join 10,000+ readers',
		'Join 10,001 readers',
	]);
});
