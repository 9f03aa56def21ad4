import { createHash } from 'node:crypto';
import { eq, getTableColumns, like, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db, Statement } from './client.ts';
import type { pages, states } from './schema.ts';
import { meta, postOffers, posts } from './schema.ts';

/**
 * Returns what offers a file to the admin if it is another one than last time: it stores what `offer` makes. Nothing of
 * what is offered for changes.
 */
export async function offersIn(db: Db) {
	const rows = await db.select().from(meta).where(like(meta.key, 'file:%'));
	const seen = new Map(rows.map(({ key, value }) => [key, value]));
	return async (
		name: string,
		source: string,
		offer: () => Promise<Statement[]> | Statement[],
	): Promise<void> => {
		const key = `file:${name}`;
		const value = createHash('sha256').update(source).digest('hex');
		if (seen.get(key) === value) return;
		await db.batch([
			db
				.insert(meta)
				.values({ key, value })
				.onConflictDoUpdate({ target: meta.key, set: { value } }),
			...(await offer()),
		]);
	};
}

type Said = Record<string, unknown>;

/** Returns statements that offer fields to the state or page with this slug, or end its offer where `isSame` holds. */
export function offerFields(
	db: Db,
	table: typeof states | typeof pages,
	slug: string,
	said: Said,
	isSame: SQL[],
): Statement[] {
	return [
		db.run(sql`update ${table} set offer = case when ${sql.join(isSame, sql` and `)} then '{}'
			else ${JSON.stringify(said)} end where slug = ${slug}`),
	];
}

/** Returns conditions that a state or page says the same in these fields. */
export function saysSame(table: typeof states | typeof pages, said: Said): SQL[] {
	const columns: Record<string, SQLiteColumn> = getTableColumns(table);
	return Object.entries(said).map(
		([name, value]) =>
			sql`${columns[name]} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
	);
}

/** An article as a file has it: fields of its form. */
export type OfferedPost = {
	title: string;
	excerpt: string;
	content: string;
	metaDescription: string;
	searchedAs: string;
	related: string;
	questions: string;
	staleAfter: string;
	featured: boolean;
	/** Missing where the file's category is gone. */
	categoryId?: string;
	tags: string[];
};

/** Returns statements that offer what a file says to its article, whatever its slug is now, or nothing if it says the same. */
export async function offerPost(db: Db, slug: string, said: OfferedPost): Promise<Statement[]> {
	const [row] = await db
		.select({
			id: posts.id,
			title: posts.title,
			excerpt: posts.excerpt,
			content: posts.content,
			metaDescription: posts.metaDescription,
			searchedAs: posts.searchedAs,
			related: posts.related,
			questions: posts.questions,
			staleAfter: posts.staleAfter,
			featured: posts.featured,
			categoryId: posts.categoryId,
			tags: sql<string>`(select json_group_array(name) from (select t.name from post_tags pt
				join tags t on t.id = pt.tag_id where pt.post_id = posts.id order by pt.position, t.name))`,
		})
		.from(posts)
		.where(
			sql`${posts.id} = coalesce((select id from posts where slug = ${slug}),
				(select post_id from redirects where slug = ${slug}))`,
		);
	if (!row) return [];
	const { id, tags, ...fields } = row;
	const isSame =
		tags === JSON.stringify(said.tags) &&
		Object.entries(fields).every(([name, value]) => {
			const other = said[name as keyof typeof fields];
			// What is saved at the desk is trimmed.
			return other === undefined || String(other).trim() === String(value ?? '').trim();
		});
	if (isSame) return [db.delete(postOffers).where(eq(postOffers.postId, id))];
	return [
		db
			.insert(postOffers)
			.values({ postId: id, form: said })
			.onConflictDoUpdate({ target: postOffers.postId, set: { form: said } }),
	];
}
