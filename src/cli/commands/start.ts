import { Cron } from 'croner';
import cluster from 'node:cluster';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { BuildQueue } from '#src/build/build-queue.ts';
import {
	BuildError,
	currentBuild,
	renewFile,
	earlyDir,
	HELD_REASON,
	isHeld,
	isLocked,
	openFiles,
	siteFolder,
} from '#src/build/builds.ts';
import { DownloadQueue } from '#src/build/downloads.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { keptIn } from '#src/build/kept-builds.ts';
import { filePath } from '#db/file-path.ts';
import { openSiteDb, prepareSecret } from '#src/build/prepare.ts';
import { countHit, storeHits } from '#src/features/redirects/hits.server.ts';
import { isMemoryShort, isRoomFor } from '#src/build/room.ts';
import { NightlyCopies } from '#src/cli/copies.ts';
import { renderPreviewsInThread } from '#src/core/articles/render-thread.server.ts';
import { askFront, frontSocket, hearFront, tellFront } from '#src/cli/front.ts';
import { onNewest, openBuild } from '#src/cli/newest.ts';
import { logFailure, retryWhileServing } from '#src/cli/outage.ts';
import { currentProgress, printDuration, printProgress } from '#src/cli/progress.ts';
import { ignoreSignals, onShutdown } from '#src/cli/shutdown.ts';
import { openSite, prepareSite } from '#src/cli/site.ts';
import { clusterMetrics, onSwitch, preparesSite, report, startWorkers } from '#src/cli/workers.ts';
import { searchInThreads } from '#src/features/search/search-threads.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { isCopiedNightly } from '#src/core/copies/copies.ts';
import {
	explainWaiting,
	hasUnfinishedBuild,
	requestDueBuild,
} from '#src/core/builds/builds.server.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { setSmtpTransport } from '#src/core/outbox/transport.server.ts';
import { mailProcess } from '#src/host/mail-process.ts';
import { routeFunctions } from '#src/host/router.ts';
import { listen } from '#src/host/server.ts';
import { Site } from '#src/host/static-site.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv, setEnv } from '#src/lib/env.ts';

/** Delay between the last build and new downloads. */
const DOWNLOADS_DELAY_MS = MINUTE;
/** Delay between the first damaged file that is found and the build that makes it again. */
const RENEWAL_DELAY_MS = SECOND;

/** Megabytes that must be left for a thread that searches, and how many there are at most. */
const SEARCH_ROOM = 300;
const MAX_SEARCH_THREADS = 4;

/** Reasons of a failed build that end by themselves. */
const LACKS = /ENOSPC|EDQUOT|EROFS|SQLITE_(?:BUSY|CANTOPEN|FULL|IOERR|READONLY)|memory ran out/;

/** Returns how many threads search: one for each processor but the one that serves, and none where they would not fit. */
function searchThreads(servers: number): number {
	if (!isRoomFor(SEARCH_ROOM)) return 0;
	const spare = Math.floor(availableParallelism() / servers) - 1;
	return isMemoryShort() ? 1 : Math.min(Math.max(spare, 1), MAX_SEARCH_THREADS);
}

/** Serves the site, builds it again when something changed, and runs the schedules. */
export async function start(): Promise<void> {
	const { HOST, PORT, TRUST_PROXY, METRICS_TOKEN, DRAIN_SECONDS, WORKERS } = getEnv();
	if (frontSocket) ignoreSignals();
	const log = await startLog(1);
	if (WORKERS > 1 && cluster.isPrimary) return startWorkers(WORKERS);
	if (preparesSite) printProgress({ doing: 'Starting the server' });
	const metrics = METRICS_TOKEN
		? (await import('#src/host/metrics.ts')).openMetrics(
				METRICS_TOKEN,
				frontSocket ? () => askFront('seen').then(() => undefined) : clusterMetrics,
			)
		: undefined;
	const observers = [log, metrics?.observe].filter((observer) => observer !== undefined);
	const server = await listen({
		host: HOST,
		port: PORT,
		isLate: !preparesSite,
		socketPath: frontSocket,
		trustProxy: TRUST_PROXY || frontSocket !== undefined,
		observe:
			observers.length > 0 ? (request) => observers.forEach((one) => one(request)) : undefined,
		metrics,
		progress: currentProgress,
	});
	if (PORT === 0) {
		process.env['PORT'] = String(server.port);
		setEnv();
	}
	const files = await loadFunctions();
	const functions = routeFunctions(files);
	await renderPreviewsInThread();
	const { deliverNow, stopDelivering } = await import('#functions/lib/deliver.ts');
	const accepted = acceptedDeliveries(getEnv());
	if (accepted) setSmtpTransport(mailProcess(accepted));
	const db = await openSiteDb();
	const folder = siteFolder(getEnv().DATABASE_URL);
	// A server of its own keeps nobody waiting here.
	const endSearches = filePath(getEnv().DATABASE_URL)
		? searchInThreads(getEnv().DATABASE_URL, searchThreads(WORKERS))
		: undefined;
	/** Files of the served build that are not what was built. */
	const damaged = new Set<string>();
	const renew = (file: string) => {
		if (damaged.has(file)) return;
		damaged.add(file);
		console.error(`A file of the built site is damaged, and is made again: ${file}`);
		clearTimeout(renewalTimer);
		// Those of one page are found together.
		renewalTimer = setTimeout(() => {
			const files = [...damaged];
			void Promise.all(files.map((one) => renewFile(folder, one)))
				.then(() => (started ? rebuild() : undefined))
				.catch(logFailure);
		}, RENEWAL_DELAY_MS);
	};
	let renewalTimer: NodeJS.Timeout | undefined;
	let site: Site | undefined;
	let hasSite = false;
	const serveCurrent = onNewest(folder, async (build, isFirst) => {
		if (frontSocket) await askFront('newest');
		else site = await openBuild(folder, build, site, renew, countHit);
		hasSite = true;
		damaged.clear();
		// A power cut may have left files that are cut short. Later builds wrote their own.
		if (isFirst && preparesSite) void site?.check();
		server.setContent({ site, functions, isBehind: frontSocket !== undefined });
		report('switched');
	});
	if (frontSocket) {
		hearFront((told) => {
			if ('damaged' in told) renew(told.damaged);
			if ('hit' in told) countHit(told.hit);
			if ('seen' in told) metrics?.observe(told.seen);
		});
		tellFront({ routes: files.map(({ name, config }) => ({ name, ...(config && { config }) })) });
	}
	onSwitch(() => void serveCurrent().catch(logFailure));
	const downloads = new DownloadQueue();
	const builds = new BuildQueue(db, {
		serveCurrent,
		async serveEarly(parts) {
			const files = await openFiles(folder, { id: '', parts });
			const early = await Site.open(files, earlyDir(folder));
			if (!hasSite) server.setContent({ functions, early });
		},
		onProgress: printProgress,
		onEnd(isLive, ms, peak) {
			printDuration(peak);
			metrics?.built(isLive, ms, peak);
		},
	});
	setBuilder({
		build: () => void rebuild().catch(logFailure),
		prewarm: () => void prewarm().catch(logFailure),
		kept: keptIn(folder, db, serveCurrent),
	});
	let started = false;
	let downloadsTimer: NodeJS.Timeout | undefined;
	let retryTimer: NodeJS.Timeout | undefined;
	/** Has a process ready for what somebody at the desk may publish. Another server could not tell it to hurry. */
	async function prewarm(): Promise<void> {
		if (started && WORKERS === 1 && !(await isHeld(folder))) await builds.learn();
		else builds.prewarm();
	}
	/** Builds what has changed. Resolves with whether the site is what was asked for. */
	async function rebuild(isRest = false): Promise<boolean> {
		if (await isHeld(folder)) {
			await explainWaiting(db, HELD_REASON);
			return false;
		}
		// What was interrupted is requested again after the build.
		if (isMemoryShort()) downloads.pause();
		const result = await (isRest ? builds.resume() : builds.request());
		// The site does not wait for the downloads, and the next publish should not either.
		clearTimeout(downloadsTimer);
		downloadsTimer = setTimeout(
			() => {
				if (isMemoryShort()) builds.rest();
				void downloads.request();
			},
			started ? DOWNLOADS_DELAY_MS : 0,
		);
		if (result.state === 'live' && !result.isWhole) void rebuild(true).catch(logFailure);
		if (result.state === 'live') return true;
		const { reason } = result;
		// Put back meanwhile, as somebody wanted.
		if (reason === HELD_REASON) return false;
		if (!(await currentBuild(folder))) throw new BuildError(`The site cannot be built. ${reason}`);
		console.error(`The site stays as it was, because it cannot be built. ${reason}`);
		// Nothing else asks for it once there is room again.
		clearTimeout(retryTimer);
		if (LACKS.test(reason)) retryTimer = setTimeout(() => void rebuild().catch(logFailure), MINUTE);
		return false;
	}
	// Rebuild hourly to include new comments; a build without changes is cheap.
	const hourlyBuilds = new Cron(
		'0 * * * *',
		{ paused: true, protect: true, catch: logFailure },
		async () => void (await rebuild()),
	);
	// Publish scheduled posts when they become due.
	const dueBuilds = new Cron(
		'* * * * * *',
		{ paused: true, protect: true, catch: logFailure },
		async () => {
			// Not awaited: it may itself wait for another process of this database, whose build is served
			// meanwhile.
			try {
				const isDue = !(await isHeld(folder)) && (await requestDueBuild(db, new Date()));
				if (isDue) void rebuild().catch(logFailure);
			} finally {
				await serveCurrent();
			}
		},
	);
	// Finish builds that another process left behind. With a build hook, no process here holds the lock.
	const leftoverBuilds = new Cron(
		'*/5 * * * * *',
		{ paused: true, protect: true, catch: logFailure },
		async () => {
			if (getEnv().BUILD_HOOK_URL || !(await hasUnfinishedBuild(db, new Date()))) return;
			if (!(await isLocked(folder, 'build'))) await rebuild();
		},
	);
	const hits = new Cron('*/10 * * * * *', { paused: true, protect: true, catch: logFailure }, () =>
		storeHits(db, new Date()),
	);
	// Copy the database each night; what was missed is made up for within the hour.
	const copies = new NightlyCopies();
	const isCopied = isCopiedNightly(getEnv());
	const nightlyCopies = new Cron(
		'20 0 * * * *',
		{ paused: true, protect: true, catch: logFailure },
		() => copies.request(),
	);
	onShutdown(async () => {
		stopDelivering();
		nightlyCopies.stop();
		copies.stop();
		clearTimeout(downloadsTimer);
		clearTimeout(retryTimer);
		clearTimeout(renewalTimer);
		hourlyBuilds.stop();
		dueBuilds.stop();
		leftoverBuilds.stop();
		builds.stop();
		downloads.stop();
		hits.stop();
		// The process in front has waited already.
		await server.close(frontSocket ? 0 : DRAIN_SECONDS * SECOND);
		await storeHits(db, new Date()).catch(logFailure);
		await endSearches?.();
		db.$client.close();
		// It may have been killed.
		if (frontSocket) await rm(dirname(frontSocket), { recursive: true, force: true });
	});
	// Serve the last build at once, even if it is another release's, so that readers wait for nothing.
	await serveCurrent().catch((error: unknown) => console.error('The last build is broken.', error));
	const isFirst = !hasSite;
	let isUpToDate = false;
	const reportOpen = () => {
		report('open');
		tellFront({ open: true });
	};
	const open = () => {
		server.open();
		reportOpen();
	};
	if (!preparesSite) {
		await prepareSecret();
		server.open();
	} else if (isFirst) {
		server.setContent({ functions });
		// Scripts are bundled, and what builds is loaded, while the database is prepared.
		if (!isMemoryShort()) {
			await prepareSecret();
			builds.prewarm();
		}
		await prepareSite(db);
		// The desk and the API wait for no page.
		await openSite(db, server.open);
		isUpToDate = await rebuild();
		await serveCurrent();
		reportOpen();
	} else {
		await retryWhileServing(open, async () => {
			await prepareSite(db);
			await openSite(db, open);
		});
	}
	hourlyBuilds.resume();
	dueBuilds.resume();
	leftoverBuilds.resume();
	hits.resume();
	if (isCopied) nightlyCopies.resume();
	functions.startSchedules();
	// What waits would wait for the next full minute.
	void deliverNow().catch(logFailure);
	if (preparesSite && !isFirst)
		await rebuild().then((isBuilt) => (isUpToDate = isBuilt), logFailure);
	started = true;
	if (!preparesSite) return;
	if (await isHeld(folder))
		console.log('The site is an earlier build: npm run rollback -- newest brings the newest back.');
	else if (isUpToDate) console.log('The site is up to date.');
}
