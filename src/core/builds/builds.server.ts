import { and, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import type { Db, Statement, Statements } from '#db/client.ts';
import { builds } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { auditStatement } from '#src/core/audit/audit.server.ts';
import { PermanentError, PostponedError, WithdrawnError } from '#src/core/outbox/outbox.ts';
import type { Delivery } from '#src/core/outbox/outbox.server.ts';
import { isRefusal, post } from '#src/core/outbox/post-json.server.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#src/lib/dates.ts';
import { getEnv, isLoopback } from '#src/lib/env.ts';
import { isInState } from '#src/core/posts/post-state.server.ts';
import { paths } from '#src/site.ts';
import { getBuilder } from './builder.server.ts';
import { describeProblems } from './problems.server.ts';
import { isReadable } from './rows.server.ts';
import type { BuildView } from './builds.api.ts';

/** Builds that the timeline shows. */
const MAX_LISTED = 50;
const BUILD_RETENTION_DAYS = 90;
/** How long Netlify may take to bring a build online: what leads to its pages waits for it. */
export const DEPLOY_MS = 3 * MINUTE;

/** A build that waits and will be taken: one whose call was given up will not. */
const WAITING = sql`from builds b where b.state = 'queued' and not exists
	(select 1 from outbox o where o.kind = 'build' and o.key = b.id and o.failed_at is not null)`;

/**
 * Statements for the batch of a change that the public site shows: they put a build on the timeline and its call into
 * the outbox. A burst of changes becomes one: a build that still waits takes this cause as well. Search engines are told
 * of the pages at `changed` once it is live.
 */
export function requestBuild(db: Db, cause: string, now: Date, changed: string[] = []): Statements {
	const id = crypto.randomUUID();
	const at = now.getTime();
	return [
		db.run(sql`update builds set cause = cause || '; ' || ${cause}
			where state = 'queued' and length(cause) < 300 and instr(cause, ${cause}) = 0
				and exists (select 1 ${WAITING})`),
		db.run(sql`insert into builds (id, state, cause, requested_at)
			select ${id}, 'queued', ${cause}, ${at} where not exists (select 1 ${WAITING})`),
		enqueue(
			db,
			{
				kind: 'build',
				key: id,
				payload: {},
				where: sql`exists (select 1 from builds where id = ${id})`,
			},
			now,
		),
		...enqueueIndexNow(db, changed, now),
		...enqueueWebSub(db, changed, now),
	];
}

/** Queues one delivery for each build: what changes while it waits is added to its paths. */
function enqueueIndexNow(db: Db, changed: string[], now: Date): Statement[] {
	const { INDEXNOW_KEY, SITE_URL } = getEnv();
	if (changed.length === 0 || !INDEXNOW_KEY || isLoopback(SITE_URL)) return [];
	const merged = sql`json_object('paths', (select json_group_array(value) from (
		select value from json_each(outbox.payload, '$.paths') union
		select value from json_each(excluded.payload, '$.paths'))))`;
	return [
		enqueue(
			db,
			{
				kind: 'indexnow',
				key: sql`b.id`,
				payload: { paths: changed },
				each: sql`${WAITING} limit 1`,
				merged,
			},
			now,
		),
	];
}

/** Queues one note for each build: the hub reads the feeds itself. */
function enqueueWebSub(db: Db, changed: string[], now: Date): Statement[] {
	const { WEBSUB_HUB, SITE_URL } = getEnv();
	if (changed.length === 0 || !WEBSUB_HUB || isLoopback(SITE_URL)) return [];
	const each = sql`${WAITING} limit 1`;
	return [enqueue(db, { kind: 'websub', key: sql`b.id`, payload: {}, each }, now)];
}

/** Whether the site shows what a build was asked for: that build is live, or a later one. */
async function isLive(db: Db, id: string, now: Date): Promise<boolean> {
	if (getEnv().BUILD_HOOK_URL) await closeBuilds(db, now);
	const since = sql`rowid >= (select b.rowid from builds b where b.id = ${id})`;
	return (await db.$count(builds, and(eq(builds.state, 'live'), since))) > 0;
}

/** Builds that fail for longer are not for search engines and hubs to wait for. */
const GIVE_UP_MS = 7 * DAY;

/** Postpones a delivery until the site shows what a build was asked for, and withdraws it where that never happens. */
export async function awaitLive(db: Db, id: string, since: Date, now: Date): Promise<void> {
	if (await isLive(db, id, now)) return;
	giveUpOrWait(since, now);
}

function giveUpOrWait(since: Date, now: Date): never {
	if (now.getTime() - since.getTime() > GIVE_UP_MS) throw new WithdrawnError('No build went live.');
	throw new PostponedError(new Date(now.getTime() + MINUTE));
}

/** Postpones a delivery until a build that began after an article became public is live, likewise. */
export async function awaitBuilt(db: Db, publishedAt: Date, since: Date, now: Date): Promise<void> {
	if (getEnv().BUILD_HOOK_URL) await closeBuilds(db, now);
	const shows = and(eq(builds.state, 'live'), gte(builds.startedAt, publishedAt));
	if ((await db.$count(builds, shows)) > 0) return;
	giveUpOrWait(since, now);
}

/** Carries the call of a build: to the build hook, or to this very process. What becomes of it is on the timeline. */
export async function callBuilder(db: Db, { key: id }: Delivery, now: Date): Promise<void> {
	const [build] = await db.select().from(builds).where(eq(builds.id, id));
	if (build?.state !== 'queued') return;
	const { BUILD_HOOK_URL } = getEnv();
	const builder = getBuilder();
	if (!BUILD_HOOK_URL && builder) return builder.build();
	const refusal = BUILD_HOOK_URL
		? await callHook(BUILD_HOOK_URL)
		: 'Nothing here builds the site: BUILD_HOOK_URL is not set.';
	await db
		.update(builds)
		.set(
			refusal
				? { state: 'failed', reason: refusal, endedAt: now }
				: { state: 'building', startedAt: now },
		)
		.where(and(eq(builds.id, id), eq(builds.state, 'queued')));
	if (refusal) throw new PermanentError(refusal);
}

/** Returns why no other try will help, or throws where one may. */
async function callHook(url: string): Promise<string | undefined> {
	const { ok, status } = await post(url, null);
	if (ok) return undefined;
	if (isRefusal(status)) return `The build hook answers ${status}.`;
	throw new Error(`The build hook answers ${status}.`);
}

/** The latest builds, newest first. */
export async function listBuilds(db: Db): Promise<BuildView[]> {
	if (getEnv().BUILD_HOOK_URL) await closeBuilds(db, new Date());
	const rows = await db
		.select()
		.from(builds)
		.orderBy(desc(builds.requestedAt), desc(sql`rowid`))
		.limit(MAX_LISTED);
	return rows.map(toBuildView);
}

/** Where the build hook's builder tells nothing, a build counts as live some minutes after it was made. */
async function closeBuilds(db: Db, now: Date): Promise<void> {
	const builtAt = await getMeta(db, 'built_at');
	if (builtAt && now.getTime() >= new Date(builtAt).getTime() + DEPLOY_MS) {
		await finishDeploy(db, now);
	}
}

/** Clocks differ: a deploy was made by calls up to this long after it, by our clock. */
const SKEW_MS = 5 * SECOND;
const startedBefore = (deployedAt: Date) =>
	and(
		eq(builds.state, 'building'),
		lte(builds.startedAt, new Date(deployedAt.getTime() + SKEW_MS)),
	);

/** Records that a deploy has begun: that of the builds whose hook was called before. */
export async function beginDeploy(db: Db, deployedAt: Date): Promise<void> {
	await db.update(builds).set({ doing: 'Building on Netlify' }).where(startedBefore(deployedAt));
}

/** Records that a deploy is online: builds that were asked for before it read the database are live. */
export async function finishDeploy(db: Db, now: Date): Promise<void> {
	await db
		.update(builds)
		.set({ state: 'live', doing: null, endedAt: now, reason: await describeProblems(db) })
		.where(
			sql`state = 'building' and started_at <=
				(select cast(value as integer) from meta where key = 'built_until')`,
		);
}

/** Records that a deploy has failed, and with it the builds whose hook was called before. */
export async function failDeploy(
	db: Db,
	deployedAt: Date,
	now: Date,
	reason: string,
): Promise<void> {
	await db
		.update(builds)
		.set({ state: 'failed', doing: null, endedAt: now, reason: reason.slice(0, 300) })
		.where(startedBefore(deployedAt));
}

/** Asks for a build by hand. Returns it, or the one that waited already. */
export async function startBuild(db: Db, { actor, now }: Actor): Promise<BuildView> {
	await db.batch([
		auditStatement(db, { actor, action: 'asked for a build', subject: 'site' }, now),
		...requestBuild(db, 'Asked for by hand', now),
	]);
	const [row] = await db
		.select()
		.from(builds)
		// Whoever carries calls may have taken it already.
		.orderBy(desc(sql`${builds.state} = 'queued'`), desc(builds.requestedAt), desc(sql`rowid`))
		.limit(1);
	return toBuildView(row!);
}

/** Readers who erase themselves one after the other are built out together. */
const ERASURE_BATCH_MS = 10 * MINUTE;

/** A statement that remembers that comments have left the site by their authors' hand: see `requestDueBuild`. */
export function recordErasure(db: Db, now: Date) {
	return setMeta(db, 'erased_at', String(now.getTime()));
}

/** Returns when readers last erased something that pages had, in milliseconds, or 0. */
export async function erasedAt(db: Db): Promise<number> {
	return Number((await getMeta(db, 'erased_at')) ?? 0);
}

/** Comments are built into the pages at most this often. */
const COMMENTS_MS = HOUR;
/** How long after it was written a comment that was held and then approved still asks for a build. */
const COMMENT_REVIEW_DAYS = 30;

/**
 * Asks for a build where a post has become due since the last one began, or a year, which titles tell, or where readers
 * have erased comments or written new ones and the last one is some time ago. Returns whether it did: once for each, also where that build
 * fails. Builds of a clock that went ahead and was set back do not count.
 */
export async function requestDueBuild(db: Db, now: Date): Promise<boolean> {
	const at = now.getTime();
	const [last] = await db.all<{
		at: number;
		waits: number;
		erased: number;
	}>(sql`select exists (select 1 ${WAITING}) as waits, max(
		coalesce((select cast(value as integer) from meta where key = 'built_until' and cast(value as integer) <= ${at}), 0),
		coalesce((select max(started_at) from builds where started_at <= ${at}), 0)) as at,
		coalesce((select cast(value as integer) from meta where key = 'erased_at' and cast(value as integer) <= ${at}), 0) as erased`);
	if (last!.waits) return false;
	const [due] = await db.all<{ titles: string | null; slugs: string }>(sql`
		select group_concat('“' || title || '”', ', ') as titles, json_group_array(slug) as slugs from posts
		where ${isInState('published', now)} and published_at > ${last!.at}
		and ${isReadable('post row', sql`id`)}`);
	const isNewYear = last!.at > 0 && new Date(last!.at).getUTCFullYear() < now.getUTCFullYear();
	const isErased = last!.erased > last!.at && at - last!.at >= ERASURE_BATCH_MS;
	const cause = due!.titles
		? `Due: ${due!.titles.slice(0, 200)}`
		: isNewYear
			? 'A new year'
			: isErased
				? 'A reader erased comments'
				: (await hasNewComments(db, last!.at, now)) && 'New comments';
	if (!cause) return false;
	const changed = (JSON.parse(due!.slugs) as string[]).map(paths.post);
	await db.batch(requestBuild(db, cause, now, changed));
	return true;
}

/** Returns whether comments have become public since the last build, which is at least an hour ago. */
async function hasNewComments(db: Db, lastAt: number, now: Date): Promise<boolean> {
	if (lastAt === 0 || Math.abs(now.getTime() - lastAt) < COMMENTS_MS) return false;
	// The second condition uses an index: this is asked every minute.
	const rows = await db.all(sql`select 1 from comments
		where approved = 1 and updated_at > ${lastAt} and updated_at <= ${now.getTime()}
		and created_at > ${lastAt - COMMENT_REVIEW_DAYS * DAY} limit 1`);
	return rows.length > 0;
}

/** Records the time that the published site reflects: a post that becomes due later needs another build. */
export function recordBuiltUntil(db: Db, now: Date) {
	return setMeta(db, 'built_until', String(now.getTime()));
}

/**
 * Takes every build that waits, and what a process that is gone has left: they become one. Only for who holds the lock
 * of builds, and before the database is read for it. Returns their ids.
 */
export async function claimBuilds(db: Db, now: Date): Promise<string[]> {
	const rows = await db
		.update(builds)
		.set({ state: 'building', startedAt: now, reason: null, doing: null, done: null, total: null })
		.where(inArray(builds.state, ['queued', 'building']))
		.returning({ id: builds.id });
	return rows.map(({ id }) => id);
}

/** Returns what builds were asked for, in words. */
export async function causeOf(db: Db, ids: string[]): Promise<string> {
	const rows = await db.select({ cause: builds.cause }).from(builds).where(inArray(builds.id, ids));
	return rows.map(({ cause }) => cause).join('; ') || UP_TO_DATE;
}

/** Stores one reason why all builds wait that do. */
export async function explainWaiting(db: Db, reason: string): Promise<void> {
	await db.update(builds).set({ reason }).where(eq(builds.state, 'queued'));
}

/** Stores what these builds are doing, and how far they are with it. */
export async function recordProgress(
	db: Db,
	ids: string[],
	{ doing, done, total }: { doing: string; done?: number; total?: number },
): Promise<void> {
	if (ids.length === 0) return;
	await db
		.update(builds)
		.set({ doing, done: done ?? null, total: total ?? null })
		.where(inArray(builds.id, ids));
}

/** Cause of a build that nobody asked for. */
const UP_TO_DATE = 'Bringing the site up to date';

/** Ends builds: live, or failed for a reason in one sentence. A failure that nobody asked for is told as well. */
export async function endBuilds(db: Db, ids: string[], now: Date, reason?: string): Promise<void> {
	const end = { doing: null, endedAt: now, reason: reason ?? (await describeProblems(db)) };
	const state = reason ? 'failed' : 'live';
	if (ids.length > 0) {
		await db
			.update(builds)
			.set({ ...end, state })
			.where(inArray(builds.id, ids));
	} else if (reason) {
		await db.insert(builds).values({ ...end, state, cause: UP_TO_DATE, requestedAt: now });
	}
}

/** How long a build waits at most until a process has begun it. */
const START_TIMEOUT_MS = 10 * SECOND;

/** Whether a build has begun, or should have. Where no process holds the lock of builds, it is nobody's. */
export async function hasUnfinishedBuild(db: Db, now: Date): Promise<boolean> {
	const rows = await db.all(sql`select 1 from builds where state = 'building'
		or state = 'queued' and requested_at <= ${now.getTime() - START_TIMEOUT_MS} and exists (select 1 ${WAITING}) limit 1`);
	return rows.length > 0;
}

/** Deletes builds that were requested longer ago than the timeline goes back. */
export async function pruneBuilds(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - BUILD_RETENTION_DAYS * DAY);
	await deleteInPieces(db, builds, lt(builds.requestedAt, oldest));
}

function toBuildView({
	requestedAt,
	startedAt,
	endedAt,
	...build
}: typeof builds.$inferSelect): BuildView {
	return {
		...build,
		requestedAt: requestedAt.toISOString(),
		startedAt: startedAt?.toISOString() ?? null,
		endedAt: endedAt?.toISOString() ?? null,
	};
}
