import { and, count, eq, gte, isNull, sql, type Column } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { comments, contactMessages, postCounts, signupDays } from '#db/schema.ts';
import { asText } from '#db/tolerant.ts';
import { DAY, isoDay } from '#src/lib/dates.ts';
import { sum, type Stats, type Series } from './stats.ts';

/** Returns the figures of `days` days up to that of `end`, in UTC. Never an invented one. */
export async function getStats(db: Db, days: number, end: Date): Promise<Stats> {
	const last = Math.floor(end.getTime() / DAY);
	const first = last - days + 1;
	const earlier = first - days;
	const [counted, written, joined] = await Promise.all([
		db
			.select({
				day: postCounts.day,
				shares: sql<number>`sum(${postCounts.shares})`,
			})
			.from(postCounts)
			.where(gte(postCounts.day, earlier))
			.groupBy(postCounts.day),
		db
			.select({ day: dayOf(comments.createdAt), value: count() })
			.from(comments)
			.where(and(gte(comments.createdAt, new Date(earlier * DAY)), isNull(comments.deletedAt)))
			.groupBy(dayOf(comments.createdAt)),
		db
			.select({
				day: signupDays.day,
				source: asText(sql<string | null>`nullif(${signupDays.source}, '')`),
				value: signupDays.signups,
			})
			.from(signupDays)
			.where(gte(signupDays.day, earlier)),
	]);
	/** Returns one number per day for twice as many days: the earlier ones first. */
	const series = (rows: { day: number; value: number }[]): Series => {
		const values = Array<number>(2 * days).fill(0);
		for (const { day, value } of rows) if (day <= last) values[day - earlier]! += value;
		return values;
	};
	const shares = series(counted.map(({ day, shares: value }) => ({ day, value })));
	const newComments = series(written);
	const signups = series(joined);
	const sources = [...Map.groupBy(joined, ({ source }) => source)]
		.map(([source, rows]) => ({ source, signups: series(rows).slice(days) }))
		.filter((group) => sum(group.signups) > 0)
		.sort((a, b) => sum(b.signups) - sum(a.signups));
	const before = (values: Series) => sum(values.slice(0, days));
	return {
		from: isoDay(new Date(first * DAY)),
		days,
		shares: shares.slice(days),
		comments: newComments.slice(days),
		signups: signups.slice(days),
		sources,
		before: {
			shares: before(shares),
			comments: before(newComments),
			signups: before(signups),
		},
	};
}

/** Days since 1970-01-01. */
const dayOf = (time: Column) => sql<number>`${time} / ${sql.raw(String(DAY))}`;

/** Returns how many comments wait for a decision, and how many messages are unread. */
export async function countWaiting(db: Db): Promise<{ comments: number; messages: number }> {
	const [waiting, unread] = await Promise.all([
		db.$count(
			comments,
			and(eq(comments.approved, false), isNull(comments.reviewedAt), isNull(comments.deletedAt)),
		),
		db.$count(
			contactMessages,
			and(eq(contactMessages.state, 'new'), isNull(contactMessages.deletedAt)),
		),
	]);
	return { comments: waiting, messages: unread };
}
