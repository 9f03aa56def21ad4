import { expect, test, vi } from 'vitest';
import deliver from '#functions/deliver.ts';
import deploys from '#functions/deploys.ts';
import { purge } from '#functions/lib/cache.ts';
import * as comments from '#src/features/comments/comments.api.ts';
import * as moderation from '#src/features/comments/moderation.api.ts';
import * as newsletter from '#src/features/newsletter/newsletter.api.ts';
import * as desk from '#src/features/newsletter/subscribers.api.ts';
import { emptyForm } from '#src/features/posts/editing.ts';
import * as editing from '#src/features/posts/editing.api.ts';
import { setBuilder } from '#src/core/builds/builder.server.ts';
import { recordBuiltUntil } from '#src/core/builds/builds.server.ts';
import { importPart } from '#src/features/import-export/import-export.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi, functions } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makeCategory, makePost, makeSubscriber } from '#tests/support/factories.ts';

/** Plays Netlify's purge. Answers the tags that were purged since the last time. */
async function setup() {
	const db = await useTestDb();
	setBuilder({ build: () => {}, prewarm: () => {} });
	vi.stubEnv('NETLIFY_PURGE_API_TOKEN', 'token');
	vi.stubEnv('SITE_ID', 'site');
	const tags: string[] = [];
	const others = fetch;
	vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
		if (url !== 'https://api.netlify.com/api/v1/purge') return others(url, init);
		tags.push(...(JSON.parse(init.body as string) as { cache_tags: string[] }).cache_tags);
		return new Response(null, { status: 202 });
	});
	return { db, admin: await asAdmin(db), purged: () => tags.splice(0).sort() };
}

test('each write makes the CDN forget what it changed, and nothing else', async () => {
	const { db, admin, purged } = await setup();
	const { id: postId, categoryId } = await makePost(db, { id: 'p1' });
	const { id } = await makeSubscriber(db, { email: 'one@example.com' });
	await call(newsletter.subscribe, { email: 'two@example.com' }, fetchApi());
	expect(purged()).toEqual(['subscribers']);
	await call(desk.activateSubscribers, { ids: [id], active: false }, admin);
	expect(purged()).toEqual(['subscribers']);
	await call(desk.importSubscribers, { rows: [], reactivate: false, preview: false }, admin);
	expect(purged()).toEqual(['subscribers']);
	const comment = { postId, author: 'Ada', email: 'ada@example.com', content: 'Lovely post' };
	const { id: commentId } = await call(comments.createComment, comment, fetchApi());
	expect(purged()).toEqual(['comments-p1']);
	await call(moderation.decideComments, { ids: [commentId], state: 'hidden' }, admin);
	expect(purged()).toEqual(['comments-p1']);
	const form = { ...emptyForm, title: 'A title', content: '<p>Words.</p>', categoryId };
	const post = await call(editing.createPost, form, admin);
	expect(purged()).toEqual(['posts']);
	await call(editing.deletePost, { id: post.id }, admin);
	expect(purged()).toEqual(['posts']);
	await call(importPart, { run, preview: false, asDrafts: false, categoryId, ...nothing }, admin);
	expect(purged()).toEqual(['categories', 'posts']);
});

const nothing = { categories: [], posts: [], pages: [], taken: [], comments: [] };
const run = { id: crypto.randomUUID(), name: 'a.zip', kind: 'Markdown folder' };

test('a post whose time has come is seen by the API as well', async () => {
	const { db, purged } = await setup();
	await makePost(db, { publishedAt: new Date(Date.now() - 1000) });
	await recordBuiltUntil(db, new Date());
	await deliver();
	expect(purged()).toEqual([]);
	await recordBuiltUntil(db, new Date(Date.now() - 60_000));
	await deliver();
	expect(purged()).toEqual(['posts']);
});

test('whatever the CDN keeps for long is forgotten by a write or by a deploy', async () => {
	const { db, purged } = await setup();
	await makeCategory(db);
	await makePost(db, { id: 'p1', slug: 'p1' });
	const kept = new Set<string>();
	for (const { config } of await functions()) {
		if (config.method) continue;
		for (const path of [config.path ?? []].flat()) {
			if (/:token|:date|\*|\/media\//.test(path)) continue;
			const address = path.replace(/:\w+/, 'p1');
			const { headers, status } = await fetchApi()(address);
			const tags = headers.get('Netlify-Cache-Tag');
			if (
				status === 200 &&
				tags &&
				!/s-maxage=60\b/.test(headers.get('Netlify-CDN-Cache-Control')!)
			) {
				for (const tag of tags.split(',')) kept.add(tag);
			}
		}
	}
	const deploy = { context: 'production', createdAt: new Date().toISOString() };
	await deploys.deploySucceeded({ deploy } as Parameters<typeof deploys.deploySucceeded>[0]);
	const forgotten = [...purged(), 'subscribers', 'comments-p1'];
	expect(kept.size).toBeGreaterThan(3);
	expect([...kept].filter((tag) => !forgotten.includes(tag))).toEqual([]);
});

test('without the token of Netlify nothing is called', async () => {
	const { purged } = await setup();
	vi.stubEnv('NETLIFY_PURGE_API_TOKEN', '');
	await purge('posts');
	expect(purged()).toEqual([]);
});
