import { describe, expect, test } from 'vitest';
import {
	closerFirst,
	faultOfPath,
	faultOfTarget,
	loopOf,
	readLines,
	ruleOf,
	tidy,
	tidyFormer,
} from './redirect.ts';

const SITE = 'https://example.com';
const nowhere = () => false;

test.each([
	['/old/', '/old'],
	['https://example.com/old', '/old'],
	['/caf%C3%A9', '/café'],
	['/cafe\u0301', '/café'],
	['/', '/'],
	['https://elsewhere.example', 'https://elsewhere.example/'],
	['old', 'old'],
])('%s is compared as %s', (given, path) => expect(tidy(given, SITE)).toBe(path));

test.each([
	['https://elsewhere.example/2019/old/', '/2019/old'],
	['http://example.com/old', '/old'],
	['https://elsewhere.example', 'https://elsewhere.example/'],
	['/old/', '/old'],
])('the former address %s is %s here', (given, path) => expect(tidyFormer(given, SITE)).toBe(path));

test.each([
	'/old',
	'/scatter.fm',
	'/2023/*/:slug',
	'/2023/:month/:slug',
	'/archive/*',
	'/статья',
	'/old/index.html',
])('%s can lead elsewhere', (path) => expect(faultOfPath(path)).toBeUndefined());

test.each([
	'old',
	'/',
	'/*',
	'/:slug',
	'/api/posts',
	'/admin',
	'/a?p=1',
	'/a b',
	'/a//b',
	'/a/../b',
	'/a*',
	'/a/b:c',
	'/a/*/*/b',
	'/a/:slug/:slug',
	'/a/:1',
	'/a/:splat',
	`/${'a'.repeat(500)}`,
])('%s cannot lead elsewhere, and it is said why', (path) =>
	expect(faultOfPath(path)).toEqual(expect.any(String)),
);

test.each([
	['/new', '/old'],
	['/blog/:slug', '/2023/*/:slug'],
	['/blog/:splat', '/archive/*'],
	['https://elsewhere.example/x', '/old'],
	['/search?q=two%20words', '/old'],
	['/about#team', '/old'],
])('%s can follow %s', (target, path) => expect(faultOfTarget(target, path)).toBeUndefined());

test.each([
	['new', '/old'],
	['//elsewhere.example', '/old'],
	['/\\elsewhere.example', '/old'],
	['javascript:alert(1)', '/old'],
	['https://', '/old'],
	['/blog/*', '/archive/*'],
	['/blog/:slug', '/2023/:name'],
	['/blog/:splat', '/2023/*/:slug'],
	['/a b', '/old'],
])('%s cannot follow %s', (target, path) =>
	expect(faultOfTarget(target, path)).toEqual(expect.any(String)),
);

describe('what leads in a circle is found', () => {
	test.each([
		['to itself', '/a', '/a', []],
		['to itself with a slash', '/a', '/a/', []],
		['over two others', '/a', '/b', [['/b', '/c'] as const, ['/c', '/a'] as const]],
		['below itself', '/a/*', '/a/b/:splat', []],
		['by a pattern', '/2023/*/:slug', '/old/:slug', [['/old/:slug', '/2023/x/:slug'] as const]],
		['to its own folder, where nothing is', '/a/*', '/a', []],
	])('%s', (_, from, to, others) => {
		const all = others.map(([one, other]) => ({ from: one, to: other }));
		expect(loopOf({ from, to }, all, nowhere)).toEqual(expect.any(Array));
	});

	test.each([
		['an address that only holds its own', '/article', '/topic/article', []],
		['a dot', '/scatter.fm', '/scatter-fm', []],
		['one that leads on', '/a', '/b', [['/b', '/c'] as const]],
		['its former self', '/a', '/b', [['/a', '/b'] as const]],
		['another site', '/a/*', 'https://elsewhere.example/a/:splat', []],
		['a moved folder', '/2023/*/:slug', '/blog/:slug', []],
	])('but not %s', (_, from, to, others) => {
		const all = others.map(([one, other]) => ({ from: one, to: other }));
		expect(loopOf({ from, to }, all, nowhere)).toBeUndefined();
	});

	test('nor what leads to a page', () =>
		expect(loopOf({ from: '/a/*', to: '/a' }, [], (path) => path === '/a')).toBeUndefined());
});

test('lines of files and tables are read', () => {
	expect(readLines('old,new\r\n/a,/b\r/c\t/d\n')).toEqual([
		{ line: 2, from: '/a', to: '/b' },
		{ line: 3, from: '/c', to: '/d' },
	]);
	expect(readLines('# moved\n/a  /b  301 # why\n\n"/c","/d#e"\n,\n')).toEqual([
		{ line: 2, from: '/a', to: '/b' },
		{ line: 4, from: '/c', to: '/d#e' },
	]);
	expect(
		readLines('Redirect 301 /a /b\nRedirectPermanent /c /d\nredirect /e https://x.example/f\n'),
	).toEqual([
		{ line: 1, from: '/a', to: '/b' },
		{ line: 2, from: '/c', to: '/d' },
		{ line: 3, from: '/e', to: 'https://x.example/f' },
	]);
});

test('hosts get a path before patterns, and the pattern that says more first', () => {
	const all = ['/a/*', '/a/b', '/a/:b/c', '/a/*/:b'].map((from) => ({ from, to: '/x' }));
	expect(all.toSorted(closerFirst).map(({ from }) => from)).toEqual([
		'/a/b',
		'/a/:b/c',
		'/a/*',
		'/a/*/:b',
	]);
	expect(ruleOf('/a/*/:b')).toBe('/a/:part/:b');
	expect(ruleOf('/a/*')).toBe('/a/*');
});
