import { expect, test } from 'vitest';
import { hasWords } from './has-words.ts';

test.each([
	['Import and export', 'imp exp', true],
	['Import and export', 'port', false],
	['Sign-in', 'sign-in', true],
	['Sign-in', 'IN', true],
	['Café numbers', 'café', true],
	['Password', 'pass word', false],
	['Password', '', true],
	['Password', '  –', true],
])('“%s” has the words of “%s”: %s', (text, query, has) => {
	expect(hasWords(text, query)).toBe(has);
});
