import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isAllowed, licenses, pageOf } from '#tests/licenses.ts';

test('every package has a license that is allowed', async () => {
	const packages = await licenses();
	expect(packages.length).toBeGreaterThan(100);
	expect(packages.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test('the page of licenses is that of the lock file', async () => {
	expect(await readFile('docs/licenses.md', 'utf8')).toBe(pageOf(await licenses()));
});

test.each([
	['MIT', true],
	['(MIT OR GPL-3.0-only)', true],
	['MIT AND Zlib', true],
	['MIT AND GPL-3.0-only', false],
	['GPL-3.0-only', false],
	['unknown', false],
])('of %s it is %s that we may use it', (license, isOurs) => {
	expect(isAllowed(license)).toBe(isOurs);
});
