import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** How many files, tests aside, somebody takes in at a glance. */
const MAX_FILES = 15;

const files = await Array.fromAsync(
	glob(['{src,functions,netlify}/**/*.*', 'tests/*.md'], { cwd: ROOT }),
);
/** Folders in which every file is an address, named by it; a README would be one as well. */
const ADDRESSES = ['src/pages', 'functions'];

test('a folder of many files says what is in it', () => {
	const counts = Map.groupBy(
		files.filter((file) => !/\.test\.tsx?$|README\.md$/.test(file)),
		(file) => dirname(file),
	);
	const unexplained = [...counts]
		.filter(([folder, { length }]) => length > MAX_FILES && !ADDRESSES.includes(folder))
		.filter(([folder]) => !files.includes(`${folder}/README.md`))
		.map(([folder]) => folder);
	expect(unexplained).toEqual([]);
});

test.each(files.filter((file) => file.endsWith('README.md')))(
	'every file that %s names exists',
	(page) => {
		const text = readFileSync(join(ROOT, page), 'utf8');
		const named = [...text.matchAll(/`([\w./-]+(?:\.(?:tsx?|astro)|\/))`/g)].map(
			([, name]) => name!,
		);
		expect(named.length).toBeGreaterThan(2);
		const missing = named.filter((name) => !existsSync(join(ROOT, dirname(page), name)));
		expect(missing).toEqual([]);
	},
);
