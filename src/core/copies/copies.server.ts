import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import type { Letter } from '#src/core/outbox/letter.ts';
import { enqueue } from '#src/core/outbox/outbox.server.ts';
import { isoDay } from '#src/lib/dates.ts';
import { NO_COPIES, type CopyReport } from './copies.ts';

/** Returns what is known about the nightly copies of this database. */
export async function getCopyReport(db: Db): Promise<CopyReport> {
	const stored = await getMeta(db, 'copied');
	return stored === undefined ? NO_COPIES : (JSON.parse(stored) as CopyReport);
}

/** Remembers a copy that was made and looked through. */
export async function recordCopy(
	db: Db,
	last: NonNullable<CopyReport['last']>,
	kept: number,
): Promise<void> {
	const report: CopyReport = { last, kept, failure: null };
	await setMeta(db, 'copied', JSON.stringify(report));
}

/** Remembers that a copy could not be made, and tells the owner by email, once a day. */
export async function recordFailedCopy(db: Db, reason: string, now: Date): Promise<void> {
	const report = await getCopyReport(db);
	const failure = { at: now.toISOString(), reason };
	const payload = { reason, last: report.last?.at ?? null };
	const owner = sql`(select email from users order by created_at limit 1)`;
	await db.batch([
		setMeta(db, 'copied', JSON.stringify({ ...report, failure })),
		enqueue(
			db,
			{
				...{ kind: 'copy', key: `copy ${isoDay(now)}`, payload },
				recipient: owner,
				where: sql`${owner} is not null`,
			},
			now,
		),
	]);
}

export type FailedCopyPayload = { reason: string; last: string | null };

/** Returns the email to the owner about a copy that could not be made. */
export function failedCopyLetter({ reason, last }: FailedCopyPayload): Letter {
	return {
		subject: 'The database could not be copied',
		preview: reason,
		label: 'Nightly copy',
		title: 'The database could not be copied',
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
