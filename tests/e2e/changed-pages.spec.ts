import type { Page } from '@playwright/test';
import {
	change,
	CHANGES,
	fillIn,
	FORMS,
	KEY_MS,
	lossesOf,
	type Driver,
} from '#tests/support/changed-pages.ts';
import { expect, framesOf, test } from './fixtures.ts';

function driverOf(page: Page): Driver {
	return {
		open: async (path) => void (await page.goto(path)),
		run: (expression) => page.evaluate(expression),
		press: (selector) => page.locator(selector).first().click(),
		type: (text) => page.keyboard.type(text, { delay: KEY_MS }),
	};
}

/**
 * A form that is seen at once and one far below, whose fields the others have as well. In `npm test` each change meets one of
 * the two, each of which is typed in and autofilled.
 */
const DAILY = ['home', 'comments'];
const isDue = (name: string, number: number) =>
	process.env['TESTS'] !== 'daily' || DAILY[Math.floor(number / 2) % DAILY.length] === name;

// Each change meets typing in one form and autofill in the next; `npm run test:browsers` tries both everywhere.
for (const [place, [name, asked]] of Object.entries(FORMS).entries()) {
	const nightly = DAILY.includes(name) ? '' : ' @nightly';
	test(`nothing is lost in the form of ${name}, whatever has changed the page${nightly}`, async ({
		page,
	}) => {
		for (const [number, changed] of [null, ...Object.keys(CHANGES)].entries()) {
			if (!isDue(name, number)) continue;
			const way = (place + number) % 2 === 0 ? 'typed' : 'autofilled';
			await test.step(`${changed}, ${way}`, async () => {
				const outcome = await fillIn(driverOf(page), asked, changed, way);
				expect.soft(lossesOf(asked, outcome), String(changed)).toEqual([]);
				expect.soft(outcome.asleep, String(changed)).toBe(true);
				if (way === 'typed')
					expect.soft(outcome.focused, String(changed)).toBe(Object.keys(asked.fields).at(-1));
			});
		}
	});
}

test('a field in one row with its label stays where it is when something stands around it', async ({
	page,
}) => {
	const { path, sends } = FORMS['home']!;
	await page.goto(path);
	const form = `form[action="${sends}"]`;
	const field = page.locator(`${form} [name=email]`).first();
	const before = (await field.boundingBox())!;
	for (const changed of Object.keys(CHANGES).slice(0, 3)) {
		await change(driverOf(page), changed, form);
		const after = (await field.boundingBox())!;
		// A press on its middle would still meet it when the island has taken the change away.
		expect(Math.abs(after.y - before.y), changed).toBeLessThan(before.height / 4);
		expect(Math.abs(after.x - before.x), changed).toBeLessThan(before.width / 4);
	}
});

test('the first choice of the blog’s list counts, whatever has changed the page', async ({
	page,
}) => {
	// A wide window has chips in its place.
	await page.setViewportSize({ width: 390, height: 844 });
	for (const changed of Object.keys(CHANGES)) {
		await test.step(changed, async () => {
			await page.goto('/blog');
			expect(await change(driverOf(page), changed, 'select')).toBe(true);
			await page.locator('select').first().selectOption({ label: 'MLOps' });
			await expect(page).toHaveURL('/blog?category=mlops');
			await expect(page.locator('select').first()).toHaveValue('mlops');
			await expect(page.locator('h2[aria-live]')).toHaveText(/^\d+ Articles?$/);
			// One choice is one entry of the history.
			await page.goBack();
			await expect(page).toHaveURL('/blog');
			await expect(page.locator('select').first()).toHaveValue('');
		});
	}
});

test('the owner signs in and finds an article, whatever changes the desk @nightly', async ({
	page,
	consoleErrors,
}) => {
	// React draws the desk by itself: what matters is what it meets when it changes something there.
	for (const changed of Object.keys(CHANGES).slice(0, 5)) {
		await test.step(changed, async () => {
			await page.context().clearCookies();
			await page.goto('/admin?tab=posts');
			const email = page.getByRole('textbox').first();
			await expect(email).toBeVisible();
			await change(driverOf(page), changed, 'form');
			await email.pressSequentially('admin@example.com', { delay: KEY_MS });
			await page.locator('input[type=password]').fill('wrong');
			await page.keyboard.press('Enter');
			await expect(page.locator('.field-error, [role=alert]').first()).toBeVisible();
			await change(driverOf(page), changed, 'form');
			await expect(email).toHaveValue('admin@example.com');
			await page.locator('input[type=password]').fill('Correct-Horse-7');
			await page.keyboard.press('Enter');
			const search = page.getByLabel('Search posts');
			await expect(page.getByRole('table')).toBeVisible();
			await change(driverOf(page), changed, 'table');
			await search.pressSequentially('bm25', { delay: KEY_MS });
			await expect(page.getByRole('row').nth(15)).not.toBeAttached();
			await expect(search).toHaveValue('bm25');
			await expect(page.locator('.error-fallback')).toHaveCount(0);
		});
	}
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.length = 0;
});

test('a word that an input method is composing is finished before the form wakes', async ({
	page,
}) => {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(/ContactForm/, async (route) => {
		await released;
		await route.continue();
	});
	await page.goto('/contact');
	await change(driverOf(page), 'a password manager’s icon before each field', 'form');
	const message = page.locator('[name=message]');
	await message.pressSequentially('日');
	const input = await page.context().newCDPSession(page);
	await input.send('Input.imeSetComposition', { text: 'ほん', selectionStart: 2, selectionEnd: 2 });
	const loaded = page.waitForResponse(/ContactForm/);
	release();
	await loaded;
	await framesOf(page, 30);
	await input.send('Input.insertText', { text: '本' });
	await expect(page.locator('form')).toHaveJSProperty('noValidate', true);
	await expect(message).toHaveValue('日本');
	await expect(message).toBeFocused();
});

test('a button that is held down while its form wakes is pressed when it is released', async ({
	page,
}) => {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(/SignupForm/, async (route) => {
		await released;
		await route.continue();
	});
	await page.goto('/');
	await change(driverOf(page), 'a translation of each text', 'form[action="/api/subscribers"]');
	const form = page.locator('form[action="/api/subscribers"]').first();
	await form.locator('[name=email]').fill('held@example.com');
	await form.locator('[type=submit]').hover();
	await page.mouse.down();
	const loaded = page.waitForResponse(/SignupForm/);
	release();
	await loaded;
	await framesOf(page, 10);
	const sent = page.waitForRequest('**/api/subscribers');
	await page.mouse.up();
	expect((await sent).postDataJSON()).toMatchObject({ email: 'held@example.com' });
});

test('a comment that is sent before its form wakes is sent in place afterwards', async ({
	page,
	consoleErrors,
}) => {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	await page.route(/\/Comments\./, async (route) => {
		await released;
		await route.continue();
	});
	await page.route('**/api/comments', (route) =>
		route.fulfill({
			status: 409,
			json: { error: { code: 'conflict', message: 'Refused for a trial.' } },
		}),
	);
	const { path, fields } = FORMS['comments']!;
	await page.goto(path);
	const form = page.locator('form[action="/api/comments"]');
	for (const [name, value] of Object.entries(fields))
		await form.locator(`[name=${name}]`).fill(value);
	await form.locator('[type=submit]').click();
	const sent = page.waitForRequest('**/api/comments');
	release();
	expect((await sent).postDataJSON()).toMatchObject(fields);
	await expect(form).toContainText('Refused for a trial.');
	await expect(form.locator('[name=content]')).toHaveValue(fields['content']!);
	expect(consoleErrors.splice(0).every((error) => error.includes('409'))).toBe(true);
});

test('the choice, the caret and the open part of a form stay where they were', async ({ page }) => {
	await page.goto('/contact');
	await change(driverOf(page), 'each field wrapped', 'form');
	// Without the focus or a pointer, so that nothing wakes the form yet.
	await page.evaluate(() => {
		const text = document.querySelector<HTMLTextAreaElement>('[name=message]')!;
		text.value = 'one two three';
		document.querySelector<HTMLSelectElement>('[name=topic]')!.selectedIndex = 2;
		text.setSelectionRange(4, 7, 'backward');
		text.focus();
	});
	await expect(page.locator('form')).toHaveJSProperty('noValidate', true);
	const state = await page.evaluate(() => {
		const text = document.querySelector<HTMLTextAreaElement>('[name=message]')!;
		const { selectionStart, selectionEnd, selectionDirection, value } = text;
		const topic = document.querySelector<HTMLSelectElement>('[name=topic]')!.selectedIndex;
		return {
			value,
			topic,
			focused: document.activeElement === text,
			range: [selectionStart, selectionEnd, selectionDirection],
		};
	});
	expect(state).toEqual({
		value: 'one two three',
		topic: 2,
		focused: true,
		range: [4, 7, 'backward'],
	});
});
