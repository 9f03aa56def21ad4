import { setTimeout as sleep } from 'node:timers/promises';
import { getDb, type Db } from '#db/client.ts';
import { queueLessons } from '#src/features/course/course.server.ts';
import type { JobKind } from '#src/core/outbox/kinds.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { emailCourier } from '#src/core/outbox/mail.server.ts';
import { deliver, recallDeliveries, type Courier } from '#src/core/outbox/outbox.server.ts';
import { refreshSiteSettings } from '#src/core/settings/site.server.ts';
import { openTransport, type Transport } from '#src/core/outbox/transport.server.ts';
import { emailjsCourier } from '#src/features/newsletter/emailjs.server.ts';
import { tellOfArticles, tellOfMonth } from '#src/features/newsletter/cadence.server.ts';
import { queueLetters } from '#src/features/newsletter/letters.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { mailerliteCourier } from '#src/features/newsletter/mailerlite.server.ts';
import { recordBounce } from '#src/features/newsletter/newsletter.server.ts';
import { requestDueBuild } from '#src/core/builds/builds.server.ts';
import { indexnowCourier } from '#src/core/builds/indexnow.server.ts';
import { websubCourier } from '#src/core/builds/websub.server.ts';
import { networkCourier, queuePosts } from '#src/features/networks/networks.server.ts';
import { runEach } from '#src/core/steps.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { buildCourier } from './builds.ts';
import { purge } from './cache.ts';
import { writersOf } from './email-writers.ts';

/**
 * Returns how long a run of deliveries lasts that somebody's request began, and one that the schedule begins each minute. A
 * function has 30 seconds, and the last email may take some of them. On one machine the first lasts until the next of the
 * schedule has begun, which ends just before its successor: letters never wait for a worker.
 */
export function runTimes(): { called: number; scheduled: number } {
	const isOneMachine = getEnv().DATABASE_URL.startsWith('file:');
	return isOneMachine
		? { called: 62 * SECOND, scheduled: 58 * SECOND }
		: { called: 15 * SECOND, scheduled: 15 * SECOND };
}

let worker: Promise<void> | undefined;
let calls = 0;
let wake = () => {};
const stopping = new AbortController();

/** Lets deliveries in flight finish and starts no more in this process. The next process takes over what is left. */
export function stopDelivering(): void {
	stopping.abort();
}

/** Delivers what is due or becomes due soon. All calls in a process share one worker. For `context.waitUntil`. */
export function deliverNow(): Promise<void> {
	calls++;
	wake();
	return (worker ??= runWorker());
}

async function runWorker(): Promise<void> {
	let answered: number;
	let seen = calls;
	try {
		do {
			answered = calls;
			await deliverFor(runTimes().called, async (ms) => {
				const waiting = new AbortController();
				wake = () => waiting.abort();
				// Skipped if a call came while the queue was being queried.
				if (calls === seen) await pause(ms, waiting.signal);
				seen = calls;
			});
		} while (calls !== answered);
	} finally {
		// Clear synchronously after the last check of `calls`, so that a new caller cannot join a finishing
		// worker.
		worker = undefined;
	}
}

async function pause(ms: number, ...until: AbortSignal[]): Promise<void> {
	const signal = AbortSignal.any([stopping.signal, ...until]);
	await sleep(ms, undefined, { signal }).catch(() => {});
}

/** Delivers what is due or becomes due within this time. Returns how many were delivered. */
export async function deliverFor(
	durationMs: number,
	wait: (ms: number) => Promise<void> = pause,
): Promise<number> {
	const transport = openTransport(getEnv());
	const accepted = acceptedDeliveries(getEnv());
	try {
		await refreshSiteSettings(getDb, new Date());
		const until = new Date(Date.now() + durationMs);
		const couriers = couriersFor(transport);
		return await deliver(getDb(), { couriers, accepted, until, wait, signal: stopping.signal });
	} finally {
		transport?.close();
	}
}

/** Returns the courier of each kind of delivery. A kind without one waits. */
function couriersFor(transport: Transport | null): Record<string, Courier> {
	const db = getDb();
	const env = { ...getEnv(), SECRET: getSecret() };
	const jobs: Record<JobKind, Courier | null> = {
		build: buildCourier,
		indexnow: indexnowCourier(db, env),
		websub: websubCourier(db, env),
		bluesky: networkCourier(db, 'bluesky'),
		mastodon: networkCourier(db, 'mastodon'),
		mailerlite: mailerliteCourier(db, env),
	};
	const couriers: Record<string, Courier | null> = jobs;
	for (const [kind, write] of transport ? Object.entries(writersOf(db)) : []) {
		couriers[kind] = emailCourier(db, env, transport!, write, (address, isGone, now) =>
			recordBounce(db, address, isGone, now),
		);
	}
	// Replaces our own welcome email if EmailJS is set up.
	couriers['welcome'] = emailjsCourier(env) ?? couriers['welcome'] ?? null;
	return Object.fromEntries(
		Object.entries(couriers).filter((entry): entry is [string, Courier] => entry[1] !== null),
	);
}

/** Queues what is scheduled, each by itself: due articles, this week's issue, and today's lessons. */
export async function queueDue(hasTime: () => boolean): Promise<void> {
	const db = getDb();
	const now = new Date();
	await runEach([
		['Recalling deliveries', () => recallDeliveries(db, now)],
		['Publishing due articles', () => publishDue(db, now)],
		['Making the next issue', () => createIssue(db, now)],
		['Telling of articles', () => tellOfArticles(db, now)],
		['Telling of the month', () => tellOfMonth(db, now)],
		['Telling networks of articles', () => queuePosts(db, now)],
		['Queueing lessons', () => queueLessons(db, now)],
		['Queueing letters', () => queueLetters(db, now, () => hasTime() && !stopping.signal.aborted)],
	]);
}

async function publishDue(db: Db, now: Date): Promise<void> {
	if (await requestDueBuild(db, now)) await purge('posts');
}
