/** Builds the site from the database. Run by itself it is the one-machine server's build process. */
import type { AstroIntegration } from 'astro';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { workerSource } from '#src/features/offline/worker.ts';
import { listIssues, recordBuiltIssue } from '#src/features/newsletter/issues.server.ts';
import { makePictures } from '#src/features/posts/pictures.server.ts';
import {
	buildSettings,
	handSite,
	loadSite,
	type Site,
} from '#src/features/publishing/build.server.ts';
import { recordBuiltUntil } from '#src/features/publishing/builds.server.ts';
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
	type BuildRequest,
	type Progress,
} from './builds.ts';
import { Pages } from './pages.ts';
import { getMeta, setMeta } from './prepare.ts';
import { prepareFiles } from './site-files.ts';

type Report = (progress: Progress) => void;

/** What a build is made from: read once, before it. */
type Source = {
	site: Site;
	/** When it was read. */
	now: Date;
	/** Of everything that pages are made of besides packages' own code. */
	fingerprint: string;
	/** Date of the newest issue of the letter: it has its page once this is built. */
	issue: string | undefined;
};

/** Builds one database's site: by Astro at first, then as long as the process lives only what changed. */
class Builder {
	readonly #db: Db;
	readonly #report: Report;
	/** Astro's renderer of the last build. */
	#pages: Pages | undefined;
	/** What the integrations build from. */
	#source: Source | undefined;

	constructor(db: Db, report: Report) {
		this.#db = db;
		this.#report = report;
	}

	/** Renders what is stale, then reads the site: no article is of another version than its text. */
	async read(): Promise<Source> {
		for (;;) {
			await renderStalePosts(this.#db, undefined, (done, total) =>
				this.#report({ doing: 'Rendering articles', done, total }),
			);
			const now = new Date();
			const site = await loadSite(this.#db, now);
			if (site.articles.every(({ rendering }) => rendering !== '')) {
				const issues = await listIssues(this.#db);
				const fingerprint = await fingerprintOf(this.#db, site, issues);
				return { site, now, fingerprint, issue: issues[0]?.date };
			}
		}
	}

	/** Whether the next build need not be Astro's. */
	get isWarm(): boolean {
		return this.#pages?.canUpdate ?? false;
	}

	/** Builds all pages by Astro into `outDir`, which is emptied only when there is something to publish. */
	async buildAll(source: Source, outDir: string, cacheDir: string): Promise<void> {
		await this.#begin(source);
		process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
		// Whatever the shell says: any other value bundles the development build of React.
		process.env['NODE_ENV'] = 'production';
		// Restored pages are laid over what is there.
		await rm(outDir, { recursive: true, force: true });
		const code = await codeDigest();
		const builtBy = join(cacheDir, 'built-by');
		const pages = new Pages(this.#report);
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
				pages.integration,
				pictures(this.#db, cacheDir, this.#report),
				besidePages(() => this.#source!),
			],
		});
		this.#pages = pages;
		await writeFile(builtBy, code);
		await this.#record(source);
	}

	/** Builds into `outDir` what `buildAll` would, from the last build, which is in `from`. */
	async buildChanged(source: Source, outDir: string, from: string): Promise<void> {
		await this.#begin(source);
		await this.#pages!.update(from, outDir);
		await this.#record(source);
	}

	async #begin(source: Source): Promise<void> {
		const isEmpty = source.site.articles.length === 0;
		if (isEmpty && Number(await getMeta(this.#db, 'built_posts')) > 0) {
			throw new BuildError(
				'No published posts were found in a database that had some at the last build.',
			);
		}
		this.#source = source;
		handSite(source.site);
	}

	async #record({ site, now }: Source): Promise<void> {
		await setMeta(this.#db, 'built_posts', String(site.articles.length));
		await recordBuiltUntil(this.#db, now);
		await recordBuild(this.#db, new Date());
	}
}

/** Builds the whole site into `outDir`. Answers the date of the newest issue of the letter, which has its page then. */
export async function buildPages(
	db: Db,
	{ outDir, cacheDir, report }: { outDir: string; cacheDir: string; report: Report },
): Promise<string | undefined> {
	const builder = new Builder(db, report);
	const source = await builder.read();
	await builder.buildAll(source, outDir, cacheDir);
	return source.issue;
}

/** Lays beside the pages what is no page: the service worker, and redirects of renamed articles. */
function besidePages(source: () => Source): AstroIntegration {
	return {
		name: 'beside-pages',
		hooks: {
			'astro:build:done': async ({ dir }) => {
				const { fingerprint, site } = source();
				await writeFile(new URL('sw.js', dir), workerSource(fingerprint));
				const rules = site.redirects.map(({ from, to }) => `${from} ${to} 301\n`);
				if (rules.length > 0) await writeFile(new URL('_redirects', dir), rules.join(''));
			},
		},
	};
}

/** How long a build draws pictures of posts: some thousands. The next builds go on with what is left. */
const PICTURES_MS = 120_000;

/** Makes featured images' files and draws social pictures while pages are built, and lays them beside those. */
function pictures(db: Db, cacheDir: string, report: Report): AstroIntegration {
	// Only a build needs it, and it is slow to load.
	const loading = import('#src/features/covers/social.server.ts');
	let making: Promise<Map<string, string>> | undefined;
	let arePagesDone = false;
	const reporting = (doing: string) => (done: number, total: number) => {
		if (arePagesDone) report({ doing, done, total });
	};
	const make = () => {
		const end = Date.now() + PICTURES_MS;
		const work = loading.then(async ({ drawPictures }) => {
			const made = await makePictures(db, join(cacheDir, 'media'), reporting('Making images'));
			const drawn = await drawPictures(db, join(cacheDir, 'social'), {
				hasTime: () => Date.now() < end,
				onProgress: reporting('Drawing pictures'),
			});
			return new Map([...made, ...drawn]);
		});
		// Told when it is waited for; until then a failure must not end the process.
		work.catch(() => {});
		return work;
	};
	return {
		name: 'pictures',
		hooks: {
			'astro:build:start': () => {
				making = make();
			},
			'astro:build:done': async ({ dir }) => {
				arePagesDone = true;
				const { placePictures } = await loading;
				// An update of the last build has no start.
				await placePictures(await (making ?? make()), fileURLToPath(dir));
				making = undefined;
			},
		},
	};
}

async function fingerprintOf(
	db: Db,
	{ articles, categories, tags, redirects }: Site,
	issues: Awaited<ReturnType<typeof listIssues>>,
): Promise<string> {
	const hash = createHash('sha256');
	hash.update(buildSettings());
	hash.update(JSON.stringify([categories, tags, redirects, await listStates(db)]));
	hash.update(JSON.stringify(issues.map(({ date, subject, posts }) => [date, subject, posts])));
	for (const article of articles) hash.update(JSON.stringify(article));
	return hash.update(await codeDigest()).digest('base64url');
}

let digestOfCode: Promise<string> | undefined;

/** Of what is in the repository. A process builds with the code that it was started with. */
function codeDigest(): Promise<string> {
	return (digestOfCode ??= digestCode());
}

async function digestCode(): Promise<string> {
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
			const isData =
				/\.(db(-\w+)?|secret)$/.test(entry.name) ||
				/\.(mailbox|downloads)\b/.test(entry.parentPath);
			if (entry.isFile() && !isData)
				paths.push(join(entry.parentPath, entry.name).slice(ROOT.length));
		}
	}
	return paths.sort();
}

/** What one build process knows from build to build. */
class Process {
	readonly #db: Db;
	readonly #builder: Builder;
	readonly #report: Report;
	readonly #folder = folderOf(getEnv().DATABASE_URL);
	/** The build that the renderer made last. */
	#made: string | undefined;

	constructor(db: Db, report: Report) {
		this.#db = db;
		this.#report = report;
		this.#builder = new Builder(db, report);
	}

	/**
	 * Brings the site up to date. Answers the build to serve: the current one where nothing changed. A warm-up builds
	 * also then, to have the renderer ready.
	 */
	bringUpToDate(request: BuildRequest): Promise<string> {
		return locked(this.#folder, async () => {
			const source = await this.#builder.read();
			const current = await currentBuild(this.#folder);
			const isCurrent = current?.fingerprint === source.fingerprint;
			if (isCurrent && (request === 'build' || this.#builder.isWarm)) return current.id;
			const earlier = current && { dir: dirOf(this.#folder, current.id), files: current.files };
			// Always the same folder: Astro's assets know it, so that with another no page would come from the cache.
			const outDir = join(this.#folder, 'next');
			const canUpdate = earlier && current.id === this.#made && this.#builder.isWarm;
			if (!canUpdate || !(await this.#update(source, outDir, earlier.dir))) {
				await this.#builder.buildAll(source, outDir, join(this.#folder, 'cache'));
			}
			if (isCurrent) {
				await rm(outDir, { recursive: true, force: true });
				return (this.#made = current.id);
			}
			this.#report({ doing: 'Compressing files' });
			const files = await prepareFiles(outDir, earlier);
			const id = `${new Date().toISOString().replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;
			await mkdir(join(this.#folder, 'builds'), { recursive: true });
			await rename(outDir, dirOf(this.#folder, id));
			await publish(this.#folder, { id, fingerprint: source.fingerprint, files });
			await recordBuiltIssue(this.#db, source.issue, new Date());
			return (this.#made = id);
		});
	}

	get isWarm(): boolean {
		return this.#builder.isWarm;
	}

	/** Whether the changed pages could be built by themselves; what is wrong with a page, Astro will say as well. */
	async #update(source: Source, outDir: string, from: string): Promise<boolean> {
		try {
			await this.#builder.buildChanged(source, outDir, from);
			return true;
		} catch (error) {
			console.error(error);
			return false;
		}
	}
}

if (import.meta.main) {
	const send = (message: BuildMessage) => process.send?.(message);
	const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
	const opened = openDb(DATABASE_URL, DATABASE_AUTH_TOKEN).then(
		(db) => new Process(db, (progress) => send({ progress })),
	);
	let last: Promise<void> = Promise.resolve();
	process.on('disconnect', () => process.exit(1));
	process.on('message', (request: BuildRequest) => {
		last = last.then(async () => {
			try {
				const builder = await opened;
				const live = await builder.bringUpToDate(request);
				send({ live, isWarm: builder.isWarm });
			} catch (error) {
				if (!(error instanceof BuildError)) console.error(error);
				const reason = error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
				send({ failed: reason });
			}
		});
	});
}
