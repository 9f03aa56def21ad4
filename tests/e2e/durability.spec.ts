import { expect, test } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { siteFolder } from '#src/build/builds.ts';
import { copyFreshSite, settingsOf } from './fresh-site.ts';
import { reachComments } from './fixtures.ts';

const PORT = Number(process.env['E2E_PORT'] ?? 8991) + 2;
const address = `http://127.0.0.1:${PORT}`;
const folder = join(tmpdir(), `groundtruth-durability-${PORT}`);
const DATABASE_URL = `file:${join(folder, 'site.db')}`;
const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
let server: ChildProcess | undefined;

/** Starts the one-machine server in a process group of its own and waits until it answers: on a busy machine, minutes. */
async function start(): Promise<void> {
	server = spawn('node', ['src/cli/start.mjs'], {
		detached: true,
		stdio: 'ignore',
		env: {
			...process.env,
			PORT: String(PORT),
			HOST: '127.0.0.1',
			DATABASE_URL,
			...settingsOf(),
			ADMIN_EMAIL: ADMIN.email,
			ADMIN_PASSWORD: ADMIN.password,
		},
	});
	await expect(async () => expect((await fetch(`${address}/api/ready`)).status).toBe(200)).toPass({
		timeout: 300_000,
	});
}

/** Ends the whole group at once, as a power cut would. */
async function kill(): Promise<void> {
	const ended = new Promise((resolve) => server?.once('exit', resolve));
	process.kill(-server!.pid!, 'SIGKILL');
	await ended;
	server = undefined;
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
	await rm(folder, { recursive: true, force: true });
	await rm(siteFolder(DATABASE_URL), { recursive: true, force: true });
	await copyFreshSite(DATABASE_URL);
});
test.afterAll(async () => {
	if (server) await kill();
	await rm(folder, { recursive: true, force: true });
});

test('a comment and a subscription survive SIGKILL straight after the answer', async ({ page }) => {
	test.setTimeout(720_000);
	await start();
	await page.addInitScript(() => sessionStorage.setItem('newsletter_modal_shown', 'true'));
	await page.goto(`${address}/blog/data-leakage`);
	const section = await reachComments(page);
	await section.getByLabel('Name').fill('Ada');
	await section.getByLabel('Email').fill('ada@example.com');
	await section.getByLabel('Comment').fill('This must not be lost.');
	const answered = page.waitForResponse('**/api/subscribers');
	await page.locator('#newsletter').scrollIntoViewIfNeeded();
	await page.locator('#newsletter').getByLabel('Email address').fill('kept@example.com');
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

test('the server is killed at ten moments of a build, and each time every page is whole @nightly', async ({
	request,
}) => {
	test.setTimeout(1_800_000);
	const asAdmin = {
		Origin: address,
		Cookie: (await signIn()).split(';')[0]!,
		'Content-Type': 'application/json',
	};
	const post = (await (await fetch(`${address}/api/posts/data-leakage`)).json()) as { id: string };
	const at = `${address}/api/admin/posts/${post.id}`;
	const { content } = (await (await fetch(at, { headers: asAdmin })).json()) as { content: string };
	const paths = [
		'/',
		'/blog',
		'/blog/data-leakage',
		'/category/data-science',
		'/states',
		'/sitemap',
	];
	let seen = 0;
	for (let round = 1; round <= 10; round++) {
		const body = JSON.stringify({ content: `${content}<p>Round ${round}.</p>` });
		expect((await fetch(at, { method: 'PUT', headers: asAdmin, body })).status).toBe(200);
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 4000));
		await kill();
		await start();
		for (const path of paths) {
			const response = await request.get(address + path);
			expect(response.status(), path).toBe(200);
			expect((await response.text()).trimEnd(), path).toMatch(/<\/html>$/);
		}
		// The old page or a new one, never one that is older than what was seen.
		const page = await (await request.get(`${address}/blog/data-leakage`)).text();
		const shown = Number(/<p>Round (\d+)\.<\/p>/.exec(page)?.[1] ?? 0);
		expect(shown).toBeGreaterThanOrEqual(seen);
		seen = shown;
	}
	await expect(async () => {
		expect(await (await request.get(`${address}/blog/data-leakage`)).text()).toContain('Round 10.');
	}).toPass({ timeout: 300_000 });
});

/** The admin's cookie. */
async function signIn(): Promise<string> {
	const response = await fetch(`${address}/api/admin/login`, {
		method: 'POST',
		headers: { Origin: address, 'Content-Type': 'application/json' },
		body: JSON.stringify(ADMIN),
	});
	expect(response.status).toBe(200);
	return response.headers.get('Set-Cookie')!;
}
