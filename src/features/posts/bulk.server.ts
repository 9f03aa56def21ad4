import { eq, sql, type SQL } from 'drizzle-orm';
import { batchOfMany, type Db, type Statement } from '#db/client.ts';
import { categories, drafts, posts, tags } from '#db/schema.ts';
import type { Actor } from '#src/core/audit/audit.ts';
import type { UndoableAction } from '#src/core/audit/sentences.ts';
import { abortUnless, among, nextTurn, retryWhenOvertaken } from '#src/core/batches.server.ts';
import { requestBuild } from '#src/core/builds/builds.server.ts';
import {
	asIs,
	type Change,
	changeOfRows,
	countChanged,
	recordUndoable,
} from '#src/core/undo/undo.server.ts';
import { invalid, knownReason } from '#src/lib/errors.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import type { BulkAction, BulkInput, BulkResult } from './bulk.ts';
import { postStateOf } from '#src/core/posts/post-state.ts';
import { MAX_TAGS, MISSING, readForm, UNTITLED } from './editing.ts';
import { tagNames, toPostForm } from './editing.server.ts';
import { UNCATEGORIZED, type TagRef } from './post.ts';
import { postColumns } from './posts.server.ts';
import { saveRevision } from './revisions.server.ts';
import { updatePost } from './saving.server.ts';
import { chooseTags } from './tags.server.ts';

/** The verb for the log and the timeline. */
const VERBS: Record<BulkAction, UndoableAction> = {
	publish: 'published',
	unpublish: 'unpublished',
	category: 'moved',
	tag: 'tagged',
	untag: 'untagged',
	feature: 'featured',
	unfeature: 'unfeatured',
	delete: 'deleted',
};

/** Posts that are read between two turns. */
const PIECE = 500;

/** Posts named in the log; the others are counted. */
const NAMED = 3;

type Skipped = BulkResult['skipped'];
/** `made`: a tag that is not there yet. */
type Target = { id: string; name: string; made?: TagRef | undefined };

/**
 * Changes many posts in one batch, with one entry in the log and one build. An unpublished post that is being written is
 * published with what was written last.
 */
export async function bulkPosts(
	db: Db,
	{ ids, action, value = '' }: BulkInput,
	actor: Actor,
): Promise<BulkResult> {
	const unsaved = action === 'publish' ? await saveDrafts(db, ids, actor) : [];
	const token = crypto.randomUUID();
	const skipped = await retryWhenOvertaken(async () => {
		const target = await findTarget(db, action, value);
		const found = await readPosts(db, ids, target);
		const refused = found.flatMap((post): Skipped => {
			const why = unsaved.find(({ id }) => id === post.id)?.why ?? whyNot(action, post);
			return why ? [{ id: post.id, title: post.title, why }] : [];
		});
		const no = new Set(refused.map(({ id }) => id));
		const wanted = found.filter((post) => !no.has(post.id) && isOther(action, post, target));
		if (wanted.length > 0) await change(db, token, wanted, action, target, actor);
		return refused;
	});
	const changed = await countChanged(db, token);
	return { undo: changed > 0 ? token : null, changed, skipped };
}

/** Saves what is being written on posts that are not public. Returns those that could not be saved, and why. */
async function saveDrafts(db: Db, ids: string[], actor: Actor) {
	const rows = await db
		.select({ id: posts.id, title: posts.title, draft: drafts })
		.from(drafts)
		.innerJoin(posts, eq(posts.id, drafts.postId))
		.where(
			sql`${posts.id} in ${among(ids)} and ${posts.published} = 0 and ${posts.deletedAt} is null`,
		);
	const failed: Skipped = [];
	for (const { id, title, draft } of rows) {
		await nextTurn();
		const form = { ...readForm(draft.form), published: false };
		try {
			await updatePost(db, id, { ...form, draftVersion: draft.version }, actor);
		} catch (error) {
			const why = knownReason(error);
			if (why === undefined) throw error;
			failed.push({ id, title, why });
		}
	}
	return failed;
}

type Found = Awaited<ReturnType<typeof readPosts>>[number];

/** Returns the posts of these ids, in their order. */
async function readPosts(db: Db, ids: string[], target: Target | undefined) {
	const unique = [...new Set(ids)];
	const found: Awaited<ReturnType<typeof readPiece>> = [];
	for (let from = 0; from < unique.length; from += PIECE) {
		found.push(...(await readPiece(db, unique.slice(from, from + PIECE), target)));
		await nextTurn();
	}
	const byId = new Map(found.map((row) => [row.id, row]));
	return unique.flatMap((id) => byId.get(id) ?? []);
}

function readPiece(db: Db, ids: string[], target: Target | undefined) {
	return db
		.select({
			id: posts.id,
			slug: posts.slug,
			title: posts.title,
			version: posts.version,
			published: posts.published,
			publishedAt: posts.publishedAt,
			featured: posts.featured,
			deletedAt: posts.deletedAt,
			categoryId: posts.categoryId,
			category: categories.slug,
			tags: sql<number>`(select count(*) from post_tags t where t.post_id = posts.id)`,
			isTagged: sql<number>`exists (select 1 from post_tags t where t.post_id = posts.id and t.tag_id = ${target?.id ?? null})`,
		})
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(sql`${posts.id} in ${among(ids)}`);
}

/** Returns why this cannot be done with a post, or undefined. */
function whyNot(action: BulkAction, post: Found): string | undefined {
	if (post.deletedAt) return action === 'delete' ? undefined : 'It is deleted.';
	if (action === 'publish' && !post.published) {
		if (!post.title || post.title === UNTITLED) return MISSING.title;
		if (post.category === UNCATEGORIZED.slug) return MISSING.categoryId;
	}
	if (action === 'tag' && !post.isTagged && post.tags >= MAX_TAGS)
		return `It has ${post.tags} tags already.`;
	return undefined;
}

/** Whether a post is not yet as the action leaves it. */
function isOther(action: BulkAction, post: Found, target: Target | undefined): boolean {
	return {
		publish: !post.published,
		unpublish: post.published,
		category: post.categoryId !== target?.id,
		tag: !post.isTagged,
		untag: Boolean(post.isTagged),
		feature: !post.featured,
		unfeature: post.featured,
		delete: post.deletedAt === null,
	}[action];
}

/** Returns the category or tag that an action names, or throws. */
async function findTarget(db: Db, action: BulkAction, value: string): Promise<Target | undefined> {
	if (action !== 'category' && action !== 'tag' && action !== 'untag') return undefined;
	const table = action === 'category' ? categories : tags;
	const [found] = await db
		.select({ id: table.id, name: table.name })
		.from(table)
		.where(sql`${value} in (${table.id}, ${table.slug}) or lower(${table.name}) = lower(${value})`)
		.limit(1);
	if (found) return found;
	const message = !value
		? `Please choose a ${table === tags ? 'tag' : 'category'}.`
		: action === 'category'
			? 'There is no such category.'
			: action === 'untag'
				? 'There is no such tag.'
				: value.includes(',') && 'Use a name without a comma.';
	if (message) throw invalid({ value: message });
	const { all, made } = await chooseTags(db, [value]);
	return { ...all[0]!, made: made[0] };
}

/** Makes the change of these posts, as one batch. */
async function change(
	db: Db,
	token: string,
	wanted: Found[],
	action: BulkAction,
	target: Target | undefined,
	{ actor, now }: Actor,
): Promise<void> {
	const { changes, statements } =
		action === 'tag' || action === 'untag'
			? changeTags(db, action, wanted, target!)
			: changeColumns(db, action, wanted, target, now);
	const before = wanted.filter((post) => postStateOf(post, now) === 'published');
	const shown = action === 'publish' ? wanted : before;
	const [first] = wanted;
	const names = wanted.slice(0, NAMED).map(({ title }) => `“${title}”`);
	const more = wanted.length - names.length;
	const what = `${plural(wanted.length, 'post')}${target ? ` ${action === 'untag' ? 'from' : 'to'} “${target.name}”` : ''}`;
	const event = {
		actor,
		action: VERBS[action],
		subject: wanted.length === 1 ? `post ${first!.id}` : 'posts',
		detail: `${what}: ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`,
	};
	const builds = shown.length > 0;
	const verb = VERBS[action].charAt(0).toUpperCase() + VERBS[action].slice(1);
	const asRead = JSON.stringify(wanted.map(({ id, version }) => [id, version]));
	await batchOfMany(db, wanted.length, [
		abortUnless(
			db,
			sql`(select count(*) from posts join json_each(${asRead}) u
				on posts.id = u.value ->> 0 and posts.version = u.value ->> 1) = ${wanted.length}`,
		),
		...recordUndoable(db, { token, event, changes, builds }, now),
		...statements,
		...(action === 'publish' ? await revisionsOf(db, wanted, now) : []),
		...(builds
			? requestBuild(
					db,
					`${verb} ${what}`,
					now,
					shown.map(({ slug }) => paths.post(slug)),
				)
			: []),
	]);
}

/** Returns the changes of columns of posts, what they were and will be, and the statements. */
function changeColumns(
	db: Db,
	action: Exclude<BulkAction, 'tag' | 'untag'>,
	wanted: Found[],
	target: Target | undefined,
	now: Date,
): { changes: Change[]; statements: Statement[] } {
	const at = now.getTime();
	// No reader is told of it.
	const keptDate = sql`iif(published_at <= ${at}, coalesce(changed_at, updated_at), null)`;
	const values: Record<string, SQL> = {
		publish: {
			published: sql`1`,
			published_at: sql`coalesce(published_at, ${at})`,
			updated_at: sql`${at}`,
			changed_at: keptDate,
		},
		unpublish: {
			published: sql`0`,
			// One that was never public is a draft again.
			published_at: sql`iif(published_at > ${at}, null, published_at)`,
			updated_at: sql`${at}`,
			changed_at: keptDate,
		},
		category: { category_id: sql`${target?.id ?? null}` },
		feature: { featured: sql`1` },
		unfeature: { featured: sql`0` },
		delete: { deleted_at: sql`${at}` },
	}[action];
	const which = sql`posts.id in ${among(wanted.map(({ id }) => id))}`;
	const before = asIs(...Object.keys(values));
	const set = Object.entries(values).map(([column, to]) => sql`${sql.raw(column)} = ${to}`);
	return {
		changes: [changeOfRows('posts', asIs('id'), before, values, sql`from posts where ${which}`)],
		statements: [
			db.run(
				sql`update posts set ${sql.join([sql`version = version + 1`, ...set], sql`, `)} where ${which}`,
			),
		],
	};
}

/** Returns the changes and statements by which posts get a tag, which may be new, or lose it. */
function changeTags(
	db: Db,
	action: 'tag' | 'untag',
	wanted: Found[],
	target: Target,
): { changes: Change[]; statements: Statement[] } {
	const ids = among(wanted.map(({ id }) => id));
	const key = { post_id: sql`posts.id`, tag_id: sql`${target.id}` };
	const those = sql`from posts where id in ${ids}`;
	const tagged = sql`from post_tags where tag_id = ${target.id} and post_id in ${ids}`;
	const ofPosts =
		action === 'tag'
			? changeOfRows('post_tags', key, null, {}, those)
			: changeOfRows('post_tags', asIs('post_id', 'tag_id'), asIs('id', 'position'), null, tagged);
	const counted = changeOfRows('posts', asIs('id'), {}, {}, those);
	const creation = changeOfRows('tags', { id: sql`${target.id}` }, null, {});
	return {
		changes: [...(target.made ? [creation] : []), ofPosts, counted],
		statements: [
			...(target.made ? [db.insert(tags).values(target.made)] : []),
			action === 'tag'
				? db.run(sql`insert into post_tags (id, post_id, tag_id, position)
						select lower(hex(randomblob(16))), id, ${target.id},
							(select coalesce(max(position) + 1, 0) from post_tags t where t.post_id = posts.id)
						from posts where id in ${ids}`)
				: db.run(sql`delete from post_tags where tag_id = ${target.id} and post_id in ${ids}`),
			db.run(sql`update posts set version = version + 1 where id in ${ids}`),
		],
	};
}

/** Statements that keep the text that each post is published with. */
async function revisionsOf(db: Db, wanted: Found[], now: Date): Promise<Statement[]> {
	const rows = await db
		.select(postColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(sql`${posts.id} in ${among(wanted.map(({ id }) => id))}`);
	return rows.flatMap((row) => {
		const post = { ...row.post, published: true, publishedAt: row.post.publishedAt ?? now };
		return saveRevision(db, post.id, toPostForm(post, tagNames(row)), 'publish', now);
	});
}
