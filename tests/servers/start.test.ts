import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openServers } from '#db/client.ts';
import { comments, posts } from '#db/schema.ts';
import { siteFolder } from '#src/build/builds.ts';
import { MINUTE } from '#src/lib/dates.ts';
import { Sqld } from '#tests/support/sqld.ts';

const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
let primary: Sqld;
let replicas: Sqld[];

beforeAll(async () => {
	primary = await Sqld.start();
	replicas = await Promise.all([Sqld.start({ primary }), Sqld.start({ primary })]);
}, MINUTE);
afterAll(async () => {
	await rm(siteFolder(primary.url), { recursive: true, force: true });
	await Promise.all([primary, ...replicas].map((server) => server.remove()));
});

const environment = () => ({
	...{ PATH, NODE_COMPILE_CACHE, NODE_OPTIONS },
	PORT: '0',
	SECRET: 'a secret that only the tests know',
	ADMIN_EMAIL: 'admin@example.com',
	ADMIN_PASSWORD: 'Correct-horse-7',
	DATABASE_URL: primary.url,
	DATABASE_READ_URL: replicas.map(({ url }) => url).join(),
});

function run() {
	const child = spawn(process.execPath, ['src/cli/main.ts'], {
		env: environment(),
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const said = { out: '', err: '' };
	child.stdout!.on('data', (chunk) => (said.out += String(chunk)));
	child.stderr!.on('data', (chunk) => (said.err += String(chunk)));
	const ended = once(child, 'close').then(([code]) => code as number | null);
	onTestFinished(async () => {
		child.kill('SIGKILL');
		await ended;
	});
	return { child, said, ended };
}

test(
	'on one machine the site starts, migrates, seeds, builds and serves by DATABASE_URL alone, and outlives an outage',
	{ timeout: 5 * MINUTE },
	async () => {
		const { child, said, ended } = run();
		let site: string | undefined;
		while (!site) {
			if (child.exitCode !== null) throw new Error(said.err);
			await sleep(100);
			site = /^Site +(\S+)$/m.exec(said.out)?.[1];
		}
		// Functions serve before the first build is there.
		while (!(await fetch(`${site}/api/ready`)).ok) {
			if (child.exitCode !== null) throw new Error(said.err);
			await sleep(100);
		}
		const db = openServers([[primary.url]], { patience: MINUTE });
		const [post] = await db.select().from(posts).limit(1);
		const page = `${site}/blog/${post!.slug}`;
		const send = (content: string) =>
			fetch(`${site}/api/comments`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({
					postId: post!.id,
					author: 'Ada',
					email: 'ada@example.com',
					content,
				}),
			});
		const status = async (address: string) => (await fetch(address)).status;
		expect([await status(site), await status(page)]).toEqual([200, 200]);
		expect(await (await fetch(`${site}/api/posts`)).json()).toHaveLength(await db.$count(posts));
		expect((await send('The first.')).status).toBe(201);
		for (const replica of replicas) {
			while ((await openServers([[replica.url]]).$count(comments)) < 1) await sleep(50);
		}

		await primary.kill();
		expect([await status(page), await status(`${site}/api/posts`)]).toEqual([200, 200]);
		expect((await send('The second.')).status).toBe(503);
		expect(child.exitCode).toBeNull();

		await primary.start();
		expect((await send('The third.')).status).toBe(201);
		expect(await db.$count(comments)).toBe(2);
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
	},
);
