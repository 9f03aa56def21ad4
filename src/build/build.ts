/** The one-machine server's build process: builds its site once, when it is told to. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db } from '#db/client.ts';
import { outageOf } from '#db/outage.ts';
import { openDb } from '#db/local.ts';
import { renderArticle } from '#src/core/articles/render.ts';
import { causeOf, claimBuilds, erasedAt } from '#src/core/builds/builds.server.ts';
import { getMeta } from '#src/core/meta.server.ts';
import { readSiteSettings } from '#src/core/settings/site.server.ts';
import { recordBuiltIssue } from '#src/features/newsletter/letters.server.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv } from '#src/lib/env.ts';
import { buildSite, PICTURES_MS } from './build-pages.ts';
import type { BuildMessage, BuildOrder, BuildOutcome } from './build-queue.ts';
import {
	activateBuild,
	buildDir,
	BuildError,
	currentBuild,
	earlyDir,
	UNFINISHED_FINGERPRINT,
	isPage,
	openFiles,
	removeOldBuilds,
	siteFolder,
	storeOf,
	withLock,
	type Progress,
} from './builds.ts';
import { loadRenderer } from './bundles.ts';
import { BuildMemory } from './memory.ts';
import type { Source } from './fingerprint.ts';
import { MemoryError, peakMemory, resetPeak } from './room.ts';
import { bundleServiceWorker } from './service-worker.ts';
import { placeRules, storeFiles, type BuildOutput } from './site-files.ts';
import { readSource, recordBuilt } from './source.ts';
import type { Target } from './target.ts';

type Made = {
	/** The build to serve, and the one that it replaces: both are the current one if nothing changed. */
	live: string;
	replaced: string | undefined;
	isByAstro?: boolean;
	left?: number;
	/** Learns what the next build is to follow, where nothing changed. */
	learn?: () => Promise<void>;
};

/** Builds the one-machine server's site if anything changed. */
async function buildIfStale(
	db: Db,
	folder: string,
	{
		cause,
		isAwaited,
		...common
	}: Pick<Target, 'report'> & { memory: BuildMemory; cause: string; isAwaited: boolean },
): Promise<Made> {
	const cacheDir = join(folder, 'cache');
	const failed = Promise.withResolvers<undefined>();
	const isFirst = !(await currentBuild(folder));
	const early = isFirst ? serveDesk(db, folder, failed.promise) : undefined;
	let desk: BuildOutput | undefined;
	let source: Source;
	try {
		source = await readSource(db, { ...common, isAwaited, cacheDir });
	} catch (error) {
		failed.resolve(undefined);
		throw error;
	} finally {
		desk = await early;
	}
	const { fingerprint } = source;
	const current = await currentBuild(folder);
	const { memory } = common;
	const workDir = join(folder, 'next');
	let isWhole = true;
	const make = async (how: Partial<Target> = {}) => {
		const earlier =
			current &&
			(await openFiles(folder, current, memory.last?.listing).catch(() => undefined))?.listing;
		const end = Date.now() + (earlier && isAwaited ? AWAITED_PICTURES_MS : PICTURES_MS);
		const target = {
			...{ ...common, store: storeOf(folder), workDir, cacheDir, isAwaited },
			onPicturesLeft: () => (isWhole = false),
			// A writer waits for the picture of what was written, and not for what was left before.
			hasTime: ({ wasLeft }: { wasLeft: boolean }) =>
				!isHurried && Date.now() < end && !(isAwaited && wasLeft),
			isHurried: () => isHurried,
			hasTimeForNames: (ms: number) => !isHurried && !(isAwaited && ms > AWAITED_NAMES_MS),
			serveEarly:
				desk &&
				((stored: NonNullable<BuildOutput['stored']>) => serveEarly(folder, { ...desk, stored })),
			...how,
		};
		return buildSite(db, source, target, earlier);
	};
	if (current?.fingerprint === fingerprint) {
		const learn = async () => {
			// Somebody waits for the next build, or all pages would be built.
			if (memory.last || isHurried || !(await loadRenderer())) return;
			// The next build follows this one only where its listing is the served one, part by part.
			await make({ hasTime: () => false, report: () => {} });
		};
		return { live: current.id, replaced: current.id, learn };
	}
	const { listing, parts, isByAstro, left } = await make();
	await assertServable(workDir);
	const id = `${new Date().toISOString().replace(/\D/g, '')}-${randomBytes(3).toString('hex')}`;
	await mkdir(buildDir(folder, id), { recursive: true });
	await placeRules(workDir, buildDir(folder, id));
	await activateBuild(folder, {
		id,
		madeAt: Date.now(),
		cause,
		// An unfinished build makes the next one continue.
		fingerprint: isWhole && left === 0 ? fingerprint : UNFINISHED_FINGERPRINT,
		pageCount: listing.count(isPage),
		parts,
	});
	await recordBuilt(db, source);
	await recordBuiltIssue(db, source.issues[0]?.date, new Date());
	return { live: id, replaced: current?.id, isByAstro, left };
}

/**
 * Has the desk served before the site is read: a first build may take minutes, in which one can write. Gives up where that build
 * has `failed` before scripts were bundled. Returns what is served.
 */
async function serveDesk(
	db: Db,
	folder: string,
	failed: Promise<undefined>,
): Promise<BuildOutput | undefined> {
	try {
		await readSiteSettings(db);
		const dir = earlyDir(folder);
		await rm(dir, { recursive: true, force: true });
		const renderer = await Promise.race([loadRenderer(), failed]);
		const kept = await renderer?.renderAlone('/admin', dir);
		if (!kept) return undefined;
		await serveEarly(folder, { dir, kept });
		return { dir, kept };
	} catch (error) {
		console.error('The admin area is there only after the first build:', error);
		return undefined;
	}
}

/** Has what was made of a first build served until the whole is there. */
async function serveEarly(folder: string, made: BuildOutput): Promise<void> {
	// Compressed by the build itself, for which nobody waits there.
	const add = await storeOf(folder).open({ isCompressed: false });
	const listing = await storeFiles(add, made);
	send({ early: await listing.store(async (text) => (await add('', Buffer.from(text))).hash) });
}

/** How long pictures may be drawn while a writer waits. */
const AWAITED_PICTURES_MS = 3_000;
/** How long pages of which only names changed may be rendered while a writer waits, after those of which more did. */
const AWAITED_NAMES_MS = 2_000;

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
	await Promise.all([
		loadRenderer(),
		import('astro/runtime/prerender/static-paths.js'),
		import('./social.server.ts'),
		import('./rules.ts'),
		bundleServiceWorker(),
		renderArticle(WARM_UP_CODE),
	]);
}

const send = (message: BuildMessage) => process.send?.(message);
process.on('disconnect', () => process.exit(1));
/** Settles when the server says one of these. */
const told = (...orders: BuildOrder[]) =>
	new Promise<BuildOrder>((resolve) => {
		const onMessage = (said: BuildOrder) => {
			if (!orders.includes(said)) return;
			process.off('message', onMessage);
			resolve(said);
		};
		process.on('message', onMessage);
	});
let isHurried = false;
process.on('message', (said: BuildOrder) => {
	if (said === 'hurry') isHurried = true;
});

type Outcome = {
	message: BuildOutcome;
	cleanUp?: () => Promise<void>;
	/** True where the process ends after this build. */
	isLast: boolean;
};

/** Knowledge of the site that this process has, and the build as of which it has it. */
let known = { memory: new BuildMemory(), until: undefined as string | undefined };

const failureOf = (error: unknown): BuildOutcome => {
	const outage = outageOf(error);
	if (!outage && !(error instanceof BuildError)) console.error(error);
	const reason = outage ?? (error instanceof Error ? error.message : String(error));
	return { failed: reason.split('\n', 1)[0]!, isMemoryEnd: error instanceof MemoryError };
};

/** Claims builds and makes one of them. If it is to learn, the next one will look only at what changed since. */
async function runBuild(db: Db, folder: string, isToLearn: boolean): Promise<Outcome> {
	const until = await getMeta(db, 'built_until');
	// Another process has built, or the database is another one.
	if (until !== known.until) known = { memory: new BuildMemory(), until };
	// Claimed before the database is read: whatever is requested from here on belongs to another build.
	resetPeak();
	const taken = await claimBuilds(db, new Date());
	send({ taken });
	const report = (progress: Progress) => send({ progress });
	const cause = await causeOf(db, taken);
	// Nobody waits for the hourly build: it draws what is left.
	const isAwaited = taken.length > 0;
	const how = { cause, isAwaited, report, memory: known.memory };
	const { live, replaced = live, isByAstro, left, learn } = await buildIfStale(db, folder, how);
	known.until = await getMeta(db, 'built_until');
	const cleanUp = async () => {
		if (isToLearn) await learn?.().catch(console.error);
		for (const dir of [join(folder, 'next'), earlyDir(folder)])
			await rm(dir, { recursive: true, force: true });
		await removeOldBuilds(folder, [live, replaced], await erasedAt(db));
		// Now that nobody waits for it, instead of during the next build.
		globalThis.gc?.();
	};
	// All of Astro stays in memory.
	return { message: { live, left }, cleanUp, isLast: isByAstro === true };
}

const { DATABASE_URL, DATABASE_AUTH_TOKEN } = getEnv();
await startLog(2);
const folder = siteFolder(DATABASE_URL);
let ordered = told('build', 'learn');
// The build itself will report the error.
void prewarm().catch(() => {});
for (;;) {
	const isToLearn = (await ordered) === 'learn';
	const isLast = await withLock(folder, 'build', async () => {
		const answered = told('done');
		// Each build has a connection of its own: a statement that was not collected yet may hold an old state.
		let db: Db | undefined;
		const outcome = await openDb(DATABASE_URL, DATABASE_AUTH_TOKEN)
			.then((opened) => runBuild((db = opened), folder, isToLearn))
			.catch((error: unknown): Outcome => ({ message: failureOf(error), isLast: true }));
		send({ ...outcome.message, peak: peakMemory() });
		await answered;
		// Nobody waits for this.
		await outcome.cleanUp?.().catch(console.error);
		db?.$client.close();
		return outcome.isLast;
	}).catch((error: unknown) => {
		send(failureOf(error));
		return true;
	});
	if (isLast) break;
	isHurried = false;
	ordered = told('build', 'learn');
	send({ ready: true });
}
process.disconnect();
