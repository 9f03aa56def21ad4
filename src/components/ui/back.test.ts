import { expect, test } from 'vitest';
import { backTarget } from './back.ts';

test.each([
	['/ai-best-practices/california', '/ai-best-practices', false],
	['/ai-best-practices/compare', '/ai-best-practices', false],
	['/ai-best-practices', '/', true],
	['/ai-best-practices-elsewhere', '/', true],
	['/saved', '/', true],
])('back from %s leads to %s, through the history: %s', (pathname, href, isHistory) => {
	expect(backTarget(pathname)).toMatchObject({ href, isHistory });
});
