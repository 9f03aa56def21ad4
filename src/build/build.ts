/** Builds the site from the database. Run as a program, it is the one-machine server's build process. */
import type { AstroIntegration } from 'astro';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outageOf, type Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { posts } from '#db/schema.ts';
import { trendingScores } from '#src/features/counts/counts.server.ts';
import { listIssues, recordBuiltIssue } from '#src/features/newsletter/issues.server.ts';
import { checkPictures, makePictures } from '#src/features/posts/pictures.server.ts';
import {
	buildSettings,
	provideSite,
	loadSite,
	type Article,
	type Site,
} from '#src/features/site/site-data.server.ts';
import { recordBuiltUntil, claimBuilds } from '#src/core/builds/builds.server.ts';
import { keyPath } from '#src/core/builds/indexnow.ts';
import { checkRows } from '#src/core/builds/rows.server.ts';
import { recordBuild } from '#src/core/builds/health.server.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { getEnv } from '#src/lib/env.ts';
import {
	BuildError,
	currentBuild,
	buildDir,
	siteFolder,
	withLock,
	activateBuild,
	ROOT,
	type BuildMessage,
	type PageKeys,
	type Progress,
} from './builds.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { saveRenderer, linkFiles, openRenderer } from './astro-internals.ts';
import { bundleServiceWorker, serviceWorkerOf } from './service-worker.ts';
import { HIGH_QUALITY_PAGES, prepareFiles } from './site-files.ts';
import { sitemapFiles } from './sitemap.ts';

type Report = (progress: Progress) => void;
type Issues = Awaited<ReturnType<typeof listIssues>>;

/** The inputs of a build, read once before it. */
type Source = {
	site: Site;
	/** When they were read. */
	now: Date;
	/** Digest of everything that pages are made of, apart from the code of packages. */
	fingerprint: string;
	/** Issues of the letter, newest first. Each has its page once this is built. */
	issues: Issues;
};

/** Checks rows, renders stale articles, then reads the site, so that every rendering matches its text. */
async function readSource(
	db: Db,
	{ report, cacheDir }: Pick<Target, 'report' | 'cacheDir'>,
): Promise<Source> {
	await checkRows(db, new Date());
	await checkPictures(db, join(cacheDir, 'media'));
	for (;;) {
		await renderStalePosts(db, undefined, (done, total) =>
			report({ doing: 'Rendering articles', done, total }),
		);
		const now = new Date();
		const site = await loadSite(db, now);
		if (site.articles.some(({ rendering }) => rendering === '')) continue;
		// An unpublished or deleted post still is a row.
		const isEmpty = site.articles.length === 0 && (await db.$count(posts)) === 0;
		if (isEmpty && Number(await getMeta(db, 'built_posts')) > 0) {
			throw new BuildError('No posts were found in a database that had some at the last build.');
		}
		provideSite(site);
		const issues = await listIssues(db);
		const fingerprint = await computeFingerprint(db, site, issues, now);
		return { site, now, fingerprint, issues };
	}
}

/** Records what the pages now show. */
async function recordBuilt(db: Db, { site, now }: Source): Promise<void> {
	await setMeta(db, 'built_posts', String(site.articles.length));
	await recordBuiltUntil(db, now);
	await recordBuild(db, new Date());
}

type Target = {
	outDir: string;
	cacheDir: string;
	report: Report;
	/** How long pictures of posts may be drawn. Later builds draw the rest. */
	picturesMs?: number;
	/** Called if some are left. */
	onPicturesLeft?: () => void;
};
/** Enough for a few thousand pictures. */
const PICTURES_MS = 120_000;

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
async function buildFull(db: Db, source: Source, target: Target): Promise<PageKeys> {
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
async function buildIncremental(
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

const RENDERER_FOLDER = 'renderer';

/** Returns the integrations that add files besides the pages. */
function postBuildIntegrations(db: Db, source: Source, target: Target): AstroIntegration[] {
	return [sitemapFiles(db, source), pictures(db, target), extraFiles(source)];
}

/** Writes the service worker, redirects of renamed articles, and the IndexNow key file. */
function extraFiles({ fingerprint, site }: Source): AstroIntegration {
	return {
		name: 'other-files',
		hooks: {
			'astro:build:done': async ({ dir }) => {
				await writeFile(new URL('sw.js', dir), await serviceWorkerOf(fingerprint));
				const rules = site.redirects.map(({ from, to }) => `${from} ${to} 301\n`);
				if (rules.length > 0) await writeFile(new URL('_redirects', dir), rules.join(''));
				const { INDEXNOW_KEY: key } = getEnv();
				if (key) await writeFile(new URL(`.${keyPath(key)}`, dir), key);
			},
		},
	};
}

/**
 * Makes the files of featured images and draws social pictures while pages are built, then places them in the
 * build.
 */
function pictures(
	db: Db,
	{ cacheDir, report, picturesMs = PICTURES_MS, onPicturesLeft }: Target,
): AstroIntegration {
	// Slow to load, and only a build needs it.
	const loading = import('./social.server.ts');
	let images: Promise<Map<string, string>>;
	let arePagesDone = false;
	const reporting = (doing: string) => (done: number, total: number) => {
		if (arePagesDone) report({ doing, done, total });
	};
	const make = () => {
		const end = Date.now() + picturesMs;
		const work = loading.then(async ({ drawPictures }) => {
			const made = await makePictures(db, join(cacheDir, 'media'), reporting('Making images'));
			const drawn = await drawPictures(db, join(cacheDir, 'social'), {
				hasTime: () => {
					const isTime = Date.now() < end;
					if (!isTime) onPicturesLeft?.();
					return isTime;
				},
				onProgress: reporting('Drawing pictures'),
			});
			return new Map([...made, ...drawn]);
		});
		// Reported when awaited. Until then a failure must not end the process.
		work.catch(() => {});
		return work;
	};
	return {
		name: 'pictures',
		hooks: {
			'astro:build:start': () => {
				images = make();
			},
			'astro:build:done': async ({ dir }) => {
				arePagesDone = true;
				const { placePictures } = await loading;
				await placePictures(await images, fileURLToPath(dir));
			},
		},
	};
}

async function computeFingerprint(
	db: Db,
	{ articles, categories, tags, redirects }: Site,
	issues: Issues,
	now: Date,
): Promise<string> {
	const scores = await trendingScores(db, now);
	// Scores fall every day, but readers only see their order.
	const scoreOf = ({ post }: Article) => scores.get(post.id) ?? 0;
	const trending = articles.filter(scoreOf).sort((a, b) => scoreOf(b) - scoreOf(a));
	const hash = createHash('sha256');
	hash.update(JSON.stringify([categories, tags, redirects, await listStates(db)]));
	hash.update(JSON.stringify(issues.map(({ date, subject, posts }) => [date, subject, posts])));
	hash.update(JSON.stringify(trending.map(({ post }) => post.id)));
	for (const article of articles) hash.update(JSON.stringify(article));
	return hash.update(await codeDigest()).digest('base64url');
}

let cachedCodeDigest: Promise<string> | undefined;

/**
 * Returns the digest of the repository's sources and the build settings. A process builds with the code that it
 * was started with.
 */
function codeDigest(): Promise<string> {
	return (cachedCodeDigest ??= computeCodeDigest());
}

async function computeCodeDigest(): Promise<string> {
	const hash = createHash('sha256').update(buildSettings());
	for (const path of await sourceFiles())
		hash.update(path).update(await readFile(join(ROOT, path)));
	return hash.digest('base64url');
}

const DIGEST_FOLDERS = ['src', 'db', 'functions', 'content', 'public'];
const DIGEST_FILES = ['astro.config.mjs', 'netlify.toml', 'package-lock.json', 'tsconfig.json'];

async function sourceFiles(): Promise<string[]> {
	const paths = [...DIGEST_FILES];
	for (const folder of DIGEST_FOLDERS) {
		for (const entry of await readdir(join(ROOT, folder), {
			recursive: true,
			withFileTypes: true,
		})) {
			// The database may be in db/.
			const isData =
				/\.(db(-\w+)?|secret)$/.test(entry.name) ||
				/\.(mailbox|downloads)\b/.test(entry.parentPath);
			if (entry.isFile() && !isData)
				paths.push(join(entry.parentPath, entry.name).slice(ROOT.length));
		}
	}
	return paths.sort();
}

/**
 * Builds the one-machine server's site if anything changed. Returns the id of the build to serve, which is the
 * current one if nothing changed.
 */
async function buildIfStale(db: Db, folder: string, report: Report): Promise<string> {
	const cacheDir = join(folder, 'cache');
	const source = await readSource(db, { report, cacheDir });
	const { fingerprint } = source;
	const current = await currentBuild(folder);
	if (current?.fingerprint === fingerprint) return current.id;
	const earlier = current && { ...current, dir: buildDir(folder, current.id) };
	// Always the same folder, because Astro's assets refer to it: with another one, no page would be reused.
	const outDir = join(folder, 'next');
	let isWhole = true;
	const onPicturesLeft = () => (isWhole = false);
	const target = { outDir, cacheDir, report, onPicturesLeft };
	const changed = earlier && (await buildIncremental(db, source, target, earlier));
	const pages = changed ?? (await buildFull(db, source, target));
	report({ doing: 'Compressing files' });
	const finePages = changed ? HIGH_QUALITY_PAGES.update : HIGH_QUALITY_PAGES.whole;
	const files = await prepareFiles(outDir, earlier, finePages);
	await assertServable(outDir);
	const id = `${new Date().toISOString().replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;
	await mkdir(join(folder, 'builds'), { recursive: true });
	await rename(outDir, buildDir(folder, id));
	// An unfinished build makes the next one continue.
	await activateBuild(folder, {
		id,
		fingerprint: isWhole ? fingerprint : UNFINISHED_FINGERPRINT,
		files,
		pages,
	});
	await recordBuilt(db, source);
	await recordBuiltIssue(db, source.issues[0]?.date, new Date());
	return id;
}

/** Fingerprint of a build with missing pictures. It never equals a real one, so the next build continues. */
const UNFINISHED_FINGERPRINT = 'unfinished';

/** Throws if no server could open this build; after a restart there would be no site. */
async function assertServable(dir: string): Promise<void> {
	const { readRules } = await import('./rules.ts');
	await readRules(dir).catch((error: unknown) => {
		throw new BuildError(`The site's rules cannot be read: ${(error as Error).message}`);
	});
}

/** Code in the most common languages, to load their grammars in advance. */
const WARM_UP_CODE = ['python', 'typescript', 'bash', 'json']
	.map((language) => `<pre><code class="language-${language}">x = 1</code></pre>`)
	.join('');

/** Loads what a build will need before it is requested. */
async function prewarm(): Promise<void> {
	const folder = siteFolder(getEnv().DATABASE_URL);
	await openRenderer(join(folder, 'cache', RENDERER_FOLDER), await codeDigest());
	await Promise.all([
		import('astro/runtime/prerender/static-paths.js'),
		import('./social.server.ts'),
		import('./rules.ts'),
		bundleServiceWorker(),
		renderArticle(WARM_UP_CODE),
	]);
}

if (import.meta.main) {
	const send = (message: BuildMessage) => process.send?.(message);
	process.on('disconnect', () => process.exit(1));
	const started = once(process, 'message');
	// The build itself will report the error.
	void prewarm().catch(() => {});
	await started;
	const { DATABASE_URL, DATABASE_AUTH_TOKEN, LOG_FORMAT } = getEnv();
	if (LOG_FORMAT === 'json') (await import('#src/core/log.server.ts')).structureLogs(2);
	const folder = siteFolder(DATABASE_URL);
	const build = async (): Promise<BuildMessage> => {
		const db = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN);
		// Claimed before the database is read: whatever is requested from here on belongs to another build.
		send({ taken: await claimBuilds(db, new Date()) });
		return { live: await buildIfStale(db, folder, (progress) => send({ progress })) };
	};
	const failure = (error: unknown): BuildMessage => {
		const outage = outageOf(error);
		if (!outage && !(error instanceof BuildError)) console.error(error);
		const reason = outage ?? (error instanceof Error ? error.message : String(error));
		return { failed: reason.split('\n', 1)[0]! };
	};
	await withLock(folder, 'build', async () => {
		const answered = once(process, 'message');
		send(await build().catch(failure));
		await answered;
	}).catch((error: unknown) => send(failure(error)));
	process.disconnect();
}
