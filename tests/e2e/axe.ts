import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** Rules that read colors. All others see the same document in both themes. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

export const THEMES =
	process.env['TESTS'] === 'daily' ? (['light'] as const) : (['light', 'dark'] as const);

/**
 * Returns an analysis that names each violation, and for other results one element: to name all takes half of its time. A page
 * without frames is analyzed in one go: what puts results of frames together is a second page, which costs as much again.
 */
export function axeOf(page: Page): AxeBuilder {
	const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
	return page.frames().length > 1 ? axe : axe.setLegacyMode();
}

/**
 * Expects no accessibility violation in the light theme, on the page or in one part of it; in `npm run test:all` in the dark one as
 * well, where only colors differ, whose contrasts `src/styles/contrast.test.ts` knows.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
	for (const colorScheme of THEMES) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		// What is off the screen keeps the colors that it was loaded with until it is scrolled to.
		if (!part && colorScheme === 'dark') await page.reload();
		// Colors change in a transition, however short it is.
		await page.evaluate(async () => {
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
			const running = document.getAnimations().filter((one) => one instanceof CSSTransition);
			await Promise.allSettled(running.map(({ finished }) => finished));
		});
		// No frames are looked into.
		const axe = axeOf(page).setLegacyMode();
		if (part) axe.include(part);
		if (colorScheme === 'dark') axe.withRules(COLOR_RULES);
		// What was off the screen may begin its transition only when it is looked at.
		const found = async () => {
			const { violations } = await axe.analyze();
			return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
		};
		await expect.poll(found, { message: colorScheme, timeout: 30_000 }).toEqual([]);
	}
}
