import { hash, timingSafeEqual } from 'node:crypto';
import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
	AggregatorRegistry,
	collectDefaultMetrics,
	Counter,
	Gauge,
	Histogram,
	Registry,
} from 'prom-client';
import { getDb } from '#db/client.ts';
import { outageOf } from '#db/outage.ts';
import { filePath } from '#db/file-path.ts';
import { SECURITY_HEADERS } from '#functions/lib/headers.ts';
import { ROOT } from '#src/build/builds.ts';
import { memoryEnds } from '#src/build/room.ts';
import { isCopiedNightly, NO_COPIES, type CopyReport } from '#src/core/copies/copies.ts';
import { getCopyReport } from '#src/core/copies/copies.server.ts';
import { countOutbox } from '#src/core/outbox/outbox.server.ts';
import { getDatabaseStatus } from '#src/core/builds/health.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import type { RequestSummary } from '#src/core/request-context.ts';

export type Metrics = {
	/** Counts this process among those that serve. */
	opened: () => void;
	observe: (request: RequestSummary) => void;
	built: (isLive: boolean, ms: number, peak?: number) => void;
	/** Returns the metrics in Prometheus' text format to clients that send the token. */
	respond: (request: Request) => Promise<Response>;
};

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const BUILD_BUCKETS = [1, 2, 5, 10, 20, 60, 120, 300];

/** Collects metrics of this process and its database. `ofAll` returns those of several processes that serve together. */
export function openMetrics(
	token: string,
	ofAll: () => Promise<string | undefined> = async () => undefined,
): Metrics {
	const registry = new AggregatorRegistry();
	AggregatorRegistry.setRegistries(registry);
	const registers = [registry];
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: 'http_request_duration_seconds',
		help: 'Time from request to the end of its answer, by route.',
		labelNames: ['method', 'route', 'status'] as const,
		buckets: REQUEST_BUCKETS,
		registers,
	});
	const builds = new Histogram({
		name: 'groundtruth_build_duration_seconds',
		help: 'Time of builds that this process made, by result.',
		labelNames: ['result'] as const,
		buckets: BUILD_BUCKETS,
		registers,
	});
	const buildMemory = new Gauge({
		name: 'groundtruth_build_memory_peak_bytes',
		help: 'Most memory that the process of the last build held.',
		registers,
	});
	new Counter({
		name: 'groundtruth_memory_ends_total',
		help: 'Processes beside this one that ended for want of memory.',
		registers,
		collect() {
			this.reset();
			this.inc(memoryEnds());
		},
	});
	const serving = new Gauge({
		name: 'groundtruth_processes_serving',
		help: 'Server processes that take requests.',
		registers,
	});
	// Each process would say the same of the database: the one that is asked says it alone.
	const database = new Registry();
	const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [database] });
	const up = gauge('groundtruth_database_up', 'Whether the database answers.');
	const writable = gauge('groundtruth_database_writable', 'Whether the database takes writes.');
	const waiting = gauge('groundtruth_outbox_waiting', 'Deliveries that are not closed.');
	const oldest = gauge(
		'groundtruth_outbox_oldest_seconds',
		'Age of the oldest delivery that is due or was tried and failed; 0 without one.',
	);
	const silence = gauge(
		'groundtruth_outbox_sent_age_seconds',
		'Seconds since an email left; Inf before the first one.',
	);
	const failed = gauge('groundtruth_outbox_failed', 'Deliveries that failed for good.');
	const file = filePath(getEnv().DATABASE_URL);
	const ageOf = (name: string, help: string, at: (report: CopyReport) => string | undefined) =>
		new Gauge({
			name,
			help,
			registers: [database],
			async collect() {
				const made = at(await getCopyReport(getDb()).catch(() => NO_COPIES));
				this.set(made ? (Date.now() - new Date(made).getTime()) / SECOND : process.uptime());
			},
		});
	if (isCopiedNightly(getEnv())) {
		ageOf(
			'groundtruth_backup_age_seconds',
			'Age of the newest whole copy of the database; before the first one, that of the server.',
			({ last }) => last?.at,
		);
	}
	if (getEnv().BACKUP_S3_URL) {
		ageOf(
			'groundtruth_backup_upload_age_seconds',
			'Age of the newest copy in storage elsewhere; before the first one, that of the server.',
			({ uploaded }) => uploaded?.at,
		);
	}
	const disk = (name: string, help: string, of: (disk: StatsFs) => number) =>
		new Gauge({
			name,
			help,
			labelNames: ['place'],
			registers: [database],
			async collect() {
				const places = { builds: join(ROOT, '.site'), ...(file && { database: dirname(file) }) };
				for (const [place, folder] of Object.entries(places)) {
					const found = await statfs(folder).catch(() => undefined);
					if (found) this.set({ place }, of(found));
				}
			},
		});
	disk('groundtruth_disk_free_bytes', 'Room left on a disk.', (of) => of.bavail * of.bsize);
	disk('groundtruth_disk_size_bytes', 'Size of a disk.', (of) => of.blocks * of.bsize);
	if (file) {
		new Gauge({
			name: 'groundtruth_database_size_bytes',
			help: 'Size of the embedded database.',
			registers: [database],
			async collect() {
				this.set(await databaseSize(file));
			},
		});
	}

	async function measure(): Promise<void> {
		writable.set(Number((await getDatabaseStatus(getDb())).writes));
		const now = new Date();
		const counts = await countOutbox(getDb(), now);
		waiting.set(counts.waiting);
		failed.set(counts.failed);
		const age = (at: Date) => (now.getTime() - at.getTime()) / SECOND;
		oldest.set(counts.oldest ? age(counts.oldest) : 0);
		silence.set(counts.sent ? age(counts.sent) : Infinity);
	}

	return {
		opened: () => serving.set(1),
		observe({ method, route, status, ms }) {
			requests.observe({ method, route, status }, ms / SECOND);
		},
		built(isLive, ms, peak) {
			if (peak) buildMemory.set(peak);
			builds.observe({ result: isLive ? 'live' : 'failed' }, ms / SECOND);
		},
		async respond({ headers }) {
			if (!equalsInConstantTime(headers.get('Authorization') ?? '', `Bearer ${token}`)) {
				const challenge = {
					...SECURITY_HEADERS,
					'WWW-Authenticate': 'Bearer',
					'Cache-Control': 'no-store',
				};
				return new Response(null, { status: 401, headers: challenge });
			}
			await measure().then(
				() => up.set(1),
				(error: unknown) => {
					console.error(outageOf(error) ?? error);
					up.set(0);
				},
			);
			const ofProcesses = (await ofAll()) ?? (await registry.metrics());
			return new Response(ofProcesses + (await database.metrics()), {
				headers: {
					...SECURITY_HEADERS,
					'Content-Type': registry.contentType,
					'Cache-Control': 'no-store',
				},
			});
		},
	};
}

/** Compares two texts in constant time. */
function equalsInConstantTime(one: string, other: string): boolean {
	return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/** Returns the size of an embedded database, including what was written since its last checkpoint. */
async function databaseSize(path: string): Promise<number> {
	const files = [path, `${path}-wal`].map((file) => stat(file).catch(() => ({ size: 0 })));
	const sizes = await Promise.all(files);
	return sizes.reduce((sum, { size }) => sum + size, 0);
}
