import { eq, isNull } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { auditLog, builds, drafts, media, meta, posts, settings } from '#db/schema.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { siteForm } from '#src/core/settings/site-form.ts';
import * as settingsApi from '#src/core/settings/settings.api.ts';
import * as api from '#src/core/settings/site.api.ts';
import { readSiteSettings, refreshSiteSettings } from '#src/core/settings/site.server.ts';
import { deleteMedia, uploadMedia } from '#src/features/media/media.api.ts';
import { undoAction } from '#src/core/undo/undo.api.ts';
import { DAY } from '#src/lib/dates.ts';
import { call, type Endpoint } from '#src/lib/endpoint.ts';
import { fillIn } from '#src/features/pages/pages.server.ts';
import { completed, DEFAULT_SETTINGS, provideSettings, site } from '#src/site.ts';
import { USUAL_TIMES } from '#src/texts.ts';
import { asAdmin, withCookie } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';

const PNG = `data:image/png;base64,${(
	await sharp({ create: { width: 8, height: 8, channels: 3, background: '#9f1239' } })
		.png()
		.toBuffer()
).toString('base64')}`;

const svg = (shapes: string) => `<svg viewBox="0 0 9 9">${shapes}</svg>`;

/** Returns a drawing of a kilobyte that shows 10 shapes to the power of `levels`. */
const uses = (levels: number) =>
	svg(
		`<path id="u0" d="M0 0h1v1z"/>${Array.from({ length: levels }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`).join('')}`,
	);

async function setup() {
	setBuilder({ build: () => {}, prewarm: () => {} });
	const db = await useTestDb();
	const admin = await asAdmin(db);
	const ask = <In extends object, Out>(endpoint: Endpoint<In, Out>, input: In) =>
		call(endpoint, input, admin);
	const put = (input: object) => ask(api.updateSite, input as never);
	return { db, admin, ask, put };
}

const authorOf = async (db: Db, id: string) =>
	(await db.select({ author: posts.author }).from(posts).where(eq(posts.id, id)))[0]?.author;

test('what was never changed has its defaults, and what follows from the name does', async () => {
	const { db, ask } = await setup();
	expect(await ask(api.getSite, {})).toEqual({ version: 1, ...DEFAULT_SETTINGS });
	await readSiteSettings(db);
	expect(site.newsletter).toBe('Groundtruth Weekly');
	expect(site.email.from).toBe('Groundtruth <weekly@groundtruth.example>');
});

test('who finds a fault is told whom to write to, for less than a year, where the owner has given an address', async () => {
	const { put } = await setup();
	const read = () => fetchApi()('/.well-known/security.txt');
	expect((await read()).status).toBe(404);
	await put({ contactEmail: 'who&what?@bücher.example', version: 1 });
	const answer = await read();
	expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
		200,
		'text/plain; charset=utf-8',
	]);
	const fields = new Map(
		(await answer.text()).split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]),
	);
	expect(fields.get('Contact')).toMatch(/^mailto:who%26what%3F@xn--[\w.-]+$/);
	expect(fields.get('Canonical')).toMatch(/^https?:.+\/\.well-known\/security\.txt$/);
	const days = (Date.parse(fields.get('Expires')!) - Date.now()) / DAY;
	expect(days).toBeGreaterThan(300);
	expect(days).toBeLessThan(365);
});

test('a saved change is stored, counted, logged, used at once and built', async () => {
	const { db, ask, put } = await setup();
	const saved = await put({ name: '  Second   Opinion ', version: 1 });
	expect(saved).toMatchObject({
		name: 'Second Opinion',
		version: 2,
		tagline: DEFAULT_SETTINGS.tagline,
	});
	expect(await ask(api.getSite, {})).toMatchObject({ name: 'Second Opinion', version: 2 });
	expect(site).toMatchObject({
		name: 'Second Opinion',
		newsletter: 'Second Opinion Weekly',
		author: 'Second Opinion',
		email: { contact: '', from: 'Second Opinion <weekly@second-opinion.example>' },
	});
	const [entry] = await db.select().from(auditLog).where(eq(auditLog.subject, 'site settings'));
	expect(entry).toMatchObject({
		action: 'changed the site',
		detail: 'name: “Groundtruth” to “Second Opinion”',
	});
	const [build] = await db.select().from(builds);
	expect(build?.cause).toBe('Changed the site: name');
});

test('what changes nothing is no version, no entry and no build', async () => {
	const { db, put } = await setup();
	expect(await put({ name: DEFAULT_SETTINGS.name, version: 1 })).toMatchObject({
		version: 1,
		undo: null,
	});
	expect(await db.$count(auditLog, eq(auditLog.subject, 'site settings'))).toBe(0);
	expect(await db.$count(builds)).toBe(0);
});

test('an old version is a conflict that carries what is stored, and nothing is lost', async () => {
	const { ask, put } = await setup();
	await put({ tagline: 'Theirs', version: 1 });
	await expect(put({ tagline: 'Mine', version: 1 })).rejects.toMatchObject({
		code: 'conflict',
		stored: { tagline: 'Theirs', version: 2 },
	});
	expect((await ask(api.getSite, {})).tagline).toBe('Theirs');
	expect(await put({ tagline: 'Merged', version: 2 })).toMatchObject({ version: 3 });
});

test('of many saves of the same version one wins', async () => {
	const { ask, put } = await setup();
	const saves = Array.from({ length: 20 }, (_, n) => put({ tagline: `Tagline ${n}`, version: 1 }));
	const results = await Promise.allSettled(saves);
	expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
	expect((await ask(api.getSite, {})).version).toBe(2);
});

test('undone, only what the save changed has its value back, and the version rises', async () => {
	const { ask, put } = await setup();
	const { undo } = await put({ name: 'Second Opinion', navigation: [], version: 1 });
	await put({ tagline: 'Kept', version: 2 });
	const undone = await ask(undoAction, { token: undo! });
	expect(undone.message).toContain('Second Opinion');
	expect(await ask(api.getSite, {})).toMatchObject({
		version: 4,
		name: DEFAULT_SETTINGS.name,
		navigation: DEFAULT_SETTINGS.navigation,
		tagline: 'Kept',
	});
	await expect(ask(undoAction, { token: undo! })).rejects.toMatchObject({ code: 'conflict' });
});

test('what was changed again since is not undone', async () => {
	const { ask, put } = await setup();
	const { undo } = await put({ name: 'Second Opinion', tagline: 'New', version: 1 });
	const later = await put({ name: 'Third Opinion', version: 2 });
	await expect(ask(undoAction, { token: undo! })).rejects.toMatchObject({
		code: 'conflict',
		message: 'The same settings were changed again since. Undo that first.',
	});
	await ask(undoAction, { token: later.undo! });
	await ask(undoAction, { token: undo! });
	expect(await ask(api.getSite, {})).toMatchObject({
		name: DEFAULT_SETTINGS.name,
		tagline: DEFAULT_SETTINGS.tagline,
		version: 5,
	});
});

test('what came with the site is signed by its name, never by its owner', async () => {
	const { db, put } = await setup();
	const { id: own } = await makePost(db, { title: 'Own', slug: 'own', author: 'Groundtruth' });
	const { id: seeded } = await makePost(db, { title: 'S', slug: 's', author: 'Groundtruth' });
	await db.insert(meta).values({ key: 'seed:post/s', value: 'x' });
	const bylinesOf = async () => [await authorOf(db, own), await authorOf(db, seeded)];
	await put({ author: 'Ada Owner' });
	expect(await bylinesOf()).toEqual(['Ada Owner', 'Groundtruth']);
	await put({ name: 'Second Reading' });
	expect(await bylinesOf()).toEqual(['Ada Owner', 'Second Reading']);
});

test('sentences follow the letter’s schedule, which builds the pages anew, and what the owner wrote stays', async () => {
	const { db, ask, put } = await setup();
	onTestFinished(() => provideSettings(DEFAULT_SETTINGS, USUAL_TIMES));
	await put({ invitationShort: 'When I like.' });
	await db.delete(builds);
	const { version } = await ask(settingsApi.getSettings, {});
	// A setting that no page shows requests no build.
	await ask(settingsApi.changeSettings, { comments: 'hold-all', version });
	expect(await db.$count(builds)).toBe(0);
	await ask(settingsApi.changeSettings, { letterCadence: 'monthly', letterDay: 'Sunday' });
	expect(await db.$count(builds)).toBe(1);
	await readSiteSettings(db);
	expect(site.words).toMatchObject({
		homeLetter: 'Free, usually on the first Sunday of the month',
		invitationShort: 'When I like.',
	});
	expect(site.newsletter).toBe('Groundtruth Letter');
	expect(fillIn('typically sent %WHEN%')).toBe('typically sent on the first Sunday of the month');
});

test('each public sentence has what it says by itself, what the owner wrote, and a rule', () => {
	const own = { ...DEFAULT_SETTINGS, content: 'own', name: 'A', tagline: 'On it' } as const;
	expect(completed(own)).toMatchObject({
		homeTitle: 'On it',
		contactReply: '',
		checkedPath: '',
		promises: expect.not.stringMatching(/Checked|Ten minutes/) as unknown,
	});
	expect(completed(DEFAULT_SETTINGS)).toMatchObject({ checkedPath: '/about' });
	expect(completed({ ...own, homeTitle: 'Mine' }).homeTitle).toBe('Mine');
	const fits = (changes: object) => siteForm.safeParse({ ...own, ...changes }).success;
	expect(fits({ promises: 'Short: one page.\nFree: yes: always.' })).toBe(true);
	for (const wrong of [
		{ promises: 'no colon' },
		{ promises: 'a: b\n\nc: d' },
		{ checkedPath: '//x.example' },
		{ checkedPath: 'about' },
	])
		expect(fits(wrong)).toBe(false);
});

test("articles under the site's own byline get its new one, and the old one back", async () => {
	const { db, ask, put } = await setup();
	const { id: own } = await makePost(db, { title: 'Own', author: 'Groundtruth' });
	const { id: guest } = await makePost(db, { title: 'Guest', author: 'Ada' });
	await db.insert(drafts).values({ postId: own, form: { author: 'Groundtruth' }, baseVersion: 1 });
	const { undo } = await put({ name: 'Second Opinion' });
	expect([await authorOf(db, own), await authorOf(db, guest)]).toEqual(['Second Opinion', 'Ada']);
	const [draft] = await db.select().from(drafts);
	expect(draft?.form).toEqual({ author: 'Second Opinion' });
	await ask(undoAction, { token: undo! });
	expect(await authorOf(db, own)).toBe('Groundtruth');
	expect((await db.select().from(drafts))[0]?.form).toEqual({ author: 'Groundtruth' });
});

test('nobody reads or changes it without a session, or from another site', async () => {
	const { admin } = await setup();
	for (const method of ['GET', 'PUT']) {
		const init = method === 'PUT' ? { method, body: '{"name":"Theirs"}' } : { method };
		expect((await fetchApi()('/api/admin/site', init)).status).toBe(401);
		expect((await withCookie('groundtruth_session=forged')('/api/admin/site', init)).status).toBe(
			401,
		);
	}
	const foreign = await admin('/api/admin/site', {
		method: 'PUT',
		headers: { 'Content-Type': 'application/json', Origin: 'https://evil.test' },
		body: '{"name":"Theirs"}',
	});
	expect(foreign.status).toBe(403);
});

const link = (href: string) => [{ label: 'A link', href }];

test.each([
	[{ name: '' }, 'name', 'Please enter a name.'],
	[{ name: ' \u200b\u202e ' }, 'name', 'Please enter a name.'],
	[{ name: 'x'.repeat(61) }, 'name', 'Use 60 characters or fewer'],
	[{ name: 7 }, 'name', 'Use a text.'],
	[{ tagline: null }, 'tagline', 'Use a text.'],
	[
		{ accent: '#67e8f9' },
		'accent',
		/^Contrast 1\.2:1 is too low to read in the light theme: .* darker/,
	],
	[
		{ accentDark: '#0e7490' },
		'accentDark',
		/^Contrast 3\.\d:1 is too low to read in the dark theme: .* lighter/,
	],
	[{ accent: 'red;}body{display:none' }, 'accent', 'Use a color like #0e7490.'],
	[{ accent: 'red' }, 'accent', 'Use a color like #0e7490.'],
	[{ navigation: link('javascript:alert(1)') }, 'navigation.0.href', /Use a path/],
	[{ footerLinks: link(' JaVaScRiPt:alert(1)') }, 'footerLinks.0.href', /Use a path/],
	[
		{ socialLinks: link('data:text/html,<script>alert(1)</script>') },
		'socialLinks.0.href',
		/Use a path/,
	],
	[{ navigation: link('//evil.test/') }, 'navigation.0.href', /Use a path/],
	[{ navigation: link('/\\evil.test/') }, 'navigation.0.href', /Use a path/],
	[{ navigation: link('https://') }, 'navigation.0.href', /Use a path/],
	[
		{ navigation: [{ label: ' ', href: '/' }] },
		'navigation.0.label',
		'Please enter the words of the link.',
	],
	[{ navigation: Array(13).fill(link('/')[0]) }, 'navigation', 'List 12 links or fewer'],
	[{ sections: ['states', 'states'] }, 'sections', 'List each section only once.'],
	[{ sections: ['ads'] }, 'sections.0', 'There is no such section.'],
	[{ contactEmail: 'a@b@c' }, 'contactEmail', 'Please enter a valid email address'],
	[
		{ senderEmail: 'a@b.test\r\nBcc: c@d.test' },
		'senderEmail',
		'Please enter a valid email address',
	],
	[{ logo: '/etc/passwd' }, 'logo', /it is no well-formed XML/],
	[{ logo: '/api/media/nothing' }, 'logo', 'There is no such picture in the library.'],
	[{ logo: '<svg viewBox="0 0 1 1"><script>alert(1)</script></svg>' }, 'logo', /no shapes/],
	[{ logo: '<!DOCTYPE svg [<!ENTITY a "a">]><svg/>' }, 'logo', /nothing of its size/],
	[{ logo: uses(3) }, 'logo', /more than 1,000 shapes, those counted that are used again/],
	[{ logo: uses(8) }, 'logo', /more than 1,000 shapes/],
	[{ logo: svg('<g id="a"><use href="#a"/></g>') }, 'logo', /refers to itself in a circle/],
	[
		{ logo: svg(`${'<g>'.repeat(4000)}<path d="M0 0h9v9z"/>${'</g>'.repeat(4000)}`) },
		'logo',
		/20 deep/,
	],
	[{ logo: svg(`<path d="M${'0 0 '.repeat(10_000)}"/>`) }, 'logo', /30,000 characters/],
])('%j is refused with a sentence', async (input, field, message) => {
	const { db, put } = await setup();
	await expect(put({ ...input, version: 1 })).rejects.toMatchObject({
		code: 'validation',
		fields: { [field]: typeof message === 'string' ? message : expect.stringMatching(message) },
	});
	expect(await db.$count(settings)).toBe(0);
});

test('a stored drawing that costs too much to show is not the logo', async () => {
	const { db } = await setup();
	await db.insert(settings).values({ key: 'site', value: { version: 2, logo: uses(8) } });
	await readSiteSettings(db);
	expect(site.logo).toBe('');
});

test('a drawing keeps its shapes, and loses what runs, loads or leads elsewhere', async () => {
	const { put } = await setup();
	// In the shape that Inkscape saves.
	const drawn = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="32" height="32" viewBox="0 0 32 32" version="1.1" onload="alert(1)"
	xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg">
	<sodipodi:namedview id="base" pagecolor="#ffffff"><path d="M9 9"/></sodipodi:namedview>
	<title>Ours &amp; theirs</title>
	<script>alert(2)</script><foreignObject><img src="x" onerror="alert(3)"/></foreignObject>
	<g style="fill:#123456;stroke:none" onclick="alert(4)"><path d="M0 0h32v32z"/></g>
	<a href="javascript:alert(5)"><circle r="9"/></a>
	<use href="https://evil.test/#a"/><use xlink:href="#base"/>
	<rect width="4" height="4" fill="url(https://evil.test/)" style="background:u\\72l(//evil.test)"/>
	<rect width="4" height="4" fill="url(#paint)"><animate attributeName="href" to="javascript:alert(6)"/></rect>
</svg>`;
	const { logo } = await put({ logo: drawn });
	expect(logo).not.toMatch(/alert|evil|script|on\w+=|sodipodi|<a|animate|M9/i);
	expect(logo).toContain(
		'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">',
	);
	expect(logo).toContain('<g fill="#123456" stroke="none"><path d="M0 0h32v32z"/></g>');
	expect(logo).toContain('<circle r="9"/>');
	// They lead to nothing that is kept.
	expect(logo).not.toMatch(/<use|url\(/);
	expect((await put({ logo })).undo).toBeNull();
});

test('a name is text wherever it is shown', async () => {
	const { put } = await setup();
	await put({ name: '<script>alert("x")</script>' });
	const response = await fetchApi()('/api/contact', {
		method: 'POST',
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
		body: 'email=nobody',
	});
	const page = await response.text();
	expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)');
	expect(page).not.toContain('<script>alert');
	expect(site.email.from).toBe(
		'"<script>alert(x)</script>" <weekly@script-alert-x-script.example>',
	);
});

test('a picture of the library is the logo, and stays there as long as it is', async () => {
	const { db, ask, put } = await setup();
	const { id, url } = await ask(uploadMedia, { name: 'logo.png', data: PNG });
	expect((await put({ logo: url })).logo).toBe(url);
	expect(site.logoPath).toBe(url);
	await expect(ask(deleteMedia, { id })).rejects.toMatchObject({
		code: 'conflict',
		message: 'This image is the logo of the site. Choose another logo first.',
	});
	await put({ logo: '' });
	expect(site.logoPath).toBe('/favicon.svg');
	await ask(deleteMedia, { id });
	expect(await db.$count(media, isNull(media.deletedAt))).toBe(0);
});

test('what another process saved is used after two seconds, and a database that fails changes nothing', async () => {
	const { db, ask, put } = await setup();
	await put({ name: 'Second Opinion' });
	const start = Date.now();
	vi.setSystemTime(start);
	await ask(api.getSite, {});
	await db.update(settings).set({ value: { version: 3, name: 'Third Opinion' } });
	vi.setSystemTime(start + 1000);
	await ask(api.getSite, {});
	expect(site.name).toBe('Second Opinion');
	vi.setSystemTime(start + 3000);
	await ask(api.getSite, {});
	expect(site.name).toBe('Third Opinion');
	const execute = vi.spyOn(db.$client, 'execute').mockRejectedValue(new Error('away'));
	await refreshSiteSettings(() => db, new Date(start + 6000));
	expect(execute).toHaveBeenCalled();
	expect(site.name).toBe('Third Opinion');
});

test('a stored value that cannot be read leaves the others as they are', async () => {
	const { db, ask } = await setup();
	await db.insert(settings).values({
		key: 'site',
		value: { version: 3, name: 'Second Opinion', accent: 'none', navigation: 'x', other: 1 },
	});
	expect(await ask(api.getSite, {})).toEqual({
		...DEFAULT_SETTINGS,
		name: 'Second Opinion',
		version: 3,
	});
});
