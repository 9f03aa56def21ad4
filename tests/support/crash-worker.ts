/** One worker of `crash.ts`: queues and delivers letters until it is killed. `node crash-worker.ts <database> <smtp> <start> <speed>`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setDb } from '#db/client.ts';
import { openDb } from '#db/local.ts';
import { acceptedDeliveries } from '#src/core/outbox/accepted.server.ts';
import { emailCourier } from '#src/core/outbox/mail.server.ts';
import { deliver } from '#src/core/outbox/outbox.server.ts';
import { openTransport } from '#src/core/outbox/transport.server.ts';
import { letterWriter, queueLetters } from '#src/features/newsletter/letters.server.ts';
import { getEnv, parseEnv, setEnv } from '#src/lib/env.ts';
import { fastClock } from './fast-clock.ts';

const [DATABASE_URL = '', SMTP_URL = '', started = '', given = ''] = process.argv.slice(2);
const SECRET = 'a secret that only the tests know';
process.on('disconnect', () => process.exit());
setEnv(parseEnv({ DATABASE_URL, SMTP_URL, SECRET, SITE_URL: 'https://groundtruth.test' }));
const db = await openDb(DATABASE_URL);
setDb(db);
const transport = openTransport(getEnv())!;
const env = { ...getEnv(), SECRET };
const letter = emailCourier(db, env, transport, letterWriter(db), async () => {});
const accepted = acceptedDeliveries(getEnv());
const speed = Number(given);
const now = () => fastClock(Number(started), speed);
const wait = (ms: number) => sleep(Math.min(50, ms / speed));
process.send?.('delivering');
for (;;) {
	await queueLetters(db, now());
	await deliver(db, { couriers: { letter }, accepted, now, wait });
	await sleep(20);
}
