import { and, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { authors, drafts, pages, posts } from '#db/schema.ts';
import { asText, tolerant } from '#db/tolerant.ts';
import { getSite } from '#src/core/settings/site.server.ts';
import { mediaPath } from './media.ts';
import type { Use } from './uses.api.ts';

/** Posts read per batch. */
const CHUNK = 200;
const MEDIA_PREFIX = mediaPath('');

/** Returns what uses these images. */
export async function listUses(db: Db, ids: string[]): Promise<Record<string, Use[]>> {
	const uses = await usedImages(db);
	return Object.fromEntries(
		ids.flatMap((id) => {
			const found = uses.get(id);
			return found ? [[id, found]] : [];
		}),
	);
}

/** Returns what uses each image: posts, drafts, pages, authors, the site. Reads only texts that contain one of our images. */
export async function usedImages(db: Db): Promise<Map<string, Use[]>> {
	const uses = new Map<string, Use[]>();
	const address = new RegExp(`${MEDIA_PREFIX}([\\w-]+)`, 'g');
	const collect = (text: string, use: Use) => {
		for (const image of new Set(Array.from(text.matchAll(address), ([, found]) => found!))) {
			uses.set(image, [...(uses.get(image) ?? []), use]);
		}
	};
	collect((await getSite(db)).logo ?? '', {
		kind: 'site',
		id: null,
		slug: '',
		title: 'The logo of the site',
	});
	const holds = (column: unknown) => sql`instr(${column}, ${MEDIA_PREFIX}) > 0`;
	const ofPages = await db
		.select(
			tolerant({ id: pages.id, slug: pages.slug, title: pages.title, content: pages.content }),
		)
		.from(pages)
		.where(holds(pages.content))
		.orderBy(pages.title);
	for (const { content, ...page } of ofPages) collect(content, { kind: 'page', ...page });
	const ofAuthors = await db
		.select(
			tolerant({
				id: authors.id,
				slug: authors.slug,
				title: authors.name,
				picture: authors.picture,
			}),
		)
		.from(authors)
		.where(holds(authors.picture))
		.orderBy(authors.name);
	for (const { picture, ...author } of ofAuthors) collect(picture, { kind: 'author', ...author });
	for (let last = ''; ;) {
		const rows = await db
			.select({
				id: posts.id,
				slug: asText(posts.slug),
				title: asText(posts.title),
				text: asText(
					sql`${posts.content} || ' ' || coalesce(${posts.featuredImage}, '') || ' ' || coalesce(${drafts.form}, '')`,
				),
			})
			.from(posts)
			.leftJoin(drafts, eq(drafts.postId, posts.id))
			.where(
				and(
					gt(posts.id, last),
					or(
						holds(posts.content),
						holds(posts.featuredImage),
						and(isNotNull(drafts.form), holds(drafts.form)),
					),
				),
			)
			.orderBy(posts.id)
			.limit(CHUNK);
		for (const { text, ...post } of rows) collect(text, { kind: 'post', ...post });
		if (rows.length < CHUNK) return uses;
		last = rows.at(-1)!.id;
	}
}
