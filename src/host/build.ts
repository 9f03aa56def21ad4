/** Builds the site from the database. Run by itself it is the one-machine server's build process. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { workerSource } from '#src/features/offline/worker.ts';
import { loadSite } from '#src/features/publishing/build.server.ts';
import { recordBuild } from '#src/features/publishing/publishing.server.ts';
import { renderStalePosts } from '#src/features/publishing/renderings.server.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { getEnv } from '#src/lib/env.ts';
import {
	BuildError,
	currentBuild,
	dirOf,
	folderOf,
	locked,
	publish,
	ROOT,
	type BuildMessage,
	type Progress,
} from './builds.ts';
import { getMeta, setMeta } from './prepare.ts';
import { prepareFiles } from './site-files.ts';

type Report = (progress: Progress) => void;

/** Renders what is stale and builds all pages into `outDir`, which is emptied only when there is something to publish. */
export async function buildPages(
	db: Db,
	{
		outDir,
		cacheDir,
		report,
		fingerprint,
	}: { outDir: string; cacheDir: string; report: Report; fingerprint?: string },
): Promise<void> {
	await renderStalePosts(db, undefined, (done, total) =>
		report({ doing: 'Rendering articles', done, total }),
	);
	const { articles } = await loadSite(db, new Date());
	if (articles.length === 0 && Number(await getMeta(db, 'built_posts')) > 0) {
		throw new BuildError(
			'No published posts were found in a database that had some at the last build.',
		);
	}
	process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
	// Whatever the shell says: any other value bundles the development build of React.
	process.env['NODE_ENV'] = 'production';
	// Restored pages are laid over what is there.
	await rm(outDir, { recursive: true, force: true });
	const code = await codeDigest();
	const builtBy = join(cacheDir, 'built-by');
	// Only a build needs it, and it is slow to load.
	const { build } = await import('astro');
	await build({
		root: ROOT,
		outDir,
		cacheDir,
		logLevel: 'error',
		// A restored page names scripts by hashes, and a change of code anywhere can change those.
		force: (await readFile(builtBy, 'utf8').catch(() => '')) !== code,
		integrations: [
			reporter(report),
			socialPictures(db, join(cacheDir, 'social'), report),
			serviceWorker(fingerprint ?? (await fingerprintOf(db))),
		],
	});
	await writeFile(builtBy, code);
	await setMeta(db, 'built_posts', String(articles.length));
	await recordBuild(db, new Date());
}

/** Tells how many pages there are and how many of them are rendered; the others come from the cache. */
function reporter(report: Report): AstroIntegration {
	return {
		name: 'progress',
		hooks: {
			'astro:build:start': ({ setPrerenderer }) => {
				setPrerenderer((prerenderer) => {
					let done = 0;
					let total = 0;
					return {
						...prerenderer,
						async getStaticPaths() {
							const paths = await prerenderer.getStaticPaths();
							total = paths.length;
							return paths;
						},
						render(request, options) {
							report({ doing: 'Building pages', done: ++done, total });
							return prerenderer.render(request, options);
						},
					};
				});
			},
		},
	};
}

/** Lays the service worker beside the pages. */
function serviceWorker(fingerprint: string): AstroIntegration {
	return {
		name: 'service-worker',
		hooks: {
			'astro:build:done': ({ dir }) => writeFile(new URL('sw.js', dir), workerSource(fingerprint)),
		},
	};
}

/** How long a build draws pictures of posts: some thousands. The next builds go on with what is left. */
const PICTURES_MS = 120_000;

/** Draws social pictures while pages are built, and lays them beside those. */
function socialPictures(db: Db, cacheDir: string, report: Report): AstroIntegration {
	// Only a build needs it, and it is slow to load.
	const loading = import('#src/features/covers/social.server.ts');
	let drawing: Promise<Map<string, string>>;
	let arePagesDone = false;
	return {
		name: 'social-pictures',
		hooks: {
			'astro:build:start': () => {
				const end = Date.now() + PICTURES_MS;
				drawing = loading.then(({ drawPictures }) =>
					drawPictures(db, cacheDir, {
						hasTime: () => Date.now() < end,
						onProgress: (done, total) => {
							if (arePagesDone) report({ doing: 'Drawing pictures', done, total });
						},
					}),
				);
				// Told when it is waited for; until then a failure must not end the process.
				drawing.catch(() => {});
			},
			'astro:build:done': async ({ dir }) => {
				arePagesDone = true;
				const { placePictures } = await loading;
				await placePictures(await drawing, fileURLToPath(dir));
			},
		},
	};
}

/** Everything that pages are made of besides packages' own code, as one digest. Articles must be rendered before. */
async function fingerprintOf(db: Db): Promise<string> {
	const hash = createHash('sha256');
	const { SITE_URL, INVENTED_PROOF, STYLEGUIDE, GA_MEASUREMENT_ID } = getEnv();
	const { articles, categories, tags } = await loadSite(db, new Date());
	const states = await listStates(db);
	hash.update(JSON.stringify([SITE_URL, INVENTED_PROOF, STYLEGUIDE, GA_MEASUREMENT_ID]));
	hash.update(JSON.stringify([categories, tags, states]));
	for (const article of articles) hash.update(JSON.stringify(article));
	return hash.update(await codeDigest()).digest('base64url');
}

/** The part of it that is in the repository. */
async function codeDigest(): Promise<string> {
	const hash = createHash('sha256');
	for (const path of await sources()) hash.update(path).update(await readFile(join(ROOT, path)));
	return hash.digest('base64url');
}

const FOLDERS = ['src', 'db', 'functions', 'content', 'public'];
const FILES = ['astro.config.mjs', 'netlify.toml', 'package-lock.json', 'tsconfig.json'];

async function sources(): Promise<string[]> {
	const paths = [...FILES];
	for (const folder of FOLDERS) {
		for (const entry of await readdir(join(ROOT, folder), {
			recursive: true,
			withFileTypes: true,
		})) {
			// The database may live in db/.
			const isData = /\.(db(-\w+)?|secret)$/.test(entry.name) || /\.mailbox/.test(entry.parentPath);
			if (entry.isFile() && !isData)
				paths.push(join(entry.parentPath, entry.name).slice(ROOT.length));
		}
	}
	return paths.sort();
}

/** Brings the one-machine server's site up to date. Answers the build to serve: the current one where nothing changed. */
async function bringUpToDate(db: Db, report: Report): Promise<string> {
	const folder = folderOf(getEnv().DATABASE_URL);
	return locked(folder, async () => {
		await renderStalePosts(db, undefined, (done, total) =>
			report({ doing: 'Rendering articles', done, total }),
		);
		const fingerprint = await fingerprintOf(db);
		const current = await currentBuild(folder);
		if (current?.fingerprint === fingerprint) return current.id;
		// Always the same folder: Astro's assets know it, so that with another no page would come from the cache.
		const outDir = join(folder, 'next');
		await buildPages(db, { outDir, cacheDir: join(folder, 'cache'), report, fingerprint });
		report({ doing: 'Compressing files' });
		const earlier = current && { dir: dirOf(folder, current.id), files: current.files };
		const files = await prepareFiles(outDir, earlier);
		const id = `${new Date().toISOString().replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;
		await mkdir(join(folder, 'builds'), { recursive: true });
		await rename(outDir, dirOf(folder, id));
		await publish(folder, { id, fingerprint, files });
		return id;
	});
}

if (import.meta.main) {
	const send = (message: BuildMessage) => process.send?.(message);
	process.on('disconnect', () => process.exit(1));
	try {
		const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
		const db = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN);
		send({ live: await bringUpToDate(db, (progress) => send({ progress })) });
	} catch (error) {
		if (!(error instanceof BuildError)) console.error(error);
		send({ failed: error instanceof Error ? error.message.split('\n', 1)[0]! : String(error) });
		process.exitCode = 1;
	}
	process.disconnect();
}
