import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const content = new URL('../../content/', import.meta.url);
/** Names of what checks share, which have no article. */
const SHARED = /^article\./;
/** The last block of an article's section on what was varied. */
const GRID = /(^## What was varied\n(?:(?!^## )[^])*?^```text\n)([^]*?)(\n```$)/m;

/** Returns the names of the files in content/checks, one for each article whose claims a program attacks. */
export async function readChecks(): Promise<string[]> {
	return (await readdir(new URL('checks/', content))).filter((name) => /\.(py|mjs)$/.test(name) && !SHARED.test(name)).sort();
}

export const slugOf = (name: string) => name.replace(/\.\w+$/, '');

/** Returns which files of `content/` have changed since the branch of the server, or main; null where Git knows neither. */
export function changedContent(): string[] | null {
	const differing = (since: string) =>
		spawnSync('git', ['diff', '--name-only', since, '--', 'content'], {
			encoding: 'utf8',
			cwd: fileURLToPath(new URL('..', content)),
		});
	const answer = ['@{upstream}', 'main'].map(differing).find(({ status }) => status === 0);
	return answer?.stdout.split('\n') ?? null;
}

/** Returns those of the checks that have changed, or whose article or data has. */
export function changedChecks(names: string[]): string[] {
	const changed = changedContent();
	if (!changed || changed.some((path) => /checks\/article\./.test(path))) return names;
	return names.filter((name) =>
		changed.some((path) => path.includes(`/${slugOf(name)}.`) || path.startsWith('content/data/')),
	);
}

/** Returns the grid that an article prints, or undefined. */
export function gridOf(markdown: string): string | undefined {
	return GRID.exec(markdown)?.[2];
}

const articleOf = (name: string) => new URL(`posts/${slugOf(name)}.md`, content);

/** Returns the grid that a check's article prints, or undefined. */
export const statedGrid = async (name: string) =>
	gridOf(await readFile(articleOf(name), 'utf8'));

/** Writes a grid into the article of a check. */
export async function writeGrid(name: string, grid: string): Promise<void> {
	const markdown = await readFile(articleOf(name), 'utf8');
	await writeFile(
		articleOf(name),
		markdown.replace(GRID, (_, before: string, __, after: string) => before + grid + after),
	);
}

/** Runs a check. Returns its grid and the sentences of the article that hold; rejects with the first that does not. */
export async function runCheck(name: string): Promise<{ grid: string; holds: string[] }> {
	const path = fileURLToPath(new URL(`checks/${name}`, content));
	const program = name.endsWith('.py') ? 'python3' : process.execPath;
	const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
	return new Promise((resolve, reject) => {
		execFile(program, [path], { env }, (error, stdout, stderr) => {
			if (error) return reject(new Error(`${name}: ${stderr.trim() || error.message}`));
			const grid = stdout.replaceAll(/[ \t]+$/gm, '').trimEnd();
			const holds = [...stderr.matchAll(/^holds: (.*)$/gm)].map(([, sentence = '']) => sentence);
			resolve({ grid, holds });
		});
	});
}
