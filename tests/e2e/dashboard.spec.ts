import type { Page } from '@playwright/test';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { SETTINGS } from '#src/dashboard/settings/parts.ts';
import { GROUPS, SCREENS } from '#src/dashboard/shell/screens.ts';
import { SITE_PARTS } from '#src/dashboard/site/parts.ts';
import { axeOf } from './axe.ts';
import { expect, SEEDED, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

async function open(page: Page, tab: string): Promise<void> {
	await page.request.post('/api/admin/login', { data: ADMIN });
	await page.goto(`/admin?tab=${tab}`);
	await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
}

async function expectAccessible(page: Page): Promise<void> {
	const { violations } = await axeOf(page)
		.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
		.analyze();
	expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

test('signing in, a tab, back, forward and out', async ({ page, consoleErrors }) => {
	await page.goto('/admin');
	await page.getByLabel('Email').fill(ADMIN.email);
	const password = page.getByLabel('Password');
	await password.fill(ADMIN.password);
	await page.getByRole('button', { name: 'Show password' }).click();
	await expect(password).toHaveAttribute('type', 'text');
	await page.getByRole('button', { name: 'Hide password' }).click();
	await expect(password).toHaveAttribute('type', 'password');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
	await page
		.getByRole('navigation', { name: 'Admin' })
		.getByRole('link', { name: 'Subscribers' })
		.click();
	await expect(page).toHaveURL('/admin?tab=subscribers');
	await page.getByRole('radio', { name: /^Active/ }).check();
	await expect(page).toHaveURL('/admin?tab=subscribers&state=active');
	await page.goBack();
	await expect(page).toHaveURL('/admin?tab=subscribers');
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
	await page.goForward();
	await expect(page.getByRole('heading', { name: 'Subscribers', level: 1 })).toBeVisible();
	await page.getByRole('button', { name: 'Log out' }).click();
	await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
	// What was still on its way is refused, which the browser itself reports.
	expect(consoleErrors.filter((error) => !error.includes('401'))).toEqual([]);
	consoleErrors.splice(0);
});

test('the palette leads to screens, actions and posts by keyboard, and typed text stays @nightly', async ({
	page,
}) => {
	await open(page, 'comments');
	await page.getByLabel('Search names').fill('typed and kept');
	const palette = page.getByRole('dialog', { name: 'Commands' });
	const input = palette.getByRole('combobox');
	const chosen = palette.getByRole('option', { selected: true });

	await page.keyboard.press('ControlOrMeta+k');
	await expect(input).toBeFocused();
	await page.keyboard.type('subs');
	await expect(chosen).toContainText('Subscribers');
	await page.keyboard.press('Enter');
	await expect(palette).toBeHidden();
	await expect(page).toHaveURL('/admin?tab=subscribers');

	await page.getByRole('button', { name: 'Commands' }).click();
	await input.fill('theme dark');
	await expect(chosen).toHaveText('Color theme: dark');
	await expectAccessible(page);
	await page.keyboard.press('Enter');
	await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

	await page.keyboard.press('ControlOrMeta+k');
	await input.fill('BM25 baseline');
	const post = palette.getByRole('option', { name: /BM25 is still the baseline/ });
	await expect(post).toBeVisible();
	await page.keyboard.press('ArrowUp');
	await expect(chosen).toHaveCount(1);
	await post.click();
	await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue(/BM25/);

	// What can be done with the article is there as well, with its shortcut.
	await page.getByRole('button', { name: 'Commands' }).click();
	await input.fill('update');
	await expect(palette.getByRole('option', { name: /^Update.*(Ctrl|⌘)/ })).toBeVisible();
	await input.fill('html of');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('dialog', { name: /HTML/ })).toBeVisible();
	await page.keyboard.press('Escape');

	// In the text of an article the same keys make a link.
	await page.getByRole('textbox', { name: 'Article' }).click();
	await page.keyboard.press('ControlOrMeta+k');
	await expect(page.getByLabel('Address or title of an article')).toBeFocused();
	await expect(palette).toBeHidden();
	await page.keyboard.press('Escape');

	await page.getByRole('link', { name: 'Comments' }).click();
	await expect(page.getByLabel('Search names')).toHaveValue('typed and kept');
	await page.keyboard.press('ControlOrMeta+k');
	await input.fill('no such thing at all');
	await expect(palette.getByRole('status')).toHaveText('Nothing has these words.');
	await page.keyboard.press('Escape');
	await expect(palette).toBeHidden();
});

test('a new article does not begin in one that was open, and the focus goes with the screen', async ({
	page,
}) => {
	await open(page, 'posts');
	const palette = page.getByRole('dialog', { name: 'Commands' });
	const title = page.getByRole('textbox', { name: 'Title', exact: true });
	await page.getByLabel('Search posts').click();
	for (const begin of [
		() => page.getByRole('button', { name: 'Create post' }).click(),
		() => page.getByRole('link', { name: 'Create Post' }).click(),
	]) {
		await page.keyboard.press('ControlOrMeta+k');
		await palette.getByRole('combobox').fill('BM25 baseline');
		await palette.getByRole('option', { name: /BM25 is still the baseline/ }).click();
		await expect(title).toHaveValue(/BM25/);
		// Where it was is hidden now.
		await expect(page.locator('#main')).toBeFocused();
		await page.getByRole('link', { name: 'Manage Posts' }).click();
		await begin();
		await expect(title).toHaveValue('');
		await expect(page).toHaveURL('/admin?tab=create');
		await page.getByRole('link', { name: 'Manage Posts' }).click();
		await page.getByLabel('Search posts').click();
	}
	await page.keyboard.press('Escape');
	await page.getByRole('link', { name: 'Comments' }).focus();
	await page.keyboard.press('g');
	await page.keyboard.press('w');
	await expect(title).toBeFocused();
});

test('on a phone the way through the admin folds behind a button @nightly', async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 800 });
	await open(page, 'posts');
	const nav = page.getByRole('navigation', { name: 'Admin' });
	await expect(nav).toBeHidden();
	await page.getByRole('button', { name: 'Menu' }).click();
	await expect(nav).toBeVisible();
	await expectAccessible(page);
	await nav.getByRole('link', { name: 'Messages' }).click();
	await expect(nav).toBeHidden();
	await expect(page).toHaveURL('/admin?tab=messages');
	await expect(page.getByRole('heading', { name: 'Messages', level: 1 })).toBeAttached();
});

test('an expired session asks for the password in place and loses nothing', async ({
	page,
	consoleErrors,
}) => {
	await open(page, 'comments');
	await expect(page.getByRole('radio', { name: /^Waiting/ })).toBeVisible();
	await page.waitForLoadState('networkidle');
	await page.context().clearCookies();
	await page.getByLabel('Search names').fill('typed and kept');
	const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
	await expect(dialog).toBeVisible();
	await dialog.getByLabel('Email').fill(ADMIN.email);
	await dialog.getByLabel('Password').fill(ADMIN.password);
	await dialog.getByRole('button', { name: 'Sign in' }).click();
	await expect(dialog).toBeHidden();
	await expect(page.getByLabel('Search names')).toHaveValue('typed and kept');
	await expect(page.getByText('Nothing matches.')).toBeVisible();
	// The browser itself reports the 401.
	consoleErrors.splice(0);
});

test('a dialog goes with its tab, and the shortcuts of the editor are its own @nightly', async ({
	page,
}) => {
	await open(page, 'create');
	const title = page.getByRole('textbox', { name: 'Title', exact: true });
	await expect(title).toBeVisible();
	await page.getByRole('link', { name: 'Subscribers' }).click();
	await page.getByRole('button', { name: 'Import' }).click();
	const dialog = page.getByRole('dialog');
	await expect(dialog).toBeVisible();
	await page.goBack();
	await expect(dialog).toHaveCount(0);
	await page.getByRole('link', { name: 'Settings' }).click();
	await page.keyboard.press('ControlOrMeta+/');
	await page.getByRole('link', { name: 'Create Post' }).click();
	await expect(title).toBeVisible();
	await expect(dialog).toHaveCount(0);
	await page.keyboard.press('ControlOrMeta+/');
	await expect(dialog).toContainText('Keyboard shortcuts');
});

test('a comment is hidden and the hiding undone', async ({ page, request }) => {
	const post = await (await request.get('/api/posts/bm25-baseline')).json();
	const content = `To be hidden ${Date.now()}`;
	const data = { postId: post.id, author: 'Grace', email: 'desk@example.com', content };
	expect((await request.post('/api/comments', { data })).status()).toBe(201);
	const shown = async () =>
		JSON.stringify(await (await request.get(`/api/posts/${post.id}/comments`)).json());
	await open(page, 'comments');
	const row = page.getByRole('row').filter({ hasText: content });
	await row.getByRole('checkbox').check();
	await page.getByRole('button', { name: 'Hide' }).first().click();
	await expect(page.getByText('1 comment hidden.')).toBeVisible();
	expect(await shown()).not.toContain(content);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByText('Undone.')).toBeVisible();
	expect(await shown()).toContain(content);
});

test('a comment of many lines is folded until somebody asks for all of it @nightly', async ({
	page,
	request,
}) => {
	const post = await (await request.get('/api/posts/bm25-baseline')).json();
	const content = `Long ${Date.now()}\n${'line\n'.repeat(300)}the end`;
	const data = {
		postId: post.id,
		author: 'Grace',
		email: `long-${Date.now()}@example.com`,
		content,
	};
	expect((await request.post('/api/comments', { data })).status()).toBe(201);
	await open(page, 'comments');
	const row = page.getByRole('row').filter({ hasText: content.slice(0, 18) });
	const height = async () => (await row.boundingBox())!.height;
	await expect(row).toBeVisible();
	expect(await height()).toBeLessThan(500);
	await row.getByRole('button', { name: 'Show all' }).click();
	await expect.poll(height).toBeGreaterThan(3000);
	await row.getByRole('button', { name: 'Show less' }).click();
	await expect.poll(height).toBeLessThan(500);
});

test('a message is read, answered by email, archived and brought back', async ({
	page,
	request,
}) => {
	const name = `Grace ${Date.now()}`;
	const email = `${name.replace(' ', '-').toLowerCase()}@example.com`;
	const data = { name, email, topic: 'Correction', message: 'Table 2 adds up to 101.' };
	expect((await request.post('/api/contact', { data })).status()).toBe(201);
	await open(page, 'messages');
	const row = page.getByRole('row').filter({ hasText: name });
	await expect(row).toContainText('New');
	const link = page
		.getByRole('navigation', { name: 'Admin' })
		.getByRole('link', { name: 'Messages' });
	await expect(link).toHaveAttribute('aria-description', /^\d+ waiting$/);
	// All of its row opens it, not only the name.
	await row.getByText('Table 2 adds up to 101.').click({ force: true });
	const view = page.getByRole('article', { name: 'Correction' });
	await expect(view).toContainText('Table 2 adds up to 101.');
	await view.getByLabel(`Answer to ${name}`).fill('That is rounding.');
	// What was typed outlives the page.
	await page.reload();
	await expect(view.getByLabel(`Answer to ${name}`)).toHaveValue('That is rounding.');
	await view.getByText('Preview').click();
	const shown = view.frameLocator('iframe[title="The answer as an email"]');
	await expect(shown.getByText('That is rounding.', { exact: true })).toBeVisible();
	await expect(shown.getByText('Table 2 adds up to 101.')).toBeVisible();
	const before = await page.evaluate(() => history.length);
	await view.getByText('Text', { exact: true }).click();
	await expect(shown.locator('pre')).toContainText('> Table 2 adds up to 101.');
	await view.getByText('Dark', { exact: true }).click();
	await view.getByText('360 px', { exact: true }).click();
	await expect(view.locator('iframe')).toHaveAttribute('width', '360');
	await expect(shown.locator('.paper').first()).toHaveCSS('background-color', 'rgb(11, 16, 21)');
	expect(await page.evaluate(() => history.length)).toBe(before);
	await view.getByRole('button', { name: 'Send answer' }).click();
	const answers = view.getByRole('region', { name: 'Answers' });
	await expect(answers).toContainText('That is rounding.');
	await expect(view.getByLabel(`Answer to ${name}`)).toHaveValue('');
	expect((await axeOf(page).include('.message').analyze()).violations).toEqual([]);
	await view.getByRole('button', { name: 'Archive', exact: true }).click();
	await expect(row).toBeHidden();
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(row).toContainText('Answered');
	await expect(row).not.toContainText('New');
});

test('buttons are named by the words that stand on them @nightly', async ({ page }) => {
	await open(page, 'create');
	await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible();
	const named = axeOf(page).withRules('label-content-name-mismatch');
	expect((await named.analyze()).violations).toEqual([]);
	await page.getByRole('button', { name: 'Table', exact: true }).click();
	const tools = page.getByRole('group', { name: 'Table' });
	await expect(tools.getByText('Delete column')).toBeVisible();
	expect((await named.analyze()).violations).toEqual([]);
});

test('subscribers are imported from a file, with its faults told by line', async ({ page }) => {
	await open(page, 'subscribers');
	await page.getByRole('button', { name: 'Import' }).click();
	const dialog = page.getByRole('dialog', { name: 'Import subscribers' });
	const email = `desk-${Date.now()}@example.com`;
	await dialog.getByLabel('CSV file').setInputFiles({
		name: 'list.csv',
		mimeType: 'text/csv',
		buffer: Buffer.from(`Email,First name\n${email},Ada\nno address,Bob\n`),
	});
	await expect(dialog.getByText('Line 3')).toBeVisible();
	await dialog.getByRole('button', { name: 'Check 1 address' }).click();
	await expect(dialog.getByText('1 new')).toBeVisible();
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	const agreed = dialog.getByRole('textbox', { name: 'How did they agree' });
	await expect(agreed).toBeFocused();
	await expect(dialog.getByRole('alert')).toHaveText('Say how they agreed to get your letters');
	await agreed.fill('Asked at the fair');
	await dialog.getByRole('button', { name: 'Import', exact: true }).click();
	await expect(dialog.getByText('Imported.')).toBeVisible();
	await dialog.getByRole('button', { name: 'Done' }).click();
	await page.getByLabel('Search addresses').fill(email);
	await expect(page.getByRole('cell', { name: `${email} Ada` })).toBeVisible();
	// How somebody agreed stands with the person, and not in each row.
	await expect(page.getByText('Asked at the fair')).toBeHidden();
	await page
		.getByRole('cell', { name: `${email} Ada` })
		.getByRole('button')
		.click();
	await expect(page.getByText('Asked at the fair')).toBeVisible();
});

test('a file that is no export is refused, a folder of Markdown comes in as drafts', async ({
	page,
}) => {
	// The list of categories that the screen asks for never comes.
	let lists = 0;
	await page.route('**/api/categories', (route) => (lists++ > 0 ? route.continue() : undefined));
	await open(page, 'settings&part=Import+and+export');
	await expect.poll(() => lists).toBe(1);
	const choose = page.getByLabel('Import a file');
	const buffer = Buffer.from('{"no":"export"}');
	await choose.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
	await expect(page.getByRole('alert')).toContainText('This is none of the files');
	const slug = `imported-${Date.now()}`;
	const zip = zipSync({
		[`${slug}.md`]: strToU8('---\ntitle: Imported\ndate: 2024-05-01\n---\n\nWords.'),
	});
	await choose.setInputFiles({
		name: 'posts.zip',
		mimeType: 'application/zip',
		buffer: Buffer.from(zip),
	});
	const report = page.getByRole('table', { name: 'Markdown folder' });
	await expect(report.getByRole('row', { name: 'posts 1 1 0 0' })).toBeVisible();
	await page.getByLabel('Bring all posts in as drafts').check();
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await expect(page.getByText('Imported.')).toBeVisible();
	expect((await page.request.get(`/api/posts/${slug}`)).status()).toBe(404);
	const { rows: posts } = await (await page.request.get(`/api/admin/posts?q=${slug}`)).json();
	expect(posts).toMatchObject([{ slug, title: 'Imported', state: 'draft' }]);
});

test("the site's own archive is imported under its own policy, and undone as a whole @nightly", async ({
	page,
}) => {
	test.slow();
	await open(page, 'settings&part=Import+and+export');
	const exported = unzipSync(await (await page.request.get('/api/admin/export')).body());
	const all = JSON.parse(strFromU8(exported['data/posts.json']!)) as { slug: string }[];
	// What other tests wrote may be gone before it is imported, and would come back.
	const posts = all.filter(({ slug }) => SEEDED.includes(slug));
	expect(posts.length).toBeGreaterThanOrEqual(43);
	const key = `archived-${Date.now()}`;
	const words = Array.from({ length: 8000 }, (_, at) => ((at * 7919) % 104_729).toString(36));
	const added = Array.from({ length: 70 }, (_, at) => ({
		key: `${key}-${at}`,
		title: `${key} ${at}`,
		content: `<p>${words.toSpliced(0, at).join(' ')}</p>`,
		category: `${key}-home`,
		tags: [key],
	}));
	const list = strToU8(JSON.stringify([...posts, ...added]));
	expect(list.length).toBeGreaterThan(2_500_000);
	const category = { name: `Home of ${key}`, slug: `${key}-home` };
	const archive = zipSync({
		...exported,
		'data/posts.json': list,
		'data/comments.json': strToU8('[]'),
		'data/subscribers.json': strToU8('[]'),
		'data/categories.json': strToU8(JSON.stringify([category])),
	});
	await page.getByLabel('Import a file').setInputFiles({
		name: `${key}.zip`,
		mimeType: 'application/zip',
		buffer: Buffer.from(archive),
	});
	const report = page.getByRole('table', { name: 'Site archive' });
	const counts = `posts ${posts.length + added.length} 70 0 ${posts.length}`;
	await expect(report.getByRole('row', { name: counts })).toBeVisible({ timeout: 60_000 });
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await expect(page.getByText('Imported.')).toBeVisible({ timeout: 60_000 });
	const found = async () =>
		(await (await page.request.get(`/api/admin/posts?q=${key}`)).json()) as { total: number };
	expect((await found()).total).toBe(70);

	// One entry of the log, which takes all of it back.
	await page.getByRole('button', { name: 'Done' }).click();
	await page.getByRole('link', { name: 'Audit log' }).click();
	await page.getByLabel('Search the log').fill(`${key}.zip`);
	const entry = page.getByRole('row', { name: `imported a file Site archive: ${key}.zip` });
	await entry.getByRole('button', { name: 'Undo this import' }).click();
	const dialog = page.getByRole('dialog', { name: 'Undo an import' });
	await expect(dialog.getByText('70 posts, 1 category, and 1 tag')).toBeVisible();
	await dialog.getByRole('button', { name: 'Undo the import' }).click();
	await expect(page.getByText('Import undone', { exact: true })).toBeVisible();
	expect((await found()).total).toBe(0);
	await expect(page.getByText(`${key}.zip: 70 posts removed, 0 kept`)).toBeVisible();
});

test('reading a file can be canceled, and one that is cut off says where @nightly', async ({
	page,
}) => {
	await open(page, 'settings&part=Import+and+export');
	// Nothing comes of the reader, as where its code is very slow to load.
	await page.route(/reader\.worker/, () => new Promise<void>(() => {}));
	const choose = page.getByLabel('Import a file');
	const cut = {
		name: 'ghost.json',
		mimeType: 'application/json',
		buffer: Buffer.from('{\n"db": ['),
	};
	await choose.setInputFiles(cut);
	await expect(page.getByText('Reading ghost.json')).toBeVisible();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await expect(page.getByRole('alert')).toHaveText('Canceled.');
	await page.unroute(/reader\.worker/);
	await choose.setInputFiles(cut);
	await expect(page.getByRole('alert')).toContainText('ends in the middle, at line 2');
});

test('the words that search knows are rows, and a row that cannot be read says why @nightly', async ({
	page,
}) => {
	await open(page, 'settings&part=Words+that+search+knows');
	const names = page.getByRole('group', { name: 'Names for the same thing' });
	const save = page.getByRole('button', { name: 'Save words' });
	await names.getByRole('button', { name: 'Add a row' }).click();
	const row = names.getByRole('listitem').first();
	const word = row.getByLabel('Word', { exact: true });
	await expect(word).toBeFocused();
	await page.keyboard.type('ZQX');
	await save.click();
	await expect(row.getByRole('alert')).toHaveText(/^A name is missing/);
	await expect(word).toBeFocused();
	await expect(word).toHaveValue('ZQX');
	await row.getByLabel('Other names').fill('Kalman filter');
	await expectAccessible(page);
	await save.click();
	await expect(page.getByText('Search knows them from now on.').first()).toBeVisible();
	const found = await (await page.request.get('/api/posts/search?q=zqx')).json();
	expect(found[0]).toMatchObject({ slug: 'kalman-filter-careful-averaging' });
	// Found by its word after a reload, beyond the rows that are shown first.
	await page.reload();
	await page.getByRole('searchbox', { name: 'Find a word' }).fill('zqx');
	await expect(names.getByRole('listitem')).toHaveCount(1);
	await names.getByRole('button', { name: 'Remove ZQX' }).click();
	await save.click();
	await expect
		.poll(async () => (await page.request.get('/api/posts/search?q=zqx')).json())
		.toEqual([]);
});

test('a setting is found in the palette, opens on its own page, and back leads to where one was', async ({
	page,
}) => {
	await open(page, 'posts');
	await page.getByRole('button', { name: 'Commands' }).click();
	const commands = page.getByRole('dialog', { name: 'Commands' });
	await expect(commands.getByRole('combobox')).toBeFocused();
	await page.keyboard.type('reply-to');
	await expect(commands.getByRole('option', { selected: true })).toContainText(
		'Address for readers',
	);
	await page.keyboard.press('Enter');
	await expect(page.getByLabel('Address for readers')).toBeFocused();
	await expect(page).toHaveURL('/admin?tab=site&part=Mail');
	await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Mail']);
	const parts = page.getByRole('navigation', { name: 'Parts of the site' });
	await expect(parts.getByRole('link', { name: 'Mail' })).toHaveAttribute('aria-current', 'page');
	// Each page is saved alone, and what is typed on another one stays.
	await page.getByLabel('Address for readers').fill('nobody');
	await parts.getByRole('link', { name: 'Name', exact: true }).click();
	await expect(page.getByRole('button', { name: 'Discard changes' })).toBeHidden();
	await expect(parts.getByRole('link', { name: 'Mail Not saved' })).toBeVisible();
	await page.goBack();
	await expect(page.getByLabel('Address for readers')).toHaveValue('nobody');
	await page.goBack();
	await expect(page.getByRole('heading', { name: 'Manage Posts', level: 1 })).toBeVisible();
	await page.goForward();
	await page.getByRole('button', { name: 'Discard changes' }).click();
	await expect(parts.getByText('Not saved')).toBeHidden();
	await page.getByRole('searchbox', { name: 'Search site' }).fill('brand hue');
	await expect(parts.getByRole('link')).toHaveCount(2);
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await expect(page.getByLabel('Accent color, light theme')).toBeFocused();
});

/** Parts of Site and Settings that have an input of each kind; the others are looked at each night. */
const DAILY = ['Looks', 'Links', 'New comments', 'Sign-in', 'Import and export'];
const isDue = ({ name }: { name: string }) =>
	process.env['TESTS'] !== 'daily' || DAILY.includes(name);

for (const colorScheme of ['light', 'dark'] as const) {
	const nightly = colorScheme === 'light' ? '' : ' @nightly';
	for (const group of GROUPS) {
		test(`the tabs of ${group} are accessible in the ${colorScheme} theme and fit a phone${nightly}`, async ({
			page,
		}) => {
			test.setTimeout(900_000);
			await page.emulateMedia({ colorScheme });
			const tabs = SCREENS.filter((screen) => screen.group === group).flatMap(({ id }) => {
				const parts = id === 'settings' ? SETTINGS : id === 'site' ? SITE_PARTS : [];
				return parts.length > 0
					? parts.filter(isDue).map(({ name }) => `${id}&part=${name}`)
					: [id];
			});
			for (const tab of tabs) {
				await test.step(tab, async () => {
					await page.setViewportSize({ width: 1280, height: 720 });
					await open(page, tab);
					await page.waitForLoadState('networkidle');
					await expectAccessible(page);
					await page.setViewportSize({ width: 360, height: 800 });
					const over = await page.evaluate(() => document.body.scrollWidth - innerWidth);
					expect(over, tab).toBeLessThanOrEqual(0);
				});
			}
		});
	}
}
