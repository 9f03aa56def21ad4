import {
	test as base,
	expect,
	type APIRequestContext,
	type Locator,
	type Page,
} from '@playwright/test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '#db/local.ts';

let visitors = 0;
/** The longest wait for the tests that are to run before. */
const TURN_MS = 900_000;

/** A visitor with an address of their own, whose console must stay free of errors. */
export const test = base.extend<{
	consoleErrors: string[];
	overlays: boolean;
	calm: void;
	alone: string;
	turn: void;
}>({
	extraHTTPHeaders: async ({}, use, info) => {
		const n = info.workerIndex * 1000 + visitors++;
		await use({ 'X-Forwarded-For': `198.18.${Math.floor(n / 250) % 250}.${(n % 250) + 1}` });
	},
	/** Whether the article's modal may come; only the tests of overlays want it. */
	overlays: [false, { option: true }],
	/** Name of what a test edits that there is once, so that no other test with this name runs meanwhile; or empty. */
	alone: ['', { option: true }],
	turn: [
		async ({ alone }, use) => {
			if (!alone) return use();
			const path = join(process.env['E2E_FOLDER']!, `${alone}.lock`);
			let release: Awaited<ReturnType<typeof tryLock>>;
			await expect
				.poll(async () => (release = await tryLock(path)) !== undefined, { timeout: TURN_MS })
				.toBe(true);
			await use();
			release!();
		},
		{ auto: true, timeout: TURN_MS },
	],
	calm: [
		async ({ page, overlays }, use) => {
			if (!overlays) {
				await page.addInitScript(() => {
					try {
						sessionStorage.setItem('newsletter_modal_shown', 'true');
					} catch {
						return;
					}
				});
			}
			await use();
		},
		{ auto: true },
	],
	consoleErrors: [
		async ({ page, javaScriptEnabled }, use) => {
			const errors: string[] = [];
			page.on('console', (message) => {
				if (message.type() !== 'error') return;
				errors.push(`${message.text()} ${message.location().url}`);
			});
			page.on('pageerror', (error) => {
				// The browser tells of it, and only a script can tell it that this is known.
				if (!javaScriptEnabled && /Transition was aborted/.test(String(error))) return;
				errors.push(String(error));
			});
			await use(errors);
			expect(errors).toEqual([]);
		},
		{ auto: true },
	],
});

export { expect };

/** Milliseconds for a change to be on the public pages: on a busy machine, two builds of the whole site. */
export const BUILD_MS = 150_000;

/** Slugs of the articles that came with the site. Other tests publish more meanwhile, and take them away. */
export const SEEDED = readdirSync('content/posts').map((file) => file.replace(/\.md$/, ''));

/** Waits until the page has drawn so many frames: what its events bring about is there by then. */
export async function framesOf(page: Page, count: number): Promise<void> {
	await page.evaluate(async (frames) => {
		for (let frame = 0; frame < frames; frame++)
			await new Promise((resolve) => requestAnimationFrame(resolve));
	}, count);
}

/** Waits until no block waits to be laid out until it is near: on phones, long articles are laid out in pieces. */
export async function laidOut(page: Page): Promise<void> {
	const waiting = () =>
		page.evaluate(
			() =>
				[...document.querySelectorAll('body *')].filter(
					(one) => getComputedStyle(one).contentVisibility === 'auto',
				).length,
		);
	await expect.poll(waiting).toBe(0);
}

/** Scrolls through the whole page, so that everything in it has been laid out, and what wakes when it is seen has been. */
export async function walk(page: Page): Promise<void> {
	await page.evaluate(async () => {
		const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
		for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
			scrollTo({ top: y, behavior: 'instant' });
			await frame();
			await frame();
		}
	});
}

/** Reads on to the comments of an article, and waits until their form is awake. */
export async function reachComments(page: Page): Promise<Locator> {
	const section = page.locator('#comments');
	// Parts of the page above that get their size only now may push them out of sight again.
	await expect(async () => {
		await section.scrollIntoViewIfNeeded();
		await expect(section.locator('form')).toHaveJSProperty('noValidate', true, { timeout: 2000 });
	}).toPass();
	return section;
}

/** The site's maps, by their paths. */
export async function mapsOf(request: APIRequestContext): Promise<Map<string, string>> {
	const read = async (path: string) => (await request.get(path)).text();
	const index = await read('/sitemap-index.xml');
	const parts = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(
		([, url]) => new URL(url!).pathname,
	);
	return new Map(await Promise.all(parts.map(async (path) => [path, await read(path)] as const)));
}
