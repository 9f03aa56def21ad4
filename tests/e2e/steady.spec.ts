import type { Page } from '@playwright/test';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { expect, framesOf, laidOut, test } from './fixtures.ts';
import { holdPage } from './held-page.ts';

/** The largest sum of layout shifts, as browsers measure them, of a page that is called steady. */
const LIMIT = 0.02;

type Shift = PerformanceEntry & {
	value: number;
	hadRecentInput: boolean;
	sources: { node: Element | null }[];
};

/** Adds up what moves by itself on each page that is opened, and remembers what that was. */
async function watchShifts(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const moved: string[] = [];
		Object.assign(window, { moved, shift: 0 });
		new PerformanceObserver((list) => {
			for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
				if (hadRecentInput) continue;
				(window as unknown as { shift: number }).shift += value;
				for (const { node } of sources)
					moved.push(
						`${node?.nodeName} ${node?.id ?? ''} ${node?.className ?? ''} ${value.toFixed(3)}`,
					);
			}
		}).observe({ type: 'layout-shift', buffered: true });
	});
}

const shiftsOf = (page: Page) =>
	page.evaluate(() => {
		const { shift, moved } = window as unknown as { shift: number; moved: string[] };
		return { shift, moved };
	});

/** Scrolls to the end by steps of half a window, and returns the heights that the page had meanwhile. */
async function scrollDown(page: Page): Promise<number[]> {
	return page.evaluate(async () => {
		const heights = new Set<number>();
		const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
		for (;;) {
			heights.add(document.documentElement.scrollHeight);
			const before = scrollY;
			scrollBy({ top: innerHeight / 2, behavior: 'instant' });
			await frame();
			await frame();
			if (scrollY === before) return [...heights];
		}
	});
}

/** Returns the comment at the end of a part, by which it is known to have arrived. */
const endOf = (at: number) => `part ${at}`;

/** Elements before which a page is cut: those that are laid out as blocks, and not what is in a picture or formula. */
const BLOCKS = /^(?:header|main|nav|section|article|aside|footer|div|h[1-6]|p|ul|dl|figure|form)$/;

/** Cuts a page before each block of its beginning, of which most is on the first screen, and five times in the rest. */
function partsOf(html: string): string[] {
	const starts: number[] = [];
	visit(unified().use(rehypeParse).parse(html), 'element', ({ tagName, position }) => {
		if (position && BLOCKS.test(tagName)) starts.push(position.start.offset!);
	});
	const main = starts.findIndex((at) => html.startsWith('<main', at));
	expect(main, 'has a main part').toBeGreaterThan(0);
	const first = starts.slice(main, main + EARLY);
	const rest = starts.slice(main + EARLY);
	const late = Array.from(
		{ length: LATE },
		(_, at) => rest[Math.floor((at * rest.length) / LATE)]!,
	);
	return [...first, ...late, html.length].map(
		(to, at, all) => `${html.slice(all[at - 1] ?? 0, to)}<!--${endOf(at)}-->`,
	);
}
const EARLY = 24;
const LATE = 5;

const hasArrived = (page: Page, at: number) =>
	page.waitForFunction((end) => {
		const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
		while (comments.nextNode()) if (comments.currentNode.nodeValue === end) return true;
		return false;
	}, endOf(at));

// No other test comments on these articles meanwhile.
const PATHS = [
	'/',
	'/blog',
	'/blog/sets-that-keep-a-promise',
	'/blog/two-link-arm-kinematics',
	'/category/machine-learning',
	'/ai-best-practices',
	'/ai-best-practices/california',
	'/ai-best-practices/compare',
	'/newsletter',
	'/contact',
	'/privacy',
	'/search?q=attention',
];
/** Those on which most is loaded late: pages of each time. */
const DAILY = ['/', '/blog', '/blog/two-link-arm-kinematics', '/newsletter', '/search?q=attention'];
/** An article with notes beside its first lines, home and lists. */
const IN_PARTS = ['/blog/simpsons-paradox-three-programs', '/', '/blog', '/category/data-science'];

for (const [name, viewport] of Object.entries({
	phone: { width: 390, height: 844 },
	desktop: { width: 1440, height: 900 },
})) {
	test.describe(`on a ${name}`, () => {
		test.use({ viewport });

		// Each night on a desktop as well.
		const nightly = name === 'phone' ? '' : ' @nightly';
		test(`no page moves by itself while it loads and is scrolled${nightly}`, async ({ page }) => {
			test.setTimeout(300_000);
			await watchShifts(page);
			// Who has read articles is recommended others at the end of the next one.
			await page.addInitScript(() => localStorage.clear());
			for (const path of process.env['TESTS'] === 'daily' ? DAILY : PATHS) {
				await page.goto(path);
				if (path.startsWith('/search'))
					await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
				const heights = await scrollDown(page);
				const { shift, moved } = await shiftsOf(page);
				expect.soft(shift, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(LIMIT);
				if (heights.length > 1 && path.startsWith('/blog/')) {
					// It was scrolled while it was laid out in pieces. Afterward no block of it waits to be scrolled to.
					await page.goto(path);
					await laidOut(page);
					expect.soft(await scrollDown(page), path).toHaveLength(1);
				} else expect.soft(heights, path).toHaveLength(1);
			}
		});

		for (const path of IN_PARTS) {
			test(`${path} does not move while it arrives in parts`, async ({ page, baseURL }) => {
				const parts = partsOf(await (await page.request.get(path)).text());
				const held = await holdPage(baseURL!, path, parts);
				await watchShifts(page);
				await page.goto(held.address, { waitUntil: 'commit' });
				for (const at of parts.keys()) {
					await hasArrived(page, at);
					await framesOf(page, 2);
					if (at < parts.length - 1) held.next();
				}
				await page.waitForLoadState();
				await page.evaluate(() => document.fonts.ready.then(() => {}));
				await framesOf(page, 2);
				const { shift, moved } = await shiftsOf(page);
				expect(shift, moved.join(', ')).toBeLessThanOrEqual(LIMIT);
				held.close();
			});
		}

		test('the list of what was saved does not move while it comes @nightly', async ({ page }) => {
			for (const path of ['/blog/bm25-baseline', '/blog/attention-in-plain-arithmetic']) {
				await page.goto(path);
				await page.locator('[data-save]').first().click();
				await expect(page.locator('[data-save]').first()).toHaveAttribute('aria-pressed', 'true');
			}
			await watchShifts(page);
			await page.goto('/saved');
			await expect(page.getByRole('link', { name: 'Attention in plain arithmetic' })).toBeVisible();
			await scrollDown(page);
			const { shift, moved } = await shiftsOf(page);
			expect(shift, moved.join(', ')).toBeLessThanOrEqual(LIMIT);
		});
	});
}
