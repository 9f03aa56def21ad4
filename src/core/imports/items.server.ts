import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import {
	auditLog,
	categories,
	importItems,
	imports,
	media,
	pages,
	posts,
	subscribers,
} from '#db/schema.ts';
import { AppError } from '#src/lib/errors.ts';
import { importSubject, type ImportRun } from './run.ts';

const TABLES = {
	post: posts,
	page: pages,
	category: categories,
	image: media,
	subscriber: subscribers,
	'changed-subscriber': subscribers,
};

/** Opens an import, with its one entry in the log, unless an earlier part did. */
export async function beginImport(
	db: Db,
	{ id, name, kind }: ImportRun,
	{ actor, now, action }: { actor: string; now: Date; action: string },
): Promise<void> {
	await db.batch([
		db.insert(imports).values({ id, name, kind, createdAt: now }).onConflictDoNothing(),
		db.run(sql`insert into ${auditLog} (actor, action, subject, detail, created_at)
			select ${actor}, ${action}, ${importSubject(id)}, ${`${kind}: ${name}`}, ${now.getTime()}
			where changes() > 0`),
	]);
	await assertOpenImport(db, id);
}

/**
 * Throws a `conflict` if the import does not exist or was undone, so that nothing is imported without an entry
 * in the log.
 */
export async function assertOpenImport(db: Db, importId: string): Promise<void> {
	const isOpen = and(eq(imports.id, importId), isNull(imports.undoneAt));
	if ((await db.$count(imports, isOpen)) > 0) return;
	throw new AppError('conflict', 'This import was undone. Choose the file again.');
}

/**
 * Returns a statement for the batch that stores the rows: records which import created or changed them. Rows that there
 * are not are left out.
 */
export function recordItems(
	db: Db,
	importId: string,
	kind: keyof typeof TABLES,
	rows: { id: string; key?: string; wasPublic?: boolean }[],
): Statement {
	const given = JSON.stringify(
		rows.map(({ id, key = '', wasPublic = false }) => ({ id, key, wasPublic: Number(wasPublic) })),
	);
	return db.run(sql`insert or ignore into ${importItems} (import_id, kind, item_id, key, was_public)
		select ${importId}, ${kind}, value ->> 'id', value ->> 'key', value ->> 'wasPublic' from json_each(${given})
		where value ->> 'id' in (select id from ${TABLES[kind]})`);
}
