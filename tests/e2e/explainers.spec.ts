import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

type Explainer = {
	name: string;
	slug: string;
	/** Its own file among the scripts. */
	script: RegExp;
	/** Keys that are pressed, and what is told afterwards. */
	use: (group: Locator, page: Page) => Promise<void>;
	told: RegExp;
};

/** Focuses a control by its role and name, and presses keys. */
async function keys(control: Locator, page: Page, ...pressed: string[]): Promise<void> {
	await control.focus();
	for (const key of pressed) await page.keyboard.press(key);
}
const slider = (group: Locator, name: string) => group.getByRole('slider', { name });
const button = (group: Locator, name: string | RegExp) => group.getByRole('button', { name });

const EXPLAINERS: Explainer[] = [
	{
		name: 'tokenizer',
		slug: 'byte-pair-encoding-by-hand',
		script: /\/Tokenizer\./,
		async use(group, page) {
			await keys(group.getByRole('textbox', { name: 'Text to cut' }), page, 'ControlOrMeta+a');
			await page.keyboard.type('NOW IS BETTER THAN NEVER');
			await keys(button(group, 'Next merge'), page, 'Enter');
		},
		told: /After 121 merges: 24 characters, 2\d tokens/,
	},
	{
		name: 'attention-weights',
		slug: 'attention-in-plain-arithmetic',
		script: /\/AttentionWeights\./,
		async use(group, page) {
			await keys(slider(group, 'First coordinate'), page, 'End');
			await keys(slider(group, 'Second coordinate'), page, 'Home');
			await keys(group.getByRole('checkbox', { name: /^Causal mask/ }), page, 'Space');
		},
		told: /Token 3 looks most at token 1, with a weight of 0\.9\d\d/,
	},
	{
		name: 'sampler',
		slug: 'sampling-temperature-top-p',
		script: /\/Sampler\./,
		async use(group, page) {
			await keys(group.getByRole('combobox', { name: 'Distribution' }), page, 'ArrowDown');
			await keys(slider(group, 'Temperature'), page, ...Array<string>(6).fill('ArrowRight'));
			await keys(button(group, 'Draw 40'), page, 'Enter');
		},
		told: /^\d\d,\d{3} of 50,000 tokens can be drawn.* Of 40 drawn, /,
	},
	{
		name: 'cosine-similarity',
		slug: 'cosine-similarity-blind-spots',
		script: /\/CosineSimilarity\./,
		use: (group, page) => keys(slider(group, 'Offset added to every vector'), page, 'End'),
		told: /The lowest cosine is C’s, 0\.968: everything looks similar\./,
	},
	{
		name: 'gradient-descent',
		slug: 'gradient-descent-narrow-valley',
		script: /\/GradientDescent\./,
		async use(group, page) {
			await keys(slider(group, 'Learning rate'), page, 'ArrowRight', 'ArrowRight');
			await keys(button(group, 'Run'), page, 'Enter');
			await expect(slider(group, 'Steps')).toHaveAttribute('aria-valuetext', '200');
		},
		told: /After 200 steps the loss is 7\.5 × 10⁹.* blew up/,
	},
	{
		name: 'precision-recall',
		slug: 'threshold-from-costs',
		script: /\/PrecisionRecall\./,
		async use(group, page) {
			await keys(button(group, /^Best F1/), page, 'Enter');
			await expect(group.getByRole('status')).toContainText('59% more than at break-even');
			await keys(slider(group, 'Threshold'), page, 'End');
		},
		told: /nothing is held, so there is no precision.* \$210,000/,
	},
	{
		name: 'validation-budget',
		slug: 'validation-set-is-a-budget',
		script: /\/ValidationBudget\./,
		use: (group, page) => keys(slider(group, 'Models compared'), page, 'End'),
		told: /^Of 2,000 models.* reported at 84\.3% and is truly at 80\.0%/,
	},
	{
		name: 'queue-load',
		slug: 'utilization-is-a-latency-setting',
		script: /\/QueueLoad\./,
		async use(group, page) {
			await keys(
				slider(group, 'Servers with one line'),
				page,
				...Array<string>(4).fill('ArrowRight'),
			);
			await keys(button(group, 'One server fails'), page, 'Enter');
		},
		told: /If one fails, the others would need 117%/,
	},
	{
		name: 'simpson-worlds',
		slug: 'simpsons-paradox-three-programs',
		script: /\/SimpsonWorlds\./,
		use: (group, page) => keys(group.getByRole('combobox', { name: 'World' }), page, 'ArrowDown'),
		told: /the pool is right, the split is off by 12\.5/,
	},
	{
		name: 'kalman-knobs',
		slug: 'kalman-filter-careful-averaging',
		script: /\/KalmanKnobs\./,
		async use(group, page) {
			await keys(group.getByRole('checkbox', { name: /2 m too far/ }), page, 'Space');
		},
		told: /off by 2\.09 m and claims 0\.60 m.* cannot know/,
	},
];
const figureOf = (page: Page, name: string) => page.locator(`figure[data-explainer="${name}"]`);
/** The most that an explainer's own code may weigh, compressed: its file and what all share. */
const OWN_BYTES = 15_000;
const SHARED = /\/parts\.[\w-]+\.js$/;

test.use({ reducedMotion: 'reduce' });

for (const [place, { name, slug, script, use, told }] of EXPLAINERS.entries()) {
	// What all share is tried with the first each time.
	const nightly = place < 1 ? '' : ' @nightly';
	test(`${name}: runs by keyboard and offline, is loaded when it is near, is small and accessible${nightly}`, async ({
		page,
		context,
		request,
		consoleErrors,
	}) => {
		const scripts: string[] = [];
		page.on('request', (asked) => {
			if (asked.resourceType() === 'script') scripts.push(asked.url());
		});
		await page.goto(`/blog/${slug}`, { waitUntil: 'networkidle' });
		expect(scripts.filter((url) => script.test(url) || SHARED.test(url))).toEqual([]);

		const figure = figureOf(page, name);
		const group = figure.getByRole('group', { name: /^Try it: / });
		await figure.scrollIntoViewIfNeeded();
		await expect(figure.locator('astro-island:not([ssr])')).toHaveCount(1);
		await page.waitForLoadState('networkidle');
		const own = scripts.filter((url) => script.test(url) || SHARED.test(url));
		expect(own).toHaveLength(2);
		const others = EXPLAINERS.filter((one) => one.name !== name);
		expect(scripts.filter((url) => others.some((one) => one.script.test(url)))).toEqual([]);
		const sizes = own.map(async (url) => {
			const { headers } = await request.head(url).then((answer) => ({
				headers: answer.headers(),
			}));
			expect(headers['content-encoding']).toBeDefined();
			return Number(headers['content-length']);
		});
		const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
		expect(bytes).toBeGreaterThan(0);
		expect(bytes).toBeLessThan(OWN_BYTES);
		test.info().annotations.push({ type: 'bytes', description: String(bytes) });

		await context.setOffline(true);
		const before = await group.getByRole('img').first().getAttribute('aria-label');
		await use(group, page);
		await expect(group.getByRole('status')).toHaveText(told);
		expect(await group.getByRole('img').first().getAttribute('aria-label')).not.toBe(
			before ?? 'titled by its title',
		);
		expect(consoleErrors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual(
			[],
		);
		consoleErrors.splice(0);

		for (const details of await figure.locator('summary').all()) await details.click();
		await expectAccessible(page, `figure[data-explainer="${name}"]`);

		await page.setViewportSize({ width: 320, height: 640 });
		await expect
			.poll(() => page.evaluate(() => document.documentElement.scrollWidth))
			.toBeLessThanOrEqual(320);
		const controls = group.locator('input, select, button, summary, textarea');
		for (const control of await controls.all()) {
			const isCheckbox = (await control.getAttribute('type')) === 'checkbox';
			const target = isCheckbox ? control.locator('xpath=ancestor::label') : control;
			const { width, height } = (await target.boundingBox())!;
			expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
		}
	});
}

test('without JavaScript each figure has its caption and its table, and no control that does nothing @nightly', async ({
	browser,
	baseURL,
}) => {
	const context = await browser.newContext({
		javaScriptEnabled: false,
		...(baseURL && { baseURL }),
	});
	const page = await context.newPage();
	for (const { name, slug } of EXPLAINERS) {
		await page.goto(`/blog/${slug}`);
		const figure = figureOf(page, name);
		await expect(figure.locator('figcaption')).toBeVisible();
		await expect(figure.locator('table').last()).toBeVisible();
		await expect(figure.getByRole('slider')).toHaveCount(0);
		await expect(figure.getByText('Try this.')).toBeHidden();
	}
	await context.close();
});

test('an article without an explainer loads nothing of one @nightly', async ({ page }) => {
	const scripts: string[] = [];
	// Their style sheet is every article's.
	page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(asked.url()));
	await page.goto('/blog/data-leakage');
	await expect(page.locator('[data-explainer]')).toHaveCount(0);
	await page.locator('#comments').scrollIntoViewIfNeeded();
	await page.waitForLoadState('networkidle');
	const all = [SHARED, ...EXPLAINERS.map(({ script }) => script)];
	expect(scripts.filter((url) => all.some((one) => one.test(url)))).toEqual([]);
});

test('an article saved for later runs its explainer without a connection @nightly', async ({
	page,
	context,
	consoleErrors,
}) => {
	const path = '/blog/cosine-similarity-blind-spots';
	await page.goto(path);
	await page.getByRole('button', { name: 'Save', exact: true }).first().click();
	const isKept = () => page.evaluate((url) => caches.match(url).then(Boolean), path);
	await expect.poll(isKept).toBe(true);
	await context.setOffline(true);
	await page.goto(path);
	const figure = figureOf(page, 'cosine-similarity');
	await figure.scrollIntoViewIfNeeded();
	await expect(figure.locator('astro-island:not([ssr])')).toHaveCount(1);
	await keys(slider(figure, 'Offset added to every vector'), page, 'End');
	await expect(figure.getByRole('status')).toContainText('everything looks similar');
	await context.setOffline(false);
	consoleErrors.splice(0);
});

test('what changes in an explainer is no part of the text that highlights look for @nightly', async ({
	page,
}) => {
	await page.goto('/blog/attention-in-plain-arithmetic');
	const figure = figureOf(page, 'attention-weights');
	await figure.scrollIntoViewIfNeeded();
	await expect(figure.locator('astro-island:not([ssr])')).toHaveCount(1);
	await page.evaluate(() => {
		const url = location.href;
		const timestamp = '2026-01-02T03:04:05Z';
		const texts = ['its output is (3.49, 4.50)', 'Every row adds up to 1'];
		localStorage.setItem(
			'highlights',
			JSON.stringify(texts.map((text) => ({ text, url, timestamp }))),
		);
	});
	await page.reload();
	await expect
		.poll(() =>
			page.evaluate(() =>
				[...(CSS.highlights.get('reader-highlight') ?? [])].map((range) =>
					(range as Range).toString(),
				),
			),
		)
		.toEqual(['Every row adds up to 1']);
});

test('a preview has the explainers of its draft, whose points a pointer takes along @nightly', async ({
	page,
}) => {
	const html =
		'<p>Before.</p><figure data-explainer="cosine-similarity"><figcaption>Five vectors.</figcaption></figure><figure data-explainer="unknown"><figcaption>As it is.</figcaption></figure>';
	await page.route('**/api/preview/**', (route) =>
		route.fulfill({
			json: {
				title: 'A draft',
				excerpt: '',
				author: 'Grace',
				category: null,
				tags: [],
				readTime: 1,
				featuredImage: '',
				publishedAt: null,
				html,
				headings: [],
				state: 'draft',
				updatedAt: '2026-03-01T12:00:00.000Z',
				expiresAt: '2026-03-08T12:00:00.000Z',
			},
		}),
	);
	await page.goto('/preview?token=abc');
	const group = page.getByRole('group', { name: 'Try it: cosine similarity in two dimensions' });
	await keys(slider(group, 'Offset added to every vector'), page, 'End');
	await expect(group.getByRole('row', { name: /^E/ })).toContainText('0.984');
	await expect(group).toHaveCSS('display', 'grid');
	await button(group, 'Reset').click();
	const place = (await group.locator('.x-handle circle').first().boundingBox())!;
	const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
	await page.mouse.move(x, y);
	await page.mouse.down();
	await page.mouse.move(x, y + 80, { steps: 4 });
	await page.mouse.up();
	await page.mouse.move(x, y - 80);
	const direction = slider(group, 'Direction of the query');
	await expect(direction).toHaveAttribute('aria-valuetext', /^−\d\d°$/);
	await expect(figureOf(page, 'unknown')).toHaveText('As it is.');
});

test('the home page lets readers try an explainer, which is loaded when somebody comes to it', async ({
	page,
}) => {
	const scripts: string[] = [];
	page.on('request', (request) => scripts.push(request.url()));
	await page.goto('/');
	await page.waitForLoadState('networkidle');
	const isLoaded = () => scripts.some((url) => /\/ValidationBudget\.[\w-]+\.js/.test(url));
	expect(isLoaded()).toBe(false);
	const group = page.getByRole('group', { name: 'Try it: wear out a validation set' });
	await expect(group.getByRole('img')).toHaveAccessibleName(/Of 20 models/);
	await group.hover();
	await expect(page.locator('astro-island[ssr]', { has: group })).toHaveCount(0);
	await keys(slider(group, 'Models compared'), page, 'Home');
	await expect(group.locator('.explainer-result')).toContainText('Of 1 model');
	expect(isLoaded()).toBe(true);
	// Its article is told of once.
	const title = 'Your validation set is a budget';
	await expect(page.locator('main article').getByRole('link', { name: title })).toHaveCount(1);
	await expectAccessible(page, '[data-live]');
});
