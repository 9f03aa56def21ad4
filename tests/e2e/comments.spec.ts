import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, reachComments, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const section = (page: Page) => page.locator('#comments');
const button = (page: Page) => section(page).getByRole('button', { name: /^Post/ });

test.beforeEach(async ({ page }) => {
	// Whoever is subscribed is asked for nothing while reading.
	await page.addInitScript(() => localStorage.setItem('newsletter_subscribed', 'true'));
});

/** Reads on to the comments of an article, and waits until they are awake. */
async function reach(page: Page, slug: string) {
	await page.goto(`/blog/${slug}`);
	await reachComments(page);
	await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
}

async function fill(page: Page, email: string, content: string) {
	await section(page).getByLabel('Name').fill('Ada');
	await section(page).getByLabel('Email').fill(email);
	await section(page).getByLabel('Comment').fill(content);
	await expect(button(page)).toHaveAttribute('aria-disabled', 'false');
}

test('nothing of comments is loaded before they are read', async ({ page }) => {
	const asked: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	await page.goto('/blog/attention-in-plain-arithmetic');
	await page.waitForLoadState('networkidle');
	const about = () =>
		asked.filter((url) => /Comments|\/comments$|SearchBox|SearchDialog/.test(url));
	expect(about()).toEqual([]);
	await reachComments(page);
	await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
	expect(about()).not.toEqual([]);
});

test('a comment shows while it is being posted, then with its time, and can be linked to', async ({
	page,
}) => {
	await reach(page, 'bm25-baseline');
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	await page.route('**/api/comments', async (route) => {
		await held;
		await route.continue();
	});
	await fill(page, 'slow@example.com', 'Posted over a slow line.');
	await button(page).click();
	const comment = section(page).getByRole('listitem').filter({ hasText: 'over a slow line' });
	await expect(comment).toContainText('Posting…');
	await expect(comment).toHaveAttribute('aria-busy', 'true');
	release();
	await expect(comment).toHaveAttribute('aria-busy', 'false');
	const time = comment.getByRole('link', { name: 'just now' });
	await expect(time.locator('time')).toHaveAttribute('title', /20\d\d at .*[AP]M$/);
	await expect(page.getByText('Comment posted!')).toBeVisible();
	await time.click();
	await expect(page).toHaveURL(/#comment-/);
});

test('a comment that fails is taken back, stays in the form, and outlasts a reload @nightly', async ({
	page,
	consoleErrors,
}) => {
	await reach(page, 'data-leakage');
	await page.route('**/api/comments', (route) => route.fulfill({ status: 500, body: '' }));
	await fill(page, 'failing@example.com', 'Half an hour of typing.');
	await button(page).click();
	await expect(section(page).getByRole('alert')).toBeVisible();
	await expect(page.getByText('Failed to post comment. Please try again.')).toBeVisible();
	await expect(section(page).getByRole('listitem').filter({ hasText: 'Half an hour' })).toHaveCount(
		0,
	);
	await expect(section(page).getByLabel('Comment')).toHaveValue('Half an hour of typing.');
	await page.unroute('**/api/comments');
	await page.reload();
	await reachComments(page);
	await expect(section(page).getByLabel('Comment')).toHaveValue('Half an hour of typing.');
	await expect(section(page).getByLabel('Email')).toHaveValue('failing@example.com');
	await button(page).click();
	await expect(page.getByText('Comment posted!')).toBeVisible();
	await expect(section(page).getByLabel('Comment')).toHaveValue('');
	consoleErrors.splice(0);
});

test('without a network it says so and keeps the text @nightly', async ({
	page,
	context,
	consoleErrors,
}) => {
	await reach(page, 'data-leakage');
	await fill(page, 'offline@example.com', 'Written in a tunnel.');
	await context.setOffline(true);
	await button(page).click();
	await expect(section(page).getByRole('alert')).toContainText('Unable to connect to the server');
	await expect(section(page).getByLabel('Comment')).toHaveValue('Written in a tunnel.');
	await context.setOffline(false);
	await button(page).click();
	await expect(page.getByText('Comment posted!')).toBeVisible();
	consoleErrors.splice(0);
});

test('what is missing is said when the button is pressed all the same @nightly', async ({
	page,
}) => {
	await reach(page, 'data-leakage');
	await section(page).getByLabel('Name').fill('Ada');
	await button(page).press('Enter');
	await expect(page.getByText('Missing information')).toBeVisible();
	await expect(page.getByText('Please fill in all fields')).toBeVisible();
	await expect(section(page).getByRole('alert')).toHaveText([
		'Please fill in your email address',
		'Please fill in your comment',
	]);
	await expect(section(page).getByLabel('Email')).toBeFocused();
});

test('a list of comments changes with what the site answers now @nightly', async ({ page }) => {
	await page.route('**/api/posts/*/comments?*', (route) =>
		route.fulfill({
			json: [
				{ id: 'x', author: 'Grace', content: 'One more', createdAt: '2026-01-02T12:00:00.000Z' },
			],
		}),
	);
	await reach(page, 'data-leakage');
	await expect(section(page).getByRole('heading', { name: '1 comment' })).toBeVisible();
	await expect(section(page).getByRole('listitem')).toHaveText(/Grace.*January 2, 2026.*One more/);
});

test('a comment of one long word stays within the page', async ({ page }) => {
	await page.setViewportSize({ width: 320, height: 640 });
	const word = 'www.example.com/'.padEnd(300, 'ab');
	await page.route('**/api/posts/*/comments?*', (route) =>
		route.fulfill({
			json: [{ id: 'x', author: word.slice(0, 100), content: word, createdAt: new Date() }],
		}),
	);
	await reach(page, 'data-leakage');
	const comment = section(page).getByRole('listitem');
	await expect(comment).toContainText(word);
	const { x, width } = (await comment.boundingBox())!;
	expect(x + width).toBeLessThanOrEqual(320);
	expect(await comment.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test('comments and their form are accessible', async ({ page }) => {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	await page.route('**/api/posts/*/comments?*', (route) =>
		route.fulfill({
			json: [{ id: 'x', author: 'Grace', content: 'One more', createdAt: new Date() }],
		}),
	);
	await reach(page, 'data-leakage');
	await expect(section(page).getByRole('heading', { name: '1 comment' })).toBeVisible();
	await button(page).press('Enter');
	await expect(section(page).getByRole('alert').first()).toBeVisible();
	await expectAccessible(page, '#comments');
});

test.describe('a conversation', () => {
	const ARTICLE = 'bm25-baseline';

	test('is answered, edited and taken back where it is read', async ({ page }) => {
		await reach(page, ARTICLE);
		await fill(page, 'asks@example.com', 'Why is k1 1.2?\n```\nk1 = 1.2 <b>\n```');
		await button(page).click();
		const asked = section(page).getByRole('listitem').filter({ hasText: 'Why is k1' });
		await expect(asked.locator('pre')).toHaveText('k1 = 1.2 <b>');
		await asked.getByRole('button', { name: 'Reply to Ada' }).first().click();
		await expect(section(page).getByRole('heading', { name: 'Reply to Ada' })).toBeVisible();
		await fill(page, 'answers@example.com', 'It is a habit.');
		await button(page).click();
		const replies = asked.getByRole('list', { name: 'Replies to Ada' });
		await expect(replies).toContainText('It is a habit.');
		await expectAccessible(page, '#comments');

		await replies.getByRole('button', { name: 'Edit' }).click();
		await replies.getByLabel('Your comment').fill('It is a habit of 1994.');
		await replies.getByRole('button', { name: 'Save' }).click();
		await expect(replies).toContainText('It is a habit of 1994.');
		await expect(replies).toContainText('Edited');
		await page.reload();
		await reachComments(page);
		await expect(replies).toContainText('It is a habit of 1994.');
		await replies.getByRole('button', { name: 'Delete' }).click();
		await expect(replies).toHaveCount(0);
	});

	test('is answered at the desk, pinned, and answered without JavaScript', async ({
		page,
		browser,
		request,
	}) => {
		test.setTimeout(300_000);
		const { id: postId } = await (await request.get(`/api/posts/${ARTICLE}`)).json();
		const say = { postId, author: 'Grace', email: 'grace-asks@example.com' };
		const asked = await request.post('/api/comments', {
			data: { ...say, content: 'And what of b?' },
		});
		expect(asked.status()).toBe(201);
		const { id } = await asked.json();
		await page.request.post('/api/admin/login', { data: ADMIN });
		await page.goto('/admin?tab=comments&q=what+of+b');
		await page.getByRole('button', { name: 'Reply', exact: true }).click();
		await page.getByLabel('Reply to Grace').fill('It is 0.75.');
		await page.getByRole('button', { name: 'Publish reply' }).click();
		await expect(page.getByText('Reply published.')).toBeVisible();
		await page.getByRole('button', { name: 'Pin', exact: true }).first().click();
		await expect(page.getByText('Comment pinned: it comes first.')).toBeVisible();

		await reach(page, ARTICLE);
		const first = section(page).getByRole('listitem').first();
		await expect(first).toContainText('Pinned');
		await expect(first).toContainText('And what of b?');
		await expect(first.getByRole('listitem')).toContainText('Author');

		// A comment that is hidden and shown again is built into the page.
		for (const state of ['hidden', 'visible'])
			await page.request.put('/api/admin/comments', { data: { ids: [id], state } });
		const plain = await (
			await browser.newContext({ javaScriptEnabled: false, baseURL: new URL(page.url()).origin })
		).newPage();
		await expect(async () => {
			await plain.goto(`/blog/${ARTICLE}`);
			expect(await plain.locator(`#comment-${id}`).count()).toBe(1);
		}).toPass({ timeout: BUILD_MS });
		const form = plain.locator('#comments form');
		await plain.locator(`#comment-${id}`).getByLabel('Reply to Grace').first().check();
		await form.getByLabel('Name').fill('Ada');
		await form.getByLabel('Email').fill('plain-answer@example.com');
		await form.getByLabel('Comment').fill('Answered without a script.');
		await form.getByRole('button', { name: 'Post comment' }).click();
		await expect(plain).toHaveURL('/thanks/comment');
		const comments: { content: string; parentId: string }[] = await (
			await request.get(`/api/posts/${postId}/comments`)
		).json();
		expect(comments.find(({ content }) => content.includes('without a script'))?.parentId).toBe(id);
		await plain.context().close();
	});
});

test('who commented is filled in on the next article, until it is forgotten @nightly', async ({
	page,
}) => {
	await reach(page, 'kalman-filter-careful-averaging');
	await fill(page, 'known@example.com', 'Averaging with care.');
	await button(page).click();
	await expect(page.getByText('Comment posted!')).toBeVisible();
	await reach(page, 'pid-four-faults');
	await expect(section(page).getByLabel('Email')).toHaveValue('known@example.com');
	await section(page).getByLabel('Comment').fill('Only words.');
	await expect(button(page)).toHaveAttribute('aria-disabled', 'false');
	await expectAccessible(page, '#comments');
	await section(page).getByRole('button', { name: 'Forget them' }).click();
	await expect(section(page).getByLabel('Name')).toBeFocused();
	await page.reload();
	await reachComments(page);
	await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
	await expect(section(page).getByLabel('Email')).toHaveValue('');
});
