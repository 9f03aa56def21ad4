import { expect, test } from './fixtures.ts';

/** Spacing that people set who read better so: WCAG 1.4.12. */
const SPACED =
	'*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}';

test.describe('on 320 pixels', () => {
	test.use({ viewport: { width: 320, height: 640 } });

	test('no page gets wider than the window by wider spacing of its text', async ({ page }) => {
		test.setTimeout(300_000);
		await page.addInitScript((css) => {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(css);
			document.adoptedStyleSheets = [sheet];
		}, SPACED);
		const paths = ['/', '/blog', '/blog/counting-ai-jobs', '/ai-best-practices'];
		const more = ['/ai-best-practices/california', '/ai-best-practices/compare', '/newsletter'];
		const formulas = '/blog/two-link-arm-kinematics';
		for (const path of [
			...paths,
			...more,
			formulas,
			'/about',
			'/search?q=attention',
			'/saved',
			'/privacy',
		]) {
			await page.goto(path);
			const { wide, menu } = await page.evaluate(() => ({
				wide: document.documentElement.scrollWidth - document.body.clientWidth,
				menu: document.querySelector('[popovertarget=menu]')!.getBoundingClientRect().right,
			}));
			expect(wide, path).toBe(0);
			expect(menu, path).toBeLessThanOrEqual(320);
		}
	});

	test('no button covers printed output, and a cut formula is scrolled by keyboard', async ({
		page,
	}) => {
		await page.goto('/blog/two-link-arm-kinematics');
		const covering = await page.evaluate(() =>
			[...document.querySelectorAll('.prose figure.code')].flatMap((block) => {
				const code = block.querySelector('pre')!.getBoundingClientRect();
				return [...block.querySelectorAll('.copy, .run-bar')].filter(
					(part) => part.getBoundingClientRect().bottom > code.top + 1,
				);
			}),
		);
		expect(covering).toEqual([]);
		await expect(page.locator('.prose .copy').first()).toBeVisible();
		const cut = page.locator('.prose .math-block').first();
		await cut.focus();
		await page.keyboard.press('ArrowRight');
		await expect.poll(() => cut.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
	});
});

test('in every article buttons cover no text, and what is cut shows that it goes on @nightly', async ({
	page,
	request,
}) => {
	test.setTimeout(900_000);
	const listed = await (await request.get('/llms.txt')).text();
	const paths = [...new Set(listed.match(/\/blog\/[\w-]+(?=[.)])/g))];
	expect(paths.length).toBeGreaterThan(50);
	const gaps: Record<string, number> = {};
	for (const width of [320, 390, 768, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		for (const path of paths) {
			await page.goto(path);
			await expect(page.locator('.prose .copy').or(page.locator('.prose p')).first()).toBeVisible();
			const found = await page.evaluate(() => {
				const covering = [...document.querySelectorAll('.prose figure.code')].flatMap((block) => {
					const code = block.querySelector('pre')!.getBoundingClientRect();
					return [...block.querySelectorAll('.copy, .run-bar')].filter(
						(part) => part.getBoundingClientRect().bottom > code.top + 1,
					);
				});
				const unmarked = [
					...document.querySelectorAll('.prose :is(pre, .math-block, .math, .table-scroll)'),
				]
					.filter(
						({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
					)
					.filter((part) => {
						const { overflowX, backgroundImage } = getComputedStyle(part);
						return overflowX !== 'auto' || !backgroundImage.includes('gradient');
					})
					.map((part) => part.outerHTML.slice(0, 80));
				const prose = document.querySelector('.prose')!.getBoundingClientRect();
				const marks = [
					...document.querySelectorAll(
						'.prose :is(figure:not(.code), [data-explainer], .math-block, table)',
					),
				].map((part) => part.getBoundingClientRect());
				let gap = 0;
				let last = prose.top;
				for (const { top, bottom } of marks) {
					gap = Math.max(gap, top - last);
					last = Math.max(last, bottom);
				}
				return {
					covering: covering.length,
					unmarked,
					wide: document.documentElement.scrollWidth - document.body.clientWidth,
					gap: Math.round(Math.max(gap, prose.bottom - last)),
				};
			});
			const { gap, ...faults } = found;
			expect.soft(faults, `${path} at ${width}`).toEqual({ covering: 0, unmarked: [], wide: 0 });
			if (width === 1440) gaps[path] = gap;
		}
	}
	test.info().annotations.push({
		type: 'pixels without a figure, a table or a formula',
		description: JSON.stringify(Object.entries(gaps).sort(([, a], [, b]) => b - a)),
	});
});

test('a page has its whole height from the start, and screen readers hear a heading once', async ({
	page,
}) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto('/privacy');
	const height = () => page.evaluate(() => document.documentElement.scrollHeight);
	const before = await height();
	await page.keyboard.press('End');
	await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before / 2);
	expect(await height()).toBe(before);
	await page.goto('/blog/attention-in-plain-arithmetic');
	const name = 'Three vectors per token, three jobs';
	await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(1);
});

test('old browsers, phones and feed readers get icons of the mark', async ({ request }) => {
	const ico = await (await request.get('/favicon.ico')).body();
	expect(ico.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 3, 0]));
	const manifest = (await (await request.get('/site.webmanifest')).json()) as {
		name: string;
		display: string;
		icons: { src: string; sizes: string; purpose?: string }[];
		shortcuts: { name: string; url: string }[];
	};
	expect(manifest.icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
		['180x180', undefined],
		['192x192', undefined],
		['512x512', undefined],
		['512x512', 'maskable'],
	]);
	expect(manifest.display).toBe('standalone');
	for (const { url } of manifest.shortcuts) expect((await request.get(url)).status()).toBe(200);
	for (const { src, sizes } of manifest.icons) {
		const png = await (await request.get(src)).body();
		expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
	}
	const icon = /\/icon-512\.png/;
	expect(await (await request.get('/atom.xml')).text()).toMatch(/<icon>http[^<]*\/icon-512\.png</);
	expect(((await (await request.get('/feed.json')).json()) as { icon: string }).icon).toMatch(icon);
	expect((await (await request.get('/data/states.csv')).body()).subarray(0, 3)).toEqual(
		Buffer.from([0xef, 0xbb, 0xbf]),
	);
});
