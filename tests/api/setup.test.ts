import { readdir, rm } from 'node:fs/promises';
import { eq, inArray, isNull } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { categories, meta, pages, posts, postTags, states, tags, users } from '#db/schema.ts';
import { siteFolder } from '#src/build/builds.ts';
import { getNextIssue as nextIssueOf } from '#src/features/newsletter/next-issue.server.ts';
import { seedDb } from '#src/build/prepare.ts';
import { setMeta } from '#src/core/meta.server.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { accentForDark, checkAccentContrast, nearestAccent } from '#src/core/settings/site-form.ts';
import { showsInvented } from '#src/core/settings/invented.ts';
import { getSite, updateSite } from '#src/core/settings/site.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { bulkPosts } from '#src/features/posts/bulk.api.ts';
import { changeSettings } from '#src/core/settings/settings.api.ts';
import { getNextIssue } from '#src/features/newsletter/letters.api.ts';
import { finishSetup } from '#src/features/setup/finish.api.ts';
import * as api from '#src/features/setup/setup.api.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { getEnv, setEnv } from '#src/lib/env.ts';
import { DEFAULT_SETTINGS, HOME_SECTIONS } from '#src/site.ts';
import { ADMIN_EMAIL, asAdmin } from '#tests/support/admin.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { copySeed } from '#tests/support/seed.ts';

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const finish = (input: object) => ask(finishSetup, { ...ANSWERS, version: 1, ...input } as never);
	const shown = async () => ({
		posts: await db.$count(posts, isNull(posts.deletedAt)),
		states: await db.$count(states),
		categories: await db.$count(categories),
		tags: await db.$count(tags),
		links: await db.$count(postTags),
	});
	return { db, ask, finish, shown };
}

const ANSWERS = {
	name: 'Second Opinion',
	tagline: 'What the numbers say',
	accent: '#9f1239',
	accentDark: '#fda4af',
	contactEmail: 'hello@opinion.example',
	senderEmail: '',
	samples: 'keep',
};

test('a fresh database is asked once: until the set-up is finished or skipped', async () => {
	const { db, ask, finish } = await setup();
	expect(await ask(api.getSetup, {})).toMatchObject({ isDue: false });
	await db.insert(meta).values({ key: 'setup', value: 'due' });
	expect(await ask(api.getSetup, {})).toMatchObject({ isDue: true, mailFrom: null });
	await ask(api.skipSetup, {});
	expect(await ask(api.getSetup, {})).toMatchObject({ isDue: false });
	await db.update(meta).set({ value: 'due' }).where(eq(meta.key, 'setup'));
	await expect(finish({ name: ' ' })).rejects.toMatchObject({
		fields: { name: 'Please enter a name.' },
	});
	expect(await ask(api.getSetup, {})).toMatchObject({ isDue: true });
	expect(await finish({})).toMatchObject({ ...ANSWERS_KEPT, version: 2 });
	expect(await ask(api.getSetup, {})).toMatchObject({ isDue: false });
});

test('logo, author and invented figures are answered with the rest, and a site of one’s own shows none', async () => {
	const { ask, finish } = await setup();
	const logo = '<svg viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>';
	await finish({ logo, author: 'Grace Example', inventedProof: 'off' });
	expect(await ask(getSite, {})).toMatchObject({
		...{ author: 'Grace Example', inventedProof: 'off' },
		logo: expect.stringContaining('M0 0h4v4z'),
	});
	await expect(
		finish({ version: 2, logo: '<svg viewBox="0 0 4 4"><script/></svg>' }),
	).rejects.toMatchObject({ fields: { logo: expect.stringContaining('cannot be used') } });
	const demonstration = { ...getEnv(), INVENTED_PROOF: true };
	expect(showsInvented(demonstration)).toBe(false);
	await finish({ version: 2, inventedProof: 'on' });
	expect([
		showsInvented(demonstration),
		showsInvented({ ...demonstration, INVENTED_PROOF: false }),
	]).toEqual([true, false]);
	await finish({ version: 3, samples: 'remove' });
	expect(await ask(getSite, {})).toMatchObject({ content: 'own', inventedProof: 'off' });
	expect(showsInvented(demonstration)).toBe(false);
});

test('the set-up gives the account its owner’s address', async () => {
	const { db, ask, finish } = await setup();
	expect(await ask(api.getSetup, {})).toMatchObject({ ownEmail: ADMIN_EMAIL });
	await expect(finish({ ownEmail: 'ada' })).rejects.toMatchObject({
		fields: { ownEmail: 'Please enter a valid email address' },
	});
	await finish({ ownEmail: '' });
	expect(await ask(api.getSetup, {})).toMatchObject({ ownEmail: ADMIN_EMAIL });
	await finish({ ownEmail: 'Ada@second.example', version: 2 });
	expect(await ask(api.getSetup, {})).toMatchObject({ ownEmail: 'ada@second.example' });
	// The one that stands in for an address is none.
	await db.update(users).set({ email: 'admin@groundtruth.example' });
	expect(await ask(api.getSetup, {})).toMatchObject({ ownEmail: '' });
});

test.each([
	['#ffd400', 'light'],
	['#b45309', 'light'],
	['#000000', 'dark'],
	['#0e7490', 'light'],
] as const)('the color nearest to %s passes in the %s theme', (color, theme) => {
	const nearest = nearestAccent(color, theme)!;
	expect(checkAccentContrast(nearest, theme).passes).toBe(true);
	if (checkAccentContrast(color, theme).passes) expect(nearest).toBe(color);
	expect(nearestAccent('red', theme)).toBeUndefined();
});

const { samples: _, ...ANSWERS_KEPT } = ANSWERS;

test('the letter leaves at its hour in the time zone of the site', async () => {
	const { ask, finish } = await setup();
	await ask(changeSettings, { letterHour: '9' });
	const hourIn = async (timeZone: string) => {
		const { at } = await ask(getNextIssue, {});
		return new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(
			new Date(at),
		);
	};
	expect(await hourIn(getEnv().DIGEST_TIME_ZONE)).toBe('09');
	await finish({ timeZone: 'Asia/Kathmandu' });
	expect(await hourIn('Asia/Kathmandu')).toBe('09');
	await expect(finish({ version: 2, timeZone: 'Mars/Olympus' })).rejects.toMatchObject({
		fields: { timeZone: 'There is no time zone of this name.' },
	});
});

test('what was kept stays, and the answers of an outdated form are a conflict', async () => {
	const { db, ask, finish, shown } = await setup();
	await copySeed(db);
	const before = await shown();
	await finish({});
	expect(await shown()).toEqual(before);
	expect(await ask(getSite, {})).toMatchObject({ content: 'sample', sections: HOME_SECTIONS });
	await expect(finish({ samples: 'remove' })).rejects.toMatchObject({ code: 'conflict' });
	expect(await shown()).toEqual(before);
});

test('starting empty removes what is as seeded, in one step that one undo takes back', async () => {
	const { db, ask, finish, shown } = await setup();
	await copySeed(db);
	const before = await shown();
	const whole = await db.select().from(states).orderBy(states.slug);
	const { length: files } = await readdir('content/posts');
	expect(before).toMatchObject({ posts: files, states: 50, categories: 9 });

	const { undo } = await finish({ samples: 'remove' });
	expect(await shown()).toEqual({ posts: 0, states: 0, categories: 1, tags: 0, links: 0 });
	expect(await ask(getSite, {})).toMatchObject({
		name: 'Second Opinion',
		content: 'own',
		sections: ['featured', 'categories', 'recent', 'newsletter', 'questions'],
		navigation: DEFAULT_SETTINGS.navigation.filter(({ label }) => label !== 'AI by State'),
	});
	expect(await ask(api.getSetup, {})).toMatchObject({ samples: { posts: 0, states: 0 } });
	expect(await db.select({ name: categories.name }).from(categories)).toEqual([
		{ name: 'Articles' },
	]);
	// Nothing is left to remove, and nothing is seeded again.
	expect(await finish({ samples: 'remove', version: 2 })).toMatchObject({ undo: null });

	await ask(undoAction, { token: undo! });
	expect(await shown()).toEqual(before);
	expect(await db.select().from(states).orderBy(states.slug)).toEqual(whole);
	expect(await ask(getSite, {})).toMatchObject({ name: 'Groundtruth', content: 'sample' });
});

test('what the admin wrote or changed stays, with its category, also after the site was renamed', async () => {
	const { db, ask, finish } = await setup();
	await copySeed(db);
	const [edited, featured, untouched] = await db
		.select()
		.from(posts)
		.where(eq(posts.featured, false))
		.limit(3);
	await db.update(posts).set({ title: 'Mine now', version: 2 }).where(eq(posts.id, edited!.id));
	await ask(bulkPosts, { ids: [featured!.id], action: 'feature', value: '' });
	await db.update(states).set({ version: 2 }).where(eq(states.slug, 'ohio'));
	const own = await makePost(db, { categoryId: untouched!.categoryId });
	await ask(updateSite, { name: 'First Opinion' });

	await finish({ samples: 'remove', version: 2 });
	const left = await db.select({ id: posts.id }).from(posts).where(isNull(posts.deletedAt));
	expect(left.map(({ id }) => id).sort()).toEqual([edited!.id, featured!.id, own.id].sort());
	expect((await db.select().from(states)).map(({ slug }) => slug)).toEqual(['ohio']);
	const kept = await db.select({ id: categories.id }).from(categories);
	for (const { categoryId } of [edited!, featured!, untouched!])
		expect(kept.map(({ id }) => id)).toContain(categoryId);
});

test('a site that started empty by SAMPLE_CONTENT is not seeded at a later start without it', async () => {
	const { db, finish, shown } = await setup();
	// A lock is kept in a folder that is named after it.
	const env = { ...getEnv(), DATABASE_URL: 'https://setup.example' };
	onTestFinished(() => rm(siteFolder(env.DATABASE_URL), { recursive: true, force: true }));
	setEnv({ ...env, SAMPLE_CONTENT: false });
	// The pages that every site needs.
	expect(await seedDb(db)).toBe(await db.$count(pages));
	// Nothing goes out by itself before the owner has chosen that.
	expect((await nextIssueOf(db, new Date())).mode).toBe('ask');
	expect((await db.select().from(meta).where(eq(meta.key, 'setup')))[0]?.value).toBe('due');
	setEnv({ ...env, SAMPLE_CONTENT: true });
	expect(await seedDb(db)).toBe(0);
	expect(await shown()).toMatchObject({ posts: 0, states: 0, categories: 1 });
	expect(await finish({})).toMatchObject({ content: 'own' });
	expect(await seedDb(db)).toBe(0);
	expect(await shown()).toMatchObject({ posts: 0, states: 0 });
});

test.each(['#9f1239', '#0e7490', '#000000', '#7f1d1d', '#1e3a8a'])(
	'the counterpart of %s can be read in the dark theme',
	(color) => {
		expect(checkAccentContrast(accentForDark(color), 'dark').passes).toBe(true);
	},
);

test('new articles of an update are drafts on a site that has started before, and the log counts them', async () => {
	const { db } = await setup();
	await copySeed(db);
	const env = { ...getEnv(), DATABASE_URL: 'https://updated.example' };
	onTestFinished(() => rm(siteFolder(env.DATABASE_URL), { recursive: true, force: true }));
	setEnv({ ...env, SAMPLE_CONTENT: true });
	const before = await db.select().from(posts).orderBy(posts.slug);
	const [first, second] = before;
	const isNew = [first!, second!].map(({ slug }) => slug);
	await db.delete(posts).where(inArray(posts.slug, isNew));
	await db.delete(meta).where(
		inArray(
			meta.key,
			isNew.map((slug) => `seed:post/${slug}`),
		),
	);
	await setMeta(db, 'content_digest', 'of an earlier release');
	const log = vi.spyOn(console, 'log').mockImplementation(() => {});
	onTestFinished(() => log.mockRestore());

	expect(await seedDb(db)).toBe(2);
	const after = await db.select().from(posts).orderBy(posts.slug);
	expect(after.filter(({ published }) => !published).map(({ slug }) => slug)).toEqual(isNew);
	expect(after.filter(({ slug }) => !isNew.includes(slug))).toEqual(
		before.filter(({ slug }) => !isNew.includes(slug)),
	);
	expect(log).toHaveBeenCalledWith('2 new articles of content/: drafts at the desk.');
	expect(await seedDb(db)).toBe(0);
});
