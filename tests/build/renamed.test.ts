import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { categories, posts, postTags, tags } from '#db/schema.ts';
import { updateSite } from '#src/core/settings/site.server.ts';
import { seedOnlyPages } from '#tests/support/seed.ts';

const run = promisify(execFile);
const actor = { actor: 'admin@example.com', now: new Date() };
/** The address of the source code, which a link of the footer leads to until it is taken out. */
const SOURCE = 'https://github.com/groundtruth-ai/groundtruth';
let folder: string;
let db: Db;

/** Brings the site up to date and returns every file of it. */
async function build(): Promise<Map<string, string>> {
	const out = join(folder, 'out');
	await run(process.execPath, ['tests/support/build-site.ts', out, join(folder, 'cache')], {
		env: {
			...process.env,
			DATABASE_URL: `file:${join(folder, 'site.db')}`,
			SITE_URL: 'https://site.test',
			ASTRO_TELEMETRY_DISABLED: '1',
		},
	});
	const names = await readdir(out, { recursive: true, withFileTypes: true });
	const files = names
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
	return new Map(
		await Promise.all(
			files.map(async (file) => [file.slice(out.length), await readFile(file, 'latin1')] as const),
		),
	);
}

/** The files that hold a name, each with what is around it. */
function namedIn(files: Map<string, string>, name: RegExp, but = ''): string[] {
	return [...files].flatMap(([path, text]) => {
		const found = (but ? text.replaceAll(but, '') : text).match(name);
		return found ? [`${path}: ${found[0]}`] : [];
	});
}

const OLD = /.{0,40}ground-?truth.{0,40}/i;

beforeAll(async () => {
	// In the checkout: Astro takes no other for its bundles.
	await mkdir('.site', { recursive: true });
	folder = resolve(await mkdtemp(join('.site', 'renamed-')));
	db = await openDb(`file:${join(folder, 'site.db')}`);
	await migrateDb(db);
	await seedOnlyPages(db);
	await db.insert(categories).values({ id: 'c1', name: 'Vision', slug: 'vision' });
	await db.insert(tags).values({ id: 't1', name: 'Metrics', slug: 'metrics' });
	const day = new Date('2026-01-01');
	await db.insert(posts).values({
		...{ id: 'p1', slug: 'post-1', title: 'Post 1', excerpt: 'Excerpt.', content: '<p>Text.</p>' },
		...{ author: 'Groundtruth', categoryId: 'c1', published: true },
		...{ publishedAt: day, createdAt: day, updatedAt: day },
	});
	await db.insert(postTags).values({ postId: 'p1', tagId: 't1' });
});

afterAll(async () => {
	await rm(folder, { recursive: true, force: true });
});

test('a renamed site says its new name and its old one nowhere, after a whole build and after a warm one', async () => {
	const before = await build();
	expect(namedIn(before, /Groundtruth Weekly/)).not.toEqual([]);

	await updateSite(
		db,
		{
			name: 'Second “Opinion” & <Co>',
			accent: '#9f1239',
			accentDark: '#fda4af',
			logo: '<svg viewBox="0 0 8 8"><rect width="8" height="8" fill="#9f1239"/></svg>',
			sections: ['questions', 'recent'],
			navigation: [{ label: 'Start & more', href: '/' }],
		},
		actor,
	);
	const warm = await build();
	expect(namedIn(warm, OLD, SOURCE)).toEqual([]);
	const home = warm.get('/index.html')!;
	const latin = (text: string) => Buffer.from(text).toString('latin1');
	expect(home).toContain(latin('<title>Second “Opinion” &amp; &lt;Co&gt;: '));
	expect(home).toContain('--color-accent:light-dark(#9f1239,#fda4af)');
	expect(home).toContain('src="/logo.svg"');
	expect(warm.get('/logo.svg')).toContain('<rect width="8" height="8" fill="#9f1239"/>');
	expect(home.indexOf('>Questions<')).toBeGreaterThan(0);
	expect(home.indexOf('>Questions<')).toBeLessThan(home.indexOf('>Recent Posts<'));
	expect(home).not.toContain('>Explore AI Categories<');
	expect(warm.get('/privacy.html')).toContain('privacy@second-opinion-co.example</a>');
	expect(warm.get('/blog/post-1.html')).toContain('Start &amp; more');
	// Within quotes it is text.
	const marked = [...warm].filter(
		([path, text]) => /\.(html|xml)$/.test(path) && text.replace(/="[^"]*"/g, '').includes('<Co>'),
	);
	expect(marked.map(([path]) => path)).toEqual([]);

	await updateSite(db, { socialLinks: [] }, actor);
	expect(namedIn(await build(), OLD)).toEqual([]);

	await rm(join(folder, 'cache'), { recursive: true });
	expect(namedIn(await build(), OLD)).toEqual([]);
}, 600_000);
