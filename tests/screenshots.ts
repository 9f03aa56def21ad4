/**
 * `npm run screenshots`: every screen at three widths in both themes, into screenshots/ (ignored by Git); the desk's
 * too where ADMIN_EMAIL and ADMIN_PASSWORD are set.
 */
import { chromium } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { SCREENS as DESK_SCREENS } from '#src/dashboard/shell/screens.ts';
import { examplesOf, PAGES } from '#src/site.ts';
import { findBrowser } from './support/browser.mjs';

const ADDRESSES = [
	...examplesOf(PAGES),
	'/search?q=model',
	'/ai-best-practices/compare?states=ohio,wyoming,massachusetts',
	'/nowhere',
	'/blog/no-such-article',
	'/category/no-such-category',
	'/tag/no-such-tag',
	'/ai-best-practices/no-such-state',
];
const SCREENS = Object.fromEntries(
	ADDRESSES.map((path) => [path.replace(/\W+/g, '-').replace(/^-/, '') || 'home', path]),
);
const DESK = Object.fromEntries(DESK_SCREENS.map(({ id }) => [`desk-${id}`, `/admin?tab=${id}`]));

const address = process.env['SITE_URL'] ?? 'http://127.0.0.1:8888';
if (!(await fetch(address).catch(() => undefined))) {
	console.error(`Nothing answers at ${address}: run npm start first, or set SITE_URL.`);
	process.exit(1);
}
const executablePath = findBrowser();
const browser = await chromium.launch({
	...(executablePath && { executablePath }),
	args: ['--no-sandbox', '--disable-gpu'],
});
await mkdir('screenshots', { recursive: true });
for (const width of [390, 768, 1440]) {
	for (const colorScheme of ['light', 'dark'] as const) {
		const context = await browser.newContext({
			viewport: { width, height: 900 },
			colorScheme,
			reducedMotion: 'reduce',
		});
		const page = await context.newPage();
		const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env;
		const screens = Object.entries({ ...SCREENS, ...(password && DESK) });
		for (const [name, path] of screens) {
			if (name === 'desk-posts') {
				await page.request.post(`${address}/api/admin/login`, { data: { email, password } });
			}
			await page.goto(address + path, { waitUntil: 'networkidle' });
			// Islands below the fold wake when they are seen.
			await page.evaluate(async () => {
				for (let y = 0; y < document.body.scrollHeight; y += innerHeight) {
					scrollTo(0, y);
					await new Promise((done) => setTimeout(done, 60));
				}
				scrollTo(0, 0);
			});
			await page.waitForLoadState('networkidle');
			// What scrolling has opened.
			await page.keyboard.press('Escape');
			await page.screenshot({
				path: `screenshots/${name}-${width}-${colorScheme}.png`,
				fullPage: true,
			});
		}
		await context.close();
		console.log(`${screens.length} screens at ${width} pixels, ${colorScheme}`);
	}
}
await browser.close();
