/** One worker of `crash.ts`: queues and delivers letters until it is killed. `node crash-worker.ts <database> <smtp> <start> <speed>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setDb } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { emailCourier } from '#src/core/outbox/mail.server.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import { letterWriter, queueLetters } from '#src/features/newsletter/letters.server.ts';
import { mailProcess } from '#src/host/mail-process.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { fastClock } from './fast-clock.ts';

const [DATABASE_URL = '', SMTP_URL = '', started = '', speedup = ''] = process.argv.slice(2);
const SECRET = 'a secret that only the tests know';
process.on('disconnect', () => process.exit());
const given = { DATABASE_URL, SMTP_URL, SECRET, SITE_URL: 'https://groundtruth.test' };
// The process that sends has the same.
setEnv(parseEnv(Object.assign(process.env, given)));
const db = await openDb(DATABASE_URL);
setDb(db);
const env = { ...getEnv(), SECRET };
const accepted = acceptedDeliveries(getEnv())!;
const letter = emailCourier(db, env, mailProcess(accepted), letterWriter(db), async () => {});
const speed = Number(speedup);
const now = () => fastClock(Number(started), speed);
const wait = (ms: number) => sleep(Math.min(50, ms / speed));
process.send?.('delivering');
for (;;) {
	await queueLetters(db, now());
	await deliver(db, { couriers: { letter }, accepted, now, wait });
	await sleep(20);
}
