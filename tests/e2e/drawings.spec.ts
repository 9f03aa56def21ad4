import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 200" onload="document.title='evil'">
	<script>document.title = 'evil'</script><style>.a { fill: var(--color-accent) } .b { fill: currentColor; font: 20px sans-serif }</style>
	<rect class="a" x="20" y="20" width="200" height="160"/><text class="b" x="240" y="110">A request travels</text></svg>`;

test.describe.configure({ timeout: 180_000 });

test('a drawing put into a text tells what was taken out of it, and is a figure in the colors of the page @nightly', async ({
	browser,
	baseURL,
}) => {
	const context = await browser.newContext({ ...(baseURL && { baseURL }) });
	const page = await context.newPage();
	await page.goto('/admin?tab=create');
	await page.getByLabel('Email', { exact: true }).fill(ADMIN.email);
	await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	const surface = page.getByRole('textbox', { name: 'Article', exact: true });
	await expect(surface).toBeVisible({ timeout: 30_000 });
	await page
		.getByLabel('Images', { exact: true })
		.setInputFiles({ name: 'travel.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(DRAWING) });
	const note = surface.getByRole('status').filter({ hasText: 'Taken out of travel.svg' });
	await expect(note).toHaveText('Taken out of travel.svg: a script, an event handler.', {
		timeout: 30_000,
	});
	const picture = surface.locator('img[src^="/api/media/drawing-"]');
	await expect(picture).toBeVisible();
	await surface.getByRole('button', { name: 'OK', exact: true }).click();
	await expect(note).toHaveCount(0);

	// What a page shows of it: the same as the preview.
	const src = await picture.getAttribute('src');
	const shown = await page.request.post('/api/admin/rendering', {
		data: {
			content: `<figure><img src="${src}" alt="A box and words"><figcaption>How a request travels. In a box.</figcaption></figure>`,
		},
		headers: { Origin: new URL(page.url()).origin },
	});
	const { html } = (await shown.json()) as { html: string };
	await page.goto('/about');
	await page.evaluate((figure) => {
		document.querySelector('.prose')!.innerHTML = figure;
	}, html);
	const figure = page.locator('figure#fig-how-a-request-travels');
	await expect(figure.locator('figcaption')).toHaveText(
		'Figure 1. How a request travels. In a box.',
	);
	const drawing = figure.getByRole('img', { name: 'A box and words' });
	await expect(drawing).toBeVisible();
	const colors = () =>
		drawing.evaluate((svg) =>
			['rect', 'text'].map((name) => getComputedStyle(svg.querySelector(name)!).fill),
		);
	await page.emulateMedia({ colorScheme: 'light' });
	const light = await colors();
	await page.emulateMedia({ colorScheme: 'dark' });
	await expect.poll(async () => (await colors())[1]).not.toBe(light[1]);
	expect((await colors())[0]).not.toBe(light[0]);
	await page.setViewportSize({ width: 390, height: 800 });
	const { scrollWidth, clientWidth } = await page.evaluate(() => ({
		scrollWidth: document.documentElement.scrollWidth,
		clientWidth: document.documentElement.clientWidth,
	}));
	expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
	await expectAccessible(page);
	// Served alone it is a picture that can do nothing.
	await page.goto(src!);
	expect(await page.title()).not.toBe('evil');
	await context.close();
});
