import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/reliability.md'])(
	'every file that %s names exists',
	(page) => {
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
	},
);

/** Whether a path is made by the site itself while it runs. */
function isMade(path: string): boolean {
	return /^db\/local\./.test(path);
}
