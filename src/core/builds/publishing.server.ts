import { eq, sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { outageOf, type Db } from '#db/client.ts';
import { meta } from '#db/schema.ts';
import { SECOND } from '#src/lib/dates.ts';
import type { Health } from './publishing.api.ts';

/** What is found of a database. */
type Vitals = Omit<Health, 'status'>;

/** Of a database that does not answer, or has not yet. */
export const UNKNOWN: Vitals = { writes: false, schemaVersion: null, builtAt: null };

/** How long what was found is believed: machines ask every few seconds, and anybody may. */
const BELIEVED_MS = 2 * SECOND;
/** How long whoever asks for the health waits: who watches a process takes it for dead when it answers late. */
const PATIENCE_MS = SECOND / 2;

const known = new WeakMap<Db, { vitals: Vitals; at: number; looking?: Promise<Vitals> }>();

/** Returns what the site can do now, at once: what was known last where the database takes its time. */
export async function getHealth(db: Db): Promise<Health> {
	const looking = getVitals(db);
	const late = sleep(PATIENCE_MS, undefined, { ref: false });
	const vitals = await Promise.race([looking, late]);
	return { status: 'ok', ...(vitals ?? known.get(db)?.vitals ?? UNKNOWN) };
}

/** Looks whether a database takes writes, and what it holds. Several who ask at once share one look. */
export function getVitals(db: Db): Promise<Vitals> {
	const last = known.get(db);
	if (last?.looking) return last.looking;
	if (last && performance.now() - last.at < BELIEVED_MS) return Promise.resolve(last.vitals);
	const looking = look(db, last?.vitals.writes ?? true).then((vitals) => {
		known.set(db, { vitals, at: performance.now() });
		return vitals;
	});
	known.set(db, { vitals: last?.vitals ?? UNKNOWN, at: 0, looking });
	return looking;
}

/** Tells the log of each change: that nothing can be written, and that it can again. */
async function look(db: Db, didWrite: boolean): Promise<Vitals> {
	let writes = true;
	try {
		await setMeta(db, 'checked_at', new Date());
		if (!didWrite) console.log('The database takes writes again.');
	} catch (error) {
		writes = false;
		if (didWrite) console.error('Nothing can be written.', outageOf(error) ?? error);
	}
	try {
		const [version] = await db.all<{ count: number }>(
			sql`select count(*) as count from __drizzle_migrations`,
		);
		const [built] = await db.select().from(meta).where(eq(meta.key, 'built_at'));
		return { writes, schemaVersion: version?.count ?? 0, builtAt: built?.value ?? null };
	} catch {
		// Whoever cannot read cannot write either, which has been told.
		return UNKNOWN;
	}
}

/** Remembers when the site was built. */
export function recordBuild(db: Db, now: Date): Promise<void> {
	return setMeta(db, 'built_at', now);
}

async function setMeta(db: Db, key: string, now: Date): Promise<void> {
	const value = now.toISOString();
	await db
		.insert(meta)
		.values({ key, value })
		.onConflictDoUpdate({ target: meta.key, set: { value } });
}
