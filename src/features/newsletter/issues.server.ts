import { and, asc, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, importItems, issues, meta, outbox, posts, subscribers } from '#db/schema.ts';
import { linksFor, render, type Rendered, type Writer } from '#src/core/outbox/mail.server.ts';
import type { DigestView, TestMail } from '#src/features/mail/desk.ts';
import type { Letter } from '#src/core/outbox/letter.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { categoryRef, isPublic, newestFirst } from '#src/features/posts/posts.server.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { paths, site } from '#src/site.ts';
import {
	issueLetter,
	lastSlot,
	nextSlot,
	PAGE_PATIENCE_MS,
	subjectOf,
	welcomeLetter,
	type Issue,
	type IssuePost,
} from './issue.ts';

/** Key of `meta`: up to when posts were told of, or were there when the site began. */
const TOLD_UNTIL = 'digest_told_until';
/** Key of `meta`: date of the newest issue whose page is built, and from when on it can be read. */
const BUILT_ISSUE = 'built_issue';
/** Subscribers whose mails are queued in one go. */
const CHUNK = 1000;
/** Articles that a welcome tells of. */
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

/** Posts that were public elsewhere before they were imported are no news, whatever their date. */
const isNews = sql`not exists (select 1 from ${importItems}
	where ${importItems.itemId} = ${posts.id} and ${importItems.wasPublic} = 1)`;

/** Public posts that a condition holds for, newest first. */
function selectPosts(db: Db, now: Date, where?: SQL, limit = -1): Promise<IssuePost[]> {
	return db
		.select(postColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(isPublic(now), where))
		.orderBy(...newestFirst)
		.limit(limit);
}

/** What was first published here after `since`. */
function selectNews(db: Db, now: Date, since: Date): Promise<IssuePost[]> {
	return selectPosts(db, now, and(gt(posts.publishedAt, since), isNews));
}

async function fact(db: Db, key: string): Promise<string | undefined> {
	const [row] = await db.select().from(meta).where(eq(meta.key, key));
	return row?.value;
}

const setFact = (db: Db, key: string, value: string) =>
	db.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } });

/**
 * Makes this week's issue when its time has come: once for a Thursday, later where nobody was there to do it, not at all
 * where nothing is new. The first call of all only remembers the time, so that a new site does not mail its whole past.
 * Answers the issue where it made one.
 */
export async function makeIssue(db: Db, now: Date): Promise<Issue | null> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const told = await fact(db, TOLD_UNTIL);
	if (told === undefined) {
		await db
			.insert(meta)
			.values({ key: TOLD_UNTIL, value: now.toISOString() })
			.onConflictDoNothing();
		return null;
	}
	const slot = lastSlot(now, DIGEST_HOUR, DIGEST_TIME_ZONE);
	if (new Date(told) >= slot.at) return null;
	const fresh = await selectNews(db, now, new Date(told));
	// Whoever was here first has told of these posts: what came since is the next issue's.
	const remember = db
		.update(meta)
		.set({ value: now.toISOString() })
		.where(and(eq(meta.key, TOLD_UNTIL), eq(meta.value, told)));
	if (fresh.length === 0) {
		await remember;
		return null;
	}
	const issue = { date: slot.date, subject: subjectOf(fresh), posts: fresh };
	await db.batch([
		db
			.insert(issues)
			.values({ ...issue, createdAt: now })
			.onConflictDoNothing(),
		remember,
		...requestBuild(db, `Issue of ${issue.date}`, now, [paths.issue(issue.date)]),
	]);
	return issue;
}

/** The issue that would go out next, as things are now. */
async function nextIssue(db: Db, now: Date): Promise<Issue & { at: Date }> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const told = await fact(db, TOLD_UNTIL);
	const at = nextSlot(now, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const { date } = lastSlot(at, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const fresh = await selectNews(db, now, new Date(told ?? now));
	return { date, at, subject: subjectOf(fresh), posts: fresh };
}

/**
 * Queues the mails of issues whose page is built, or was not for an hour. In chunks that end with a cursor in the issue's
 * row, so that whoever comes next goes on where a worker stopped. Answers how many were queued.
 */
export async function queueIssues(db: Db, now: Date, hasTime = () => true): Promise<number> {
	const open = await db
		.select()
		.from(issues)
		.where(and(isNull(issues.queuedAt), isShown))
		.orderBy(asc(issues.date));
	const [newest = '', liveAt = ''] = (await fact(db, BUILT_ISSUE))?.split(' ') ?? [];
	const built = liveAt <= now.toISOString() ? newest : '';
	let queued = 0;
	for (const issue of open) {
		const online = built >= issue.date;
		const isLate = now.getTime() - issue.createdAt.getTime() >= PAGE_PATIENCE_MS;
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
	const at = now.getTime();
	const [last] = await db
		.select({ id: sql<string | null>`max(id)` })
		.from(
			sql`(select id from ${subscribers} where active = 1 and id > ${from} order by id limit ${CHUNK})`,
		);
	const upTo = last?.id ?? null;
	// Whoever was here first moved the cursor: the row then stays as it is.
	const mine = and(eq(issues.date, date), eq(issues.queuedUpTo, from), isNull(issues.queuedAt));
	if (upTo === null) {
		await db.update(issues).set({ queuedAt: now }).where(mine);
		return { queued: 0, upTo };
	}
	const payload = JSON.stringify({ issue: date, online });
	const [inserted] = await db.batch([
		db.run(sql`insert or ignore into ${outbox} (id, kind, key, recipient, payload, due_at, created_at)
			select lower(hex(randomblob(16))), 'digest', ${date} || ' ' || id, email, ${payload}, ${at}, ${at}
			from ${subscribers} where active = 1 and id > ${from} and id <= ${upTo}
				and coalesce(paused_until, 0) <= ${at}`),
		db
			.update(issues)
			.set({
				queuedUpTo: upTo,
				// Rows that the statement before has inserted.
				recipients: sql`recipients + changes()`,
			})
			.where(mine),
	]);
	return { queued: inserted.rowsAffected, upTo };
}

type StoredIssue = Issue & {
	recipients: number;
	queuedAt: Date | null;
	createdAt: Date;
};

/** Every issue that can be read, newest first. */
export async function listIssues(db: Db): Promise<StoredIssue[]> {
	const rows = await db.select().from(issues).where(isShown).orderBy(desc(issues.date));
	return rows.map(({ date, subject, posts: told, recipients, queuedAt, createdAt }) => ({
		date,
		subject,
		posts: told as IssuePost[],
		recipients,
		queuedAt,
		createdAt,
	}));
}

/** Remembers from when on the page of the newest issue that a build knew can be read. */
export async function recordBuiltIssue(
	db: Db,
	date: string | undefined,
	liveAt: Date,
): Promise<void> {
	if (date) await setFact(db, BUILT_ISSUE, `${date} ${liveAt.toISOString()}`);
}

/** Stands for a reader's token, so that an issue is rendered once for all of its readers. */
const TOKEN = '%reader%';

/** Writes the mails of issues, unless their readers left meanwhile. */
export function digestWriter(db: Db): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	const ready = new Map<string, Promise<Rendered>>();
	const issueOf = async (date: string, online: boolean): Promise<Rendered> => {
		const [row] = await db.select().from(issues).where(eq(issues.date, date));
		if (!row) throw new WithdrawnError('There is no such issue any more.');
		const links = {
			leave: `${env.SITE_URL}/unsubscribe?token=${TOKEN}`,
			preferences: `${env.SITE_URL}/preferences?token=${TOKEN}`,
		};
		const issue = { ...row, posts: row.posts as IssuePost[] };
		return render(issueLetter(issue, env.SITE_URL, links, online));
	};
	return async ({ recipient, payload }, now) => {
		const { issue, online } = payload as { issue: string; online: boolean };
		if (!(await wantsLetter(db, recipient!, now))) {
			throw new WithdrawnError('The reader left or paused before it was sent.');
		}
		const key = `${issue} ${online}`;
		if (!ready.has(key)) ready.set(key, issueOf(issue, online));
		const { subject, html, text } = await ready.get(key)!;
		const links = linksFor(env, 'weekly', recipient!);
		const token = new URL(links.leave).searchParams.get('token')!;
		return {
			subject,
			html: html.replaceAll(TOKEN, token),
			text: text.replaceAll(TOKEN, token),
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

/** Writes the first mail of a subscriber, unless the address left again at once. */
export function welcomeWriter(db: Db): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	return async ({ recipient, payload }, now) => {
		const email = recipient ?? (payload as { email: string }).email;
		if (!(await wantsLetter(db, email, now))) throw new WithdrawnError('The reader left again.');
		const links = linksFor(env, 'weekly', email);
		const latest = await selectPosts(db, now, undefined, WELCOME_POSTS);
		return welcomeLetter(latest, env.SITE_URL, links);
	};
}

/** The next issue as one reader's letter, as it would be now. */
export async function nextLetter(db: Db, recipient: string, now: Date): Promise<Letter> {
	const env = { ...getEnv(), SECRET: getSecret() };
	const links = linksFor(env, 'weekly', recipient);
	return issueLetter(await nextIssue(db, now), env.SITE_URL, links, false);
}

/** Writes what the admin sends to try the mail: a word, or the next issue. */
export function testWriter(db: Db): Writer {
	return async ({ recipient, payload }, now) => {
		const { what } = payload as { what: TestMail };
		if (what === 'digest') return nextLetter(db, recipient!, now);
		return {
			subject: `A test from ${site.name}`,
			preview: 'Mail works.',
			label: 'Test',
			title: 'Mail works',
			blocks: [{ kind: 'text', text: "This mail came the whole way that readers' mail takes." }],
			why: 'You get this because you asked for it in the admin area.',
		};
	};
}

/** Issues that the admin sees. */
const SHOWN_ISSUES = 8;

/** The next issue and how far the latest are, for the admin. */
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
			latest.map(async ({ date, subject, posts: told, recipients, queuedAt }) => {
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
					posts: told.length,
					queued: recipients,
					...sent!,
					isQueued: queuedAt !== null,
				};
			}),
		),
	};
}
