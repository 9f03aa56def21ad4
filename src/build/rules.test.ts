import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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

test('an address of another script is matched however it is written, and its target can be a header', async () => {
	const dir = await mkdtemp(join(tmpdir(), 'rules-'));
	const old = encodeURI('/2021/మకర');
	await writeFile(
		join(dir, '_redirects'),
		`${old} ${encodeURI('/blog/మకర')} 301\n/category/alt/* /category/neu/:splat 301\n`,
	);
	const rules = await readRules(dir);
	const firstOf = (path: string) => [...rules.redirects(path)][0]!.to;
	expect([old, old.toLowerCase(), `${old}/`].map(firstOf)).toEqual(
		Array.from({ length: 3 }, () => encodeURI('/blog/మకర')),
	);
	expect(firstOf(encodeURI('/category/alt/ж'))).toBe(encodeURI('/category/neu/ж'));
	await rm(dir, { recursive: true });
});
