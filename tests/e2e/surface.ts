import type { Editor } from '@tiptap/core';
import { expect, type Locator, type Page } from '@playwright/test';

/** Clicks into words of the article, and waits until keys go there: the browser and the editor know of it. */
export async function clickInto(words: Locator) {
	await words.click();
	await expect
		.poll(() =>
			words.evaluate((node) => {
				const surface = node.closest<HTMLElement & { editor: Editor }>('.ProseMirror')!;
				const { view, state } = surface.editor;
				const places = [getSelection()?.anchorNode, view.domAtPos(state.selection.from).node];
				return places.every((place) => place && node.contains(place));
			}),
		)
		.toBe(true);
}

/** Presses keys that move the cursor, and waits until the screen shows where it is: nobody types sooner. */
export async function move(page: Page, ...keys: string[]) {
	for (const key of keys) {
		await page.keyboard.press(key);
		await page.evaluate(
			() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
		);
	}
}
