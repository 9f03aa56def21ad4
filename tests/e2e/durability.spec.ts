import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PORT = 8993;
const address = `http://127.0.0.1:${PORT}`;
const folder = join(tmpdir(), 'groundtruth-durability');
let server: ChildProcess | undefined;

/** Starts the one-machine server in a process group of its own and waits until it answers. */
async function start(): Promise<void> {
	server = spawn('node', ['src/host/start.mjs'], {
		detached: true,
		stdio: 'ignore',
		env: {
			...process.env,
			PORT: String(PORT),
			HOST: '127.0.0.1',
			DATABASE_URL: `file:${join(folder, 'site.db')}`,
		},
	});
	await expect(async () => expect((await fetch(`${address}/api/health`)).status).toBe(200)).toPass({
		timeout: 120_000,
	});
}

/** Ends the whole group at once, as a power cut would. */
async function kill(): Promise<void> {
	const ended = new Promise((resolve) => server?.once('exit', resolve));
	process.kill(-server!.pid!, 'SIGKILL');
	await ended;
	server = undefined;
}

test.beforeAll(async () => {
	await rm(folder, { recursive: true, force: true });
});
test.afterAll(async () => {
	if (server) await kill();
	await rm(folder, { recursive: true, force: true });
});

test('a comment and a subscription survive SIGKILL straight after the answer', async ({ page }) => {
	test.setTimeout(240_000);
	await start();
	await page.goto(`${address}/blog/data-leakage`);
	const section = page.locator('#comments');
	await section.scrollIntoViewIfNeeded();
	await section.getByLabel('Name').fill('Ada');
	await section.getByLabel('Email').fill('ada@example.com');
	await section.getByLabel('Comment').fill('This must not be lost.');
	await page.waitForTimeout(2100);
	const answered = page.waitForResponse('**/api/subscribers');
	await page.locator('#newsletter').scrollIntoViewIfNeeded();
	await page.locator('#newsletter').getByLabel('Email address').fill('kept@example.com');
	await page.waitForTimeout(2100);
	await page.locator('#newsletter').getByRole('button', { name: 'Subscribe' }).click();
	expect((await answered).status()).toBe(201);
	const posted = page.waitForResponse('**/api/comments');
	await section.getByRole('button', { name: 'Post comment' }).click();
	expect((await posted).status()).toBe(201);
	await kill();

	await start();
	const post = (await (await fetch(`${address}/api/posts/data-leakage`)).json()) as { id: string };
	const comments = await (await fetch(`${address}/api/posts/${post.id}/comments`)).text();
	expect(comments).toContain('This must not be lost.');
	expect(await (await fetch(`${address}/api/subscribers/count`)).json()).toEqual({ count: 1 });
});
