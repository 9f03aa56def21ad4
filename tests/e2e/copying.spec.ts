import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const article = '/blog/attention-in-plain-arithmetic';
const passages = '/blog/bm25-baseline';

/** Copies what is selected, and returns what is in the clipboard then. */
async function copied(page: Page): Promise<{ text: string; html: string }> {
	await page.evaluate(() => {
		addEventListener(
			'copy',
			({ clipboardData, defaultPrevented }) => {
				const held = (type: string) => clipboardData!.getData(type);
				Object.assign(window, {
					copied: defaultPrevented
						? { text: held('text/plain'), html: held('text/html') }
						: { text: getSelection()!.toString(), html: '' },
				});
			},
			{ once: true },
		);
	});
	await page.keyboard.press('Control+c');
	const found = await page.waitForFunction(
		() => (window as unknown as { copied?: { text: string; html: string } }).copied,
	);
	return (await found.jsonValue())!;
}

test('what is copied of an article holds its words and no button', async ({ page }) => {
	await page.goto(article);
	await expect(page.locator('.prose .run-bar').first()).toBeVisible();
	const words = await page.evaluate(() => {
		getSelection()!.selectAllChildren(document.querySelector('.prose')!);
		return getSelection()!.toString();
	});
	const { text } = await copied(page);
	for (const one of [words, text]) {
		expect(one).toContain('Three vectors per token, three jobs');
		expect(one).toContain('import math');
		expect(one.match(/\bCopy\b|\bRun\b|\bEdit\b|\bReset\b|loads \d+ MB/g)).toBeNull();
	}
});

test('a copied formula is TeX in the text and MathML in the HTML, whole where a part is selected @nightly', async ({
	page,
}) => {
	await page.goto(article);
	const tex = await page.evaluate(() => {
		const math = [...document.querySelectorAll('.prose p math')].find((one) =>
			one.querySelector('msqrt'),
		)!;
		getSelection()!.selectAllChildren(math.querySelector('msqrt')!);
		return math.getAttribute('alttext');
	});
	expect(tex).toContain('\\sqrt{');
	const { text, html } = await copied(page);
	expect(text).toBe(`$${tex}$`);
	expect(html).toContain('<msqrt>');
	// With the words and blocks around it.
	const around = await page.evaluate(() => {
		const block = document.querySelector('.prose .math-block')!;
		const range = document.createRange();
		range.setStartBefore(block.previousElementSibling!);
		range.setEndAfter(block.nextElementSibling!);
		getSelection()!.removeAllRanges();
		getSelection()!.addRange(range);
		delete (window as unknown as { copied?: unknown }).copied;
		return block.querySelector('math')!.getAttribute('alttext')!;
	});
	expect((await copied(page)).text).toMatch(
		new RegExp(`\\n\\s*\\$\\$${around.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\$\\$\\s*\\n`),
	);
});

test('a block is copied over plain http too, and where nothing can be copied it says what to press @nightly', async ({
	page,
}) => {
	await page.addInitScript(() => {
		Object.defineProperty(navigator, 'clipboard', { value: undefined });
	});
	await page.goto(article);
	const block = page.locator('.prose figure.code').first();
	const code = await block.locator('code').textContent();
	await page.evaluate(() =>
		document.addEventListener('copy', ({ target }) =>
			Object.assign(window, { taken: (target as HTMLTextAreaElement).value }),
		),
	);
	await block.getByRole('button', { name: 'Copy' }).click();
	await expect(block.locator('.copy')).toHaveText('Copied');
	expect(await page.evaluate(() => (window as unknown as { taken: string }).taken)).toBe(code);
	await expect(block.locator('.copy')).toBeFocused();
	await page.evaluate(() => (document.execCommand = () => false));
	const other = page.locator('.prose figure.code').nth(1);
	await other.locator('.copy').click();
	await expect(other.locator('.copy')).toHaveText('Press Ctrl+C, or ⌘C on a Mac.');
	expect(await page.evaluate(() => getSelection()!.toString())).toBe(
		await other.locator('code').evaluate((element: HTMLElement) => element.innerText),
	);
});

test("a highlight's link leads to its words: over paragraphs, from within a word, over code @nightly", async ({
	page,
}) => {
	await page.goto(passages);
	const kinds = ['two paragraphs', 'within a word', 'code'] as const;
	for (const kind of kinds) {
		await page.evaluate((wanted) => {
			const all = [...document.querySelectorAll('.prose > p')].filter(
				(one) => one.textContent.length > 120,
			);
			const text = (element: Element, isLast = false) => {
				const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
				return (isLast ? walker.lastChild() : walker.nextNode()) as Text;
			};
			const range = document.createRange();
			if (wanted === 'two paragraphs') {
				const first = all.find((one) => one.nextElementSibling?.matches('p'))!;
				const last = text(first, true);
				range.setStart(last, Math.max(0, last.length - 30));
				range.setEnd(text(first.nextElementSibling!), 20);
			} else if (wanted === 'within a word') {
				range.setStart(text(all.at(-1)!), 2);
				range.setEnd(text(all.at(-1)!), 17);
			} else {
				const code = [...document.querySelectorAll('.prose pre code')].findLast(
					(one) => one.childNodes.length > 12,
				)!;
				range.selectNodeContents(code);
				range.setEnd(code, 12);
			}
			getSelection()!.removeAllRanges();
			getSelection()!.addRange(range);
		}, kind);
		const bar = page.getByRole('toolbar', { name: 'Selected text' });
		await bar.getByRole('button', { name: 'Highlight' }).click();
		await expect(bar).toBeHidden();
		await page.goto('/saved');
		const link = page.getByRole('listitem').getByRole('link', { name: 'BM25' }).first();
		const words = await page.getByRole('listitem').locator('blockquote').first().innerText();
		await link.click();
		await expect(page).toHaveURL(/#highlight-/);
		await expect
			.poll(
				() =>
					page.evaluate(() => {
						const { hash } = location;
						// They are painted once the page has read what is stored.
						const [marked] = [...(CSS.highlights.get('reader-highlight') ?? [])] as Range[];
						if (!marked) return false;
						const { top, bottom } = marked.getBoundingClientRect();
						return hash !== '' && top > 64 && top < innerHeight && bottom > 64;
					}),
				{ message: `${kind}: ${words}` },
			)
			.toBe(true);
		expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
		await page.evaluate(() => localStorage.removeItem('highlights'));
		await page.goto(passages);
	}
});
