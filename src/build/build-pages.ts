/** Builds the site's pages from the database: all of them, or only those that changed. */
import type { AstroIntegration } from 'astro';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '#db/client.ts';
import { linkFiles, openRenderer, saveRenderer } from './astro-internals.ts';
import { ROOT, type PageKeys } from './builds.ts';
import { extraFiles } from './extra-files.ts';
import { codeDigest } from './fingerprint.ts';
import { pictures } from './pictures.ts';
import { sitemapFiles } from './sitemap.ts';
import { readSource, recordBuilt, type Source } from './source.ts';
import type { Target } from './target.ts';

/**
 * Renders stale articles and builds the site into `outDir`, which is emptied only once there is something to
 * publish. `cacheDir` keeps what has not changed for the next build. Returns the date of the newest issue,
 * which now has its page.
 */
export async function buildPages(db: Db, target: Target): Promise<string | undefined> {
	const source = await readSource(db, target);
	const kept = join(target.cacheDir, 'pages');
	const list = join(kept, '.keys.json');
	const earlier = await readFile(list, 'utf8')
		.then((text) => ({ dir: kept, pages: JSON.parse(text) as PageKeys }))
		.catch(() => undefined);
	const pages =
		(earlier && (await buildIncremental(db, source, target, earlier))) ??
		(await buildFull(db, source, target));
	await rm(kept, { recursive: true, force: true });
	await linkFiles(target.outDir, kept, Object.keys(pages));
	await writeFile(list, JSON.stringify(pages));
	await recordBuilt(db, source);
	return source.issues[0]?.date;
}

/**
 * Builds all pages with Astro and reuses nothing but pictures: for the first build, after a code change, or
 * after damage. Returns the cache keys.
 */
export async function buildFull(db: Db, source: Source, target: Target): Promise<PageKeys> {
	const { outDir, cacheDir, report } = target;
	for (const name of await readdir(cacheDir).catch(() => [])) {
		if (PICTURE_FOLDERS.includes(name)) continue;
		await rm(join(cacheDir, name), { recursive: true, force: true });
	}
	process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
	// Overrides the shell: any other value bundles the development build of React.
	process.env['NODE_ENV'] = 'production';
	await rm(outDir, { recursive: true, force: true });
	const keys: PageKeys = {};
	report({ doing: 'Bundling scripts and styles' });
	// Slow to load, and only a build needs it.
	const { build } = await import('astro');
	await build({
		root: ROOT,
		outDir,
		cacheDir,
		// The default is in node_modules, where the server may not have write access.
		vite: { cacheDir: join(cacheDir, 'vite') },
		logLevel: 'error',
		integrations: [
			saveRenderer(join(cacheDir, RENDERER_FOLDER), await codeDigest(), keys, report),
			...postBuildIntegrations(db, source, target),
		],
	});
	return keys;
}

/** Folders of pictures, which take minutes to draw and do not affect pages. */
const PICTURE_FOLDERS = ['media', 'social'];

/**
 * Builds what `buildFull` would, reusing an earlier build if it saved its renderer. Returns the cache keys, or
 * undefined if that is not possible.
 */
export async function buildIncremental(
	db: Db,
	source: Source,
	target: Target,
	earlier: { dir: string; pages: PageKeys },
): Promise<PageKeys | undefined> {
	const { outDir, cacheDir, report } = target;
	try {
		const renderer = await openRenderer(join(cacheDir, RENDERER_FOLDER), await codeDigest());
		return await renderer?.update({
			from: earlier.dir,
			keys: earlier.pages,
			outDir,
			integrations: postBuildIntegrations(db, source, target),
			report,
		});
	} catch (error) {
		// If a page is at fault, Astro's own build reports it as well.
		console.error(error);
		return undefined;
	}
}

export const RENDERER_FOLDER = 'renderer';

/** Returns the integrations that add files besides the pages. */
function postBuildIntegrations(db: Db, source: Source, target: Target): AstroIntegration[] {
	return [sitemapFiles(db, source), pictures(db, target), extraFiles(source)];
}
