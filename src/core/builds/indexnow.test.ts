import { expect, test } from 'vitest';
import { submissions } from './indexnow.ts';

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
