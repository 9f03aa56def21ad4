import { and, asc, desc, eq, gt, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, importItems, issues, meta, outbox, posts, subscribers } from '#db/schema.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import {
	readerLinks,
	renderLetter,
	type RenderedEmail,
	type Writer,
} from '#src/core/outbox/mail.server.ts';
import type { DigestView, TestEmail } from '#src/features/mail/deliveries.ts';
import type { Letter } from '#src/core/outbox/letter.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { listCorrections, type Correction } from '#src/features/posts/changes.server.ts';
import { categoryRef, isPublic, newestFirst } from '#src/features/posts/posts.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { paths, site } from '#src/site.ts';
import {
	issueLetter,
	lastSlot,
	nextSlot,
	PAGE_TIMEOUT_MS,
	issueSubject,
	welcomeLetter,
	type Issue,
	type IssueCorrection,
	type IssuePost,
} from './issue.ts';

/** Key of `meta`: until when posts are covered by earlier issues, or existed before the site started. */
const COVERED_UNTIL_KEY = 'digest_told_until';
/** Key of `meta`: date of the newest issue whose page is built, and the time from which it is available. */
const BUILT_ISSUE_KEY = 'built_issue';
/** Subscribers whose emails are queued per batch. */
const CHUNK = 1000;
/** Number of articles in a welcome email. */
const WELCOME_POSTS = 3;

const isShown = isReadable('issue row', issues.date);

const postColumns = {
	id: posts.id,
	slug: posts.slug,
	title: posts.title,
	excerpt: posts.excerpt,
	category: categoryRef.name,
	minutes: posts.readTime,
};

/** Posts that were public elsewhere before they were imported are not news, whatever their date. */
const isNews = sql`not exists (select 1 from ${importItems}
	where ${importItems.itemId} = ${posts.id} and ${importItems.wasPublic} = 1)`;

/** Returns public posts that match a condition, newest first. */
function selectPosts(db: Db, now: Date, where?: SQL, limit = -1): Promise<IssuePost[]> {
	return db
		.select(postColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(isPublic(now), where))
		.orderBy(...newestFirst)
		.limit(limit);
}

/** Returns posts that were first published here after `since`. */
function selectNews(db: Db, now: Date, since: Date): Promise<IssuePost[]> {
	return selectPosts(db, now, and(gt(posts.publishedAt, since), isNews));
}

/**
 * Creates this week's issue when it is due: once per Thursday, later if the schedule was down, and not at all
 * without new posts. The very first call only stores the time, so that a new site does not email its whole
 * past. Returns the new issue, or null.
 */
export async function createIssue(db: Db, now: Date): Promise<Issue | null> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const coveredUntil = await getMeta(db, COVERED_UNTIL_KEY);
	if (coveredUntil === undefined) {
		await db
			.insert(meta)
			.values({ key: COVERED_UNTIL_KEY, value: now.toISOString() })
			.onConflictDoNothing();
		return null;
	}
	const slot = lastSlot(now, DIGEST_HOUR, DIGEST_TIME_ZONE);
	if (new Date(coveredUntil) >= slot.at) return null;
	const fresh = await selectNews(db, now, new Date(coveredUntil));
	// Compare-and-set: another worker already issued these posts; newer ones go to the next issue.
	const advance = db
		.update(meta)
		.set({ value: now.toISOString() })
		.where(and(eq(meta.key, COVERED_UNTIL_KEY), eq(meta.value, coveredUntil)));
	if (fresh.length === 0) {
		await advance;
		return null;
	}
	const issue = { date: slot.date, subject: issueSubject(fresh), posts: fresh };
	await db.batch([
		db
			.insert(issues)
			.values({ ...issue, createdAt: now })
			.onConflictDoNothing(),
		advance,
		...requestBuild(db, `Issue of ${issue.date}`, now, [paths.issue(issue.date)]),
	]);
	return issue;
}

/** Returns the corrections of public articles that an issue created at `until` tells of: those since the issue before it. */
export async function correctionsUntil(
	db: Db,
	all: Correction[],
	until: Date,
): Promise<IssueCorrection[]> {
	const [before] = await db
		.select({ createdAt: issues.createdAt })
		.from(issues)
		.where(and(lt(issues.createdAt, until), isShown))
		.orderBy(desc(issues.createdAt))
		.limit(1);
	const since = before?.createdAt.toISOString() ?? '';
	return all
		.filter(({ kind, at }) => kind === 'correction' && at > since && at <= until.toISOString())
		.map(({ slug, title, note }) => ({ slug, title, note }));
}

/** Returns the next issue as of now. */
async function nextIssue(db: Db, now: Date): Promise<Issue & { at: Date }> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const coveredUntil = await getMeta(db, COVERED_UNTIL_KEY);
	const at = nextSlot(now, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const { date } = lastSlot(at, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const fresh = await selectNews(db, now, new Date(coveredUntil ?? now));
	const corrections = await correctionsUntil(db, await listCorrections(db, now), now);
	return { date, at, subject: issueSubject(fresh), posts: fresh, corrections };
}

/**
 * Queues the emails of issues whose page is built, or has not been for an hour. Works in chunks and stores a
 * cursor in the issue's row, so that the next worker continues where one stopped. Returns how many were queued.
 */
export async function queueIssues(db: Db, now: Date, hasTime = () => true): Promise<number> {
	const open = await db
		.select()
		.from(issues)
		.where(and(isNull(issues.queuedAt), isShown))
		.orderBy(asc(issues.date));
	const [newest = '', liveAt = ''] = (await getMeta(db, BUILT_ISSUE_KEY))?.split(' ') ?? [];
	const built = liveAt <= now.toISOString() ? newest : '';
	let queued = 0;
	for (const issue of open) {
		const online = built >= issue.date;
		const isLate = now.getTime() - issue.createdAt.getTime() >= PAGE_TIMEOUT_MS;
		if (!online && !isLate) continue;
		for (let from: string | null = issue.queuedUpTo; from !== null && hasTime();) {
			const chunk = await queueChunk(db, issue.date, from, online, now);
			queued += chunk.queued;
			from = chunk.upTo;
		}
	}
	return queued;
}

async function queueChunk(db: Db, date: string, from: string, online: boolean, now: Date) {
	const [last] = await db
		.select({ id: sql<string | null>`max(id)` })
		.from(
			sql`(select id from ${subscribers} where active = 1 and id > ${from} order by id limit ${CHUNK})`,
		);
	const upTo = last?.id ?? null;
	// Compare-and-set: if another worker moved the cursor first, the row stays as it is.
	const isUnmoved = and(
		eq(issues.date, date),
		eq(issues.queuedUpTo, from),
		isNull(issues.queuedAt),
	);
	if (upTo === null) {
		await db.update(issues).set({ queuedAt: now }).where(isUnmoved);
		return { queued: 0, upTo };
	}
	const [inserted] = await db.batch([
		enqueue(
			db,
			{
				kind: 'digest',
				key: sql`${date} || ' ' || id`,
				recipient: sql`email`,
				payload: { issue: date, online },
				each: sql`from ${subscribers} where active = 1 and id > ${from} and id <= ${upTo}
					and coalesce(paused_until, 0) <= ${now.getTime()}`,
			},
			now,
		),
		db
			.update(issues)
			.set({
				queuedUpTo: upTo,
				// Rows that the previous statement inserted.
				recipients: sql`recipients + changes()`,
			})
			.where(isUnmoved),
	]);
	return { queued: inserted.rowsAffected, upTo };
}

type StoredIssue = Issue & {
	recipients: number;
	queuedAt: Date | null;
	createdAt: Date;
};

/** Returns the issues that can be read, newest first. */
export async function listIssues(db: Db): Promise<StoredIssue[]> {
	const rows = await db.select().from(issues).where(isShown).orderBy(desc(issues.date));
	return rows.map(({ date, subject, posts: issuePosts, recipients, queuedAt, createdAt }) => ({
		date,
		subject,
		posts: issuePosts as IssuePost[],
		recipients,
		queuedAt,
		createdAt,
	}));
}

/** Records from when the page of the newest built issue is available. */
export async function recordBuiltIssue(
	db: Db,
	date: string | undefined,
	liveAt: Date,
): Promise<void> {
	if (date) await setMeta(db, BUILT_ISSUE_KEY, `${date} ${liveAt.toISOString()}`);
}

/** Placeholder for a reader's token, so that an issue is rendered once for all readers. */
const TOKEN_PLACEHOLDER = '%reader%';

/** Writes the emails of issues, except for readers who have left. */
export function digestWriter(db: Db): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	const rendered = new Map<string, Promise<RenderedEmail>>();
	const renderIssue = async (date: string, online: boolean): Promise<RenderedEmail> => {
		const [row] = await db.select().from(issues).where(eq(issues.date, date));
		if (!row) throw new WithdrawnError('There is no such issue any more.');
		const links = {
			leave: `${env.SITE_URL}/unsubscribe?token=${TOKEN_PLACEHOLDER}`,
			preferences: `${env.SITE_URL}/preferences?token=${TOKEN_PLACEHOLDER}`,
		};
		const all = await listCorrections(db, new Date());
		const corrections = await correctionsUntil(db, all, row.createdAt);
		const issue = { ...row, posts: row.posts as IssuePost[], corrections };
		return renderLetter(issueLetter(issue, env.SITE_URL, links, online));
	};
	return async ({ recipient, payload }, now) => {
		const { issue, online } = payload as { issue: string; online: boolean };
		if (!(await wantsLetter(db, recipient!, now))) {
			throw new WithdrawnError('The reader left or paused before it was sent.');
		}
		const key = `${issue} ${online}`;
		if (!rendered.has(key)) rendered.set(key, renderIssue(issue, online));
		const { subject, html, text } = await rendered.get(key)!;
		const links = readerLinks(env, 'weekly', recipient!);
		const token = new URL(links.leave).searchParams.get('token')!;
		return {
			subject,
			html: html.replaceAll(TOKEN_PLACEHOLDER, token),
			text: text.replaceAll(TOKEN_PLACEHOLDER, token),
			links,
		};
	};
}

async function wantsLetter(db: Db, email: string, now: Date): Promise<boolean> {
	const [row] = await db
		.select({ active: subscribers.active, pausedUntil: subscribers.pausedUntil })
		.from(subscribers)
		.where(eq(subscribers.email, email));
	return Boolean(row?.active) && !(row?.pausedUntil && row.pausedUntil > now);
}

/** Writes the welcome email of a subscriber who has not left again. */
export function welcomeWriter(db: Db): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	return async ({ recipient, payload }, now) => {
		const email = recipient ?? (payload as { email: string }).email;
		if (!(await wantsLetter(db, email, now))) throw new WithdrawnError('The reader left again.');
		const links = readerLinks(env, 'weekly', email);
		const latest = await selectPosts(db, now, undefined, WELCOME_POSTS);
		return welcomeLetter(latest, env.SITE_URL, links);
	};
}

/** Returns the next issue as of now, as a letter to one reader. */
export async function nextIssueLetter(db: Db, recipient: string, now: Date): Promise<Letter> {
	const env = { ...getEnv(), SECRET: getSecret() };
	const links = readerLinks(env, 'weekly', recipient);
	return issueLetter(await nextIssue(db, now), env.SITE_URL, links, false);
}

/** Writes the admin's test emails: a short one, or the next issue. */
export function testWriter(db: Db): Writer {
	return async ({ recipient, payload }, now) => {
		const { what } = payload as { what: TestEmail };
		if (what === 'digest') return nextIssueLetter(db, recipient!, now);
		return {
			subject: `A test from ${site.name}`,
			preview: 'Email works.',
			label: 'Test',
			title: 'Email works',
			blocks: [{ kind: 'text', text: "This email was sent in the same way as readers' emails." }],
			why: 'You get this because you asked for it in the admin area.',
		};
	};
}

/** Number of issues in the admin's list. */
const SHOWN_ISSUES = 8;

/** Returns the next issue and the state of the latest ones, for the admin. */
export async function getDigest(db: Db, now: Date): Promise<DigestView> {
	const next = await nextIssue(db, now);
	const latest = (await listIssues(db)).slice(0, SHOWN_ISSUES);
	return {
		next: {
			at: next.at.toISOString(),
			subject: next.subject,
			posts: next.posts.map(({ title, slug }) => ({ title, slug })),
		},
		subscribers: await db.$count(subscribers, eq(subscribers.active, true)),
		issues: await Promise.all(
			latest.map(async ({ date, subject, posts: issuePosts, recipients, queuedAt }) => {
				const [sent] = await db
					.select({
						delivered: sql<number>`coalesce(sum(delivered_at is not null), 0)`,
						failed: sql<number>`coalesce(sum(failed_at is not null), 0)`,
					})
					.from(outbox)
					.where(sql`kind = 'digest' and key > ${`${date} `} and key < ${`${date}!`}`);
				return {
					date,
					subject,
					posts: issuePosts.length,
					queued: recipients,
					...sent!,
					isQueued: queuedAt !== null,
				};
			}),
		),
	};
}
