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

test('a page of a list that is not there any more leads to the first page', async () => {
	const rules = await readRules(join(tmpdir(), 'no-such-build'));
	const firstOf = (path: string) => [...rules.redirects(path)][0];
	for (const list of ['/blog', '/category/a', '/tag/a', '/author/a'])
		expect(firstOf(`${list}/page/9`)).toMatchObject({ to: list, status: 302, force: false });
	expect(firstOf('/blog/page')).toMatchObject({ status: 404 });
});
