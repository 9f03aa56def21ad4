import { examplesOf, PAGES } from '#src/site.ts';
import { expectAccessible } from './axe.ts';
import { expect, SEEDED, test } from './fixtures.ts';

/** Headings of these pages; any other has one of its own. */
const HEADINGS: Record<string, RegExp> = {
	'/': /worked out on the page/,
	'/blog': /Articles about artificial intelligence/,
	'/blog/attention-in-plain-arithmetic': /Attention/,
	'/category/machine-learning': /Machine Learning/,
	'/tag/evaluation': /Evaluation/,
	'/ai-best-practices': /AI by state/,
	'/states': /AI by state/,
	'/ai-best-practices/california': /AI in California/,
	'/ai-best-practices/wyoming': /AI in Wyoming/,
	'/ai-best-practices/compare': /Compare states/,
	'/about': /About/,
	'/newsletter': /Groundtruth Weekly/,
	'/contact': /Contact/,
	'/privacy': /Privacy Policy/,
	'/terms': /Terms of Service/,
	'/sitemap': /Sitemap/,
	'/search': /Search Articles/,
	'/saved': /Saved/,
	'/admin': /Admin/,
	'/thanks/comment': /Comment posted!/,
	'/thanks/comment-waits': /awaiting review/,
	'/thanks/confirm': /One more step/,
	'/thanks/enroll': /You['’]re enrolled!/,
	'/thanks/upgrade': /Check your email/,
	'/unsubscribe': /Unsubscribe/,
	'/preferences': /Email preferences/,
	'/course': /Your course/,
};
const routes = examplesOf(PAGES).map((path) => [path, HEADINGS[path] ?? /\S/] as const);

/** Pages that look different without invented proof. */
const PROVEN = ['/', '/blog', '/blog/attention-in-plain-arithmetic', '/newsletter', '/about'];

/** Pages whose layout another one has, and which differ from it in words: looked at each night. */
const ALIKE = [
	...['/thanks/comment-waits', '/thanks/confirm', '/thanks/enroll', '/thanks/feedback'],
	...['/thanks/upgrade', '/ai-best-practices/wyoming', '/states', '/terms'],
	...['/category/machine-learning', '/tag/evaluation', '/preferences'],
	...['/corrections', '/series/measuring-honestly'],
];
/** Widths of phones and tablets. */
const NARROW = [320, 360, 768];

const missing = [
	['/nowhere', 'Page Not Found', 'Back to Home'],
	['/blog/no-such-article', 'Post Not Found', 'Back to Home'],
	['/category/no-such-category', 'Category Not Found', 'Back to Home'],
	['/ai-best-practices/no-such-state', 'State Not Found', 'Return Home'],
] as const;

test('no page whose heading is known is left out', () => {
	const visited = routes.map(([path]) => path);
	expect(Object.keys(HEADINGS).filter((path) => !visited.includes(path))).toEqual([]);
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	for (const [path, heading] of routes) {
		// The second site shows them alike: each night they are read there, too.
		const same = PROVEN.includes(path) ? '' : ' @same';
		test(`${path} reads as a page${same}`, async ({ page }) => {
			const response = await page.goto(path);
			expect(response?.status()).toBe(200);
			await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
			await expect(page).toHaveTitle(/Groundtruth/);
			expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/.{20}/);
		});
	}

	test('an article has its text, its code and its sources in the page @same', async ({ page }) => {
		await page.goto('/blog/attention-in-plain-arithmetic');
		expect((await page.locator('.prose').innerText()).split(/\s+/).length).toBeGreaterThan(1200);
		await expect(page.locator('.prose pre').first()).toBeVisible();
		await expect(page.getByRole('link', { name: 'Back to reference 1' }).first()).toBeVisible();
	});

	test('a state without published figures says so @same', async ({ page }) => {
		await page.goto('/ai-best-practices/wyoming');
		await expect(page.getByText('not published')).toHaveCount(2);
	});
});

for (const [path, heading, link] of missing) {
	test(`${path} is a 404 with the screen of its kind @same`, async ({ page, consoleErrors }) => {
		const response = await page.goto(path);
		expect(response?.status()).toBe(404);
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
		await expect(page.getByRole('link', { name: link })).toBeVisible();
		await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
		// The browser itself reports the 404 of the page.
		consoleErrors.splice(0);
	});
}

test('a slashed address redirects to the bare one, and the old category to the new @same', async ({
	request,
}) => {
	const slashed = await request.get('/blog/attention-in-plain-arithmetic/?a=1', {
		maxRedirects: 0,
	});
	expect([slashed.status(), slashed.headers()['location']]).toEqual([
		301,
		'/blog/attention-in-plain-arithmetic?a=1',
	]);
	const old = await request.get('/category/ethics-ai', { maxRedirects: 0 });
	expect([old.status(), old.headers()['location']]).toEqual([301, '/category/ai-ethics']);
});

test(
	'every internal link and fragment of the main pages has a target @nightly',
	{ tag: '@proof-on' },
	async ({ request, page }) => {
		test.setTimeout(240_000);
		const seen = new Map<string, string>();
		/** The targets of a page's links. */
		const targetsOf = async (path: string) => {
			await page.goto(path);
			const links = await page.$$eval('a[href]', (all) => all.map((a) => a.getAttribute('href')!));
			return links
				.map((link) => (link.startsWith('#') ? path + link : link))
				.filter((link) => /^\/(?!\/)/.test(link));
		};
		/** Each with the page that was the last to name it. */
		const wanted = new Map<string, string>();
		for (const [path] of routes) for (const link of await targetsOf(path)) wanted.set(link, path);
		const dead: string[] = [];
		for (const [link, from] of wanted) {
			const [path = '', fragment] = link.split('#');
			if (!seen.has(path)) {
				const response = await request.get(path);
				seen.set(path, response.ok() ? await response.text() : '');
			}
			const html = seen.get(path)!;
			if (html && (!fragment || html.includes(`id="${fragment}"`))) continue;
			// Another test may have taken the page away meanwhile, and its links with it.
			if ((await targetsOf(from)).includes(link)) dead.push(link);
		}
		expect(dead).toEqual([]);
	},
);

for (const [path] of [...routes, missing[0]]) {
	// Without proof there is less on a page: its parts are looked at on the other site.
	const tag = path === '/' ? [] : ['@same'];
	if (ALIKE.includes(path)) tag.push('@nightly');
	test(
		`${path} has no accessibility violation, and scrolls sideways on no phone or tablet`,
		{
			tag,
		},
		async ({ page, consoleErrors }) => {
			await page.goto(path);
			await expectAccessible(page);
			for (const width of NARROW) {
				await page.setViewportSize({ width, height: 800 });
				const overflow = () =>
					page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				// Chromium lays out some lists that scroll in the frame after the window's.
				await expect.poll(overflow, { message: `at ${width}` }).toBeLessThanOrEqual(0);
			}
			// The browser itself reports the 404 of the page, which is loaded in each theme.
			consoleErrors.splice(0, path === missing[0][0] ? 2 : 0);
		},
	);
}

test(
	'no article scrolls sideways on the smallest phone @nightly',
	{ tag: '@proof-on' },
	async ({ page }) => {
		test.setTimeout(180_000);
		await page.setViewportSize({ width: 320, height: 800 });
		expect(SEEDED.length).toBeGreaterThanOrEqual(43);
		for (const slug of SEEDED) {
			await page.goto(`/blog/${slug}`);
			const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			expect(overflow, slug).toBeLessThanOrEqual(0);
		}
	},
);
