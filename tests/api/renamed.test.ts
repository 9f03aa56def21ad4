import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#db/client.ts';
import { loadLettering } from '#src/build/lettering.server.ts';
import { createComposer, listSocialPictures } from '#src/build/social.server.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { DEFAULT_SETTINGS, site } from '#src/site.ts';
import { readSiteSettings, updateSite } from '#src/core/settings/site.server.ts';
import { UPGRADES } from '#src/features/downloads/download.ts';
import { readManifest } from '#src/features/downloads/downloads.server.ts';
import { makeDownloads } from '#src/features/downloads/make.server.ts';
import { describeApi } from '#src/features/openapi/openapi.ts';
import { operations } from '#src/features/openapi/operations.ts';
import { TOOLS } from '#src/features/programs/programs.ts';
import { indexEntries } from '#src/features/search/entries.server.ts';
import { listStates } from '#src/features/states/states.server.ts';
import { readSite } from '#src/features/site/load.server.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { seedOnlyPages } from '#tests/support/seed.ts';
import { SITE_URL } from '#tests/support/setup.ts';

const OLD = /.{0,40}ground-?truth.{0,40}/i;
const now = new Date('2030-01-01T00:00:00Z');
let db: Db;
let folder: string;

/** Returns an answer without the address of these tests. */
const said = (text: string) => text.replaceAll(new URL(SITE_URL).host, 'site.test');

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'renamed-'));
	db = await useTestDb();
	await seedOnlyPages(db);
	await updateSite(db, { name: 'Second Opinion', socialLinks: [] }, { actor: 'admin', now });
	await readSiteSettings(db);
	const excerpt = 'An excerpt.';
	await makePost(db, { title: 'Only one', slug: 'only-one', excerpt, author: site.author });
	await renderStalePosts(db);
	await indexEntries(db, { site: await readSite(db, now), issues: [] });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('no old name is in the text, the outline and the description of a download', async () => {
	const making = { siteUrl: 'https://site.test', now, sources: 'one' };
	expect(await makeDownloads(db, folder, making)).toEqual([...UPGRADES]);
	const manifest = await readManifest(folder);
	for (const kind of UPGRADES) {
		const bytes = await readFile(join(folder, manifest[kind]!.file));
		if (kind === 'template') {
			const files = Object.entries(unzipSync(bytes)).map(([path, file]) => [path, strFromU8(file)]);
			expect(JSON.stringify(files)).not.toMatch(OLD);
			continue;
		}
		const pdf = await getDocumentProxy(new Uint8Array(bytes));
		const { text } = await extractText(pdf, { mergePages: true });
		const { info, metadata } = (await pdf.getMetadata()) as {
			info: object;
			metadata: { getRaw: () => string } | null;
		};
		// The cheat sheet is too full for a name.
		if (kind !== 'cheatsheet') expect(text, kind).toContain('Second Opinion');
		const outline = JSON.stringify(await pdf.getOutline());
		// Words may be broken into lines.
		const all = [text, JSON.stringify(info), metadata?.getRaw(), outline].join('\n');
		expect(all.replace(/-?\s*\n\s*/g, ''), kind).not.toMatch(OLD);
	}
}, 120_000);

test('a picture for social media is lettered with the new name', async () => {
	const states = await listStates(db);
	const pictures = listSocialPictures(await readSite(db, now), states);
	expect(pictures.map(({ path }) => path)).toContain('/social/blog/only-one.png');
	expect(JSON.stringify(pictures)).not.toMatch(OLD);
	const [compose, heading] = await Promise.all([createComposer(), loadLettering(700, -0.02)]);
	/** A text as paths, without their places. */
	const shapes = (text: string) => [...text.matchAll(/ d="([^"]+)"/g)].map(([, d]) => d).join(' ');
	const lettered = (name: string) => shapes(heading.set(name, 118, 88, 32));
	expect(lettered('Second Opinion')).not.toBe('');
	for (const picture of pictures) {
		const drawn = shapes(compose(picture));
		expect(drawn, picture.path).toContain(lettered('Second Opinion'));
		expect(drawn, picture.path).not.toContain(lettered(DEFAULT_SETTINGS.name));
	}
});

test('programs are told the new name alone', async () => {
	const api = fetchApi();
	const described = JSON.stringify(describeApi(operations, SITE_URL));
	for (const text of [described, await (await api('/.well-known/mcp.json')).text()]) {
		expect(text).toContain('Second Opinion');
		expect(said(text)).not.toMatch(OLD);
	}
	const client = new Client({ name: 'test', version: '1' });
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', SITE_URL), {
		fetch: (url, init) => api(new URL(url).pathname, init),
	});
	await client.connect(transport);
	expect(client.getServerVersion()?.name).toBe('Second Opinion');
	const { tools } = await client.listTools();
	expect(tools).toHaveLength(Object.keys(TOOLS).length);
	const answers = await Promise.all(
		tools.map(({ name }) =>
			client.callTool({
				name,
				arguments: { query: 'only one', q: 'only one', slug: 'only-one', state: 'ohio' },
			}),
		),
	);
	const all = JSON.stringify([client.getInstructions(), tools, answers]);
	expect(all).toContain('Only one');
	expect(said(all)).not.toMatch(OLD);
	await client.close();
});
