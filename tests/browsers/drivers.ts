import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findTestBrowser } from '#tests/support/browser.mjs';
import { siteFolder } from '#src/build/builds.ts';
import { inPage, KEY_MS, type Driver } from '#tests/support/changed-pages.ts';
import { startHost } from '#tests/support/host.ts';
import { freePort } from '#tests/support/ports.ts';
import { find } from '#tests/support/programs.mjs';

/** A driver of a whole browser. */
type Looker = Driver & {
	/** Makes the part of the window that shows a page this large. */
	resize: (width: number, height: number) => Promise<void>;
	/** Returns a picture of what is seen, as a PNG. */
	picture: () => Promise<Buffer>;
};

/** A browser that has been started, with its version. */
type Started = { driver: Looker; version: string; stop?: () => Promise<unknown> };

/** The programs that run, which must not outlast this one. */
const programs = new Set<ChildProcess>();
process.once('exit', () => programs.forEach((program) => program.kill()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Returns the address of the site that is given, or of a new one, and what ends that. */
export async function openSite(
	given: string | undefined,
): Promise<{ site: string; close: () => Promise<void> }> {
	if (given) return { site: given, close: () => Promise.resolve() };
	const folder = await mkdtemp(join(tmpdir(), 'groundtruth-browsers-'));
	const url = `file:${join(folder, 'site.db')}`;
	const host = await startHost({ DATABASE_URL: url });
	const close = async () => {
		await host.stop();
		for (const one of [folder, siteFolder(url)]) await rm(one, { recursive: true, force: true });
	};
	return { site: host.address, close };
}

/** Does something in the browsers that are named, by commas, or in all. Prints and counts those in which it failed. */
export async function inBrowsers(
	names: string | undefined,
	address: () => Promise<string>,
	work: (driver: Looker, version: string) => Promise<void>,
): Promise<number> {
	let failures = 0;
	for (const name of names?.split(',') ?? Object.keys(BROWSERS)) {
		let started: Started | undefined;
		try {
			started = await BROWSERS[name]!(await address());
			await work(started.driver, started.version);
		} catch (error) {
			failures++;
			console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
		}
		await started?.stop?.();
		await Promise.all([...programs].map(ended));
	}
	return failures;
}

/** How each browser is started. One that is not installed throws what to install. */
const BROWSERS: Record<string, (site: string) => Promise<Started>> = {
	chromium: startChromium,
	firefox: startFirefox,
	webkit: startWebKit,
};

/** Actions of WebDriver, which its two protocols share. */
type Actions = { type: string; id: string; parameters?: object; actions: object[] }[];

/** Makes a driver of a protocol that goes to addresses, evaluates expressions and performs actions. */
function driverOf(
	site: string,
	open: (address: string) => Promise<unknown>,
	run: Driver['run'],
	act: (actions: Actions) => Promise<unknown>,
	look: Pick<Looker, 'resize' | 'picture'>,
): Looker {
	const driver: Looker = {
		open: async (path) => void (await open(new URL(path, site).href)),
		run,
		...look,
		async press(selector) {
			const [x, y] = await inPage(driver, middleOf, selector);
			const parameters = { pointerType: 'mouse' };
			const actions = [
				{ type: 'pointerMove', x, y, duration: 100 },
				{ type: 'pointerDown', button: 0 },
				{ type: 'pause', duration: 60 },
				{ type: 'pointerUp', button: 0 },
			];
			await act([{ type: 'pointer', id: 'mouse', parameters, actions }]);
		},
		async type(text) {
			const actions = [...text].flatMap((value) => [
				{ type: 'keyDown', value },
				{ type: 'pause', duration: KEY_MS },
				{ type: 'keyUp', value },
			]);
			await act([{ type: 'key', id: 'keys', actions }]);
		},
	};
	return driver;
}

/** Scrolls an element to the middle of the window, waits until it stays there, and returns the middle of what is seen of it. */
async function middleOf(selector: string): Promise<[number, number]> {
	const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
	for (let last = Number.NaN, end = Date.now() + 60_000; Date.now() < end;) {
		const element = document.querySelector(selector);
		element?.scrollIntoView({ block: 'center', behavior: 'instant' });
		await frame();
		await frame();
		const box = element?.getBoundingClientRect();
		if (box && box.width > 0 && box.top === last)
			return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
		last = box?.top ?? Number.NaN;
	}
	throw new Error(`Nothing to press: ${selector}`);
}

async function startChromium(site: string): Promise<Started> {
	const executablePath = findTestBrowser();
	const args = ['--no-sandbox', '--disable-gpu'];
	const browser = await chromium.launch({ ...(executablePath && { executablePath }), args });
	const page = await browser.newPage();
	const driver: Looker = {
		...driverOf(
			site,
			(address) => page.goto(address),
			(expression) => page.evaluate(expression),
			() => Promise.resolve(),
			{
				resize: (width, height) => page.setViewportSize({ width, height }),
				picture: () => page.screenshot(),
			},
		),
		type: (text) => page.keyboard.type(text, { delay: KEY_MS }),
		async press(selector) {
			const [x, y] = await inPage(driver, middleOf, selector);
			await page.mouse.move(x, y);
			await page.mouse.down();
			await page.mouse.up();
		},
	};
	return { driver, version: `Chromium ${browser.version()}`, stop: () => browser.close() };
}

/** Firefox speaks WebDriver BiDi itself, over a socket. */
async function startFirefox(site: string): Promise<Started> {
	const program = find('firefox-esr', 'firefox');
	if (!program) throw new Error('Firefox is missing: install firefox-esr.');
	const profile = await mkdtemp(join(tmpdir(), 'groundtruth-firefox-'));
	const size = ['--width=1280', '--height=900'];
	const port = '--remote-debugging-port=0';
	const firefox = launch(program, ['--headless', port, '--profile', profile, ...size]);
	const address = await said(firefox, /WebDriver BiDi listening on (ws:\S+)/);
	const socket = new WebSocket(`${address}/session`);
	await new Promise((opened) => socket.addEventListener('open', opened));
	let count = 0;
	const send = (method: string, params: object) =>
		new Promise<Record<string, never>>((resolve, reject) => {
			const id = ++count;
			const hear = ({ data }: MessageEvent) => {
				const answer = JSON.parse(data as string) as {
					id: number;
					error?: string;
					message: string;
					result: never;
				};
				if (answer.id !== id) return;
				socket.removeEventListener('message', hear);
				if (answer.error) reject(new Error(answer.message));
				else resolve(answer.result);
			};
			socket.addEventListener('message', hear);
			socket.send(JSON.stringify({ id, method, params }));
		});
	const { capabilities } = (await send('session.new', { capabilities: {} })) as unknown as {
		capabilities: { browserVersion: string };
	};
	const tree = (await send('browsingContext.getTree', {})) as unknown as {
		contexts: { context: string }[];
	};
	const { context } = tree.contexts[0]!;
	const driver = driverOf(
		site,
		(url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
		async (expression) => {
			const answer = (await send('script.evaluate', {
				expression: `(async () => JSON.stringify(await (${expression}) ?? null))()`,
				target: { context },
				awaitPromise: true,
			})) as { result?: { value: string }; exceptionDetails?: { text: string } };
			if (!answer.result) throw new Error(answer.exceptionDetails?.text);
			return JSON.parse(answer.result.value) as unknown;
		},
		(actions) => send('input.performActions', { context, actions }),
		{
			resize: async (width, height) =>
				void (await send('browsingContext.setViewport', { context, viewport: { width, height } })),
			picture: async () => {
				const { data } = (await send('browsingContext.captureScreenshot', {
					context,
				})) as unknown as { data: string };
				return Buffer.from(data, 'base64');
			},
		},
	);
	const stop = async () => {
		await ended(firefox);
		await rm(profile, { recursive: true, force: true });
	};
	return { driver, version: `Firefox ${capabilities.browserVersion}`, stop };
}

/** WebKit speaks WebDriver by a program of its own, and needs a screen. */
async function startWebKit(site: string): Promise<Started> {
	const program = find('WebKitWebDriver');
	const screenProgram = find('Xvfb');
	if (!program || !screenProgram)
		throw new Error('WebKit is missing: install webkit2gtk-driver and xvfb.');
	const screen = launch(screenProgram, ['-displayfd', '1', '-screen', '0', '1300x1000x24']);
	const display = await said(screen, /^(\d+)\s/);
	const port = await freePort();
	const env = {
		...process.env,
		DISPLAY: `:${display}`,
		WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
	};
	launch(program, [`--port=${port}`], env);
	const call = async (path: string, body?: object) => {
		const asked = body && { method: 'POST', body: JSON.stringify(body) };
		const response = await fetch(`http://127.0.0.1:${port}${path}`, asked);
		const { value } = (await response.json()) as { value: never };
		if (!response.ok) throw new Error(JSON.stringify(value));
		return value;
	};
	const libraries = '/usr/lib/x86_64-linux-gnu';
	// Other programs bring older ones, which the driver does not speak to.
	const folders = (await readdir(libraries)).filter((name) => /^webkit2?gtk-/.test(name)).sort();
	const binary = join(libraries, folders.at(-1)!, 'MiniBrowser');
	const capabilities = {
		// Longer than any script here waits for the page.
		alwaysMatch: {
			timeouts: { script: 120_000 },
			'webkitgtk:browserOptions': { binary, args: ['--automation'] },
		},
	};
	let session: { sessionId: string; capabilities: { browserVersion: string } } | undefined;
	for (let tries = 0; !session; tries++) {
		try {
			session = await call('/session', { capabilities });
		} catch (error) {
			if (tries === 20) throw error;
			await wait(500);
		}
	}
	const { sessionId } = session;
	const at = `/session/${sessionId}`;
	const driver = driverOf(
		site,
		(url) => call(`${at}/url`, { url }),
		async (expression) => {
			const script = `const done = arguments[arguments.length - 1]; (async () => JSON.stringify(await (${expression}) ?? null))().then(done, (error) => done(JSON.stringify({ thrown: String(error) })))`;
			const text = (await call(`${at}/execute/async`, { script, args: [] })) as string;
			const value = JSON.parse(text) as { thrown?: string } | null;
			if (value && typeof value === 'object' && value.thrown) throw new Error(value.thrown);
			return value;
		},
		(actions) => call(`${at}/actions`, { actions }),
		{
			async resize(width, height) {
				// The window is larger than the page by its bars.
				const [inner, outer] = [
					(await driver.run('[innerWidth, innerHeight]')) as [number, number],
					(await call(`${at}/window/rect`)) as { width: number; height: number },
				];
				await call(`${at}/window/rect`, {
					width: outer.width + width - inner[0],
					height: outer.height + height - inner[1],
				});
			},
			picture: async () => Buffer.from(await call(`${at}/screenshot`), 'base64'),
		},
	);
	const stop = () => fetch(`http://127.0.0.1:${port}${at}`, { method: 'DELETE' });
	return { driver, version: `WebKit ${session.capabilities.browserVersion}`, stop };
}

function launch(program: string, args: string[], env = process.env): ChildProcess {
	const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
	for (const stream of [child.stdout, child.stderr]) stream.resume();
	programs.add(child);
	child.once('exit', () => programs.delete(child));
	return child;
}

/** Waits for what a program prints, and returns its first group. */
function said(program: ChildProcess, pattern: RegExp): Promise<string> {
	let text = '';
	return new Promise((resolve, reject) => {
		const hear = (chunk: Buffer) => {
			text += chunk.toString();
			const found = pattern.exec(text)?.[1];
			if (found) resolve(found);
		};
		program.stdout?.on('data', hear);
		program.stderr?.on('data', hear);
		program.once('exit', () => reject(new Error(`It ended: ${text}`)));
	});
}

async function ended(program: ChildProcess): Promise<void> {
	if (program.exitCode !== null || program.signalCode !== null) return;
	const end = new Promise((resolve) => program.once('exit', resolve));
	program.kill();
	await end;
}
