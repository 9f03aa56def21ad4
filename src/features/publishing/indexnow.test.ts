import { expect, test } from 'vitest';
import { isLocal, submissions } from './indexnow.ts';

test.each([
	['http://127.0.0.1:8888', true],
	['http://127.1.2.3', true],
	['http://localhost', true],
	['http://site.localhost:8888', true],
	['http://[::1]:8888', true],
	['https://groundtruth.example', false],
	['https://localhost.example', false],
	['https://notlocalhost', false],
	['http://128.0.0.1', false],
])('whether %s is for its own machine only: %s', (url, expected) => {
	expect(isLocal(url)).toBe(expected);
});

test.each([
	[0, []],
	[1, [1]],
	[10_000, [10_000]],
	[10_001, [10_000, 1]],
])('%i addresses are told in parts of %j', (count, parts) => {
	const paths = Array.from({ length: count }, (_, n) => `/blog/${n}`);
	const told = submissions('https://groundtruth.example', 'abcdefgh', [...paths, ...paths]);
	expect(told.map(({ urlList }) => urlList.length)).toEqual(parts);
	expect(told.flatMap(({ urlList }) => urlList)).toEqual(
		paths.map((path) => `https://groundtruth.example${path}`),
	);
});
