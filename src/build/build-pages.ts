/** Builds the site's pages from the database: all of them, or only those that changed. */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from '#db/client.ts';
import { compareLists } from '#src/lib/lists.ts';
import { saveRenderer, type Page, type Update, type Updated } from './astro-internals.ts';
import { loadRenderer, runAstro, useBundle } from './bundles.ts';
import { writeExtraFiles } from './extra-files.ts';
import type { Source } from './fingerprint.ts';
import { FileStore, HIGH_QUALITY_PAGES, namesOf, type StoredFile } from './file-store.ts';
import { Listing } from './listing.ts';
import { BuildMemory, type Contents } from './memory.ts';
import { startPictures } from './pictures.ts';
import { MemoryError } from './room.ts';
import { lastChanges } from './sitemap.ts';
import {
	filesIn,
	layOut,
	placeRules,
	reuseFrom,
	servedPath,
	storeFiles,
	type KeptFile,
	type PageKeys,
} from './site-files.ts';
import { readSource, recordBuilt } from './source.ts';
import type { Target } from './target.ts';

/** How long pictures may be drawn where nothing else says: enough for a few thousand. */
export const PICTURES_MS = 120_000;

/** How long pages of a first build are made until the first of them are served. Each later pause is twice as long. */
const EARLY_PAUSE_MS = 1_000;

/**
 * Renders stale articles and builds the site into `outDir`, which is emptied only once there is something to
 * publish. `cacheDir` keeps what has not changed for the next build. Returns the date of the newest issue,
 * which now has its page.
 */
export async function buildPages(
	db: Db,
	{
		outDir,
		...target
	}: Omit<Target, 'store' | 'workDir' | 'isCompressed' | 'memory'> & { outDir: string },
): Promise<string | undefined> {
	const memory = new BuildMemory();
	const source = await readSource(db, { ...target, memory });
	const store = new FileStore(join(target.cacheDir, 'files'));
	const list = join(target.cacheDir, 'parts.json');
	const readPart = (hash: string) => readFile(store.path({ hash }), 'utf8');
	const earlier = await readFile(list, 'utf8')
		.then((text) => Listing.read(JSON.parse(text) as string[], readPart))
		.catch(() => undefined);
	const workDir = join(target.cacheDir, 'next');
	const end = Date.now() + PICTURES_MS;
	const hasTime = () => Date.now() < end;
	const whole = { hasTime, ...target, memory, store, workDir, isCompressed: false };
	const { listing, parts } = await buildSite(db, source, whole, earlier);
	await rm(outDir, { recursive: true, force: true });
	await layOut(listing, store, outDir);
	await placeRules(workDir, outDir);
	await rm(workDir, { recursive: true });
	await writeFile(`${list}.part`, JSON.stringify(parts));
	await rename(`${list}.part`, list);
	await store.keepOnly(new Set([...parts, ...[...listing].flatMap(([, file]) => namesOf(file))]));
	await recordBuilt(db, source);
	return source.issues[0]?.date;
}

/**
 * Builds the site into a store; what did not change is taken from the build before. Leaves the host's rules in `workDir`.
 * Returns the listing, the digests of its parts, which are stored as well, whether Astro itself had to build, and how many pages
 * are left to the next build.
 */
export async function buildSite(
	db: Db,
	source: Source,
	target: Target,
	earlier?: Listing,
): Promise<{ listing: Listing; parts: string[]; isByAstro: boolean; left: number }> {
	const { store, workDir, report, isCompressed, isAwaited, memory, serveEarly } = target;
	// Builds alone remove files, and none that is listed: nobody waits for another look at all of them.
	const last = isAwaited && memory.last?.listing === earlier ? memory.last : undefined;
	const isStored = last ? () => true : await store.contents();
	const { reuse, formerKey, reused } = reuseFrom({ earlier, isStored });
	const draw = () => startPictures(db, source.site, target);
	// In a first build pages come before pictures, because somebody waits for them.
	const drawing = serveEarly ? undefined : draw();
	const { compressed } = await useBundle();
	const open = (quality: keyof typeof HIGH_QUALITY_PAGES) =>
		store.open({ isCompressed, compressed, finePages: HIGH_QUALITY_PAGES[quality] });
	const addEarly = await open(last ? 'update' : 'whole');
	const stored = new Map<string, StoredFile>();
	let pause = EARLY_PAUSE_MS;
	let earlyAt = serveEarly ? Date.now() + pause : Infinity;
	// Compressed by other threads, while this one renders the next page.
	const write = async (name: string, bytes: Buffer) => {
		stored.set(`/${name}`, await addEarly(`/${name}`, bytes));
		if (Date.now() < earlyAt) return;
		earlyAt = Infinity;
		await serveEarly!(new Map(stored));
		earlyAt = Date.now() + (pause *= 2);
	};
	const changed = target.isByAstro
		? undefined
		: await buildIncremental(source, target, { reuse, formerKey, write, last });
	const keys = changed?.keys ?? (await buildFull(target));
	await writeExtraFiles(source, pathToFileURL(`${workDir}/`), changed?.assets);
	if (changed) await serveEarly?.(stored);
	const pictures = drawing ?? draw();
	const pages = changed?.pages ?? [];
	const kept = [...(changed?.assets ?? []), ...(await pictures())];
	const others = (await filesIn(workDir)).flatMap((name) =>
		keys.has(name) ? [] : (servedPath(name) ?? []),
	);
	const now = { pages, kept, others, sitemap: memory.sitemap.files };
	const made = {
		...{ dir: workDir, keys, kept },
		// A build by Astro itself leaves all of its pages in the folder.
		...(changed && { stored, reused }),
		...(changed && last && changesSince(last, now, changed)),
	};
	report({ doing: 'Compressing files' });
	const add = changed ? addEarly : await open('whole');
	const listing = await storeFiles(add, made, { earlier, isStored });
	// A build by Astro itself lists no pages that the next one could be compared with.
	memory.last = changed && { ...now, listing };
	const parts = await listing.store(async (text) => (await add('', Buffer.from(text))).hash);
	return { listing, parts, isByAstro: !changed, left: changed?.left ?? 0 };
}

/** Returns which of a build's kept files are not those of the last build, and the paths that it has no more. */
function changesSince(
	last: Contents,
	{ kept, others, sitemap }: Omit<Contents, 'listing'>,
	page: Pick<Updated, 'added' | 'gone'>,
): { kept: KeptFile[]; gone: Set<string> } {
	const file = compareLists(last.kept, kept);
	const pathsOf = (pages: Page[], kept: KeptFile[], others: readonly string[]) => [
		...pages.map(({ address }) => address),
		...kept.map(({ path }) => path),
		...others,
	];
	const gone = new Set(pathsOf(page.gone, file.gone, [...last.others, ...last.sitemap.keys()]));
	const here = pathsOf(page.added, file.added, [...others, ...sitemap.keys()]);
	for (const path of here) gone.delete(path);
	return { kept: file.added, gone };
}

/**
 * Builds all pages with Astro and reuses nothing but pictures: where its version is one that we cannot render without, or
 * after damage. Returns the cache keys.
 */
async function buildFull({ workDir, cacheDir, report }: Target): Promise<PageKeys> {
	for (const name of await readdir(cacheDir).catch(() => [])) {
		if (KEPT_FOLDERS.includes(name)) continue;
		await rm(join(cacheDir, name), { recursive: true, force: true });
	}
	await rm(workDir, { recursive: true, force: true });
	const keys: PageKeys = new Map();
	const { renderer, code } = await useBundle();
	report({ doing: 'Bundling scripts and styles' });
	await runAstro(workDir, cacheDir, saveRenderer(renderer, { code, keys, report }));
	return keys;
}

/** Folders of pictures, which take minutes to draw and do not affect pages, and of files by their digests. */
const KEPT_FOLDERS = ['media', 'figures', 'social', 'files'];

/** Renders what changed since the last build. Returns undefined if that is not possible without Astro. */
async function buildIncremental(
	source: Source,
	{ workDir, report, memory, hasTimeForNames }: Target,
	{ last, ...how }: Pick<Update, 'reuse' | 'formerKey' | 'write'> & { last: Contents | undefined },
): Promise<Updated | undefined> {
	try {
		const renderer = await loadRenderer(report);
		const known = last?.pages;
		const files = { known, outDir: workDir, report, hasTimeForNames };
		const updated = await renderer?.update({ ...how, ...files });
		if (!updated) return undefined;
		const pages = updated.pages.flatMap(({ told }) => told ?? []);
		const dir = pathToFileURL(`${workDir}/`);
		await memory.sitemap.write(dir, pages, lastChanges(source), last?.sitemap);
		return updated;
	} catch (error) {
		// Astro's own build needs more.
		if (error instanceof MemoryError) throw error;
		// If a page is at fault, Astro's own build reports it as well.
		console.error(error);
		return undefined;
	}
}
