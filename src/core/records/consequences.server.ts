import { sql } from 'drizzle-orm';
import type { Db, Statement } from '#db/client.ts';
import { asIs, type Change, changeOfRows, imageOf } from '#src/core/undo/undo.server.ts';

/** A change of rows elsewhere that follows from saving a record, in its batch, and how it is taken back. */
export type Consequence = { change: Change; statement: Statement };

export const changesOf = (all: readonly Consequence[]) => all.map(({ change }) => change);
export const statementsOf = (all: readonly Consequence[]) => all.map(({ statement }) => statement);

/** Kind of thing whose former addresses lead to it. */
type Kind = 'category' | 'tag' | 'series' | 'author' | 'page';

/** Returns the consequence by which a former address leads to a thing, whatever it led to. */
export function redirectTo(db: Db, kind: Kind, slug: string, id: string, now: Date): Consequence {
	const at = now.getTime();
	const key = { kind: sql`${kind}`, slug: sql`${slug}` };
	const after = { term_id: sql`${id}` };
	const isIt = sql`kind = ${kind} and slug = ${slug}`;
	const change: Change = {
		table: 'term_redirects',
		images: sql`select ${imageOf(key, { term_id: sql`term_id` }, after)} as image from term_redirects where ${isIt}
			union all select ${imageOf(key, null, after)}
			where not exists (select 1 from term_redirects where ${isIt})`,
	};
	const statement = db.run(sql`insert into term_redirects (kind, slug, term_id, created_at)
		values (${kind}, ${slug}, ${id}, ${at})
		on conflict (kind, slug) do update set term_id = excluded.term_id, created_at = excluded.created_at`);
	return { change, statement };
}

/** Returns the consequence by which the former addresses of a thing lead to another one, or end with it. */
export function moveFollowers(
	db: Db,
	kind: Kind,
	id: string,
	into: string | undefined,
): Consequence {
	const before = asIs('term_id', ...(into === undefined ? ['created_at'] : []));
	const after = into === undefined ? null : { term_id: sql`${into}` };
	const isIts = sql`kind = ${kind} and term_id = ${id}`;
	const which = sql`from term_redirects where ${isIts}`;
	const change = changeOfRows('term_redirects', asIs('kind', 'slug'), before, after, which);
	const statement =
		into === undefined
			? db.run(sql`delete from term_redirects where ${isIts}`)
			: db.run(sql`update term_redirects set term_id = ${into} where ${isIts}`);
	return { change, statement };
}
