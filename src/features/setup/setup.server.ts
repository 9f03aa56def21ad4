import { and, eq, getTableColumns, isNull, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod/mini';
import type { Db, Statement } from '#db/client.ts';
import { sampleDigest } from '#db/samples.ts';
import { categories, drafts, meta, posts, postTags, series, states, tags } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import { abortUnless, among } from '#src/core/batches.server.ts';
import { DEFAULT_EMAIL } from '#src/core/session/session.ts';
import { addressStatements, type Admin } from '#src/core/session/session.server.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import type { StoredSite } from '#src/core/settings/site-form.ts';
import { transportKind } from '#src/core/outbox/transport.server.ts';
import { getSite, updateSite } from '#src/core/settings/site.server.ts';
import { asIs, type Change, changeOfRows, imageOf } from '#src/core/undo/undo.server.ts';
import { FIRST_CATEGORY } from '#src/features/posts/post.ts';
import { getEnv } from '#src/lib/env.ts';
import { plural } from '#src/lib/text.ts';
import { withoutSamples } from '#src/site.ts';
import type { Setup, setupForm } from './setup.ts';

/** Returns what the set-up shows. */
export async function getSetup(db: Db, ownEmail: string): Promise<Setup> {
	const env = getEnv();
	const { SITE_URL, MAIL_FROM = null } = env;
	const samples = await findSamples(db);
	return {
		isDue: (await getMeta(db, 'setup')) === 'due',
		site: await getSite(db),
		address: SITE_URL,
		ownEmail: ownEmail === DEFAULT_EMAIL ? '' : ownEmail,
		mailFrom: MAIL_FROM,
		sendsMail: transportKind(env) === 'smtp',
		letsInvent: env.INVENTED_PROOF,
		samples: { posts: samples.posts.length, states: samples.states.length },
	};
}

/** Saves the answers of the set-up, and removes the sample content if they say so. */
export async function finishSetup(
	db: Db,
	{ samples, version, ownEmail, ...answers }: z.infer<typeof setupForm>,
	by: Actor,
	admin: Admin,
): Promise<StoredSite & { undo: string | null }> {
	const stored = await getSite(db);
	const saved =
		samples === 'keep'
			? await updateSite(db, { version, ...answers }, by)
			: await updateSite(db, { version, ...answers, ...withoutSamples(stored) }, by, () =>
					removeSamples(db, by.now),
				);
	if (ownEmail && ownEmail !== admin.email)
		await db.batch([...addressStatements(db, admin, ownEmail, by.now)]);
	await skipSetup(db);
	return saved;
}

/** Sees to it that the set-up no longer asks by itself. */
export async function skipSetup(db: Db): Promise<void> {
	await setMeta(db, 'setup', 'done');
}

/** Returns the articles and states that are still exactly as they came with the site. */
async function findSamples(db: Db) {
	const isSeeded = (kind: string, slug: SQL) => sql`${meta.key} = ${`seed:${kind}/`} || ${slug}`;
	const [foundPosts, foundStates] = await Promise.all([
		db
			.select({ ...getTableColumns(posts), seeded: meta.value })
			.from(posts)
			.innerJoin(meta, isSeeded('post', sql`${posts.slug}`))
			.leftJoin(drafts, eq(drafts.postId, posts.id))
			.where(and(isNull(posts.deletedAt), isNull(drafts.postId))),
		db
			.select({ id: states.id, version: states.version })
			.from(states)
			.innerJoin(meta, isSeeded('state', sql`${states.slug}`))
			.where(eq(states.version, 1)),
	]);
	return {
		// A site that was seeded before there were digests has dates in their place.
		posts: foundPosts
			.filter((post) =>
				post.seeded.length === 64 ? post.seeded === sampleDigest(post) : post.version === 1,
			)
			.map(({ id, version }) => ({ id, version })),
		states: foundStates,
	};
}

/**
 * Returns how the sample content goes: articles as the desk deletes them, their categories and tags where nothing else
 * is in them, and states.
 */
async function removeSamples(db: Db, now: Date) {
	const samples = await findSamples(db);
	const isSample = (id: SQL) => sql`${id} in ${among(samples.posts.map((post) => post.id))}`;
	const ofStates = sql`states.id in ${among(samples.states.map((state) => state.id))}`;
	const made = crypto.randomUUID();
	// Deleted articles can be restored, so they need a category, as the first one of the owner does.
	const first = sql`(select id from categories where slug = ${FIRST_CATEGORY.slug} or name = ${FIRST_CATEGORY.name})`;
	const ofCategories = sql`categories.version = 1
		and exists (select 1 from meta where key = 'seed:category/' || categories.slug)
		and not exists (select 1 from posts p where p.category_id = categories.id and not ${isSample(sql`p.id`)})
		and not exists (select 1 from drafts d where d.form ->> '$.categoryId' = categories.id)`;
	const goneCategories = (
		await db.all<{ id: string }>(sql`select id from categories where ${ofCategories}`)
	).map(({ id }) => id);
	const goneTags = (
		await db.all<{ id: string }>(sql`select id from tags where version = 1
			and exists (select 1 from post_tags l where l.tag_id = tags.id and ${isSample(sql`l.post_id`)})
			and not exists (select 1 from post_tags l where l.tag_id = tags.id and not ${isSample(sql`l.post_id`)})`)
	).map(({ id }) => id);
	const inCategory = sql`posts.category_id in ${among(goneCategories)}`;
	const links = sql`post_tags.tag_id in ${among(goneTags)}`;
	const rest = {
		categories: sql`categories.id in ${among(goneCategories)}`,
		tags: sql`tags.id in ${among(goneTags)}`,
		series: sql`series.version = 1 and exists (select 1 from meta where key = 'seed:series/' || series.slug)`,
		states: ofStates,
	};
	const at = now.getTime();
	const changes: Change[] = [
		// Taken back last, when no sample is in it any more.
		{
			table: 'categories',
			images: sql`select ${imageOf({ id: sql`${made}` }, null, { version: sql`1` })} as image
				where ${first} is null`,
		},
		{
			table: 'posts',
			images: sql`select ${imageOf(
				{ id: sql`id` },
				{ deleted_at: sql`deleted_at`, category_id: sql`category_id` },
				{
					deleted_at: sql`${at}`,
					category_id: sql`iif(${inCategory}, coalesce(${first}, ${made}), category_id)`,
				},
			)} as image from posts where ${isSample(sql`posts.id`)}`,
		},
		removalOf('post_tags', postTags, links, ['post_id', 'tag_id']),
		removalOf('tags', tags, rest.tags),
		removalOf('categories', categories, rest.categories),
		removalOf('series', series, rest.series),
		removalOf('states', states, rest.states),
	];
	const asRead = (rows: { id: string; version: number }[]) =>
		JSON.stringify(rows.map(({ id, version }) => [id, version]));
	const areAsRead = (table: SQL, rows: { id: string; version: number }[]) =>
		abortUnless(
			db,
			sql`(select count(*) from ${table} t join json_each(${asRead(rows)}) u
				on t.id = u.value ->> 0 and t.version = u.value ->> 1) = ${rows.length}`,
		);
	const statements: Statement[] = [
		areAsRead(sql`posts`, samples.posts),
		areAsRead(sql`states`, samples.states),
		db
			.insert(categories)
			.values({ id: made, ...FIRST_CATEGORY })
			.onConflictDoNothing(),
		db.run(sql`update posts set version = version + 1, deleted_at = ${at},
			category_id = iif(${inCategory}, ${first}, category_id) where ${isSample(sql`posts.id`)}`),
		db.run(sql`delete from post_tags where ${links}`),
		...Object.entries(rest).map(([table, which]) =>
			db.run(sql`delete from ${sql.identifier(table)} where ${which}`),
		),
	];
	const counts = [plural(samples.posts.length, 'article'), plural(samples.states.length, 'state')];
	const isNothing = samples.posts.length + samples.states.length === 0;
	return isNothing
		? { detail: '', changes: [], statements: [] }
		: { detail: `removed the sample content: ${counts.join(', ')}`, changes, statements };
}

/** Returns the change by which rows of a table go. */
function removalOf(
	name: Change['table'],
	table: SQLiteTable,
	which: SQL,
	keys: string[] = ['id'],
): Change {
	const columns = Object.values(getTableColumns(table)).map((column) => column.name);
	const others = columns.filter((one) => !keys.includes(one));
	const rows = sql`from ${sql.identifier(name)} where ${which}`;
	return changeOfRows(name, asIs(...keys), asIs(...others), null, rows);
}
