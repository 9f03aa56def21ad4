import type { APIRequestContext } from '@playwright/test';
import { expect, mapsOf, test } from './fixtures.ts';

/** Claims that nobody counted, in the words that pages would use, and structured data's rating. */
const INVENTED = [
	/15,000\+/,
	/10,000\+/,
	/5,000\+/,
	/aggregateRating|ratingValue|reviewCount/,
	/\b247\b[^.]{0,20}review/,
	/Someone in [A-Z]/,
	/spots left/,
	/What readers say/,
];

/** Every page of the site, with what its readers' words may say taken out: an article may tell of 10,000+ images. */
async function pages(request: APIRequestContext): Promise<[string, string][]> {
	const maps = [...(await mapsOf(request)).values()].join('');
	const locations = maps.matchAll(/(?<=<loc>)[^<]+/g);
	const paths = [...locations].map(([address]) => new URL(address).pathname);
	const read = async (path: string): Promise<[string, string]> => {
		const html = await (await request.get(path)).text();
		return [path, html.replace(/<div class="prose"[\s\S]*?<section id="comments"/, '')];
	};
	return Promise.all([...paths, '/search', '/404', '/admin', '/thanks/subscribe'].map(read));
}

test('@proof-off no page holds anything invented', async ({ request }) => {
	const all = await pages(request);
	expect(all.length).toBeGreaterThan(100);
	for (const [path, html] of all) {
		for (const claim of INVENTED) expect(html, `${path} and ${claim}`).not.toMatch(claim);
	}
});

test('@proof-off nothing invented appears within a minute, and the page looks whole', async ({
	page,
}) => {
	await page.clock.install();
	for (const path of ['/', '/newsletter', '/blog/attention-in-plain-arithmetic']) {
		await page.goto(path);
		await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 3));
		await page.clock.runFor(61_000);
		const text = await page.locator('body').innerText();
		for (const claim of INVENTED) expect(text, `${path} and ${claim}`).not.toMatch(claim);
		await expect(page.locator('#social-proof')).toHaveCount(0);
		await expect(page.getByRole('timer')).toHaveCount(0);
	}
});

test('@proof-on what is invented is where product.md section 1 allows it', async ({
	page,
	request,
}) => {
	const home = await (await request.get('/')).text();
	for (const claim of [
		/10,000\+/,
		/5,000\+/,
		/ratingValue":4.8/,
		/reviewCount":247/,
		/spots left/,
	]) {
		expect(home).toMatch(claim);
	}
	await page.clock.install();
	await page.goto('/about');
	await expect(page.locator('#social-proof')).toBeHidden();
	await page.clock.runFor(26_000);
	await expect(page.locator('#social-proof')).toContainText(/Someone in .+ minutes? ago/);
	await page.getByRole('button', { name: 'Hide recent activity' }).click();
	await page.clock.runFor(60_000);
	await expect(page.locator('#social-proof')).toBeHidden();
});

for (const [name, viewport, lowest] of [
	['a phone', { width: 390, height: 844 }, 430],
	['a desktop', { width: 1440, height: 900 }, 330],
] as const) {
	test(`the first screen of ${name} has an article on it`, async ({ page }) => {
		await page.setViewportSize(viewport);
		await page.goto('/');
		const top = async (selector: string) => (await page.locator(selector).first().boundingBox())!.y;
		const title = page.locator('.featured article').first().getByRole('heading');
		const { y } = (await title.boundingBox())!;
		expect(y).toBeLessThanOrEqual(lowest);
		expect(await top('h1')).toBeLessThan(await top('main form'));
		expect(await top('.masterclass')).toBeLessThan(y);
		expect(await top('.trust')).toBeLessThan(y);
		const others = page.locator('.featured li');
		await expect(others).toHaveCount(3);
		await expect(others.locator('.claim strong').first()).toBeVisible();
		for (const other of await others.all())
			await expect(other.locator('strong')).not.toHaveCount(0);
	});
}

test('@proof-off where nothing was counted, the home page says where to start', async ({
	page,
}) => {
	await page.goto('/');
	const start = page.getByRole('complementary', { name: 'More articles' });
	await expect(start.getByRole('heading')).toHaveText(['Start here']);
	await expect(start.getByRole('listitem').first()).toHaveText(/\d+ parts · \d+ min/);
});
