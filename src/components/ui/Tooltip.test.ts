import { expect, test } from 'vitest';
import { tooltipDelay } from './Tooltip.tsx';

test('the first tooltip waits 700 ms', () => {
	expect(tooltipDelay(undefined, 0)).toBe(700);
});

test('the next one shows at once within 300 ms, and waits again from then on', () => {
	expect(tooltipDelay(1000, 1299)).toBe(0);
	expect(tooltipDelay(1000, 1300)).toBe(700);
});
