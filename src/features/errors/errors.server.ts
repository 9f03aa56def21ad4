import { desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { pageErrors } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { browserOf } from '#src/core/session/browser.ts';
import { DAY } from '#src/lib/dates.ts';
import { digest } from '#src/lib/digest.ts';
import type { PageError, PageErrorReport } from './page-error.ts';
import { reportOf } from './scrub.ts';

/** Different errors that are kept. With more, those of strangers who make them up would push out nothing real. */
export const MAX_ERRORS = 200;

/** Name and mark of a bundled script: the mark changes with its content. */
const SCRIPT = /\/_astro\/([\w.[\]~-]+?)\.([\w-]{8})\.js/;

/**
 * Counts an uncaught error of a page; those of the same message and stack are one row, whatever the script's version.
 * Nothing is kept of an error outside of our own scripts, such as a browser's extension.
 */
export async function recordPageError(
	db: Db,
	given: PageErrorReport,
	userAgent: string,
	now: Date,
): Promise<void> {
	const version = SCRIPT.exec(given.stack)?.[2];
	if (!version || /-extension:\/\//.test(given.stack)) return;
	const { message, stack, path } = reportOf(given, given.path.split(/[?#]/)[0]!);
	// The mark of a script goes, so that a new build does not make a new error of each old one.
	const frames = stack.replace(new RegExp(SCRIPT, 'g'), '/_astro/$1.js');
	const id = digest(message, frames).slice(0, 32);
	const browser = browserOf(userAgent);
	const at = now.getTime();
	await db.run(sql`insert into ${pageErrors}
		(id, message, stack, path, browser, first_version, last_version, count, first_at, last_at)
		select ${id}, ${message}, ${frames}, ${path}, ${browser}, ${version}, ${version}, 1, ${at}, ${at}
		where exists (select 1 from ${pageErrors} where ${pageErrors.id} = ${id})
			or (select count(*) from ${pageErrors}) < ${MAX_ERRORS}
		on conflict (id) do update set count = count + 1, path = excluded.path,
			browser = excluded.browser, last_version = excluded.last_version, last_at = excluded.last_at`);
}

export async function listPageErrors(db: Db): Promise<PageError[]> {
	const rows = await db
		.select(tolerant(pageErrors))
		.from(pageErrors)
		.orderBy(desc(pageErrors.lastAt), pageErrors.id);
	return rows.map((row) => ({
		...row,
		firstAt: row.firstAt.toISOString(),
		lastAt: row.lastAt.toISOString(),
	}));
}

export async function dismissPageError(db: Db, id: string): Promise<{ dismissed: number }> {
	const gone = await db
		.delete(pageErrors)
		.where(eq(pageErrors.id, id))
		.returning({ id: pageErrors.id });
	return { dismissed: gone.length };
}

/** Deletes what has not happened for a while. */
export async function prunePageErrors(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - RETENTION_DAYS.pageErrors * DAY);
	await deleteInPieces(db, pageErrors, lt(pageErrors.lastAt, oldest));
}
