import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { siteFolder } from '#src/build/builds.ts';
import { childrenOf, startHost } from '#tests/support/host.ts';

const TOKEN = 'a token for metrics';

test('two processes serve on one port, share builds, and one that dies is replaced', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'host-workers-'));
	const DATABASE_URL = `file:${join(folder, 'site.db')}`;
	// A site of a few pages is built in seconds.
	const few = { SAMPLE_CONTENT: 'off' };
	const host = await startHost({ ...few, DATABASE_URL, WORKERS: '2', METRICS_TOKEN: TOKEN });
	onTestFinished(async () => {
		await host.stop();
		await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
		await rm(folder, { recursive: true, force: true });
	});
	const workers = () => childrenOf(host.process.pid!);
	// Metrics are of all: a process or a request is counted wherever one asks.
	const metrics = async () => {
		const headers = { Authorization: `Bearer ${TOKEN}` };
		return (await fetch(`${host.address}/metrics`, { headers })).text();
	};
	const bothServe = () =>
		vi.waitFor(
			async () => expect(await metrics()).toMatch(/^groundtruth_processes_serving 2$/m),
			60_000,
		);
	await bothServe();
	const counted = async () =>
		Number(/_count\{[^}]*route="page",status="200"\} (\d+)/.exec(await metrics())?.[1]);
	expect(await metrics()).toMatch(/^groundtruth_database_up 1$/m);
	for (let request = 0; request < 12; request++) await get(`${host.address}/about`);
	await vi.waitFor(async () => expect(await counted()).toBe(12), 60_000);
	const { id, slug } = await host.publish('Shared', '<p>One has it.</p>');
	const pages = async () =>
		Promise.all(Array.from({ length: 8 }, () => get(`${host.address}/blog/${slug}`)));
	const allShow = (words: string) =>
		vi.waitFor(async () => {
			for (const page of await pages()) expect(page.includes(words)).toBe(true);
		}, 60_000);
	await allShow('One has it.');
	const content = '<p>Both have it.</p>';
	const edited = await host.asAdmin('PUT', `/api/admin/posts/${id}`, { content });
	expect(edited.status).toBe(200);
	await allShow('Both have it.');

	const [victim] = await workers();
	process.kill(victim!, 'SIGKILL');
	await vi.waitFor(async () => {
		const now = await workers();
		expect(now).toHaveLength(2);
		expect(now).not.toContain(victim);
	}, 30_000);
	// Nobody gets to the new process before it can serve.
	for (let round = 0; round < 80; round++) {
		for (const page of await pages())
			expect(page.includes('Both have it.'), page.slice(0, 200)).toBe(true);
	}
	await bothServe();
	await allShow('Both have it.');
	const left = await workers();
	await host.stop();
	for (const pid of left) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
}, 240_000);

/** Returns an answer over a connection of its own, which any process may get; the error where there is none. */
function get(address: string): Promise<string> {
	return new Promise((resolve) => {
		request(address, { agent: false }, (response) => void text(response).then(resolve))
			.on('error', ({ message }) => resolve(message))
			.end();
	});
}
