import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRules } from './rules.ts';

test('an email may show the pictures of figures, and no other site embeds a page', async () => {
	const rules = await readRules(join(tmpdir(), 'no-such-build'));
	const policyOf = (path: string) => rules.headers(path).get('Cross-Origin-Resource-Policy');
	// A browser follows a policy that it knows as a whole, and these two it does not.
	expect(policyOf('/media/figure-1.png')).toBe('same-origin, cross-origin');
	expect(policyOf('/blog/post')).toBe('same-origin');
});
