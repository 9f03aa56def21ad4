import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { issues, letters, meta, posts } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { abortUnless, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { getMeta } from '#src/core/meta.server.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { subjectOf } from './cadence.ts';
import { lastSlot, type IssuePost } from './issue.ts';
import { selectNews, selectPosts } from './issues.server.ts';
import { countReaders, heldUntil } from './letters.server.ts';
import { readLinks } from './next-issue.ts';
import { readStored, scheduleOf } from './next-issue.server.ts';

/** Until then an article can be taken back, or out of the mail, before anybody has it; and its page is there. */
const EACH_WAIT_MS = 10 * MINUTE;

type Key = 'each_told_until' | 'month_told_until';

/** Returns until when readers of a cadence were told, or null on the very first call, which stores the time. */
async function toldUntil(db: Db, key: Key, now: Date): Promise<Date | null> {
	const told = await getMeta(db, key);
	if (told !== undefined) return new Date(told);
	await db.insert(meta).values({ key, value: now.toISOString() }).onConflictDoNothing();
	return null;
}

/** Stores until when readers of a cadence are told, and the letter that tells them; nothing if another worker has told them. */
async function tell(
	db: Db,
	key: Key,
	{ told, until }: { told: Date; until: Date },
	letter: typeof letters.$inferInsert | null,
): Promise<void> {
	const isMine = and(eq(meta.key, key), eq(meta.value, told.toISOString()))!;
	await db.batch([
		abortUnless(db, sql`exists (select 1 from ${meta} where ${isMine})`),
		db.update(meta).set({ value: until.toISOString() }).where(isMine),
		...(letter ? [db.insert(letters).values(letter).onConflictDoNothing()] : []),
	]);
}

/** Makes the letter to those who want each article, as soon as one is out and they had none for a day. */
export const tellOfArticles = (db: Db, now: Date) => retryWhenOvertaken(() => tellEach(db, now));

async function tellEach(db: Db, now: Date): Promise<void> {
	const key = 'each_told_until';
	const told = await toldUntil(db, key, now);
	const until = new Date(now.getTime() - EACH_WAIT_MS);
	if (!told || told >= until) return;
	const news = await selectNews(db, now, told, until);
	if (news.length === 0) return;
	const { leftOut } = await readStored(db);
	const wanted = news.filter(({ id }) => !leftOut.includes(id));
	const isWanted = wanted.length > 0 && (await countReaders(db, now)).each > 0;
	const id = `each-${told.getTime()}`;
	if (isWanted && ((await heldUntil(db, id, now)) ?? now) > now) return;
	const letter = { id, subject: subjectOf(id, wanted), posts: wanted, createdAt: now };
	await tell(db, key, { told, until }, isWanted ? letter : null);
}

/** Makes the letter to those who want one a month: what the issues since the last one told of, as far as it is public. */
export const tellOfMonth = (db: Db, now: Date) => retryWhenOvertaken(() => tellMonth(db, now));

async function tellMonth(db: Db, now: Date): Promise<void> {
	const key = 'month_told_until';
	const told = await toldUntil(db, key, now);
	const schedule = await scheduleOf(db);
	const { at, date } = lastSlot(now, { ...schedule, cadence: 'monthly' });
	if (!told || told >= at) return;
	const id = `month-${date}`;
	const sent = await db
		.select(tolerant({ posts: issues.posts, links: letters.links }))
		.from(issues)
		.innerJoin(letters, eq(letters.id, issues.date))
		.where(and(gte(issues.createdAt, told), lt(issues.createdAt, at)))
		.orderBy(asc(issues.date));
	const ids = sent.flatMap((issue) => (issue.posts as IssuePost[]).map((post) => post.id));
	const wanted = await selectPosts(db, now, inArray(posts.id, ['', ...ids]));
	const links = sent.flatMap((issue) => readLinks(issue.links));
	const isWanted = wanted.length + links.length > 0 && (await countReaders(db, now)).monthly > 0;
	if (isWanted && ((await heldUntil(db, id, now)) ?? now) > now) return;
	const letter = { id, subject: subjectOf(id, wanted), posts: wanted, links, createdAt: now };
	await tell(db, key, { told, until: at }, isWanted ? letter : null);
}
