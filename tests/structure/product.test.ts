import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
	.toString()
	.trim()
	.split('\n')
	.filter((path) => /\.(tsx?|mjs|astro|md|css|toml|example)$/.test(path));
const sections = new Set(
	[...read('docs/product.md').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number!),
);

test('every reference to a section of docs/product.md names one that exists', () => {
	const references = files.flatMap((path) =>
		[
			...read(path).matchAll(/product\.md[\s*]+sections?[\s*]+(\d+)(?:[\s*]+and[\s*]+(\d+))?/g),
		].flatMap(([, ...numbers]) =>
			numbers.filter(Boolean).map((number) => ({ path, number: number })),
		),
	);
	expect(references.length).toBeGreaterThan(50);
	expect(references.filter(({ number }) => !sections.has(number))).toEqual([]);
});

test('nothing refers to a specification outside of the repository', () => {
	const found = files.filter(
		(path) =>
			path !== 'tests/structure/product.test.ts' &&
			// An article may speak of one that its subject has.
			!path.startsWith('content/posts/') &&
			/\bspecification('s)? sections?\b|\bthe specification\b/i.test(read(path)),
	);
	expect(found).toEqual([]);
});
