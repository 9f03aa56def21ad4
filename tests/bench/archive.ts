import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { media, outbox, revisions, subscribers } from '#db/schema.ts';
import { digestsOf } from '#tests/support/archive.ts';
import { Sqld } from '#tests/support/sqld.ts';
import { idOf, makeDatabase } from './corpus.ts';
import { withFolder } from './folder.ts';
import { printTable } from './table.ts';

const READERS = 100_000;
/** Rows inserted in one go. */
const CHUNK = 2000;
const IMAGES = 100;
const IMAGE_BYTES = 1024 * 1024;

/** Moves sites of these sizes, with 100,000 readers and their letters, into a server and back, and prints what each way took. */
export async function benchArchive(counts: number[]): Promise<void> {
	const rows: string[][] = [];
	for (const count of counts) {
		await withFolder(async (folder) => {
			const server = await Sqld.start();
			try {
				const path = (name: string) => join(folder, name);
				const db = await makeDatabase(`file:${path('site.db')}`, count);
				await fill(db, count);
				db.$client.close();
				const ways: [string, string, string, string][] = [
					['archive of a file', `file:${path('site.db')}`, 'archive', 'first.zip'],
					['restored to sqld', server.url, 'restore-archive', 'first.zip'],
					['archive of sqld', server.url, 'archive', 'second.zip'],
					['restored to a file', `file:${path('again.db')}`, 'restore-archive', 'second.zip'],
				];
				for (const [way, url, command, file] of ways) {
					const figures = await run(command, url, path(file));
					rows.push([count.toLocaleString('en-US'), way, ...figures]);
				}
				const [first, second] = await Promise.all(
					['first.zip', 'second.zip'].map((name) => digestsOf(path(name))),
				);
				if (JSON.stringify(first) !== JSON.stringify(second))
					throw new Error('The archives differ.');
			} finally {
				await server.remove();
			}
		});
	}
	printTable(['posts', 'way', 'seconds', 'of processor', 'peak MB'], rows);
	console.log('The two archives are equal but for their dates. Aim: 60 seconds and 300 MB.');
}

/** Stores readers, a letter to each, a revision of each post, and images, which no program packs further. */
async function fill(db: Db, posts: number): Promise<void> {
	const numbers = (from: number, count: number) =>
		Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => from + index);
	for (let from = 0; from < READERS; from += CHUNK) {
		const some = numbers(from, READERS).map((number) => `reader-${number}@example.com`);
		await db.insert(subscribers).values(some.map((email) => ({ email })));
		await db.insert(outbox).values(
			some.map((email) => ({
				kind: 'digest',
				key: `2026-11-19 ${email}`,
				recipient: email,
				payload: { date: '2026-11-19' },
				attempts: 1,
				deliveredAt: new Date(),
			})),
		);
	}
	for (let from = 0; from < posts; from += CHUNK) {
		await db.run(sql`insert into revisions (id, post_id, reason, form, created_at)
			select 'revision ' || id, id, 'publish', json_object('title', title, 'content', content), created_at
			from posts where id between ${idOf(from)} and ${idOf(from + CHUNK - 1)}`);
	}
	for (let number = 0; number < IMAGES; number++) {
		const bytes = randomBytes(IMAGE_BYTES);
		const digest = createHash('sha256').update(bytes).digest('hex');
		const shown = { name: `${number}.png`, type: 'image/png', width: 1200, height: 900 };
		await db.insert(media).values({ ...shown, size: bytes.length, digest, bytes });
	}
	console.log(`${await db.$count(revisions)} posts with revisions, ${READERS} readers.`);
}

/** Has a process tell at its end what it used; its most memory by Linux, as the rest of what it says counts its parent's too. */
const TELL = `data:text/javascript,${encodeURIComponent(`
	import { readFileSync, writeSync } from 'node:fs';
	process.on('exit', () => {
		const [, kb] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
		writeSync(3, JSON.stringify({ ...process.cpuUsage(), kb: Number(kb) }));
	});
`)}`;

/** Runs a command as `npm run` does. Returns its seconds by the clock and of the processor, and its most memory in MB. */
async function run(command: string, url: string, file: string): Promise<string[]> {
	const start = performance.now();
	const options = ['--max-semi-space-size=2', '--import', TELL];
	const child = spawn(process.execPath, [...options, 'src/cli/main.ts', command, file], {
		env: { ...process.env, DATABASE_URL: url, SECRET: 'a secret that only the benchmark knows' },
		stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
	});
	const told = text(child.stdio[3] as Readable);
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0) throw new Error(`${command} ended with exit code ${code}.`);
	const seconds = (performance.now() - start) / 1000;
	const used = JSON.parse(await told) as { user: number; system: number; kb: number };
	const processor = (used.user + used.system) / 1e6;
	return [seconds.toFixed(1), processor.toFixed(1), (used.kb / 1024).toFixed(0)];
}
