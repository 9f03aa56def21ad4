import { sql } from 'drizzle-orm';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestTimeoutOf, refusalOf, type Db } from '#db/client.ts';
import { outageOf } from '#db/outage.ts';
import { getMeta, setMeta } from '#src/core/meta.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import type { Health } from './builds.api.ts';
import { UNKNOWN_VITALS } from './health.ts';

/** The part of the health response that depends on the database. */
type Vitals = Omit<Health, 'status'>;
/** Vitals as they were known last, and whether the database has answered since. */
type DatabaseStatus = Vitals & { answers: boolean };

const UNKNOWN_STATUS: DatabaseStatus = { ...UNKNOWN_VITALS, answers: false };

/** How long what was found is believed: machines ask every few seconds, and anybody may. */
const STATUS_TTL_MS = 2 * SECOND;
/** The part of the database's time that is waited for: who watches a process takes it for dead when it answers late. */
const HEALTH_PATIENCE = 1 / 10;

const lastStatus = new WeakMap<
	Db,
	{ vitals: DatabaseStatus; at: number; looking?: Promise<DatabaseStatus> }
>();

/** Returns what the site can do now, at once: what was known last where the database takes its time. */
export async function getHealth(db: Db): Promise<Health> {
	const checking = getDatabaseStatus(db);
	const late = sleep(requestTimeoutOf(db) * HEALTH_PATIENCE, undefined, { ref: false });
	const status = await Promise.race([checking, late]);
	const known = status ?? lastStatus.get(db)?.vitals ?? UNKNOWN_STATUS;
	const { answers: _, ...vitals } = withRefusal(db, known);
	return { status: 'ok', ...vitals };
}

/** A visitor's write that was refused tells before the next look does. */
function withRefusal(db: Db, vitals: DatabaseStatus): DatabaseStatus {
	const refused = refusalOf(db);
	return refused ? { ...vitals, writes: false, refused } : vitals;
}

/** Looks whether a database takes writes, and what it holds. Several who ask at once share one look. */
export function getDatabaseStatus(db: Db): Promise<DatabaseStatus> {
	const last = lastStatus.get(db);
	if (last?.looking) return last.looking;
	if (last && performance.now() - last.at < STATUS_TTL_MS)
		return Promise.resolve(withRefusal(db, last.vitals));
	const known = last?.vitals ?? UNKNOWN_STATUS;
	const checking = checkDatabase(db, known, !last || last.vitals.writes).then((vitals) => {
		lastStatus.set(db, { vitals, at: performance.now() });
		return withRefusal(db, vitals);
	});
	lastStatus.set(db, { vitals: known, at: 0, looking: checking });
	return checking;
}

/** Tells the log of each change: that nothing can be written, and that it can again. */
async function checkDatabase(
	db: Db,
	known: DatabaseStatus,
	didWrite: boolean,
): Promise<DatabaseStatus> {
	let writes = true;
	try {
		await setMeta(db, 'checked_at', new Date().toISOString());
		if (!didWrite) console.log('The database takes writes again.');
	} catch (error) {
		writes = false;
		if (didWrite) {
			const where = getEnv().DATABASE_URL.replace(/^file:|\?.*/g, '');
			console.error(`Nothing can be written to ${where}.`, outageOf(error) ?? error);
		}
	}
	try {
		const [version] = await db.all<{ count: number }>(
			sql`select count(*) as count from __drizzle_migrations`,
		);
		const builtAt = await getMeta(db, 'built_at');
		return { writes, schemaVersion: version?.count ?? 0, builtAt: builtAt ?? null, answers: true };
	} catch {
		// Whoever cannot read cannot write either, which has been told.
		return { ...known, writes: false, answers: false };
	}
}

/** Remembers when the site was built. */
export async function recordBuild(db: Db, now: Date): Promise<void> {
	await setMeta(db, 'built_at', now.toISOString());
}
