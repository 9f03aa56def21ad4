import type { Locator, Page } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

// Python takes seconds to start where others test as well.
test.describe.configure({ timeout: 180_000 });

const button = (block: Locator, name: string) => block.getByRole('button', { name, exact: true });
const status = (block: Locator) => block.getByRole('status');
const blocksOf = (page: Page, language: string) => page.locator(`[data-run="${language}"]`);
/** Output that the article gives for a block. */
const printed = async (block: Locator) =>
	(await block.locator('xpath=following-sibling::figure[1]').locator('code').textContent())!;

/** Stops a program, and returns how long that took by the page's clock. */
async function msToStop(block: Locator): Promise<number> {
	const ms = await block.evaluate(async (node) => {
		const stop = [...node.querySelectorAll('button')].find((one) => one.textContent === 'Stop')!;
		const start = performance.now();
		stop.click();
		while (node.querySelector('[role=status]')!.textContent !== 'Stopped.')
			await new Promise(requestAnimationFrame);
		return performance.now() - start;
	});
	test.info().annotations.push({ type: 'ms to stop', description: String(ms) });
	return ms;
}

/** Writes another program into a block, and runs it. */
async function runInstead(block: Locator, source: string) {
	await button(block, 'Edit').click();
	await block.getByRole('textbox').fill(source);
	await button(block, 'Run').click();
}

test('long data is folded, and copied, printed and edited whole @nightly', async ({ page }) => {
	await page.addInitScript(() => {
		Object.defineProperty(navigator, 'clipboard', {
			value: { writeText: (text: string) => Promise.resolve(Object.assign(window, { text })) },
		});
	});
	await page.goto('/blog/counting-ai-jobs');
	const block = blocksOf(page, 'python').filter({ has: page.locator('summary') });
	const last = block.getByText('WI 2885990', { exact: false });
	await expect(block.getByText('AL 2053090', { exact: false })).toBeVisible();
	await expect(last).toBeHidden();
	await button(block, 'Copy').click();
	const copied = await page.evaluate(() => (window as unknown as { text: string }).text);
	expect(copied).toContain('TABLE = """\nAL 2053090');
	expect(copied).toContain(
		'WI 2885990 59500 3090 105250 40 130800 21800, WY 273750 57930 - - - - 670\n"""',
	);
	await page.emulateMedia({ media: 'print' });
	await expect(last).toBeVisible();
	await expect(block.locator('summary')).toBeHidden();
	await page.emulateMedia({ media: 'screen' });
	await expect(last).toBeHidden();
	await button(block, 'Edit').click();
	await expect(block.getByRole('textbox')).toHaveValue(copied);
	await expect(block.locator('summary')).toBeHidden();
	// Its colors are those of the article, and follow what is typed.
	await expect(block.locator('.run-colors .t-s').first()).toContainText('AL 2053090');
	await block.getByRole('textbox').fill('def one():\n    return 1  # small');
	await expect(block.locator('.run-colors .t-k')).toHaveText(['def', 'return']);
	await expect(block.locator('.run-colors .t-c')).toHaveText('# small');
	await expectAccessible(page);
	await button(block, 'Reset').click();
	await expect(block.locator('.run-colors')).toHaveCount(0);
	await block.locator('summary').click();
	await expect(last).toBeVisible();
});

test('JavaScript runs where it is printed, block after block, and is loaded by the first click', async ({
	page,
	baseURL,
}) => {
	const requests: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	await page.goto('/blog/odometry-heading-drift');
	await page.waitForLoadState('networkidle');
	const isOfRuns = (url: string) => /run-frame|worker|blocks|pyodide|python_stdlib/.test(url);
	expect(requests.filter(isOfRuns)).toEqual([]);
	await expect(page.locator('iframe')).toHaveCount(0);

	const [first, second] = [blocksOf(page, 'js').nth(0), blocksOf(page, 'js').nth(1)];
	await button(second, 'Run').focus();
	await page.keyboard.press('Enter');
	await expect(status(second)).toContainText('Same as printed.');
	expect(await status(second).locator('pre').textContent()).toBe(await printed(second));
	await expect(second.locator('iframe[sandbox]')).toHaveAttribute('sandbox', 'allow-scripts');
	expect(requests.filter(isOfRuns).length).toBeGreaterThan(1);
	expect(requests.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(baseURL!))).toEqual(
		[],
	);

	// A change is seen in the block itself and in those after it, and taken back.
	await runInstead(
		first,
		`${await first.locator('code').textContent()}\nconsole.log('one more line');`,
	);
	await expect(status(first)).toContainText('Not the same as printed: 1 line differs.');
	await expect(status(first).locator('ins')).toContainText('one more line');
	await expectAccessible(page);
	await button(first, 'Reset').click();
	await expect(status(first)).toBeEmpty();
	await expect(first.getByRole('textbox')).toHaveCount(0);
	await runInstead(first, 'throw new Error("gone")');
	await button(second, 'Run').click();
	await expect(status(second)).toContainText(
		'Block 1, which runs before, ended with an error. Error: gone (line 1)',
	);
	await button(first, 'Reset').click();
	await button(first, 'Run').click();
	await expect(status(first)).toContainText('Same as printed.');

	// On paper there are no controls.
	await page.emulateMedia({ media: 'print' });
	await expect(button(first, 'Run')).toBeHidden();
	await expect(status(first)).toBeHidden();
});

test('a program has no network, no storage, no page, and limits of time, memory and output', async ({
	page,
	request,
}) => {
	const { headers } = await request
		.get('/run-frame')
		.then((response) => ({ headers: response.headers() }));
	expect(headers['content-security-policy']).toContain("connect-src 'none'");
	expect(headers['content-security-policy']).toContain('sandbox allow-scripts');
	await page.goto('/blog/odometry-heading-drift');
	// A host that would answer anybody.
	let asked = 0;
	const host = createServer((_, response) => {
		asked++;
		response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end();
	});
	host.on('upgrade', () => asked++);
	await once(host.listen(0, '127.0.0.1'), 'listening');
	const leak = `127.0.0.1:${(host.address() as AddressInfo).port}/leak`;
	const block = blocksOf(page, 'js').first();
	const tries: [program: string, told: string][] = [
		[`await fetch('http://${leak}')`, 'TypeError: Programs have no network here.'],
		[
			// By other ways than those that the worker has wrapped.
			`const said = [];
const x = new XMLHttpRequest();
x.open('GET', 'http://${leak}', false);
try { x.send(); said.push('sent'); } catch { said.push('no request'); }
try { importScripts('http://${leak}'); said.push('loaded'); } catch { said.push('no script'); }
await import('http://${leak}').then(() => said.push('loaded'), () => said.push('no module'));
const socket = new WebSocket('ws://${leak}');
await new Promise((done) => (socket.onerror = () => { said.push('no socket'); done(); }));
console.log(said.join(', '));`,
			'no request, no script, no module, no socket',
		],
		["localStorage.getItem('theme')", 'ReferenceError: localStorage is not defined (line 1)'],
		["indexedDB.open('x')", 'access to the Indexed Database API is denied'],
		['console.log(typeof document, typeof parent, self.origin)', 'undefined undefined null'],
		[
			'const all = []; for (let i = 0; i < 16; i++) all.push(new Uint8Array(2 ** 27));',
			'RangeError: A program has 1 GB of memory here.',
		],
		['const all = new Array(2 ** 28).fill(1);', 'RangeError: A program has 1 GB of memory here.'],
		["console.log('x'.repeat(1e6))", 'Stopped: it prints more than 100,000 characters.'],
		["for (;;) console.log('again')", 'Stopped: it prints more than 100,000 characters.'],
		['const a = ;', 'SyntaxError'],
		["import { readFile } from 'node:fs';", 'node:fs is not here'],
	];
	for (const [program, told] of tries) {
		await runInstead(block, program);
		// Some of them fill 1 GB first.
		await expect(status(block)).toContainText(told, { timeout: 60_000 });
	}
	expect(asked).toBe(0);
	expect((await fetch(`http://${leak}`)).status).toBe(200);
	expect(asked).toBe(1);
	host.close();

	await runInstead(block, 'for (;;);');
	await expect(status(block)).toHaveText('Running …');
	expect(await msToStop(block)).toBeLessThan(1000);
	await expect(page.locator('iframe')).toHaveCount(0);
	await expect(button(block, 'Run')).toBeFocused();
});

test('Python comes from this site, says how much it loads, goes on from block to block, and ends as told @nightly', async ({
	page,
	baseURL,
	consoleErrors,
}) => {
	const foreign: string[] = [];
	page.context().on('request', (one) => {
		if (!/^(data|blob):/.test(one.url()) && !one.url().startsWith(baseURL!))
			foreign.push(one.url());
	});
	await page.goto('/blog/agents-and-long-runs');
	const [first, second] = [blocksOf(page, 'python').nth(0), blocksOf(page, 'python').nth(1)];
	await expect(first).toContainText('loads 6 MB');
	await button(first, 'Run').click();
	await expect(status(first)).toContainText(/Loading Python: \d of 6 MB|Starting Python/);
	await expect(status(first)).toContainText('Same as printed.', { timeout: 90_000 });
	await expect(first).not.toContainText('loads 6 MB');
	expect(await status(first).locator('pre').textContent()).toBe(await printed(first));
	// The second block goes on in the same Python.
	await runInstead(second, 'print(design.__name__)\nopen("/tmp/x", "w").write("kept")');
	await expect(status(second)).toContainText('Not the same as printed');
	await expect(status(second).locator('ins')).toContainText('design');

	await runInstead(
		second,
		`import urllib.request
try:
    urllib.request.urlopen('${baseURL}/leak')
except OSError as error:
    print('no network')
try:
    from js import localStorage
except ImportError:
    print('no storage')
kept = [bytearray(2 ** 28) for _ in range(8)]`,
	);
	await expect(status(second)).toContainText('MemoryError', { timeout: 90_000 });
	await expect(status(second)).toContainText('A program has 1 GB of memory here.');
	await expect(status(second).locator('pre')).toHaveText('no network\nno storage');
	await runInstead(second, 'bytearray(2 * 1024 ** 3)');
	await expect(status(second)).toContainText('A program has 1 GB of memory here.', {
		timeout: 90_000,
	});
	await runInstead(second, 'while True: pass');
	await expect(status(second)).toHaveText('Running …', { timeout: 90_000 });
	expect(await msToStop(second)).toBeLessThan(1000);
	expect(foreign).toEqual([]);
	consoleErrors.splice(0);
});

test('a machine that is slow to start Python is told so, and not that its connection is gone @nightly', async ({
	page,
	consoleErrors,
}) => {
	// A frame whose worker never gets to the end of its start.
	await page.route('**/run-frame', (route) =>
		route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Program</title>' }),
	);
	await page.clock.install();
	await page.goto('/blog/agents-and-long-runs');
	const block = blocksOf(page, 'python').first();
	await button(block, 'Run').click();
	await expect(status(block)).toHaveText('Starting Python …', { timeout: 90_000 });
	await page.clock.fastForward(10_000);
	await expect(status(block)).toContainText('This machine is slow or busy');
	await page.clock.fastForward(180_000);
	await expect(status(block)).toContainText('this machine is slow or busy. Please try again.');
	await expect(status(block)).not.toContainText('connection');
	await expect(button(block, 'Run')).toBeVisible();
	consoleErrors.splice(0);
});
