import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { CHANGE_LABELS, NOTE_LIMIT } from '#src/features/posts/changes.ts';
import { wordsDigest, type DeclaredChanges } from '#src/features/posts/declared.server.ts';

const read = (path: string) => readFile(new URL(`../../content/${path}`, import.meta.url), 'utf8');
const slugs = async (folder: string) =>
	(await readdir(new URL(`../../content/${folder}/`, import.meta.url)))
		.map((name) => name.replace(/\.\w+$/, ''))
		.sort();

const articles = await slugs('posts');

test('each article has a file of its changes, and each such file an article', async () => {
	expect(await slugs('changes')).toEqual(articles);
});

test.each(articles)('the words of %s are those that were declared last', async (slug) => {
	const file = await read(`posts/${slug}.md`);
	const { text } = parse(await read(`changes/${slug}.yaml`)) as DeclaredChanges;
	expect(wordsDigest(file), `npm run declare -- ${slug} update|correction|small "…"`).toBe(text);
});

test.each(articles)('the changes of %s say what changed, in the order of their days', async (slug) => {
	const [, publishedAt] = /^publishedAt: (\S+)$/m.exec(await read(`posts/${slug}.md`))!;
	const { changes } = parse(await read(`changes/${slug}.yaml`)) as DeclaredChanges;
	const days = changes.map(({ date }) => date);
	expect(days).toEqual([...days].sort());
	for (const { date, kind, note, passages } of changes) {
		expect(date > publishedAt!).toBe(true);
		expect(Object.keys(CHANGE_LABELS)).toContain(kind);
		expect(note.length).toBeGreaterThan(0);
		expect(note.length).toBeLessThanOrEqual(NOTE_LIMIT);
		expect(passages).not.toEqual([]);
		for (const { old, new: now } of passages) expect(old).not.toBe(now);
	}
});

test.each([
	['a word', (file: string) => file.replace('Two words', 'Three words')],
	['the title', (file: string) => file.replace('title: One', 'title: Two')],
	['a line of code', (file: string) => file.replace('print(1)', 'print(2)')],
])('%s that changes is another text', (_, change) => {
	const file =
		'---\ntitle: One\nexcerpt: E.\ntags: [A]\n---\nTwo words.\n\n```python run\nprint(1)\n```\n';
	expect(wordsDigest(change(file))).not.toBe(wordsDigest(file));
	expect(wordsDigest(file.replace('[A]', '[B]'))).toBe(wordsDigest(file));
});

test('a change is declared with the passages of the version that Git has, a typo without them', { timeout: 60_000 }, async () => {
	const folder = await mkdtemp(join(tmpdir(), 'declared-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
			cwd: folder,
		});
	const script = fileURLToPath(new URL('../../src/cli/declare-change.ts', import.meta.url));
	const declare = (...args: string[]) => {
		const { status, stderr } = spawnSync(process.execPath, [script, 'sums', ...args], {
			cwd: folder,
			encoding: 'utf8',
		});
		return { status, stderr: stderr.trim() };
	};
	const write = (text: string) =>
		writeFile(
			join(folder, 'content/posts/sums.md'),
			`---\ntitle: Sums\nexcerpt: E.\n---\n${text}\n`,
		);
	const declared = async () =>
		parse(await readFile(join(folder, 'content/changes/sums.yaml'), 'utf8')) as DeclaredChanges;
	await mkdir(join(folder, 'content/posts'), { recursive: true });
	await mkdir(join(folder, 'content/changes'));
	git('init', '-q');

	await write('One and one is three.\n\nThe end.');
	expect(declare()).toEqual({ status: 0, stderr: '' });
	const { text: first, changes: none } = await declared();
	expect(none).toEqual([]);
	await write('One and one is two.\n\nThe end.');
	expect(declare('correction', 'The sum was wrong.').stderr).toContain('Git has no version');
	await write('One and one is three.\n\nThe end.');
	git('add', '.');
	git('commit', '-qm', 'Add sums');
	await write('One and one is two.\n\nThe end.');
	expect(declare('huge', 'No such kind').status).toBe(1);
	expect(declare('correction').stderr).toContain('Say in a sentence');
	expect((await declared()).text).toBe(first);

	expect(declare('correction', 'The sum was wrong.')).toEqual({ status: 0, stderr: '' });
	const { text: second, changes } = await declared();
	expect(second).not.toBe(first);
	const passages = [{ old: 'One and one is three.', new: 'One and one is two.' }];
	const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
	expect(changes).toEqual([{ date, kind: 'correction', note: 'The sum was wrong.', passages }]);

	git('commit', '-qam', 'Correct the sum');
	await write('One and one is two.\n\nThe End.');
	expect(declare('small')).toEqual({ status: 0, stderr: '' });
	const last = await declared();
	expect(last.text).not.toBe(second);
	expect(last.changes).toEqual(changes);
});
