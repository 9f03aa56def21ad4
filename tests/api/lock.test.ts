import { createClient } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setDb } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { fetchApi } from '#tests/support/api.ts';
import { makePost } from '#tests/support/factories.ts';
import { lockDatabase } from '#tests/support/lock.ts';

let visitors = 0;
const post = (path: string, body: object) =>
	fetchApi({ ip: `198.51.100.${visitors++ % 250}` })(path, {
		method: 'POST',
		body: JSON.stringify(body),
		headers: { 'Content-Type': 'application/json', 'User-Agent': 'Firefox/140.0' },
	});
const stack = 'TypeError: x\n at show (https://groundtruth.test/_astro/Likes.Cx3dP2_a.js:1:22)';
/** Two single statements and a batch. */
const report = () => post('/api/errors', { message: 'x is undefined', stack, path: '/blog/x' });
const subscribe = (number: number) =>
	post('/api/subscribers', { email: `reader-${number}@place.example` });
const health = async () => (await fetchApi()('/api/health')).json() as Promise<object>;

test(
	'a lock that outlasts the patience refuses writes, lets reads through, and loses nothing afterwards',
	{ timeout: 60_000 },
	async () => {
		vi.spyOn(console, 'error').mockImplementation(() => {});
		vi.spyOn(console, 'log').mockImplementation(() => {});
		const folder = await mkdtemp(join(tmpdir(), 'lock-'));
		const url = `file:${join(folder, 'site.db')}`;
		const db = await openDb(url);
		const witness = createClient({ url, concurrency: 1, timeout: 1000 });
		onTestFinished(async () => {
			db.$client.close();
			witness.close();
			await rm(folder, { recursive: true });
		});
		await migrateDb(db);
		setDb(db);
		await makePost(db);
		expect((await report()).status).toBe(200);
		expect(await health()).toMatchObject({ writes: true });

		const release = await lockDatabase(url);
		const refused = Promise.all([report(), subscribe(0), report(), subscribe(1)]);
		let reads = 0;
		let isOver = false;
		const reading = (async () => {
			while (!isOver) {
				expect((await fetchApi()('/api/posts')).status).toBe(200);
				reads++;
				await sleep(5);
			}
		})();
		for (const response of await refused) {
			expect(response.status).toBe(503);
			expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
		}
		isOver = true;
		await reading;
		// One or two, where a write waits for the lock on the thread that reads.
		expect(reads).toBeGreaterThan(10);
		expect(await health()).toMatchObject({
			writes: false,
			refused: 'SQLITE_BUSY: database is locked',
		});
		await release();

		const acknowledged = { errors: 1, subscribers: 0 };
		for (let number = 10; number < 30; number++) {
			expect((await report()).status).toBe(200);
			acknowledged.errors++;
			expect((await subscribe(number)).status).toBe(201);
			acknowledged.subscribers++;
		}
		expect(await health()).not.toHaveProperty('refused');
		expect(await health()).toMatchObject({ writes: true });
		const { rows } = await witness.execute(`select
			(select sum(count) from page_errors) as errors, (select count(*) from subscribers) as subscribers`);
		expect(rows).toEqual([acknowledged]);
	},
);
