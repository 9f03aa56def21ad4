import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test.each([
	'README.md',
	'CONTRIBUTING.md',
	'docs/architecture.md',
	'docs/reliability.md',
	'docs/security.md',
])('every file that %s names exists', (page) => {
	const text = readFileSync(join(ROOT, page), 'utf8');
	const named = [
		...text.matchAll(
			/(?<![\w./-])(?:src|functions|db|docs|tests|netlify|content)\/(?:[\w./-]|\[\w+\])+/g,
		),
	].map(([path]) => path.replace(/\.$/, ''));
	expect(named.length).toBeGreaterThan(5);
	const missing = named.filter(
		(path) => !/NNN/.test(path) && !existsSync(join(ROOT, path)) && !isMade(path),
	);
	expect([...new Set(missing)]).toEqual([]);
});

/** Pages with recipes. */
const RECIPES = [
	'CONTRIBUTING.md',
	'content/README.md',
	'src/core/figures/README.md',
	...['import-export', 'runs', 'search'].map((name) => `src/features/${name}/README.md`),
];

test('every function, type and constant that recipes name exists, and where they say', () => {
	const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
	const sources = execFileSync('git', ['ls-files', 'src', 'functions', 'db', 'tests'], {
		cwd: ROOT,
	})
		.toString()
		.split('\n')
		.filter((path) => /\.(ts|tsx|astro)$/.test(path) && existsSync(join(ROOT, path)));
	const words = new Set(sources.flatMap((path) => read(path).match(/\w+/g) ?? []));
	const text = RECIPES.map(read).join(' ').replace(/\s+/g, ' ');
	const NAME = /`<?([a-z]+[A-Z]\w*|[A-Z][A-Z_]+|[A-Z][a-z]+[A-Z]\w*)(?:\(|>|`)/g;
	const names = [...text.matchAll(NAME)].map(([, name]) => name!);
	expect(names.length).toBeGreaterThan(20);
	expect(names.filter((name) => !words.has(name))).toEqual([]);
	const placed = [
		...text.matchAll(/`(\w+)(?:\([^`]*\))?` (?:in|of) `((?:src|functions|db)\/[^`]+)`/g),
	];
	expect(placed.length).toBeGreaterThan(3);
	const misplaced = placed.filter(
		([, name, path]) => !new RegExp(`\\b${name}\\b`).test(read(path!)),
	);
	expect(misplaced.map(([words]) => words)).toEqual([]);
});

/** Whether a path is made by the site itself while it runs. */
function isMade(path: string): boolean {
	return /^db\/local\./.test(path);
}

test('a tag of the version of package.json takes its section of CHANGELOG.md, and another tag takes none', () => {
	const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const [, script] = /run: (awk .*) > notes\.md/.exec(read('.github/workflows/release.yml'))!;
	const notesOf = (tag: string) =>
		execFileSync('sh', ['-c', script!], {
			cwd: ROOT,
			env: { ...process.env, TAG: tag },
		}).toString();
	const [newest] = /^## \[.*/m.exec(read('CHANGELOG.md'))!;
	expect(newest).toMatch(new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`));
	expect(notesOf(`v${version}`)).toMatch(/^\n[^#]+\n### /);
	expect(notesOf(`v${version}1`)).toBe('');
});
