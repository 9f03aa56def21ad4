import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '#src/dashboard/settings/parts.ts';
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

test('a password manager is led to where the password is changed', async () => {
	const rules = await readRules(join(tmpdir(), 'no-such-build'));
	const [target] = rules.redirects('/.well-known/change-password');
	expect(target).toEqual({
		from: '/.well-known/change-password',
		to: '/admin?tab=settings&part=Password',
		status: 302,
		force: false,
	});
	const part = new URL(target!.to, 'https://groundtruth.test').searchParams.get('part');
	expect(SETTINGS.map(({ name }) => name)).toContain(part);
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

test.each([
	['/feed/', '/rss.xml'],
	['/feed', '/rss.xml'],
	['/rss/', '/rss.xml'],
	['/rss', '/rss.xml'],
	['/index.xml', '/rss.xml'],
	['/feed.xml', '/rss.xml'],
	['/feed/atom/', '/atom.xml'],
	['/atom', '/atom.xml'],
	['/blog/rss.xml', '/rss.xml'],
	['/feeds/posts/default', '/rss.xml'],
	['/tag/x/rss/', '/tag/x/rss.xml'],
	['/tag/x/feed/', '/tag/x/rss.xml'],
	['/tags/x/index.xml', '/tag/x/rss.xml'],
	['/category/x/feed/', '/category/x/rss.xml'],
	['/author/x/rss/', '/author/x/rss.xml'],
	[encodeURI('/tag/学习/rss/'), encodeURI('/tag/学习/rss.xml')],
])('the feed that another program had at %s is %s here', async (from, to) => {
	const rules = await readRules(join(tmpdir(), 'no-such-build'));
	expect([...rules.redirects(from)][0]).toEqual({
		from: expect.any(String),
		to,
		status: 301,
		force: false,
	});
});
