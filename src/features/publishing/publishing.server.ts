import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { meta } from '#db/schema.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Health } from './publishing.api.ts';

/** Whether the database answers, its schema version, and when the site was last built. */
export async function getHealth(db: Db): Promise<Health> {
	try {
		const [version] = await db.all<{ count: number }>(
			sql`select count(*) as count from __drizzle_migrations`,
		);
		const [built] = await db.select().from(meta).where(eq(meta.key, 'built_at'));
		return { status: 'ok', schemaVersion: version?.count ?? 0, builtAt: built?.value ?? null };
	} catch (error) {
		console.error(error);
		throw new AppError('unavailable', 'The database cannot be reached.');
	}
}

/** Remembers when the site was built. */
export async function recordBuild(db: Db, now: Date): Promise<void> {
	const value = now.toISOString();
	await db
		.insert(meta)
		.values({ key: 'built_at', value })
		.onConflictDoUpdate({ target: meta.key, set: { value } });
}
