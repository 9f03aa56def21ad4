import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import type { EmailContent } from '#src/core/outbox/email-content.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { NO_COPIES, type CopyReport } from './copies.ts';

/** Returns what is known about the nightly copies of this database. */
export async function getCopyReport(db: Db): Promise<CopyReport> {
	const stored = await getMeta(db, 'copied');
	return stored === undefined ? NO_COPIES : (JSON.parse(stored) as CopyReport);
}

/** Remembers what is true of the copies now. */
export async function recordCopies(db: Db, change: Partial<CopyReport>): Promise<void> {
	const report = await getCopyReport(db);
	await setMeta(db, 'copied', JSON.stringify({ ...report, ...change }));
}

/** Titles of the emails about what went wrong. */
const FAILURES = {
	failure: 'The database could not be copied',
	uploadFailure: 'The copy of the database could not be uploaded',
} as const;

/** Remembers that a copy could not be made or uploaded, and tells the owner by email, once a day. */
export async function recordFailedCopy(
	db: Db,
	reason: string,
	now: Date,
	what: keyof typeof FAILURES = 'failure',
): Promise<void> {
	const report = await getCopyReport(db);
	const last = what === 'failure' ? report.last : report.uploaded;
	const payload = { title: FAILURES[what], reason, last: last?.at ?? null };
	const owner = sql`(select email from users order by created_at limit 1)`;
	const day = isoDay(now);
	await db.batch([
		setMeta(db, 'copied', JSON.stringify({ ...report, [what]: { at: now.toISOString(), reason } })),
		enqueue(
			db,
			{
				...{ kind: 'copy', key: what === 'failure' ? `copy ${day}` : `upload ${day}`, payload },
				recipient: owner,
				where: sql`${owner} is not null`,
			},
			now,
		),
	]);
}

export type FailedCopyPayload = { title?: string; reason: string; last: string | null };

/** Returns the email to the owner about a copy that could not be made. */
export function failedCopyEmail({ title, reason, last }: FailedCopyPayload): EmailContent {
	const subject = title ?? FAILURES.failure;
	return {
		subject,
		preview: reason,
		label: 'Nightly copy',
		title: subject,
		blocks: [
			{ kind: 'text', text: reason },
			{
				kind: 'text',
				text: last
					? `The last good copy is of ${isoDay(last)}. The next attempt is made within the hour, and you hear of failures once a day.`
					: 'There is no good copy yet. The next attempt is made within the hour, and you hear of failures once a day.',
			},
		],
		why: 'You get this because you own the site.',
	};
}
