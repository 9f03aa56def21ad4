import { eq } from 'drizzle-orm';
import { join } from 'node:path';
import { setDb, type Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, outbox, posts, subscribers } from '#db/schema.ts';
import { emailCourier, type Writer } from '#src/core/outbox/mail.server.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import { paceOf } from '#src/core/outbox/kinds.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { openTransport } from '#src/core/outbox/transport.server.ts';
import { digestWriter, welcomeWriter } from '#src/features/newsletter/issues.server.ts';
import { queueLetters, recordBuiltIssue } from '#src/features/newsletter/letters.server.ts';
import { createIssue } from '#src/features/newsletter/next-issue.server.ts';
import { mailProcess } from '#src/host/mail-process.ts';
import { HOUR, MINUTE } from '#src/lib/dates.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { withFolder } from './folder.ts';
import { startMailSink } from './sink.ts';
import { printTable } from './table.ts';

const WELCOMES = 3000;
const READERS = 100_000;
/** So many that none has more than its share of a minute. */
const DOMAINS = 1000;
const SECRET = 'a secret that only the benchmark knows';

/** Measures mail into a local SMTP server and into the mailbox folder, and a whole issue of the letter. */
export async function benchMail(): Promise<void> {
	const sink = await startMailSink();
	const rows: string[][] = [];
	try {
		await withFolder(async (folder) => {
			rows.push(await welcomes(join(folder, 'smtp.db'), sink.url, 'welcome by SMTP'));
			rows.push(await welcomes(join(folder, 'mailbox.db'), '', 'welcome into the folder'));
			rows.push(...(await digest(join(folder, 'digest.db'), sink.url)));
		});
		const received = await sink.received();
		printTable(['what', 'emails', 'seconds', 'emails/s'], rows);
		console.log(
			`The SMTP server took ${received} emails; ${WELCOMES + READERS} were meant for it.`,
		);
		console.log(
			`A mail domain gets ${paceOf('digest').count} letters a minute: of ${READERS.toLocaleString('en-US')} readers with half at one provider, its last has the letter after ${Math.ceil(READERS / 2 / paceOf('digest').count)} minutes.`,
		);
	} finally {
		sink.stop();
	}
}

async function open(file: string, smtp: string): Promise<Db> {
	const DATABASE_URL = `file:${file}`;
	const SITE_URL = 'https://groundtruth.test';
	const env = { DATABASE_URL, SITE_URL, SECRET, DIGEST_TIME_ZONE: 'UTC', SMTP_URL: smtp };
	// The process that sends has the same.
	setEnv(parseEnv(Object.assign(process.env, env)));
	const db = await openDb(DATABASE_URL);
	await migrateDb(db);
	setDb(db);
	await db.insert(categories).values({ id: 'c', name: 'Robotics', slug: 'robotics' });
	await db.insert(posts).values(
		Array.from({ length: 5 }, (_, n) => ({
			title: `What the second figure shows, part ${n}`,
			slug: `figure-${n}`,
			excerpt:
				'An excerpt of the length that excerpts have, which is a sentence or two in most cases.',
			content: '<p>Words.</p>',
			author: 'Grace',
			categoryId: 'c',
			published: true,
			publishedAt: new Date(Date.now() - HOUR),
		})),
	);
	for (let from = 0; from < READERS; from += 1000) {
		await db.insert(subscribers).values(
			Array.from({ length: 1000 }, (_, n) => ({
				email: `reader${from + n}@example${(from + n) % DOMAINS}.com`,
			})),
		);
	}
	return db;
}

/** Sends all that is due, and answers how long it took. */
async function send(db: Db, kind: string, write: Writer): Promise<number> {
	const accepted = acceptedDeliveries(getEnv())!;
	const transport = getEnv().SMTP_URL ? mailProcess(accepted) : openTransport(getEnv())!;
	const courier = emailCourier(db, { ...getEnv(), SECRET }, transport, write, async () => {});
	const start = performance.now();
	// Domains had their share in the minute before only where a run is faster than a real one may be.
	while ((await deliver(db, { couriers: { [kind]: courier }, accepted })) > 0);
	transport.close();
	return (performance.now() - start) / 1000;
}

async function welcomes(file: string, smtp: string, name: string): Promise<string[]> {
	const db = await open(file, smtp);
	const now = new Date();
	const readers = await db.select().from(subscribers).limit(WELCOMES);
	for (let from = 0; from < WELCOMES; from += 500) {
		await db.insert(outbox).values(
			readers.slice(from, from + 500).map(({ email }) => ({
				kind: 'welcome',
				key: email,
				recipient: email,
				payload: { email },
				dueAt: now,
			})),
		);
	}
	const seconds = await send(db, 'welcome', welcomeWriter(db));
	const sent = await db.$count(outbox, eq(outbox.kind, 'welcome'));
	db.$client.close();
	return row(name, sent, seconds);
}

async function digest(file: string, smtp: string): Promise<string[][]> {
	const db = await open(file, smtp);
	// The first call only remembers the time: before the articles, and before a Thursday.
	const before = new Date(Date.now() - 8 * 24 * HOUR);
	await createIssue(db, before);
	const now = new Date();
	const issue = (await createIssue(db, now))!;
	await recordBuiltIssue(db, issue.date, new Date(now.getTime() - MINUTE));
	const start = performance.now();
	const queued = await queueLetters(db, now);
	const queueing = (performance.now() - start) / 1000;
	const seconds = await send(db, 'digest', digestWriter(db));
	db.$client.close();
	return [row('letter, queued', queued, queueing), row('letter, sent by SMTP', queued, seconds)];
}

function row(name: string, count: number, seconds: number): string[] {
	return [
		name,
		count.toLocaleString('en-US'),
		seconds.toFixed(1),
		Math.round(count / seconds).toLocaleString('en-US'),
	];
}
