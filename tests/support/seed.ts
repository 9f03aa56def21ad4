import type { InStatement, InValue } from '@libsql/client';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { seed, seedPages, type SeedTools } from '#db/seed.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { aiWork, FIGURE_KINDS } from '#src/features/states/figures.ts';
import { slugify } from '#src/lib/slug.ts';
import { isFreeSlug } from '#src/site.ts';
import { readTime } from '#src/lib/text.ts';

const tools: SeedTools = {
	toArticle: async (markdown) => sanitizeArticle(await markdownToHtml(markdown)),
	slugify,
	readTime,
	aiWork,
	figureKinds: FIGURE_KINDS,
	isFreeSlug,
	author: 'Groundtruth',
	uncategorized: UNCATEGORIZED,
};

/** Puts the site's own content into a database, as the one-machine server does. Returns how many rows were added. */
export function seedContent(db: Db, other: Partial<SeedTools> = {}): Promise<number> {
	return seed(db, { ...tools, ...other });
}

/** Puts the site's own pages into a database, without articles and states. */
export function seedOnlyPages(db: Db): Promise<number> {
	return seedPages(db, tools);
}

/** For tests that read no article: several times as fast. */
export const unrendered: Partial<SeedTools> = { toArticle: async (markdown) => markdown };

let copied: Promise<InStatement[]> | undefined;

/** As `seedContent` with `unrendered`, but for a database without rows: one request instead of hundreds. */
export async function copySeed(db: Db): Promise<void> {
	await db.$client.batch(await (copied ??= seededRows()), 'write');
}

/** Returns the statements that insert what seeding does; triggers bring what follows from it. */
async function seededRows(): Promise<InStatement[]> {
	const db = await openDb(':memory:');
	await migrateDb(db);
	await seedContent(db, unrendered);
	const statements: InStatement[] = [];
	for (const table of [
		'meta',
		'categories',
		'posts',
		'tags',
		'post_tags',
		'series',
		'states',
		'pages',
	]) {
		const { columns, rows } = await db.$client.execute(`select * from ${table}`);
		const places = columns.map(() => '?').join();
		for (const row of rows)
			statements.push({
				sql: `insert into ${table} (${columns.join()}) values (${places})`,
				args: Array.from<InValue>(row as ArrayLike<InValue>),
			});
	}
	db.$client.close();
	return statements;
}
