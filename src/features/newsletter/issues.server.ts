import { and, asc, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categories, importItems, issues, meta, outbox, posts, subscribers } from '#db/schema.ts';
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
import { isPublic, newestFirst } from '#src/features/posts/posts.server.ts';
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
	type IssuePost,
} from './issue.ts';

/** Key of `meta`: up to when posts were told of, or were there when the site began. */
const COVERED_UNTIL_KEY = 'digest_told_until';
/** Key of `meta`: date of the newest issue whose page is built, and from when on it can be read. */
const BUILT_ISSUE_KEY = 'built_issue';
/** Subscribers whose emails are queued in one go. */
const CHUNK = 1000;
/** Articles that a welcome tells of. */
const WELCOME_POSTS = 3;

const postColumns = {
	id: posts.id,
	slug: posts.slug,
	title: posts.title,
	excerpt: posts.excerpt,
	category: categories.name,
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

async function getMeta(db: Db, key: string): Promise<string | undefined> {
	const [row] = await db.select().from(meta).where(eq(meta.key, key));
	return row?.value;
}

const setMeta = (db: Db, key: string, value: string) =>
	db.insert(meta).values({ key, value }).onConflictDoUpdate({ target: meta.key, set: { value } });

/**
 * Makes this week's issue when its time has come: once for a Thursday, later where nobody was there to do it, not at all
 * where nothing is new. The first call of all only remembers the time, so that a new site does not mail its whole past.
 * Returns the issue where it made one.
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
	// Whoever was here first has told of these posts: what came since is the next issue's.
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

/** The issue that would go out next, as things are now. */
async function nextIssue(db: Db, now: Date): Promise<Issue & { at: Date }> {
	const { DIGEST_HOUR, DIGEST_TIME_ZONE } = getEnv();
	const coveredUntil = await getMeta(db, COVERED_UNTIL_KEY);
	const at = nextSlot(now, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const { date } = lastSlot(at, DIGEST_HOUR, DIGEST_TIME_ZONE);
	const fresh = await selectNews(db, now, new Date(coveredUntil ?? now));
	return { date, at, subject: issueSubject(fresh), posts: fresh };
}

/**
 * Queues the emails of issues whose page is built, or was not for an hour. In chunks that end with a cursor in the issue's
 * row, so that whoever comes next goes on where a worker stopped. Returns how many were queued.
 */
export async function queueIssues(db: Db, now: Date, hasTime = () => true): Promise<number> {
	const open = await db
		.select()
		.from(issues)
		.where(isNull(issues.queuedAt))
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
	const at = now.getTime();
	const [last] = await db
		.select({ id: sql<string | null>`max(id)` })
		.from(
			sql`(select id from ${subscribers} where active = 1 and id > ${from} order by id limit ${CHUNK})`,
		);
	const upTo = last?.id ?? null;
	// Whoever was here first moved the cursor: the row then stays as it is.
	const isUnmoved = and(
		eq(issues.date, date),
		eq(issues.queuedUpTo, from),
		isNull(issues.queuedAt),
	);
	if (upTo === null) {
		await db.update(issues).set({ queuedAt: now }).where(isUnmoved);
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
			.where(isUnmoved),
	]);
	return { queued: inserted.rowsAffected, upTo };
}

type StoredIssue = Issue & {
	recipients: number;
	queuedAt: Date | null;
	createdAt: Date;
};

/** Every issue, newest first. */
export async function listIssues(db: Db): Promise<StoredIssue[]> {
	const rows = await db.select().from(issues).orderBy(desc(issues.date));
	return rows.map(({ date, subject, posts: issuePosts, recipients, queuedAt, createdAt }) => ({
		date,
		subject,
		posts: issuePosts as IssuePost[],
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
	if (date) await setMeta(db, BUILT_ISSUE_KEY, `${date} ${liveAt.toISOString()}`);
}

/** Stands for a reader's token, so that an issue is rendered once for all of its readers. */
const TOKEN_PLACEHOLDER = '%reader%';

/** Writes the emails of issues, unless their readers left meanwhile. */
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
		const issue = { ...row, posts: row.posts as IssuePost[] };
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

/** Writes the first mail of a subscriber, unless the address left again at once. */
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

/** The next issue as one reader's letter, as it would be now. */
export async function nextIssueLetter(db: Db, recipient: string, now: Date): Promise<Letter> {
	const env = { ...getEnv(), SECRET: getSecret() };
	const links = readerLinks(env, 'weekly', recipient);
	return issueLetter(await nextIssue(db, now), env.SITE_URL, links, false);
}

/** Writes what the admin sends to try the mail: a word, or the next issue. */
export function testWriter(db: Db): Writer {
	return async ({ recipient, payload }, now) => {
		const { what } = payload as { what: TestEmail };
		if (what === 'digest') return nextIssueLetter(db, recipient!, now);
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
