/** Several servers on one port (`WORKERS`). They share builds, limits and deliveries as servers of one database do anyway. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { onShutdown } from './shutdown.ts';

/** Message of a worker to the process that started it: the site can be served, it serves another build, metrics are wanted. */
type Report = 'open' | 'switched' | 'metrics';
/** Message of that process to a worker: another one serves another build, or the metrics of all. */
type Notice = 'switch' | { metrics: string | null };

/** Pause before a worker that ended by itself is replaced. */
const REPLACE_DELAY_MS = SECOND;
/** Variable of the worker that prepares the site. */
const FIRST = 'FIRST_WORKER';

/** Whether the site is prepared by this process: it is the only server, or the first worker. */
export const preparesSite = cluster.isPrimary || process.env[FIRST] === 'on';

/** Tells the process that started this one, if it is a worker. */
export const report = (what: Report) => void cluster.worker?.send(what);

/** Calls back when another worker serves another build. */
export function onSwitch(change: () => void): void {
	cluster.worker?.on('message', (notice: Notice) => notice === 'switch' && change());
}

/** Returns the metrics of all workers; undefined where this is the only server, or one of them does not answer yet. */
export async function clusterMetrics(): Promise<string | undefined> {
	if (!cluster.worker) return undefined;
	const answered = new Promise<string | undefined>((resolve) => {
		cluster.worker!.on('message', function answer(notice: Notice) {
			if (typeof notice !== 'object' || notice === null || !('metrics' in notice)) return;
			cluster.worker!.off('message', answer);
			resolve(notice.metrics ?? undefined);
		});
	});
	report('metrics');
	return answered;
}

/** Starts one worker, once it is open the others, and replaces those that end by themselves. Ends with all of them. */
export async function startWorkers(count: number): Promise<void> {
	let isEnding = false;
	// Loaded only if needed, as in the workers.
	const registry = getEnv().METRICS_TOKEN
		? new (await import('prom-client')).AggregatorRegistry()
		: undefined;
	const workers = () => Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
	const port = getEnv().PORT || (await freePort());
	const fork = (isFirst: boolean): void => {
		const worker = cluster.fork({ [FIRST]: isFirst ? 'on' : 'off', PORT: String(port) });
		let isOpen = !isFirst;
		worker.on('message', (what: Report) => {
			if (what === 'open' && !isOpen) {
				isOpen = true;
				for (let started = 1; started < count; started++) fork(false);
			}
			if (what === 'switched') {
				for (const other of workers()) if (other !== worker) tell(other, 'switch');
			}
			if (what === 'metrics' && registry) {
				const answer = registry.clusterMetrics().catch(() => null);
				void answer.then((metrics) => tell(worker, { metrics }));
			}
		});
		worker.once('exit', (code) => {
			if (isEnding) return;
			// It has said why the site cannot be served.
			if (!isOpen) process.exit(code || 1);
			console.error('A server process has ended by itself. Another one takes its place.');
			setTimeout(() => !isEnding && fork(false), REPLACE_DELAY_MS);
		});
	};
	onShutdown(async () => {
		isEnding = true;
		const ends = workers().map((worker) => once(worker, 'exit'));
		for (const { process } of workers()) process.kill('SIGTERM');
		await Promise.all(ends);
	});
	fork(true);
}

function tell(worker: Worker, notice: Notice): void {
	if (worker.isConnected()) worker.send(notice);
}

/** Returns a port that nobody listens on. Workers share the one that each of them is told. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, getEnv().HOST);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
