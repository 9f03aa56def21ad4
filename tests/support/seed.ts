import type { InStatement, InValue } from '@libsql/client';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Db } from '#db/client.ts';
import { migrateDb, openDb } from '#db/local.ts';
import { seed, seedPages, type SeedTools } from '#db/seed.ts';
import { withLock } from '#src/build/builds.ts';
import { markdownToHtml } from '#src/core/articles/markdown.ts';
import { renderStalePosts } from '#src/core/articles/renderings.server.ts';
import { sanitizeArticle } from '#src/core/articles/sanitize.ts';
import { UNCATEGORIZED } from '#src/features/posts/post.ts';
import { aiWork, FIGURE_KINDS } from '#src/features/states/figures.ts';
import { HOUR } from '#src/lib/dates.ts';
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
export const unrendered: Partial<SeedTools> = {
	// As what is saved is written: the same text stays the same.
	toArticle: async (markdown) => markdown.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;'),
};

/** Tables that seeding fills; triggers bring what follows from their rows. */
const SEEDED = 'meta categories posts tags post_tags series states pages'.split(' ');
let copied: Promise<InStatement[]> | undefined;

/** As `seedContent` with `unrendered`, but for a database without rows: one request instead of hundreds. */
export async function copySeed(db: Db): Promise<void> {
	copied ??= makeRows(SEEDED, (from) => seedContent(from, unrendered));
	await db.$client.batch(await copied, 'write');
}

/** Rows by the process of a run; those of earlier runs are removed. */
const SHARED = 'test-results/content';

/**
 * As `seedContent` and `renderStalePosts`, for a database without rows. They take ten seconds of processor, so all processes of a
 * test run share what the first one makes.
 */
export async function copyContent(db: Db): Promise<void> {
	const file = `${process.ppid}.rows`;
	const rows = await withLock(SHARED, file, async () => {
		const made = await readFile(join(SHARED, file)).catch(() => undefined);
		if (made) return deserialize(made) as InStatement[];
		for (const name of await readdir(SHARED)) {
			// Another run may remove it meanwhile.
			const kept = await stat(join(SHARED, name)).catch(() => undefined);
			if (kept && Date.now() - kept.mtimeMs > HOUR) await rm(join(SHARED, name), { force: true });
		}
		const statements = await makeRows([...SEEDED, 'rendered_posts'], async (from) => {
			await seedContent(from);
			await renderStalePosts(from);
		});
		await writeFile(join(SHARED, file), serialize(statements));
		return statements;
	});
	await db.$client.batch(rows, 'write');
}

/** Returns the statements that insert the rows of these tables which `fill` stores. */
async function makeRows(
	tables: string[],
	fill: (db: Db) => Promise<unknown>,
): Promise<InStatement[]> {
	const db = await openDb(':memory:');
	await migrateDb(db);
	await fill(db);
	const statements: InStatement[] = [];
	for (const table of tables) {
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
