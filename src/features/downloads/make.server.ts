import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '#db/client.ts';
import { clearProblem, recordProblem } from '#src/core/builds/problems.server.ts';
import { readDrawings } from '#src/core/figures/drawings/read.server.ts';
import { digest, sha256 } from '#src/lib/digest.ts';
import { makeBook, type Book, type Problem } from './book.server.ts';
import { makeCheatsheet } from './cheatsheet.server.ts';
import { DOWNLOADS, UPGRADES, type Manifest, type Upgrade } from './download.ts';
import { readManifest } from './downloads.server.ts';
import { articlesOf, guideOf, readGuidedPosts, readPosts } from './guide.server.ts';
import { makeTemplate } from './project-template.server.ts';

/** Maximum size of a download: one function can carry no more. */
export const MAX_BYTES = 4_000_000;

export type DownloadOptions = {
	siteUrl: string;
	now: Date;
	/** Digest of the code and texts that they are made from besides posts: see `sourcesDigest`. */
	sources: string;
	/** Receives a sentence for each article that could not be set as it is, and each download that could not be made. */
	report?: (sentence: string) => void;
	/** Returns why a download that is due must not be made now, or undefined. */
	hindrance?: (kind: Upgrade) => string | undefined;
};

/**
 * Brings the four downloads in the folder up to date with the site as it is at `now`. Only what has other content than
 * the last time is made anew; what cannot be made stays as it was. What was wrong is recorded with the other problems of
 * content, and forgotten when a download is made without any. Returns what was made.
 */
export async function makeDownloads(
	db: Db,
	folder: string,
	{ siteUrl, now, sources, report = console.error, hindrance = () => undefined }: DownloadOptions,
): Promise<Upgrade[]> {
	const posts = await readPosts(db, now);
	const chosen = await readGuidedPosts(db, now);
	let problems: string[] = [];
	const drawings = await readDrawings(
		db,
		[...posts, ...chosen].map(({ content }) => content),
	);
	const set = (book: Book) =>
		makeBook(book, (problem) => problems.push(sentenceOf(book, problem)), drawings);
	const makers: Record<Upgrade, { of: string; make: () => Promise<Uint8Array> }> = {
		pdf: {
			of: JSON.stringify([posts, ...drawings]),
			make: async () => set(await articlesOf(posts, siteUrl)),
		},
		cheatsheet: {
			of: JSON.stringify(posts.map(({ slug, title }) => [slug, title])),
			make: () => makeCheatsheet(siteUrl, posts),
		},
		guide: {
			of: JSON.stringify([chosen, ...drawings]),
			make: async () => set(await guideOf(chosen, siteUrl)),
		},
		template: { of: '', make: () => makeTemplate(siteUrl) },
	};
	await mkdir(folder, { recursive: true });
	const before = await readManifest(folder);
	const present = await readdir(folder);
	const manifest: Manifest = { ...before };
	const made: Upgrade[] = [];
	for (const kind of UPGRADES) {
		const { of, make } = makers[kind];
		const ending = DOWNLOADS[kind].fileName.split('.').pop()!;
		const name = `${kind}-${digest(sources, siteUrl, of).slice(0, 16)}.${ending}`;
		if (before[kind]?.file === name && present.includes(name)) continue;
		problems = [];
		const why = hindrance(kind);
		const bytes = why ? new Error(why) : await make().catch((error: unknown) => error as Error);
		const reason = bytes instanceof Error ? bytes.message : tooLarge(bytes);
		if (reason !== null) problems.push(`“${DOWNLOADS[kind].title}” stays as it was: ${reason}`);
		for (const problem of problems) report(problem);
		await (problems.length > 0
			? recordProblem(db, 'download', kind, problems.join(' '), now)
			: clearProblem(db, 'download', kind));
		if (bytes instanceof Error || reason !== null) continue;
		await put(folder, name, bytes);
		manifest[kind] = { file: name, digest: sha256(bytes) };
		await put(folder, 'manifest.json', JSON.stringify(manifest));
		made.push(kind);
	}
	// Who has just read the last manifest still finds its files.
	const kept = [...Object.values(before), ...Object.values(manifest)].map(({ file }) => file);
	for (const name of present) {
		if (name === 'manifest.json' || kept.includes(name)) continue;
		await rm(join(folder, name), { force: true });
	}
	return made;
}

const tooLarge = ({ length }: Uint8Array) =>
	length >= MAX_BYTES ? `it would have ${length} bytes, which is too many` : null;

function sentenceOf(book: Book, { title, isPlain, reason }: Problem): string {
	const what = isPlain ? 'is set as plain text' : 'is left out';
	return `In “${book.title}”, “${title}” ${what}: ${reason}`;
}

/** Writes a file in one step, so that a file of this name is always whole. */
async function put(folder: string, name: string, content: Uint8Array | string): Promise<void> {
	await writeFile(join(folder, `${name}.part`), content);
	await rename(join(folder, `${name}.part`), join(folder, name));
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = [
	'content/guides',
	'content/lessons',
	'src/core/articles',
	'src/core/figures',
	'src/features/covers',
	'src/lib/pen.ts',
	'src/features/downloads',
	'src/features/site',
	'src/site.ts',
	'src/styles/fonts.ts',
	'package-lock.json',
];

/** Returns a digest of the code and the texts that downloads are made from. */
export async function sourcesDigest(): Promise<string> {
	const hash = createHash('sha256');
	for (const path of SOURCES) {
		for (const file of await filesOf(join(ROOT, path))) {
			hash.update(file.slice(ROOT.length)).update(await readFile(file));
		}
	}
	return hash.digest('hex');
}

/** Returns the files in a folder and in its folders, in order, or the file itself. */
async function filesOf(path: string): Promise<string[]> {
	if (!(await stat(path)).isDirectory()) return [path];
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name))
		.sort();
}
