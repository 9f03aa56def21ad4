import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { readLessons } from '#src/features/course/lessons.server.ts';
import { emailDocument } from '#src/core/outbox/email-document.server.ts';
import { expect, test } from './fixtures.ts';

/** Where the server of these tests leaves its mail: no SMTP server is set. */
const MAILBOX = join(process.env['E2E_FOLDER']!, 'site.mailbox');

// On a busy machine an email takes a while.
test.describe.configure({ timeout: 180_000 });

/** The newest mail to an address with these words in its subject, as soon as it is there. */
async function mailTo(address: string, subject: string): Promise<Email> {
	let found: Email | undefined;
	await expect
		.poll(
			async () => {
				const names = await readdir(MAILBOX).catch(() => []);
				for (const name of names.filter((one) => one.endsWith('.eml'))) {
					const text = await readFile(join(MAILBOX, name), 'utf8');
					// Others get mail as well: what is not theirs need not be parsed each time.
					if (!text.includes(address)) continue;
					const mail = await PostalMime.parse(text);
					if (mail.to?.[0]?.address === address && mail.subject?.includes(subject)) found = mail;
				}
				return found !== undefined;
			},
			{ timeout: 45_000 },
		)
		.toBe(true);
	return found!;
}

/** Path and query of a link in an email, by its words. */
function linkOf({ html = '' }: Email, words: string): string {
	const links = [...html.matchAll(/<a [^>]*?href="([^"]+)"[^>]*>(.*?)<\/a>/gs)];
	const href = links.find(([, , text]) => text!.includes(words))![1]!.replaceAll('&amp;', '&');
	const { pathname, search } = new URL(href);
	return pathname + search;
}

test('a reader enrolls, follows the course from the mail, and leaves with one click', async ({
	page,
}) => {
	const email = `course-${Date.now()}@example.com`;
	await page.goto('/newsletter');
	const course = page.locator('#course');
	await course.getByLabel('Email address').fill(email);
	await course.getByRole('button', { name: 'Start the course' }).click();
	await expect(course.getByText("You're enrolled!")).toBeVisible();
	const lesson = await mailTo(email, 'Day 1');
	await page.goto(linkOf(lesson, 'Your course'));
	await expect(page.getByText('1 lesson of 7 sent.')).toBeVisible();
	await page.getByRole('button', { name: 'Send the next lesson now' }).click();
	await expect(page.getByText('2 lessons of 7 sent.')).toBeVisible();
	await mailTo(email, 'Day 2');
	await page.goto(linkOf(lesson, 'Unsubscribe'));
	await page.getByRole('button', { name: 'Unsubscribe' }).click();
	await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
});

test('a welcome opens no data; the link that is asked for does, and erases it', async ({
	page,
}) => {
	const email = `data-${Date.now()}@example.com`;
	await page.goto('/newsletter');
	const form = page.locator('main form').first();
	await form.getByLabel('Email address').fill(email);
	await form.getByRole('button', { name: 'Subscribe' }).click();
	const welcome = await mailTo(email, 'Welcome to Groundtruth Weekly');
	await page.goto(linkOf(welcome, 'Choose what you get'));
	await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
	await expect(page.getByRole('button', { name: /Download|Erase/ })).toHaveCount(0);
	await page.getByRole('button', { name: 'Email me the link' }).click();
	await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
	await page.getByRole('button', { name: 'Back to my choices' }).click();
	await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();

	const key = await mailTo(email, 'Your link');
	await page.goto(linkOf(key, 'Choose, see or erase'));
	const file = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Download what is held about me' }).click();
	expect(await readFile(await (await file).path(), 'utf8')).toContain(email);
	await page.getByRole('button', { name: 'Erase everything' }).click();
	await page.getByRole('button', { name: 'Erase everything for good' }).click();
	await expect(page.getByRole('heading', { name: 'Everything is erased' })).toBeVisible();
});

test('the email about a comment leads to its answer, and the email about that back, and out', async ({
	page,
	request,
}) => {
	const name = `Grace ${Date.now()}`;
	const email = `${name.replace(' ', '-').toLowerCase()}@example.com`;
	const { id: postId } = await (await request.get('/api/posts/bm25-baseline')).json();
	const content = 'Is it not this?\n```\nidf <= 0\n```';
	const data = { postId, author: name, email, content, notify: true };
	expect((await request.post('/api/comments', { data })).status()).toBe(201);
	const told = await mailTo('admin@example.com', `${name} commented on`);
	expect(told.html).toContain('idf &lt;= 0</pre>');
	expect(told.text).toContain('>     idf <= 0');

	await page.goto(linkOf(told, 'Answer'));
	await page.getByLabel('Email').fill('admin@example.com');
	await page.getByLabel('Password', { exact: true }).fill('Correct-Horse-7');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByLabel(`Reply to ${name}`).fill('It is.\n```\nidf == 0\n```');
	await page.getByRole('button', { name: 'Publish reply' }).click();
	await expect(page.getByText('Reply published.')).toBeVisible();
	await page.getByRole('button', { name: 'One comment only: show all' }).click();
	await expect(page).toHaveURL('/admin?tab=comments');

	const answer = await mailTo(email, 'answered on');
	expect(answer.html).toContain('idf == 0</pre>');
	expect(linkOf(answer, 'Open the conversation')).toBe('/blog/bm25-baseline');
	await page.goto(linkOf(answer, 'Unsubscribe'));
	await page.getByRole('button', { name: 'Stop these emails' }).click();
	await expect(page.getByRole('heading', { name: 'No more emails' })).toBeVisible();
});

// Tries the one component that these three pages share; all three of them at night.
for (const [path, title, nightly] of [
	['/course', 'Your course', ' @nightly'],
	['/preferences', 'Email preferences', ''],
	['/unsubscribe', 'Unsubscribe', ' @nightly'],
] as const) {
	test(`${path} without a link is calm, and emails a new one${nightly}`, async ({ page }) => {
		const email = `lost${path.slice(1)}-${Date.now()}@example.com`;
		await page.goto(path);
		await expect(page.getByText('This page opens from a link in one of our emails.')).toBeVisible();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
		await expect(page.getByRole('alert')).toHaveCount(0);
		await expect(page.locator('main').getByRole('button')).toHaveText(['Email me the link']);
		await page.locator('main').getByLabel('Email address').fill(email);
		await page.locator('main').getByLabel('Email address').press('Enter');
		await expect(page.locator('main').getByText(/A link is on its way/)).toBeVisible();
		await page.goto(linkOf(await mailTo(email, 'Your link'), 'Choose, see or erase'));
		await expect(page.getByRole('button', { name: 'Get the weekly letter' })).toBeVisible();
	});
}

test('the course page leads who is not enrolled to the course @nightly', async ({ page }) => {
	await page.goto('/course');
	await page.getByRole('link', { name: 'Start the seven lessons' }).click();
	await expect(page).toHaveURL('/newsletter#course');
	await expect(page.locator('#course').getByRole('button')).toBeVisible();
});

test.describe('without JavaScript', () => {
	test.use({ javaScriptEnabled: false });

	for (const [path, nightly] of [
		['/course', ' @nightly'],
		['/preferences', ' @nightly'],
		['/unsubscribe', ''],
	] as const) {
		test(`${path} without a link says so when it is pressed, and emails a new one${nightly}`, async ({
			page,
			consoleErrors,
		}) => {
			const email = `plain-lost-${Date.now()}@example.com`;
			await page.goto(path);
			await expect(page.locator('main .button-primary')).toHaveText(['Email me the link']);
			await page.locator('main form').first().getByRole('button').click();
			await expect(
				page.getByText('This page opens from a link in one of our emails.'),
			).toBeVisible();
			await expect(page.getByRole('alert')).toHaveCount(0);
			// The browser itself reports the 400 of the page.
			consoleErrors.splice(0);
			await page.getByLabel('Email address').fill(email);
			await page.getByRole('button', { name: 'Email me the link' }).click();
			await expect(page).toHaveURL('/thanks/data');
			const key = await mailTo(email, 'Your link');
			await page.goto(linkOf(key, 'Choose, see or erase'));
			await page.getByRole('button', { name: 'Show my choices' }).click();
			await expect(page.getByRole('button', { name: 'Erase everything' })).toBeVisible();
		});
	}

	test('a reader subscribes, and leaves by the link in the welcome', async ({ page }) => {
		const email = `plain-${Date.now()}@example.com`;
		await page.goto('/newsletter');
		await page.getByLabel('Email address').first().fill(email);
		await page.getByRole('button', { name: 'Subscribe' }).first().click();
		await expect(page).toHaveURL('/thanks/subscribe');
		const welcome = await mailTo(email, 'Welcome to Groundtruth Weekly');
		await page.goto(linkOf(welcome, 'Unsubscribe'));
		await page.getByRole('button', { name: 'Unsubscribe' }).click();
		await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are unsubscribed');
		await page.goto(linkOf(welcome, 'Choose what you get'));
		await page.getByRole('button', { name: 'Show my choices' }).click();
		await expect(page.getByText('You are not subscribed.')).toBeVisible();
	});
});

for (const width of [600, 360]) {
	test(`no line of a lesson's code breaks in a mail client ${width} pixels wide, and none widens the mail`, async ({
		page,
	}) => {
		await page.setViewportSize({ width, height: 800 });
		let blocks = 0;
		for (const { title, html } of await readLessons()) {
			const letter = emailDocument({
				subject: title,
				preview: title,
				label: 'Lesson',
				title,
				blocks: [{ kind: 'article', html, text: '' }],
				why: 'You enrolled.',
			});
			await page.setContent(letter);
			const codes = await page.locator('pre').evaluateAll((all) =>
				all.map((pre) => {
					const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(pre);
					const room =
						pre.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
					return {
						shown: Math.round(room / Number.parseFloat(lineHeight)),
						written: pre.textContent.trimEnd().split('\n').length,
					};
				}),
			);
			for (const { shown, written } of codes) expect(shown, title).toBe(written);
			blocks += codes.length;
			const overhang = () => document.documentElement.scrollWidth - innerWidth;
			expect(await page.evaluate(overhang), title).toBeLessThanOrEqual(0);
		}
		expect(blocks).toBeGreaterThan(0);
	});
}
