import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadFunctions } from '#src/build/functions.ts';
import { examplesOf, isActive, isFreeSlug, pageAt, PAGES, paths } from './site.ts';

test('Home is active on exactly /, the others by path prefix', () => {
	const active = (pathname: string) =>
		['/', '/blog', '/about'].filter((href) => isActive(href, pathname));
	expect(active('/')).toEqual(['/']);
	expect(active('/blog')).toEqual(['/blog']);
	expect(active('/blog/a')).toEqual(['/blog']);
	expect(active('/blogs')).toEqual([]);
	expect(active('/nowhere')).toEqual([]);
});

test('the first page of a list has no number', () => {
	expect([paths.blog(), paths.blog(1), paths.blog(2)]).toEqual(['/blog', '/blog', '/blog/page/2']);
	expect([paths.category('a'), paths.tag('a', 3)]).toEqual(['/category/a', '/tag/a/page/3']);
});

test('the table of pages has every page of src/pages, and no other', async () => {
	const files = glob('**/*.astro', { cwd: fileURLToPath(new URL('pages', import.meta.url)) });
	const found: string[] = [];
	for await (const file of files) {
		// What is missing has a screen and no address; what begins with an underscore is no page to Astro.
		if (/^404|(^|\/)_/.test(file)) continue;
		const path = file.replace(/(^|\/)index\.astro$|\.astro$/, '').replace(/\[(\w+)\]/g, ':$1');
		found.push(`/${path}`);
	}
	expect(PAGES.map(({ path }) => path).sort()).toEqual(found.sort());
});

test('a page is found by its address, and the nearest kind wins', () => {
	expect(pageAt('/ai-best-practices/compare')?.path).toBe('/ai-best-practices/compare');
	expect(pageAt('/tag/a/page/2')?.path).toBe('/tag/:slug/page/:page');
	for (const path of [
		'/404',
		'/404-article',
		'/styleguide',
		'/api',
		'/blog/a/b',
		'/about/s',
		'/A b',
		'',
	]) {
		expect(pageAt(path), path).toBeUndefined();
	}
	for (const page of PAGES) {
		for (const path of examplesOf([page])) expect(pageAt(path), path).toBe(page);
	}
});

test('a page of the admin\u2019s own takes no address that begins with what the site has', async () => {
	const root = fileURLToPath(new URL('..', import.meta.url));
	const found = new Set<string>();
	for await (const file of glob(['src/pages/**/*', 'public/*', '_*'], { cwd: root }))
		found.add(file.replace(/^(src\/pages|public)\//, ''));
	for (const { config } of await loadFunctions()) {
		const { path = [] } = (config ?? {}) as { path?: string | string[] };
		for (const one of [path].flat()) found.add(one.slice(1));
	}
	for (const [, path] of (await readFile(`${root}netlify.toml`, 'utf8')).matchAll(
		/(?:from|for) = "\/([^"]+)"/g,
	))
		found.add(path!);
	const words = [...found].map((path) => path.split('/')[0]!.replace(/\.(astro|ts)$/, ''));
	expect(words).toContain('404-article');
	expect(words).toContain('api');
	expect(words.filter(isFreeSlug)).toEqual([]);
	for (const slug of ['imprint', 'code-of-conduct', '404-things'])
		expect(isFreeSlug(slug)).toBe(true);
	for (const slug of ['', '-a', 'A', 'a.b', 'a/b', 'constructor b'])
		expect(isFreeSlug(slug)).toBe(false);
});

test('pages that take a key from an email say so, and their layout loads no tag service for them', async () => {
	const root = fileURLToPath(new URL('../', import.meta.url));
	const silent: string[] = [];
	for await (const file of glob('src/pages/**/*.astro', { cwd: root }))
		if (/<Base[^>]*\stakesToken\b/.test(await readFile(root + file, 'utf8'))) silent.push(file);
	expect(silent.sort()).toEqual(
		['admin', 'course', 'preferences', 'preview', 'unsubscribe'].map(
			(name) => `src/pages/${name}.astro`,
		),
	);
	const layout = await readFile(`${root}src/layouts/Base.astro`, 'utf8');
	expect(layout.match(/.*<Analytics \/>.*/g)!.map((line) => line.trim())).toEqual([
		'{!takesToken && <Analytics />}',
	]);
});
