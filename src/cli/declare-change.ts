/**
 * Declares how the words of an article's file changed, in content/changes:
 * `npm run declare -- <slug> update|correction "<note>"`, or `small` for a typo, which readers are not told of. A new
 * article needs no more than its slug. The text before comes from Git: the version whose words were declared last.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { CHANGE_KINDS, NOTE_LIMIT, type ChangeKind } from '#src/features/posts/changes.ts';
import {
	passagesBetweenFiles,
	wordsDigest,
	type DeclaredChanges,
} from '#src/features/posts/declared.server.ts';

const git = (...args: string[]) =>
	spawnSync('git', args, { encoding: 'utf8', maxBuffer: 100_000_000 }).stdout ?? '';

/** Returns the newest version of a file in Git whose words have this digest. Throws where there is none. */
function versionOf(path: string, digest: string): string {
	for (const commit of git('log', '--format=%H', '--', path).split('\n').filter(Boolean)) {
		const version = git('show', `${commit}:${path}`);
		if (wordsDigest(version) === digest) return version;
	}
	throw new Error(`Git has no version of ${path} with the words that were declared last.`);
}

async function declare(slug: string, kind: string | undefined, note: string): Promise<string> {
	const path = `content/posts/${slug}.md`;
	const target = `content/changes/${slug}.yaml`;
	const now = readFileSync(path, 'utf8');
	const text = wordsDigest(now);
	if (kind === undefined) {
		writeFileSync(target, stringify({ text, changes: [] }), { flag: 'wx' });
		return `${slug} is declared as new.`;
	}
	if (!CHANGE_KINDS.some((known) => known === kind))
		throw new Error(`A change is one of: ${CHANGE_KINDS.join(', ')}.`);
	const declared = parse(readFileSync(target, 'utf8')) as DeclaredChanges;
	if (declared.text === text) return `The words of ${slug} are those that were declared last.`;
	const before = versionOf(path, declared.text);
	declared.text = text;
	if (kind !== 'small') {
		if (note === '' || note.length > NOTE_LIMIT)
			throw new Error(`Say in a sentence of up to ${NOTE_LIMIT} characters what changed.`);
		declared.changes.push({
			date: new Date().toISOString().slice(0, 10),
			kind: kind as Exclude<ChangeKind, 'small'>,
			note,
			passages: await passagesBetweenFiles(before, now),
		});
	}
	writeFileSync(target, stringify(declared));
	return `${target} declares it.`;
}

const [slug = '', kind, ...note] = process.argv.slice(2);
try {
	console.log(await declare(slug, kind, note.join(' ').trim()));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
