import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filePath } from '#db/file-path.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { bytesOf, FileStore, linkOrCopy, namesOf, type StoredFile } from './file-store.ts';
import { Listing, type SiteFile } from './listing.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A build that must not be published. Its message is one sentence for a person. */
export class BuildError extends Error {
	override name = 'BuildError';
}

/**
 * Returns the folder of a database's builds and caches, the same for each way to write its path. Two databases in one checkout do not
 * interfere.
 */
export function siteFolder(databaseUrl: string): string {
	const file = filePath(databaseUrl);
	const name = basename(file ?? new URL(databaseUrl).host).replace(/\.db$/, '');
	const whole = file ? `file:${resolve(file)}` : databaseUrl;
	const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8);
	return join(ROOT, '.site', `${name.replace(/[^\w.-]/g, '-')}-${hash}`);
}

/** A finished build. */
export type Build = {
	id: string;
	/** When it was served first: milliseconds. */
	madeAt: number;
	/** Changes that it was made for, as the timeline tells them. */
	cause: string;
	/** Digest of everything that it was made from. */
	fingerprint: string;
	pageCount: number;
	/** Digests of the parts of its listing. */
	parts: string[];
	/** The listing itself, where the build is older than the store: its files are in its folder. */
	files?: Record<string, SiteFile>;
};

/** Returns the folder of what belongs to one build alone: its description, and the host's rules. */
export function buildDir(folder: string, id: string): string {
	return join(folder, 'builds', id);
}

/** Returns the folder of what is served of a first build before its end. */
export function earlyDir(folder: string): string {
	return join(folder, 'early');
}

export function storeOf(folder: string): FileStore {
	return new FileStore(join(folder, 'store'));
}

/** The files of a build, and where each of them is. */
export type BuildFiles = {
	listing: Listing;
	locate: (path: string, file: SiteFile) => string;
};

/** Reads the listing of a build; what `known` has of it is not read again. */
export async function openFiles(
	folder: string,
	{ id, parts, files }: Pick<Build, 'id' | 'parts' | 'files'>,
	known?: Listing,
): Promise<BuildFiles> {
	if (files) {
		const locate = (path: string) => join(buildDir(folder, id), path);
		return { listing: Listing.of(Object.entries(files)), locate };
	}
	const store = storeOf(folder);
	const listing = await Listing.read(
		parts,
		(hash) => readFile(store.path({ hash }), 'utf8'),
		known,
	);
	return { listing, locate: (_path, file) => store.path(file) };
}

function parseBuild(text: string): Build {
	const { pages, ...build } = JSON.parse(text) as Build & { pages?: Record<string, string | null> };
	// Older than the store.
	if (!pages) return build;
	return { ...build, pageCount: Object.keys(pages).filter(isPage).length, parts: [] };
}

/** Returns whether a file is a page. */
export function isPage(name: string): boolean {
	return name.endsWith('.html');
}

/** Returns the build being served, or undefined before the first one. */
export async function currentBuild(folder: string): Promise<Build | undefined> {
	try {
		const build = parseBuild(await readFile(join(folder, 'current'), 'utf8'));
		await stat(buildDir(folder, build.id));
		return build;
	} catch {
		return undefined;
	}
}

/** Returns a value that changes whenever another build is served; undefined before the first one. */
export function currentVersion(folder: string): Promise<string | undefined> {
	return versionOf(join(folder, 'current'));
}

/** Returns a value that changes whenever a file is replaced; undefined where there is none. */
export async function versionOf(path: string): Promise<string | undefined> {
	const file = await stat(path).catch(() => undefined);
	return file && `${file.ino} ${file.mtimeMs}`;
}

/** Description of a build, in its folder. Files that begin with a dot are never served. */
const DESCRIPTION = '.build.json';
/** Name of the file that says that the served build stays. */
const HELD = 'held';
/** Builds that one can go back to, the served one among them: fewer where they would take much room, but not fewer than these. */
const KEPT_BUILDS = 10;
const LEAST_KEPT = 3;
/** Room for all of them: what the newest takes so many times, and at least so many bytes. */
const ROOM_FACTOR = 2;
const LEAST_ROOM = 5e8;
/** How long other processes may take to switch to a newer build. */
const OLD_BUILD_GRACE_MS = MINUTE;

/**
 * Makes a build the served one in a single step. Throws a `BuildError` if the site was put back to an earlier build
 * meanwhile.
 */
export async function activateBuild(folder: string, build: Build): Promise<void> {
	await writeFile(join(buildDir(folder, build.id), DESCRIPTION), JSON.stringify(build), {
		flush: true,
	});
	await withLock(folder, 'switch', async () => {
		if (await isHeld(folder)) throw new BuildError(HELD_REASON);
		await serveBuild(folder, build.id);
	});
}

/** Removes a damaged file of the served build, so that the next build, which is due then, makes it again. */
export async function renewFile(folder: string, file: string): Promise<void> {
	await rm(file, { force: true });
	await withLock(folder, 'switch', async () => {
		const build = await currentBuild(folder);
		if (!build || build.fingerprint === UNFINISHED_FINGERPRINT) return;
		const description = join(buildDir(folder, build.id), DESCRIPTION);
		const unfinished = { ...build, fingerprint: UNFINISHED_FINGERPRINT };
		// `current` is another link of the file, and stays whole.
		await writeFile(`${description}.part`, JSON.stringify(unfinished), { flush: true });
		await rename(`${description}.part`, description);
		await serveBuild(folder, build.id);
	});
}

/** Fingerprint of a build with missing files. It never equals a real one, so the next build continues. */
export const UNFINISHED_FINGERPRINT = 'unfinished';

/**
 * Removes builds that are no longer kept: all but the last ten, those for which there is no room, and all from before
 * `erasedAt`, in which stands what readers have erased. Those that are `inUse`, and those that were made or replaced a moment ago, stay. Removes the files
 * that no build has any more. Nothing may be built meanwhile.
 */
export async function removeOldBuilds(
	folder: string,
	inUse: string[],
	erasedAt = 0,
	room = LEAST_ROOM,
): Promise<void> {
	const removed: string[] = [];
	// Nobody goes back to a build that is being removed.
	await withLock(folder, 'switch', async () => {
		const kept = await withinRoom(folder, await keptBuilds(folder, erasedAt), room);
		const stays = new Set([...inUse, ...kept, (await currentBuild(folder))?.id]);
		for (const id of await readdir(join(folder, 'builds'))) {
			if (stays.has(id)) continue;
			const { mtimeMs } = await stat(buildDir(folder, id));
			if (Date.now() - mtimeMs < OLD_BUILD_GRACE_MS) continue;
			await rm(join(buildDir(folder, id), DESCRIPTION), { force: true });
			removed.push(id);
		}
	});
	for (const id of removed) await rm(buildDir(folder, id), { recursive: true, force: true });
	await removeUnusedFiles(folder);
}

/** Returns the ids of those of these builds, newest first, that find room. */
async function withinRoom(folder: string, builds: Build[], least: number): Promise<string[]> {
	const counted = new Set<string>();
	let used = 0;
	let room = least;
	for (const [at, { parts }] of builds.entries()) {
		for (const part of parts) {
			// Where a list is lost, the build goes as it would by its age.
			for (const file of await filesOf(folder, part).catch(() => [])) {
				if (!counted.has(file.hash)) used += bytesOf(file);
				counted.add(file.hash);
			}
		}
		if (at === 0) room = Math.max(room, used * ROOM_FACTOR);
		if (at >= LEAST_KEPT && used > room) return builds.slice(0, at).map(({ id }) => id);
	}
	return builds.map(({ id }) => id);
}

/** Files that parts of listings list, by the digest of the part. */
const listed = new Map<string, StoredFile[]>();

async function filesOf(folder: string, part: string): Promise<StoredFile[]> {
	const known = listed.get(part);
	if (known) return known;
	const text = await readFile(storeOf(folder).path({ hash: part }), 'utf8');
	const files = Object.values(JSON.parse(text) as Record<string, SiteFile>);
	const found = files.map(({ hash, size, br, gz }): StoredFile => ({
		...{ hash, size },
		...(br && { br }),
		...(gz && { gz }),
	}));
	listed.set(part, found);
	return found;
}

async function removeUnusedFiles(folder: string): Promise<void> {
	const builds = [await currentBuild(folder), ...(await allBuilds(folder))];
	const store = storeOf(folder);
	const parts = new Set(builds.flatMap((build) => build?.parts ?? []));
	const used = new Set(parts);
	for (const part of parts) {
		// If it cannot be read, nothing is known of what it lists: then everything stays.
		for (const file of await filesOf(folder, part))
			for (const name of namesOf(file)) used.add(name);
	}
	for (const part of listed.keys()) if (!parts.has(part)) listed.delete(part);
	await store.keepOnly(used);
}

async function serveBuild(folder: string, id: string): Promise<void> {
	const replaced = await currentBuild(folder);
	if (replaced) {
		const now = new Date();
		await utimes(buildDir(folder, replaced.id), now, now);
	}
	const next = join(folder, `current.${id}`);
	await rm(next, { force: true });
	await linkOrCopy(join(buildDir(folder, id), DESCRIPTION), next);
	await rename(next, join(folder, 'current'));
	// Renaming one link of a file to another leaves both.
	await rm(next, { force: true });
}

/** Returns the builds that one can go back to, newest first. */
export async function keptBuilds(folder: string, erasedAt = 0): Promise<Build[]> {
	return (await allBuilds(folder))
		.filter(({ madeAt }) => madeAt > erasedAt)
		.sort((a, b) => b.madeAt - a.madeAt)
		.slice(0, KEPT_BUILDS);
}

async function allBuilds(folder: string): Promise<Build[]> {
	const ids = await readdir(join(folder, 'builds')).catch(() => []);
	const found = await Promise.all(ids.map((id) => readBuild(folder, id)));
	return found.filter((build) => build !== undefined);
}

/** Returns a build, or undefined for one that was never served. */
async function readBuild(folder: string, id: string): Promise<Build | undefined> {
	try {
		return parseBuild(await readFile(join(buildDir(folder, id), DESCRIPTION), 'utf8'));
	} catch {
		return undefined;
	}
}

/** Reason that what is saved does not appear. */
export const HELD_REASON =
	'The site was put back to an earlier build. It shows this change once somebody goes back to the newest content.';

/** Returns whether the site was put back to an earlier build: then nothing is built until `release`. */
export async function isHeld(folder: string): Promise<boolean> {
	return (await stat(join(folder, HELD)).catch(() => undefined)) !== undefined;
}

/** Puts the site back to a build that is kept, and keeps it there. Returns that build, or undefined if there is none. */
export async function rollBack(
	folder: string,
	id: string,
	erasedAt = 0,
): Promise<Build | undefined> {
	return withLock(folder, 'switch', async () => {
		const build = (await keptBuilds(folder, erasedAt)).find((one) => one.id === id);
		if (!build) return undefined;
		await writeFile(join(folder, HELD), id);
		await serveBuild(folder, id);
		return build;
	});
}

/** Lets the next build be served again. */
export async function release(folder: string): Promise<void> {
	await rm(join(folder, HELD), { force: true });
}

/** Interval between attempts to get a lock that another process holds. */
const LOCK_RETRY_MS = 100;

/** Runs `work` while no other process runs work of the same name in this folder. */
export async function withLock<T>(
	folder: string,
	name: string,
	work: () => Promise<T>,
): Promise<T> {
	const unlock = await lock(folder, name).catch((error: Error) => {
		// Node appends the call and the path after a comma.
		const [reason] = error.message.split(', ', 1);
		throw new BuildError(
			`${folder}, where builds are kept, cannot be written: ${reason}. Give this user ${join(ROOT, '.site')}, or mount a folder there.`,
		);
	});
	try {
		return await work();
	} finally {
		unlock();
	}
}

async function lock(folder: string, name: string): Promise<() => void> {
	await mkdir(folder, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
		// Of a disk that is mounted read-only, Node says so only where it makes one folder.
		if (error.code === 'ENOENT') await mkdir(join(ROOT, '.site'));
		throw error;
	});
	const { tryLock } = await import('#db/local.ts');
	for (;;) {
		const unlock = await tryLock(join(folder, `${name}.lock`));
		if (unlock) return unlock;
		await sleep(LOCK_RETRY_MS);
	}
}

/** Returns whether a process holds the lock of this name in this folder. */
export async function isLocked(folder: string, name: string): Promise<boolean> {
	const { tryLock } = await import('#db/local.ts');
	const unlock = await tryLock(join(folder, `${name}.lock`));
	unlock?.();
	return !unlock;
}

/** Progress reported by a build. */
export type Progress = { doing: string; done?: number; total?: number };
