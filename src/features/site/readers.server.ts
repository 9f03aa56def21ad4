import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { visitSums } from '#db/schema.ts';
import { DAY } from '#src/lib/dates.ts';

/** Days that the number of readers a day is taken of. */
const WEEK = 7;

/** Returns how many visitors a day the site had in the seven days before today, in UTC, rounded. */
export async function readersADay(db: Db, now: Date): Promise<number> {
	const today = Math.floor(now.getTime() / DAY);
	// Every visit is counted in an hour once, whatever else it is counted in.
	const [week] = await db.all<{ visitors: number | null }>(
		sql`select sum(visitors) as visitors from ${visitSums}
			where by = 'hour' and span = 'day' and at between ${today - WEEK} and ${today - 1}`,
	);
	return Math.round((week?.visitors ?? 0) / WEEK);
}
