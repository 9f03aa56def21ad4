import { asc, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { states } from '#db/schema.ts';
import type { State } from './state.ts';

/** Returns all states by name. */
export async function listStates(db: Db): Promise<State[]> {
	return (await db.select().from(states).orderBy(asc(states.name))).map(toState);
}

/** Returns the state with this slug, or null. */
export async function getState(db: Db, slug: string): Promise<State | null> {
	const [row] = await db.select().from(states).where(eq(states.slug, slug));
	return row ? toState(row) : null;
}

function toState({ createdAt, updatedAt, ...row }: typeof states.$inferSelect): State {
	return { ...row, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
