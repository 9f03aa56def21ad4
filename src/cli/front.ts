/**
 * The process that listens, in front of the one that runs functions: it sends pages by itself, whatever the database makes the
 * other one wait for, and starts another one where that ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FunctionFile } from '#src/build/functions.ts';
import { siteFolder } from '#src/build/builds.ts';
import { isRoomFor, wantOfMemory } from '#src/build/room.ts';
import { logFailure } from '#src/cli/outage.ts';
import { onNewest, openBuild } from '#src/cli/newest.ts';
import { onShutdown } from '#src/cli/shutdown.ts';
import type { RequestSummary } from '#src/core/request-context.ts';
import { passTo } from '#src/host/pass.ts';
import { EVERYTHING, type Functions, routeFunctions } from '#src/host/router.ts';
import { listen } from '#src/host/server.ts';
import type { Site } from '#src/host/static-site.ts';
import { SECOND } from '#src/lib/dates.ts';
import { startLog } from '#src/core/start-log.server.ts';
import { getEnv, setEnv } from '#src/lib/env.ts';

/** Message of the process behind: what it tells or asks. */
type FromBehind =
	| { routes: Pick<FunctionFile, 'name' | 'config'>[] }
	| { open: true }
	/** Answered once the newest build is served, or once what was seen until now is told. */
	| { ask: 'newest' | 'seen'; number: number };
/** Message to that process: an answer, a redirect that was used, a damaged file, a request that was answered. */
type FromFront =
	| { answered: number; error?: string }
	| { hit: string }
	| { damaged: string }
	| { seen: RequestSummary };

/** Variable of the process behind: where it listens. */
const SOCKET = 'FRONT_SOCKET';
/** Megabytes that must be left for a second process. */
const ROOM = 1500;
/** Name of the process behind, in the log. */
const PROCESS = 'The process of functions';
/** Pause before a process that ended by itself is replaced. */
const REPLACE_DELAY_MS = SECOND;

/** Where the process in front passes requests to, if this is the one behind it. */
export const frontSocket = process.env[SOCKET];
// Nothing that this process starts is behind, too.
delete process.env[SOCKET];

/** The longest address of a socket that every system takes. */
const MAX_SOCKET_PATH = 100;

/**
 * Makes the folder in which a process of its own finds the one that runs functions. Returns undefined where one process does
 * everything: of several servers, where memory is short, and where such a socket cannot be.
 */
export async function placeInFront(): Promise<string | undefined> {
	const { WORKERS, DATABASE_URL } = getEnv();
	const isAlone = frontSocket || WORKERS > 1 || !isRoomFor(ROOM) || process.platform === 'win32';
	if (isAlone || DATABASE_URL === ':memory:') return undefined;
	const place = await mkdtemp(join(tmpdir(), 'groundtruth-')).catch(() => undefined);
	if (!place || socketIn(place).length <= MAX_SOCKET_PATH) return place;
	await rm(place, { recursive: true });
	return undefined;
}

const socketIn = (place: string) => join(place, 'functions');

/** Listens, sends pages, and keeps a process behind for all else. */
export async function startInFront(place: string): Promise<void> {
	const { HOST, PORT, TRUST_PROXY, METRICS_TOKEN, DRAIN_SECONDS } = getEnv();
	const log = await startLog(1);
	let behind: ChildProcess | undefined;
	const tell = (what: FromFront) => {
		if (behind?.connected) behind.send(what, () => {});
	};
	const socketPath = socketIn(place);
	process.on('exit', () => rmSync(place, { recursive: true, force: true }));
	const isObserved = log !== undefined || METRICS_TOKEN !== undefined;
	const server = await listen({
		host: HOST,
		port: PORT,
		trustProxy: TRUST_PROXY,
		pass: passTo(socketPath),
		observe: isObserved
			? (seen) => {
					log?.(seen);
					if (METRICS_TOKEN) tell({ seen });
				}
			: undefined,
	});
	let functions: Pick<Functions, 'match'> = EVERYTHING;
	let site: Site | undefined;
	const folder = siteFolder(getEnv().DATABASE_URL);
	const serveNewest = onNewest(folder, async (build) => {
		site = await openBuild(
			folder,
			build,
			site,
			(damaged) => tell({ damaged }),
			(hit) => tell({ hit }),
		);
		server.setContent({ site, functions });
	});
	const answer = async (message: FromBehind) => {
		if ('open' in message && !hasOpened) {
			hasOpened = true;
			server.open();
		}
		if ('routes' in message) {
			functions = routeFunctions(message.routes.map((route) => ({ ...route, default: nobody })));
			if (site) server.setContent({ site, functions });
			// A power cut may have left files that are cut short. Later builds wrote their own.
			if (!hasOpened) void site?.check();
		}
		if (!('ask' in message)) return;
		let error = message.ask === 'newest' ? await serveNewest().catch(String) : undefined;
		// Otherwise the other one would say that the site is ready.
		if (message.ask === 'newest' && !site) error ??= `There is no build in ${folder}.`;
		tell({ answered: message.number, ...(error && { error }) });
	};
	let isEnding = false;
	let hasOpened = false;
	const start = async () => {
		// Left by one that was killed.
		await rm(socketPath, { force: true });
		const env = { ...process.env, PORT: String(server.port), [SOCKET]: socketPath };
		behind = fork(process.argv[1]!, ['start'], { env });
		behind.on('message', (message: FromBehind) => void answer(message).catch(logFailure));
		const ended = (why: number | Error | null, signal: NodeJS.Signals | null = null) => {
			if (isEnding) return;
			const killed = wantOfMemory(PROCESS, why instanceof Error ? null : why, signal);
			if (!hasOpened) {
				// Otherwise it has said itself why the site cannot be served.
				if (killed) console.error(killed);
				process.exit(Number(why) || 1);
			}
			console.error(
				`${killed ?? `${PROCESS} has ended by itself.`} Another one takes its place.`,
				...(why instanceof Error ? [why] : []),
			);
			void sleep(REPLACE_DELAY_MS).then(() => (isEnding ? undefined : start()));
		};
		behind.once('exit', ended).once('error', ended);
	};
	onShutdown(async () => {
		isEnding = true;
		await server.close(DRAIN_SECONDS * SECOND);
		if (behind?.connected) {
			const ended = once(behind, 'exit');
			behind.disconnect();
			await ended;
		}
	});
	if (PORT === 0) {
		process.env['PORT'] = String(server.port);
		setEnv();
	}
	// At once, so that readers wait for nothing, even if it is another release's.
	await serveNewest().catch((error: unknown) => console.error('The last build is broken.', error));
	await start();
}

/** Handler that is never called: what it would answer is passed on before. */
const nobody = async () => undefined;

/** Questions to the process in front that it has not answered. */
const questions = new Map<number, (error?: string) => void>();
let asked = 0;

/** Asks the process in front, and waits until it has done so. */
export async function askFront(ask: 'newest' | 'seen'): Promise<void> {
	const number = ++asked;
	const answer = new Promise<string | undefined>((resolve) => questions.set(number, resolve));
	tellFront({ ask, number });
	const error = await answer;
	if (error) throw new Error(error);
}

/** Tells the process in front, if there is one. */
export function tellFront(what: FromBehind): void {
	if (frontSocket && process.connected) process.send!(what, () => {});
}

/** Hears what the process in front tells. */
export function hearFront(hear: (what: Exclude<FromFront, { answered: number }>) => void): void {
	process.on('message', (what: FromFront) => {
		if (!('answered' in what)) return hear(what);
		questions.get(what.answered)?.(what.error);
		questions.delete(what.answered);
	});
}
