import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { MAX_IMAGE_BYTES, type Media } from '#src/features/media/media.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

// Photos are large: one after another.
test.describe.configure({ mode: 'default', timeout: 180_000 });

async function atDesk(browser: Browser, baseURL: string | undefined, address: string) {
	const context = await browser.newContext({ ...(baseURL && { baseURL }) });
	const page = await context.newPage();
	await page.goto(address);
	await page.getByLabel('Email', { exact: true }).fill(ADMIN.email);
	await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible({ timeout: 30_000 });
	return { context, page };
}

const noise = (width: number, height: number) =>
	sharp({
		create: {
			...{ width, height, channels: 3, background: '#765' },
			noise: { type: 'gaussian', mean: 120, sigma: 40 },
		},
	});

const give = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
	page.getByLabel('Upload images').setInputFiles(files);

async function storedAs(page: Page, name: string): Promise<Media> {
	const find = async () => {
		const response = await page.request.get('/api/admin/media', { params: { q: name } });
		return ((await response.json()) as { rows: Media[] }).rows[0];
	};
	await expect.poll(find, { timeout: 60_000 }).toBeTruthy();
	return (await find())!;
}

/** A picture's name that no other run of a test has used. */
const fresh = (name: string) => `${name}-${Date.now()}`;

test('a photo of 12 MB goes in upright, small and without its place; what cannot is told, and the others go on', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL, '/admin?tab=media');
	const [photo, shot, party, bomb, html] = ['photo', 'shot', 'party', 'bomb', 'page'].map(fresh);
	const camera = await noise(4000, 3000)
		.withExif({ IFD0: { Copyright: 'SECRETNAME' }, IFD3: { GPSLatitudeRef: 'N' } })
		.withMetadata({ orientation: 6 })
		.jpeg({ quality: 98 })
		.toBuffer();
	expect(camera.length).toBeGreaterThan(12_000_000);
	// The same picture once more is the one that is there, under its own name.
	const own = Date.now();
	const transparent = await sharp({
		create: {
			width: 3600,
			height: 20,
			channels: 4,
			background: { r: own & 255, g: (own >> 8) & 255, b: (own >> 16) & 255, alpha: 0.4 },
		},
	})
		.png()
		.toBuffer();
	const frames = await Promise.all(
		['#f00', '#0f0', `#0${(own & 0xfffff).toString(16).padStart(5, '0')}`].map((background) =>
			sharp({ create: { width: 8, height: 6, channels: 3, background } })
				.png()
				.toBuffer(),
		),
	);
	const gif = await sharp(frames, { join: { animated: true } })
		.gif()
		.toBuffer();
	const claims = Buffer.from(transparent);
	claims.writeUInt32BE(30_000, 16);
	claims.writeUInt32BE(30_000, 20);
	await give(
		page,
		{ name: `${bomb}.png`, mimeType: 'image/png', buffer: claims },
		{ name: `${photo}.jpg`, mimeType: 'image/jpeg', buffer: camera },
		{ name: `${html}.png`, mimeType: 'image/png', buffer: Buffer.from('<!doctype html>') },
		{ name: `${shot}.jpg`, mimeType: 'image/jpeg', buffer: transparent },
		{ name: `${photo}-cut.jpg`, mimeType: 'image/jpeg', buffer: camera.subarray(0, 5_000) },
		{ name: `${party}.gif`, mimeType: 'image/gif', buffer: gif },
	);
	const uploads = page.getByRole('list', { name: 'Uploads' });
	await expect(uploads.getByRole('progressbar').first()).toBeVisible();
	const [stored, kept] = [await storedAs(page, photo!), await storedAs(page, party!)];
	expect(stored).toMatchObject({ type: 'image/jpeg', width: 2400, height: 3200 });
	expect(stored.size).toBeLessThanOrEqual(MAX_IMAGE_BYTES);
	const served = await (await context.request.get(stored.url)).body();
	expect(served.includes('SECRETNAME')).toBe(false);
	expect(served.includes('Exif')).toBe(false);
	expect(await storedAs(page, shot!)).toMatchObject({
		...{ name: `${shot}.png`, type: 'image/png', width: 3200, height: 18 },
	});
	const alpha = await (await context.request.get((await storedAs(page, shot!)).url)).body();
	expect((await sharp(alpha).stats()).isOpaque).toBe(false);
	const moving = await (await context.request.get(kept.url)).body();
	expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(3);
	// What was refused says why, and goes when somebody has read it.
	await expect(uploads.getByRole('alert')).toHaveText([
		new RegExp(`${bomb}.png was not added.*900 megapixels`),
		new RegExp(`${html}.png was not added.*no image that pages can show`),
		new RegExp(`${photo}-cut.jpg was not added.*damaged or cut off`),
	]);
	await expectAccessible(page, '.media-screen');
	for (const name of [`${bomb}.png`, `${html}.png`, `${photo}-cut.jpg`])
		await page.getByRole('button', { name: `Dismiss ${name}` }).click();
	await expect(uploads).toHaveCount(0);
	await context.close();
});

test('an image gets its focal point by key, another picture in its place, is deleted, and comes back after a reload @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL, '/admin?tab=media');
	const name = fresh('lake');
	const jpeg = (width: number) => noise(width, 60).jpeg().toBuffer();
	await give(page, { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer: await jpeg(90) });
	const { url } = await storedAs(page, name);
	await page.getByRole('button', { name: `${name}.jpg` }).click();
	const dialog = page.getByRole('dialog', { name: `${name}.jpg` });
	await dialog.getByLabel('From the left').press('Home');
	await dialog.getByLabel('From the top').press('End');
	await expect(dialog.locator('.focus-crop')).toHaveCSS('object-position', '0% 100%');
	await dialog.getByLabel('Description').fill('A lake');
	await expectAccessible(page, 'dialog[open]');
	await dialog.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(dialog).toBeHidden();
	expect(await storedAs(page, name)).toMatchObject({ focus: '0% 100%', alt: 'A lake' });

	await page.getByRole('button', { name: `${name}.jpg` }).click();
	await dialog
		.getByLabel('Replace…')
		.setInputFiles({ name: `${name}-2.jpg`, mimeType: 'image/jpeg', buffer: await jpeg(120) });
	await expect(page.getByText(`${name}.jpg replaced`)).toBeVisible();
	expect(await storedAs(page, `${name}-2`)).toMatchObject({ url, width: 120, alt: 'A lake' });
	const replaced = page.getByRole('dialog', { name: `${name}-2.jpg` });
	await expect
		.poll(() =>
			replaced.locator('.focus-whole img').evaluate((img: HTMLImageElement) => img.naturalWidth),
		)
		.toBe(120);

	await replaced.getByRole('button', { name: 'Delete image' }).click();
	await expect(page.getByRole('status').getByText(`${name}-2.jpg deleted.`)).toBeVisible();
	expect((await context.request.get(url)).status()).toBe(404);
	// Others are busy: of the whole log it may be on the first page no more.
	await page.goto(`/admin?tab=settings&part=Audit+log&q=${name}`);
	await page
		.getByRole('row', { name: new RegExp(`deleted.*${name}-2`) })
		.getByRole('button', { name: 'Undo' })
		.click();
	await expect(page.getByText(`deleted ${name}-2.jpg.`)).toBeVisible();
	expect((await context.request.get(url)).status()).toBe(200);
	await context.close();
});

test('unused images are found and deleted together, and come back together @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL, '/admin?tab=media');
	const name = fresh('pair');
	for (const width of [31, 32]) {
		await give(page, {
			...{ name: `${name}-${width}.png`, mimeType: 'image/png' },
			buffer: await noise(width, 20).png().toBuffer(),
		});
		await storedAs(page, `${name}-${width}`);
	}
	await page.getByText('Unused', { exact: true }).click();
	await page.getByLabel('Search names and descriptions').fill(name);
	await page.getByLabel(`Select ${name}-31.png`).check();
	await page.getByLabel(`Select ${name}-32.png`).check();
	await page.getByRole('button', { name: 'Delete', exact: true }).click();
	await expect(page.getByText('2 unused images deleted.')).toBeVisible();
	await expect(page.getByText('No image matches.')).toBeVisible();
	await page.getByRole('button', { name: 'Undo', exact: true }).click();
	await expect(page.getByLabel(`Select ${name}-31.png`)).toBeVisible();
	await expect(page.getByLabel(`Select ${name}-32.png`)).toBeVisible();
	await context.close();
});

test('a picture is chosen from Media for the text and as the featured one, whose description is asked for @nightly', async ({
	browser,
	baseURL,
}) => {
	const { context, page } = await atDesk(browser, baseURL, '/admin?tab=media');
	const name = fresh('bridge');
	await give(page, {
		...{ name: `${name}.png`, mimeType: 'image/png' },
		buffer: await noise(64, 48).png().toBuffer(),
	});
	const { url } = await storedAs(page, name);
	await page.goto('/admin?tab=create');
	await page.getByRole('textbox', { name: 'Title', exact: true }).fill(`About ${name}`);
	const choose = async () => {
		const picker = page.getByRole('dialog', { name: 'Choose from Media' });
		await picker.getByLabel('Search names and descriptions').fill(name);
		await picker.getByRole('button', { name: `${name}.png` }).click();
		await expect(picker).toBeHidden();
	};
	await page.getByRole('button', { name: 'Image from Media' }).click();
	await choose();
	await expect(page.locator(`.article-surface img[src="${url}"]`)).toBeVisible();
	await expect(page.getByLabel('Description of the image (alt text)')).toBeFocused();

	const featured = page.getByRole('region', { name: 'Featured image' });
	await featured.getByRole('button', { name: 'From Media' }).click();
	await choose();
	await expect(featured.locator(`img[src="${url}"]`)).toBeVisible();
	const before = page.getByRole('region', { name: 'Before publishing' });
	await expect(before.getByText('The featured image has no description')).toBeVisible();
	await featured.getByLabel('Description of the featured image').fill('A bridge');
	await featured.getByLabel('Description of the featured image').blur();
	await expect(before.getByText('The featured image has no description')).toHaveCount(0);
	await expect.poll(() => storedAs(page, name)).toMatchObject({ alt: 'A bridge' });
	await context.close();
});
