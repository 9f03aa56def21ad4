import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './fixtures.ts';

test('an island that is ready before the page has all arrived breaks nothing @nightly', async ({
	page,
	baseURL,
}) => {
	const html = await (await page.request.get('/')).text();
	const cut = html.indexOf('<div class="floating-tab">');
	expect(cut).toBeGreaterThan(0);
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	// Holds back the end of the home page; all else that is read comes from the site.
	const server = createServer((request, response) => {
		void (async () => {
			if (request.url === '/') {
				response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
				response.write(html.slice(0, cut));
				await released;
				response.end(html.slice(cut));
				return;
			}
			if (request.method !== 'GET') return void response.writeHead(204).end();
			const answer = await fetch(new URL(request.url!, baseURL));
			const type = answer.headers.get('Content-Type');
			response.writeHead(answer.status, type ? { 'Content-Type': type } : {});
			response.end(Buffer.from(await answer.arrayBuffer()));
		})();
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
	await expect(page.locator('astro-island:not([ssr])').first()).toBeAttached();
	await expect(page.locator('.floating-tab')).toHaveCount(0);
	release();
	await page.waitForLoadState();
	await page.getByRole('button', { name: 'Color theme: system' }).click();
	await expect(page.getByRole('button', { name: 'Color theme: light' })).toBeVisible();
	await expect(page.locator('#floating-newsletter .floating-tab')).toBeVisible({ timeout: 60_000 });
	server.close();
	server.closeAllConnections();
});
