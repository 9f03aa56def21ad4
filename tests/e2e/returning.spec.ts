import type { APIRequestContext } from '@playwright/test';
import { BUILD_MS, expect, test } from './fixtures.ts';

const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };

const READ = `<p>One arm of the bridge was lowered at noon.</p>
<h2>Counted</h2>
<p>Twelve boats went thruogh it.</p>
<p>The keeper wrote a line for each.</p>
<ul><li>Four had a sail.</li><li>Eight had none.</li></ul>
<table><thead><tr><th>Hour</th><th>Boats</th></tr></thead><tbody><tr><td>12</td><td>7</td></tr><tr><td>13</td><td>5</td></tr></tbody></table>
<p>Nobody fell in.</p>
<h2>Read from a distance</h2>
${'<p>The water was as gray as the sky, and about as quick.</p>'.repeat(30)}
<p>Then it was raised again.</p>`;
const TYPO = READ.replace('thruogh', 'through');
const CORRECTED = TYPO.replace('Four had a sail.', 'Five had a sail.')
	.replace('<td>5</td>', '<td>6</td>')
	.replace('<p>Nobody fell in.</p>', '')
	.replace('<p>The keeper wrote a line for each.</p>', '')
	.replace(
		'<p>Then it',
		'<p>The keeper wrote a line for each.</p><p>A gull was not counted.</p><p>Then it',
	);
const NOTE = 'Thirteen boats, of which five had a sail.';

type Linked = Record<string, unknown>;

/** Every date and change that is told of an article, wherever it stands. */
async function toldOf(request: APIRequestContext, slug: string) {
	const read = async (path: string) => (await request.get(path)).text();
	const html = await read(`/blog/${slug}`);
	const meta = (name: string) =>
		new RegExp(`property="article:${name}" content="([^"]*)"`).exec(html)?.[1];
	const linked = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
		.flatMap(([, json]) => {
			const about = JSON.parse(json!) as { '@graph'?: Linked[] } & Linked;
			return about['@graph'] ?? [about].flat();
		})
		.find((about) => 'headline' in about)!;
	const { items } = JSON.parse(await read('/feed.json')) as {
		items: { url: string; date_published: string; date_modified: string }[];
	};
	const item = items.find(({ url }) => url.endsWith(`/${slug}`));
	const entry = (await read('/atom.xml'))
		.split('<entry>')
		.find((one) => one.includes(`/blog/${slug}"`));
	const parts = [...(await read('/sitemap-index.xml')).matchAll(/<loc>([^<]*)<\/loc>/g)];
	const maps = await Promise.all(parts.map(([, url]) => read(new URL(url!).pathname)));
	const listed = maps
		.join()
		.split('<url>')
		.find((one) => one.includes(`/blog/${slug}</loc>`));
	return {
		published: meta('published_time'),
		modified: meta('modified_time'),
		badge: /data-freshness="([^"]*)"/.exec(html)?.[1],
		linked: {
			published: linked['datePublished'],
			modified: linked['dateModified'],
			correction: linked['correction'] ?? null,
		},
		feed: item && [item.date_published, item.date_modified],
		atom: /<updated>(.*?)<\/updated>/.exec(entry ?? '')?.[1],
		sitemap: /<lastmod>(.*?)<\/lastmod>/.exec(listed ?? '')?.[1],
		changes: JSON.parse(await read(`/api/posts/${slug}/changes`)) as { at: string }[],
	};
}

test('who comes back sees what a correction changed, and of a small change nobody is told @nightly', async ({
	page,
	request,
}) => {
	test.setTimeout(500_000);
	await request.post('/api/admin/login', { data: ADMIN });
	const { categoryId } = (await (await request.get('/api/posts/pid-four-faults')).json()) as {
		categoryId: string;
	};
	const slug = `boats-${crypto.randomUUID()}`;
	const made = await request.post('/api/admin/posts', {
		data: {
			...{ title: `Boats ${slug.slice(-6)}`, slug, content: READ, categoryId, published: true },
			excerpt: 'What went through a bridge.',
		},
	});
	expect(made.status()).toBe(201);
	const { id } = (await made.json()) as { id: string };
	/** Waits until the page that everybody gets has these words. */
	const live = (words: string) =>
		expect
			.poll(async () => (await request.get(`/blog/${slug}`)).text(), { timeout: BUILD_MS })
			.toContain(words);
	const save = async (data: object) =>
		expect((await request.put(`/api/admin/posts/${id}`, { data })).status()).toBe(200);
	const remembered = () =>
		page.evaluate((key) => {
			const all = JSON.parse(localStorage.getItem('readingTitles') ?? '{}') as Record<
				string,
				{ passages: string }
			>;
			return all[key]?.passages ?? '';
		}, id);
	const line = page.locator('[data-changed-since]');
	const marked = page.locator('mark[data-changed]');
	await live('thruogh');

	await page.goto(`/blog/${slug}`);
	await page.keyboard.press('End');
	await expect.poll(remembered).not.toBe('');
	const first = await remembered();
	await page.goto('/');
	const before = await toldOf(request, slug);
	expect(before).toEqual({
		published: before.published,
		modified: before.published,
		badge: before.published,
		linked: { published: before.published, modified: before.published, correction: null },
		feed: [before.published, before.published],
		atom: before.published,
		sitemap: before.published,
		changes: [],
	});

	await save({ content: TYPO, change: { kind: 'small' } });
	await live('Twelve boats went through it.');
	expect(await toldOf(request, slug)).toEqual(before);
	await page.goto(`/blog/${slug}`);
	await page.keyboard.press('End');
	await expect.poll(remembered).not.toBe(first);
	await expect(line).toHaveCount(0);
	await expect(marked).toHaveCount(0);
	await page.goto('/');

	await save({ content: CORRECTED, change: { kind: 'correction', note: NOTE } });
	await live('A gull was not counted.');
	await page.goto(`/blog/${slug}`);
	await expect(line).toHaveText(/^\s*Changed since you read it on \w+ \d+, \d{4}: 3 passages\s*$/);
	await expect(marked).toHaveText(['Five had a sail.', '13', '6', 'A gull was not counted.']);
	const after = await toldOf(request, slug);
	const { at } = after.changes[0]!;
	expect(Date.parse(at)).toBeGreaterThan(Date.parse(before.published!));
	expect(after).toEqual({
		published: before.published,
		modified: at,
		badge: at,
		linked: {
			published: before.published,
			modified: at,
			correction: [{ '@type': 'CorrectionComment', datePublished: at, text: NOTE }],
		},
		feed: [before.published, at],
		atom: at,
		sitemap: at,
		changes: [{ at, kind: 'correction', note: NOTE }],
	});
	await expect(page.getByRole('region', { name: 'Changes' })).toContainText(NOTE);

	await line.getByRole('button').click();
	await expect(marked).toHaveCount(0);
	await page.reload();
	await expect(line).toBeHidden();
	await expect(marked).toHaveCount(0);
	await request.delete(`/api/admin/posts/${id}`);
});
