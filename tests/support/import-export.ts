import { expect, vi } from 'vitest';
import type { Db } from '#db/client.ts';
import { categories, comments, drafts, media, posts, redirects, subscribers } from '#db/schema.ts';
import { importSubscribers } from '#src/features/newsletter/subscribers.api.ts';
import { sendBundle, type Choices } from '#src/features/import-export/send.ts';
import { importPart } from '#src/features/import-export/import-export.api.ts';
import type { ImportRun } from '#src/core/imports/run.ts';
import type { Bundle } from '#src/features/import-export/bundle.ts';
import { call } from '#src/lib/endpoint.ts';
import { asAdmin } from './admin.ts';
import { useTestDb } from './db.ts';
import { makeCategory } from './factories.ts';

export const NOON = new Date('2026-03-01T12:00:00Z');

/** An empty site that bundles can be sent to. */
export async function setup() {
	vi.setSystemTime(NOON);
	const db = await useTestDb();
	const { id: categoryId } = await makeCategory(db, { name: 'Default' });
	const admin = await asAdmin(db);
	const send = async (bundle: Bundle, choices: Partial<Choices> = {}) => {
		// Signed in just before, as imports ask for.
		const here = await asAdmin(db);
		return sendBundle(
			bundle,
			{ run: runOf(bundle), preview: false, asDrafts: false, categoryId, ...choices },
			{
				part: (input) => call(importPart, input, here),
				subscribers: (rows, preview, importId) =>
					call(importSubscribers, { rows, preview, importId, reactivate: false }, here),
			},
			() => {},
		);
	};
	return { db, admin, categoryId, send };
}

export const runOf = ({ kind }: Bundle): ImportRun => ({
	id: crypto.randomUUID(),
	name: 'a.zip',
	kind,
});

/** All that an archive keeps, without the ids that a site makes for itself. */
export async function everything(db: Db) {
	const names = new Map(
		(await db.select().from(categories)).map(({ id, createdAt: _, ...row }) => [id, row]),
	);
	const [allPosts, allTags] = await Promise.all([
		db.select().from(posts),
		db.all(`select p.slug, t.name, pt.position from post_tags pt join tags t on t.id = pt.tag_id
			join posts p on p.id = pt.post_id where p.deleted_at is null order by 1, 3`),
	]);
	const by = <Row>(rows: Row[], key: (row: Row) => string) =>
		rows.sort((a, b) => key(a).localeCompare(key(b)));
	return {
		posts: by(
			allPosts
				.filter(({ deletedAt }) => !deletedAt)
				.map(({ categoryId, ...post }) => ({ ...post, category: names.get(categoryId) })),
			({ slug }) => slug,
		),
		tags: allTags,
		drafts: await db.select().from(drafts),
		redirects: (await db.select().from(redirects).orderBy(redirects.slug)).map(
			({ slug, postId }) => [slug, postId],
		),
		comments: by(await db.select().from(comments), ({ id }) => id),
		subscribers: by(
			(await db.select().from(subscribers)).map(({ id: _, importedAt: __, topics, ...row }) => ({
				...row,
				topics: topics.map((id) => names.get(id)?.slug),
			})),
			({ email }) => email,
		),
		media: (await db.select().from(media).orderBy(media.id)).map(
			({ digest: _, bytes, ...row }) => ({
				...row,
				bytes: Buffer.from(bytes).toString('base64'),
			}),
		),
	};
}

/** The site's own archive. */
export const archiveOf = async (fetcher: typeof fetch) => {
	const response = await fetcher('/api/admin/export');
	expect(response.headers.get('Content-Disposition')).toBe(
		'attachment; filename="groundtruth-2026-03-01.zip"',
	);
	return new Uint8Array(await response.arrayBuffer());
};
