/** The question under an article, on a site of its own, which has no other article: its switch changes all. */
import { expectAccessible } from './axe.ts';
import { BUILD_MS, expect, test } from './fixtures.ts';
import { startEmptySite } from './setup-steps.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const TITLE = 'Attention in plain arithmetic';
const QUESTION = 'Did this answer your question?';

let host: Awaited<ReturnType<typeof startEmptySite>>;

test.beforeAll(async () => {
	test.setTimeout(600_000);
	// Eight browsers behind one address are told apart at most: with one secret of eight, the two of this test are counted as one.
	host = await startEmptySite({ SECRET: 'tells both browsers of this test apart' });
});

test.afterAll(() => host.stop());

test('readers are asked once the owner wants it, with JavaScript and without, and their words are due at the desk @nightly', async ({
	page,
	browser,
}) => {
	test.setTimeout(2 * BUILD_MS + 120_000);
	const { slug } = await host.publish(TITLE, '<p>Four words and their weights.</p>');
	const path = `/blog/${slug}`;
	const html = async () => (await page.request.get(host.address + path)).text();
	await expect.poll(html, { timeout: BUILD_MS }).toContain('Four words and their weights.');
	expect(await html()).not.toContain(QUESTION);
	await page.request.post(`${host.address}/api/admin/login`, { data: ADMIN });
	await page.request.delete(`${host.address}/api/admin/setup`);
	await page.goto(`${host.address}/admin?tab=posts&state=due`);
	const due = page.getByRole('region', { name: 'What readers miss' });
	await expect(due).toContainText('That is off; it is a switch under Site.');
	await due.getByRole('button', { name: 'Site' }).click();
	await page
		.getByRole('navigation', { name: 'Parts of the site' })
		.getByRole('link', { name: 'Words' })
		.click();
	const asks = page.getByRole('checkbox', { name: /^Articles ask their readers/ });
	await expect(asks).not.toBeChecked();
	await asks.check();
	await page.getByRole('button', { name: 'Save the site' }).click();
	await expect(page.getByText('The site is saved', { exact: true })).toBeVisible();
	await expect.poll(html, { timeout: BUILD_MS }).toContain(QUESTION);

	// A reader with JavaScript, by the keyboard: words are asked for only after the choice.
	const reader = await browser.newContext({
		baseURL: host.address,
		// A browser without a screen says so, and would be taken for a robot, which is not counted.
		userAgent:
			'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
	});
	const article = await reader.newPage();
	await article.goto(path);
	const question = article.getByRole('group', { name: QUESTION });
	const words = article.getByRole('textbox', { name: /^What is missing\?/ });
	const send = article.getByRole('button', { name: 'Send', exact: true });
	await expect(words).toBeHidden();
	await question.getByRole('radio', { name: 'No' }).focus();
	await article.keyboard.press('Space');
	await expect(words).toBeVisible();
	await expectAccessible(article);
	await words.fill('What softmax does to large numbers');
	await send.click();
	await expect(article.getByText('Thank you. It goes to whoever')).toBeVisible();
	await expect(article).toHaveURL(host.address + path);
	// Who comes back can answer again, and is counted once.
	await article.reload();
	await question.getByRole('radio', { name: 'No' }).check();
	await send.click();
	await expect(article.getByText('Thank you. It goes to whoever')).toBeVisible();
	expect(await reader.cookies()).toEqual([]);
	await reader.close();

	// One without it: an empty answer is refused with what is wrong, and a whole one leads to a page that thanks.
	const plain = await browser.newContext({
		...{ javaScriptEnabled: false, baseURL: host.address },
		userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
	});
	const paper = await plain.newPage();
	await paper.goto(path);
	await paper.getByRole('group', { name: QUESTION }).getByRole('radio', { name: 'Yes' }).check();
	await paper.getByRole('textbox', { name: /^What is missing\?/ }).fill('Buy http://spam.example');
	await paper.getByRole('button', { name: 'Send', exact: true }).click();
	await expect(paper.getByText(/^This appears to be spam/).first()).toBeVisible();
	const again = paper.getByRole('textbox', { name: /^What is missing\?/ });
	await expect(again).toHaveValue('Buy http://spam.example');
	await again.fill('More of the same');
	await paper.getByRole('button', { name: 'Send', exact: true }).click();
	await expect(paper).toHaveURL(`${host.address}/thanks/feedback`);
	expect(await plain.cookies()).toEqual([]);
	await plain.close();

	await page.goto(`${host.address}/admin?tab=posts&state=due`);
	const row = due.getByRole('listitem').filter({ hasText: TITLE }).first();
	await expect(row).toContainText('1 yes, 1 no');
	await expect(row).toContainText('What softmax does to large numbers');
	await expect(row).toContainText('More of the same');
});
