import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { JSDOM } from 'jsdom';
import { afterAll, expect, test } from 'vitest';
import { migrateDb, openDb } from '#db/local.ts';
import { settings } from '#db/schema.ts';
import { DEFAULT_SETTINGS, withoutSamples } from '#src/site.ts';

const run = promisify(execFile);
let folder = '';

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

test('a site without a post, a state, a category or a testimonial builds, and each page says something and leads somewhere', async () => {
	// In the checkout: Astro takes no other for its bundles.
	await mkdir('.site', { recursive: true });
	folder = resolve(await mkdtemp(join('.site', 'empty-')));
	const url = `file:${join(folder, 'site.db')}`;
	const db = await openDb(url);
	await migrateDb(db);
	const value = { version: 1, ...withoutSamples(DEFAULT_SETTINGS), name: 'Second Opinion' };
	await db.insert(settings).values({ key: 'site', value });
	const out = join(folder, 'out');
	await run(process.execPath, ['tests/support/build-site.ts', out, join(folder, 'cache')], {
		env: {
			...process.env,
			DATABASE_URL: url,
			SITE_URL: 'https://site.test',
			ASTRO_TELEMETRY_DISABLED: '1',
		},
	});
	const entries = await readdir(out, { recursive: true, withFileTypes: true });
	const files = new Set(
		entries
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(out.length)),
	);
	const isThere = (path: string) =>
		[path, `${path}.html`, `${path.replace(/\/$/, '')}/index.html`].some((one) => files.has(one));
	const faults: string[] = [];
	const texts = new Map<string, string>();
	for (const file of files) {
		if (!file.endsWith('.html')) continue;
		const { document } = new JSDOM(await readFile(out + file, 'utf8')).window;
		const fault = (what: string) => faults.push(`${file}: ${what}`);
		for (const part of document.querySelectorAll('template, noscript')) part.remove();
		texts.set(file, document.querySelector('main')?.textContent ?? '');
		if (!/admin|preview/.test(file) && document.querySelectorAll('h1').length !== 1)
			fault('not one h1');
		for (const heading of document.querySelectorAll('h1, h2, h3, h4'))
			if (!heading.textContent.trim()) fault('an empty heading');
		for (const list of document.querySelectorAll('main :is(ul, ol, dl, tbody, nav)'))
			if (!list.textContent.trim()) fault(`an empty ${list.localName}: ${list.className}`);
		for (const link of document.querySelectorAll('a[href^="/"], form[action^="/"]')) {
			const href = link.getAttribute('href') ?? link.getAttribute('action') ?? '';
			const { pathname } = new URL(href, 'https://site.test');
			if (!pathname.startsWith('/api/') && !isThere(pathname)) fault(`leads to ${href}`);
		}
	}
	expect(faults).toEqual([]);
	expect(texts.get('/index.html')).toContain('The first article is being written');
	expect(texts.get('/blog.html')).toContain('The first article is being written');
	expect(texts.get('/ai-best-practices.html')).toContain('No state guides here');
	const told = [...texts].filter(([, text]) =>
		/50 (US )?states|fifty|groundtruth|California|Creative Commons/i.test(text),
	);
	expect(told.map(([file]) => file)).toEqual([]);
	for (const file of ['/rss.xml', '/sitemap.xml', '/llms.txt'])
		if (files.has(file)) expect(await readFile(out + file, 'utf8')).toContain('Second Opinion');
}, 600_000);
