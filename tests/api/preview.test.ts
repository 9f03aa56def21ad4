import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { posts } from '#db/schema.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import { DAY } from '#src/lib/dates.ts';
import { call } from '#src/lib/endpoint.ts';
import { parseEnv, setEnv } from '#src/lib/env.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost } from '#tests/support/factories.ts';

const NOON = new Date('2026-03-01T12:00:00Z');

async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const category = await makeCategory(db, { name: 'Robotics', color: '#123456' });
	const { id } = await makePost(db, {
		title: 'Saved',
		content: '<h2>Saved</h2><pre><code class="language-python">x = 1</code></pre>',
		categoryId: category.id,
		published: false,
		publishedAt: null,
	});
	const link = async () => {
		const { url, expiresAt } = await call(api.createPreview, { id }, admin);
		return { url, expiresAt, token: new URL(url).searchParams.get('token')! };
	};
	const open = (token: string) => call(api.getPreview, { token }, fetchApi());
	const form = { ...emptyForm, title: 'Draft', content: '<p>Draft.</p>', categoryId: category.id };
	const write = (title: string, version: number | null) =>
		call(api.saveDraft, { id, form: { ...form, title }, version, baseVersion: 1 }, admin);
	return { db, admin, id, link, open, write };
}

test('a link shows the post as its page would, to anybody, and is kept by nobody', async () => {
	const { link, open } = await setup();
	const { url, token, expiresAt } = await link();
	expect(url).toMatch(/^https:\/\/groundtruth\.test\/preview\?token=[\w.-]+$/);
	expect(expiresAt).toBe(new Date(NOON.getTime() + 7 * DAY).toISOString());
	const preview = await open(token);
	expect(preview).toMatchObject({
		title: 'Saved',
		category: { name: 'Robotics', slug: 'robotics', color: '#123456' },
		headings: [{ depth: 2, slug: 'saved', text: 'Saved' }],
		problem: null,
		state: 'draft',
		expiresAt,
	});
	expect(preview.html).toContain('<figcaption>Python</figcaption>');
	const { headers } = await fetchApi()(`/api/preview/${token}`);
	expect(headers.get('Cache-Control')).toBe('no-store');
	expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow');
});

test('whoever opens a link again and again has it rendered once, and is limited', async () => {
	const { link } = await setup();
	const { token } = await link();
	const statuses: number[] = [];
	for (let count = 0; count < 121; count++)
		statuses.push((await fetchApi()(`/api/preview/${token}`)).status);
	expect(statuses.filter((status) => status === 200)).toHaveLength(120);
	expect(statuses.at(-1)).toBe(429);
	// Others are not.
	expect((await fetchApi({ ip: '198.51.100.7' })(`/api/preview/${token}`)).status).toBe(200);
});

test('the same link always shows the draft as it is now', async () => {
	const { link, open, write } = await setup();
	const { token } = await link();
	await write('First', null);
	expect((await open(token)).title).toBe('First');
	await write('Second', 1);
	expect(await open(token)).toMatchObject({ title: 'Second', html: '<p>Draft.</p>' });
});

test('a draft that cannot be rendered is shown as plain text, with the reason', async () => {
	const { db, id, link, open } = await setup();
	const { token } = await link();
	const content = `${'<div>'.repeat(30_000)}Deep words.`;
	await db.update(posts).set({ content }).where(eq(posts.id, id));
	expect(await open(token)).toMatchObject({
		html: '<p>Deep words.</p>',
		problem: 'Its elements or formulas are nested too deeply.',
	});
});

test('a link is over after seven days', async () => {
	const { link, open } = await setup();
	const { token } = await link();
	vi.setSystemTime(NOON.getTime() + 7 * DAY - 1);
	expect((await open(token)).title).toBe('Saved');
	vi.setSystemTime(NOON.getTime() + 7 * DAY);
	await expect(open(token)).rejects.toMatchObject({
		code: 'forbidden',
		message: 'This preview link has expired. Ask for a new one.',
	});
});

test('a link that we did not sign, of another post, of another time or of a deleted post shows nothing', async () => {
	const { db, id, link, open } = await setup();
	const other = await makePost(db, { title: 'Other', published: false });
	const { token } = await link();
	const [post, expires, signature] = token.split('.');
	const later = (NOON.getTime() + 99 * DAY).toString(36);
	const forged = [
		'x',
		id,
		`${id}.${expires}`,
		`${id}.${expires}.`,
		`${other.id}.${expires}.${signature}`,
		`${post}.${later}.${signature}`,
		`${token}.x`,
		`${post}.${expires}.${'A'.repeat(signature!.length)}`,
	];
	for (const one of forged) {
		await expect(open(one), one).rejects.toMatchObject({ code: 'not_found' });
	}
	setEnv(parseEnv({ SECRET: 'another secret of more than 32 letters' }));
	await expect(open(token)).rejects.toMatchObject({ code: 'not_found' });
	vi.restoreAllMocks();
	setEnv(
		parseEnv({ SECRET: 'a secret that only the tests know', SITE_URL: 'https://groundtruth.test' }),
	);
	expect((await open(token)).title).toBe('Saved');
	await db.update(posts).set({ deletedAt: NOON });
	await expect(open(token)).rejects.toMatchObject({ code: 'not_found' });
});

test('a text is rendered as a build would, for the admin, and stored nowhere', async () => {
	const { db, admin, id } = await setup();
	const content =
		'<h2>Why</h2><pre><code class="language-python">x = 1</code></pre><script>x()</script>';
	const { html, headings, problem } = await call(api.renderContent, { content }, admin);
	expect(html).toMatch(/<h2 id="why">[\s\S]*<span class="[^"]+">/);
	expect(html).not.toContain('x()');
	expect(headings).toEqual([{ depth: 2, slug: 'why', text: 'Why' }]);
	expect(problem).toBeNull();
	const names = '<p>%SITE_NAME%</p>';
	const shown = async (isPage: boolean) =>
		(await call(api.renderContent, { content: names, isPage }, admin)).html;
	expect([await shown(true), await shown(false)]).toEqual(['<p>Groundtruth</p>', names]);
	await expect(call(api.renderContent, { content }, fetchApi())).rejects.toMatchObject({
		code: 'unauthorized',
	});
	expect((await db.select().from(posts).where(eq(posts.id, id)))[0]!.title).toBe('Saved');
});
