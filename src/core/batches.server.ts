import { sql, type SQL } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';

/** Returns a statement that aborts the whole batch unless `condition` holds. */
export function abortUnless(db: Db, condition: SQL): Statement {
	return db.run(sql`select case when ${condition} then 1 else json('stale') end`);
}

const ATTEMPTS = 20;

/** Retries work if another save came between its reading and writing. */
export async function retryWhenOvertaken<Out>(work: () => Promise<Out>): Promise<Out> {
	for (let attempt = 1; ; attempt++) {
		try {
			return await work();
		} catch (error) {
			if (attempt === ATTEMPTS || !isOvertaken(error)) throw error;
		}
	}
}

function isOvertaken(error: unknown): boolean {
	const texts = [error, error instanceof Error ? error.cause : undefined].map(String).join();
	return /malformed JSON|(UNIQUE|FOREIGN KEY) constraint failed/.test(texts);
}

/** Returns the SQL list of these values, for `in`. One parameter, however many there are. */
export function among(values: readonly string[]): SQL {
	return sql`(select value from json_each(${JSON.stringify(values)}))`;
}
