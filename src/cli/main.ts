/** The project's commands on one machine. Started by start.mjs, which installs missing packages. */
import { Cron } from 'croner';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDb, outageOf, type Db } from '#db/client.ts';
import { DatabaseError } from '#db/local.ts';
import {
	ensureAdmin,
	findAdmin,
	assertStrongPassword,
	setAdmin,
} from '#src/core/session/session.server.ts';
import { withoutValues } from '#db/client.ts';
import { mailboxFolder, transportKind } from '#src/core/outbox/transport.server.ts';
import { recordBuiltIssue } from '#src/features/newsletter/issues.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { DEPLOY_MS, hasUnfinishedBuild, requestDueBuild } from '#src/core/builds/builds.server.ts';
import { getDatabaseStatus } from '#src/core/builds/health.server.ts';
import { MINUTE, SECOND } from '#src/lib/dates.ts';
import { EnvError, getEnv, isLoopback, isOnNetlify, setEnv } from '#src/lib/env.ts';
import {
	BuildError,
	BuildQueue,
	currentBuild,
	currentVersion,
	buildDir,
	siteFolder,
	isLocked,
	ROOT,
	type Progress,
} from '#src/build/builds.ts';
import { DownloadQueue } from '#src/build/downloads.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { routeFunctions } from '#src/host/router.ts';
import {
	openSiteDb,
	prepareDb,
	prepareLessons,
	prepareSecret,
	seedDb,
} from '#src/build/prepare.ts';
import { HostError, listen } from '#src/host/server.ts';
import { Site } from '#src/host/static-site.ts';

/** Interval at which a slow start checks whether the database responds at all. */
const CHECK_INTERVAL_MS = SECOND;
/** Interval at which an unreachable database is tried again. */
const RETRY_MS = 5 * SECOND;
/** Delay between the last build and new downloads. */
const DOWNLOADS_DELAY_MS = MINUTE;

/** The current step, and when it was last printed. */
let currentStep = { doing: '', since: 0, at: 0 };
/** When an outage of the database was last logged. */
let outageLoggedAt = -Infinity;

const commands: Record<string, () => Promise<void>> = {
	start,
	dev,
	build,
	migrate,
	seed,
	admin,
	backup,
	restore,
	bench,
};

try {
	const [name = 'start'] = process.argv.slice(2);
	// The database, emails and copies are private. What is built for Netlify is public.
	if (name !== 'build') process.umask(0o077);
	if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));
	const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
	if (!command) throw new HostError(`There is no command "${name}".`);
	getEnv();
	await command();
} catch (error) {
	const isExpected = [EnvError, DatabaseError, HostError, BuildError].some(
		(kind) => error instanceof kind,
	);
	console.error(isExpected ? (error as Error).message : (outageOf(error) ?? error));
	process.exit(1);
}

async function start(): Promise<void> {
	const { HOST, PORT, TRUST_PROXY, LOG_FORMAT, METRICS_TOKEN, DRAIN_SECONDS } = getEnv();
	// Loaded only if needed, so that every other start is fast.
	const log =
		LOG_FORMAT === 'json' ? (await import('#src/core/log.server.ts')).structureLogs(1) : undefined;
	const metrics = METRICS_TOKEN
		? (await import('#src/host/metrics.ts')).openMetrics(METRICS_TOKEN)
		: undefined;
	const observers = [log, metrics?.observe].filter((observer) => observer !== undefined);
	const server = await listen({
		host: HOST,
		port: PORT,
		trustProxy: TRUST_PROXY,
		observe:
			observers.length > 0 ? (request) => observers.forEach((one) => one(request)) : undefined,
		metrics,
	});
	if (PORT === 0) {
		process.env['PORT'] = String(server.port);
		setEnv();
	}
	const functions = routeFunctions(await loadFunctions());
	const { stopDelivering } = await import('#functions/lib/deliver.ts');
	const db = await openSiteDb();
	const folder = siteFolder(getEnv().DATABASE_URL);
	let servedVersion: string | undefined;
	const serveCurrent = async () => {
		const version = await currentVersion(folder);
		const build = version === servedVersion ? undefined : await currentBuild(folder);
		if (!build) return;
		server.setContent({
			site: await Site.open(buildDir(folder, build.id), build.files),
			functions,
		});
		servedVersion = version;
	};
	const downloads = new DownloadQueue();
	const builds = new BuildQueue(db, {
		serveCurrent,
		onProgress: printProgress,
		onEnd(isLive, ms) {
			printDuration();
			metrics?.built(isLive, ms);
		},
	});
	setBuilder({
		build: () => void rebuild().catch(logFailure),
		prewarm: () => builds.prewarm(),
	});
	let started = false;
	let downloadsTimer: NodeJS.Timeout | undefined;
	async function rebuild(): Promise<void> {
		await builds.request();
		// The site does not wait for the downloads, and the next publish should not either.
		clearTimeout(downloadsTimer);
		downloadsTimer = setTimeout(() => void downloads.request(), started ? DOWNLOADS_DELAY_MS : 0);
		if (builds.status.state !== 'failed') return;
		const { reason } = builds.status;
		if (!(await currentBuild(folder))) throw new BuildError(`The site cannot be built. ${reason}`);
		console.error(`The site stays as it was, because it cannot be built. ${reason}`);
	}
	// Rebuild hourly to include new comments; a build without changes is cheap.
	const hourlyBuilds = new Cron(
		'0 * * * *',
		{ paused: true, protect: true, catch: logFailure },
		rebuild,
	);
	// Publish scheduled posts when they become due.
	const dueBuilds = new Cron(
		'* * * * * *',
		{ paused: true, protect: true, catch: logFailure },
		async () => {
			// Not awaited: it may itself wait for another process of this database, whose build is served
			// meanwhile.
			if (await requestDueBuild(db, new Date())) void rebuild().catch(logFailure);
			await serveCurrent();
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
	onShutdown(async () => {
		stopDelivering();
		clearTimeout(downloadsTimer);
		hourlyBuilds.stop();
		dueBuilds.stop();
		leftoverBuilds.stop();
		builds.stop();
		downloads.stop();
		await server.close(DRAIN_SECONDS * SECOND);
		db.$client.close();
	});
	// Serve the last build at once, even if it is another release's, so that readers wait for nothing.
	await serveCurrent().catch((error: unknown) => console.error('The last build is broken.', error));
	const isFirst = !servedVersion;
	const withPreparedSite = async (work: () => Promise<void>) => {
		await prepareSite(db);
		await work();
		await openSite(db, server.open);
	};
	if (isFirst) {
		await withPreparedSite(async () => {
			await rebuild();
			await serveCurrent();
		});
	} else await retryWhileServing(server.open, () => withPreparedSite(async () => {}));
	hourlyBuilds.resume();
	dueBuilds.resume();
	leftoverBuilds.resume();
	functions.startSchedules();
	if (!isFirst) await rebuild().catch(logFailure);
	started = true;
	if (builds.status.state === 'live') console.log('The site is up to date.');
}

/** Runs work that needs the database. While the database does not respond, calls `serve` once and tries again. */
async function retryWhileServing(serve: () => void, work: () => Promise<void>): Promise<void> {
	let isAway = false;
	let isDone = false;
	const serveMeanwhile = (why: string) => {
		if (isAway || isDone) return;
		isAway = true;
		console.error(`${why} Until it is back, pages are served as they are and nothing is saved.`);
		serve();
	};
	// A hanging database would block for a minute. During a migration, which may take as long, it responds.
	const checks = setInterval(() => {
		void getDatabaseStatus(getDb()).then(({ schemaVersion }) => {
			if (schemaVersion === null) serveMeanwhile('The database does not answer.');
		});
	}, CHECK_INTERVAL_MS);
	try {
		while (!isDone) {
			try {
				await work();
				isDone = true;
			} catch (error) {
				const outage = outageOf(error);
				if (!outage) throw error;
				serveMeanwhile(outage);
				await sleep(RETRY_MS);
			}
		}
	} finally {
		clearInterval(checks);
	}
}

async function dev(): Promise<void> {
	const { HOST, PORT, TRUST_PROXY } = getEnv();
	// Fails early, with the same message as the server.
	await (await listen({ host: HOST, port: PORT, trustProxy: TRUST_PROXY })).close();
	const db = await prepareSite();
	// Each command loads only what it needs, so that all of them start fast.
	const { startDev } = await import('./dev.ts');
	const server = await startDev(db);
	onShutdown(async () => {
		await server.stop();
		db.$client.close();
	});
	await openSite(db);
}

/** Builds into dist/, for Netlify. */
async function build(): Promise<void> {
	console.log(`Proof: ${proofSetting()}.`);
	printProgress({ doing: 'Preparing the database' });
	const db = await prepareDb();
	await seedDb(db);
	await prepareLessons(db);
	const { DATABASE_URL, ADMIN_EMAIL, ADMIN_PASSWORD } = getEnv();
	if (ADMIN_EMAIL && ADMIN_PASSWORD) {
		await ensureAdmin(db, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD });
	}
	const downloads = new DownloadQueue().request();
	const { bundleFunctions } = await import('#src/build/bundle.ts');
	const { buildPages } = await import('#src/build/build.ts');
	const outDir = join(ROOT, 'dist');
	const cacheDir = join(siteFolder(DATABASE_URL), 'netlify');
	const issue = await buildPages(db, { outDir, cacheDir, report: printProgress });
	printProgress({ doing: 'Bundling the functions' });
	await bundleFunctions();
	printProgress({ doing: 'Making the downloads' });
	if (!(await downloads)) throw new BuildError('The downloads of the site cannot be made.');
	await recordBuiltIssue(db, issue, new Date(Date.now() + DEPLOY_MS));
	db.$client.close();
	printDuration();
	console.log('The site is built in dist/.');
}

async function migrate(): Promise<void> {
	(await prepareDb()).$client.close();
	console.log('The database is up to date.');
}

async function seed(): Promise<void> {
	const db = await prepareDb();
	const added = await seedDb(db);
	db.$client.close();
	console.log(added ? `Added ${added} entries of content/.` : 'All of content/ is there already.');
}

/** Creates the admin, or sets a new password and ends all sessions. */
async function admin(): Promise<void> {
	const { choosePassword } = await import('./password.ts');
	const { ADMIN_EMAIL: email, ADMIN_PASSWORD: given } = getEnv();
	const { password, isMade } = await choosePassword(given);
	const db = await prepareDb();
	const done = await setAdmin(db, { email, password }, new Date());
	db.$client.close();
	console.log(
		done.made
			? `The admin is ${done.email}.`
			: `${done.email} has a new password; all sessions ended.`,
	);
	if (isMade) console.log(`Password, shown only this once: ${password}`);
	else if (given) console.log('The password is that of ADMIN_PASSWORD.');
}

/** `backup [folder]`: copies an embedded database into a file, even while the server runs. */
async function backup(): Promise<void> {
	const [folder = 'backups'] = process.argv.slice(3);
	const { backup: copy } = await import('./backup.ts');
	const { file, counts } = await copy(getEnv().DATABASE_URL, resolveFromShell(folder), new Date());
	console.log(`${file}\nIt holds ${counts}.`);
}

/** `restore FILE [--force]`: replaces the database with a copy. */
async function restore(): Promise<void> {
	const args = process.argv.slice(3);
	const file = args.find((argument) => !argument.startsWith('--'));
	if (!file) throw new HostError('Which file? npm run restore FILE');
	// npm consumes this option itself unless it follows two hyphens.
	const force = args.includes('--force') || process.env['npm_config_force'] === 'true';
	const { restore: putBack } = await import('./backup.ts');
	const { DATABASE_URL } = getEnv();
	const { counts, previousFile } = await putBack(DATABASE_URL, resolveFromShell(file), {
		force,
		now: new Date(),
	});
	console.log(`Restored ${counts}.`);
	if (previousFile) console.log(`The database that was there is kept as ${previousFile}.`);
}

/** Resolves a path relative to the shell's folder; npm runs the command in the project's folder. */
function resolveFromShell(path: string): string {
	return resolve(process.env['INIT_CWD'] ?? '.', path);
}

async function bench(): Promise<void> {
	await import(new URL('../../tests/bench/main.ts', import.meta.url).href);
}

async function prepareSite(opened?: Db): Promise<Db> {
	printProgress({ doing: 'Preparing the database' });
	await prepareSecret();
	const db = await prepareDb(opened);
	// The admin is created last, so an invalid password must be reported before the minutes that this takes.
	if (!(await findAdmin(db))) assertStrongPassword(getEnv().ADMIN_PASSWORD);
	await seedDb(db);
	await prepareLessons(db);
	printDuration();
	return db;
}

/**
 * Creates the admin if there is none, starts serving, and prints the addresses. Everything that can fail comes
 * earlier, so that a generated password is never stored without having been shown.
 */
async function openSite(db: Db, open = () => {}): Promise<void> {
	const { HOST, PORT, ADMIN_EMAIL: email, ADMIN_PASSWORD: password, SITE_URL } = getEnv();
	const { LOG_FORMAT } = getEnv();
	const address = `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
	// Logs are stored and forwarded, so no password may appear there.
	const isSecret = LOG_FORMAT === 'json' && !password;
	const admin = isSecret ? await findAdmin(db) : await ensureAdmin(db, { email, password });
	open();
	console.log(`\nSite    ${address}${SITE_URL === address ? '' : ` (known as ${SITE_URL})`}`);
	if (!admin) {
		console.log(
			'There is no admin yet: run `npm run admin`, or set ADMIN_EMAIL and ADMIN_PASSWORD.',
		);
	} else {
		console.log(`Admin   ${address}/admin, as ${admin.email}`);
		if (admin.generatedPassword) {
			console.log(`        Password, shown only this once: ${admin.generatedPassword}`);
		}
	}
	if (transportKind(getEnv()) === 'mailbox') {
		console.log(`Mail    ${mailboxFolder(getEnv().DATABASE_URL)}, because SMTP_URL is not set`);
	}
	console.log(`Proof   ${proofSetting()}\n`);
}

/** Returns whether the pages show invented figures, and why. */
function proofSetting(): string {
	const { INVENTED_PROOF, SITE_URL } = getEnv();
	const where = isOnNetlify(process.env)
		? 'Netlify is public'
		: `${SITE_URL} is ${isLoopback(SITE_URL) ? 'this machine' : 'public'}`;
	const reason = process.env['INVENTED_PROOF']
		? 'INVENTED_PROOF says so'
		: `INVENTED_PROOF is not set and ${where}`;
	return `${INVENTED_PROOF ? 'invented figures are shown' : 'only real figures are shown'}: ${reason}`;
}

/** Closes and exits at the first signal, or when the parent process is gone. */
function onShutdown(close: () => Promise<void>): void {
	let ending = false;
	const end = () => {
		if (ending) return;
		ending = true;
		close().then(
			() => process.exit(0),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};
	for (const event of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.on(event, end);
}

/** Logs an error; an outage of the database, which recurs every second, once a minute. */
function logFailure(error: unknown): void {
	const outage = outageOf(error);
	if (outage && performance.now() < outageLoggedAt + MINUTE) return;
	if (outage) outageLoggedAt = performance.now();
	console.error(outage ?? withoutValues(error));
}

/** Prints progress: one line per step, and one every other second while it lasts. */
function printProgress({ doing, done, total }: Progress): void {
	if (doing === currentStep.doing && Date.now() - currentStep.at < 2000 && done !== total) return;
	if (doing !== currentStep.doing) {
		printDuration();
		currentStep = { doing, since: Date.now(), at: 0 };
	}
	currentStep.at = Date.now();
	console.log(total ? `${doing}: ${done} of ${total}…` : `${doing}…`);
}

/** Prints how long the current step took. */
function printDuration(): void {
	const { doing, since } = currentStep;
	if (doing) console.log(`${doing} took ${((Date.now() - since) / SECOND).toFixed(1)} s.`);
	currentStep = { doing: '', since: 0, at: 0 };
}
