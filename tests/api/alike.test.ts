import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setDb, type Db } from '#db/client.ts';
import { posts } from '#db/schema.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { updateVectors } from '#src/core/meaning/model.server.ts';
import * as api from '#src/features/posts/editing.api.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from '#tests/support/admin.ts';
import { fetchApi } from '#tests/support/api.ts';
import { useTestDb } from '#tests/support/db.ts';
import { makePost } from '#tests/support/factories.ts';
import { copyContent } from '#tests/support/seed.ts';

let db: Db;
let admin: typeof fetch;
beforeAll(async () => {
	db = await useTestDb();
	await copyContent(db);
	await updateVectors(db);
}, 120_000);
beforeEach(async () => {
	setDb(db);
	admin = await asAdmin(db);
});

const alikeTo = async (content: string, id?: string) =>
	(await call(api.findAlike, { content, ...(id && { id }) }, admin)).alike?.slug ?? null;
const listPosts = () =>
	db.select({ id: posts.id, slug: posts.slug, content: posts.content }).from(posts);

/** Words that somebody replaces in a text to hand it in as their own. */
const REPLACED: [RegExp, string][] = [
	[/\bmodels?\b/g, 'network'],
	[/\bnumbers?\b/g, 'figure'],
	[/\bdata\b/g, 'examples'],
	[/\banswers?\b/g, 'reply'],
	[/\berrors?\b/g, 'mistake'],
	[/\bshows?\b/g, 'demonstrates'],
	[/\bneeds?\b/g, 'requires'],
	[/\bsmall\b/g, 'little'],
	[/\bmeasured?\b/g, 'gauged'],
	[/\bcosts?\b/g, 'price'],
];
const reword = (html: string) =>
	REPLACED.reduce((text, [from, to]) => text.replace(from, to), html);
/** Leaves out every fifth sentence. */
const shorten = (html: string) =>
	html.replace(/(?<=[.!?] )[^.!?<>]+[.!?] /g, (sentence, at: number) =>
		at % 5 === 0 ? '' : sentence,
	);

test('no article of this site is much like another', async () => {
	const all = await listPosts();
	expect(all.length).toBeGreaterThan(60);
	const found: string[] = [];
	for (const { id, slug, content } of all) {
		const alike = await alikeTo(content, id);
		if (alike) found.push(`${slug} is like ${alike}`);
	}
	expect(found).toEqual([]);
}, 120_000);

test('each is found by its copy, as it is and edited', async () => {
	for (const { slug, content } of await listPosts()) {
		expect(await alikeTo(content)).toBe(slug);
		const edited = shorten(reword(content));
		expect(edited).not.toBe(content);
		expect(await alikeTo(edited)).toBe(slug);
	}
}, 120_000);

test('what says the same in other words, in a quarter of the length, is found', async () => {
	expect(await alikeTo(RETOLD)).toBe('what-an-adapter-can-hold');
});

test('what readers cannot see is not named, and what says little is not compared', async () => {
	const slug = 'pid-four-faults';
	const [post] = await db.select().from(posts).where(eq(posts.slug, slug));
	expect(await alikeTo('<p>The Kalman filter is careful averaging.</p>')).toBeNull();
	expect(await alikeTo('')).toBeNull();
	await db.update(posts).set({ published: false }).where(eq(posts.slug, slug));
	expect(await alikeTo(post!.content)).toBeNull();
	await db.update(posts).set({ published: true }).where(eq(posts.slug, slug));
	expect(await alikeTo(post!.content)).toBe(slug);
});

test('only the admin may ask, and a site that has not learned anything answers', async () => {
	const content = '<p>Words.</p>';
	await expect(call(api.findAlike, { content }, fetchApi())).rejects.toMatchObject({
		code: 'unauthorized',
	});
	const fresh = await useTestDb();
	const { content: text } = await makePost(fresh, {
		content: `<p>${Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')}</p>`,
	});
	await renderStalePosts(fresh);
	const { alike } = await call(api.findAlike, { content: text }, await asAdmin(fresh));
	expect(alike).toBeNull();
});

/** "How much fits into an adapter of rank 16", told by somebody else. */
const RETOLD = `
<p>Adapting a network with eight billion weights by means of Adam costs about 128 GB of memory, sixteen bytes for every parameter, although the model itself fits into 16 GB. The weight takes two bytes, the gradient two more, an exact copy four, and the two moments eight.</p>
<p>LoRA avoids most of this. The original matrix stays frozen, and beside it a product of two thin matrices of rank r is trained. For a matrix of 4,096 by 4,096 and rank 16 there are only 131 thousand trainable numbers where full fine-tuning has 16.8 million. Since the frozen base needs neither gradients nor moments, it can even be stored in four bits, as QLoRA does. Total memory then drops to 17 GB, or five with a quantized base. Choosing rank 4 in place of 16 saves almost nothing, so memory should not decide the rank. What has to be learned should.</p>
<p>What can a rank hold?</p>
<p>A correction of rank one maps one key to one value: inputs that resemble the key get the value added to their output, and orthogonal inputs remain as they were. Rank sixteen therefore keeps about sixteen associations per matrix. For a change of style, such as answering in JSON or keeping replies short, that is enough, because the same few directions serve all inputs. For a catalog with ten thousand products it is not.</p>
<p>An experiment with random keys and values in a small matrix confirms it. We cut the matrix to its best approximation of a given rank and count the keys that still bring back their own value. Four pairs need rank 4, sixteen come back at rank 8, and of sixty-four pairs less than half survive at rank 8. The number of associations grows in proportion to the rank, whatever the learning rate.</p>
<p>What published measurements say</p>
<p>Biderman and others trained adapters on plenty of code and mathematics and saw them fall behind full fine-tuning, though they forgot less. Schulman and others used smaller data sets after pretraining, put adapters on every matrix, raised the learning rate tenfold and found no gap until the data exceeded the capacity. In reinforcement learning even rank 1 sufficed. These results agree once you ask how much had to be stored.</p>
<p>My advice: begin with rank 16 on all matrices, then double it one time. If held-out results improve, continue doubling until they stop. If not, leave it. Facts that change often do not belong into weights at all; put them in the context, where a row can be corrected.</p>
`;
