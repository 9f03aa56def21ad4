import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { states } from '#db/schema.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { splitByAge } from './figures.ts';
import type { State } from './state.ts';

const isShown = isReadable('state row', states.id);

/** Returns all readable states by name. */
export async function listStates(db: Db): Promise<State[]> {
	const rows = await db.select().from(states).where(isShown).orderBy(asc(states.name));
	return rows.map(toState);
}

/** Returns the state with this slug, or null. */
export async function getState(db: Db, slug: string): Promise<State | null> {
	const [row] = await db
		.select()
		.from(states)
		.where(and(eq(states.slug, slug), isShown));
	return row ? toState(row) : null;
}

function toState({
	createdAt,
	updatedAt,
	version: _version,
	offer: _offer,
	...row
}: typeof states.$inferSelect): State {
	const { newest, earlier } = splitByAge(row.figures);
	return {
		...row,
		figures: newest,
		...(earlier.length > 0 && { earlier }),
		createdAt: createdAt.toISOString(),
		updatedAt: updatedAt.toISOString(),
	};
}
