/** Rows of categories, tags, series and authors: what saving and removing them share. */
import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { authors, categories, series, tags } from '#db/schema.ts';
import type { Consequence } from '#src/core/records/consequences.server.ts';
import { asIs, changeOfRows } from '#src/core/undo/undo.server.ts';

/** The table of each kind, and its name. */
export const TABLES = { category: categories, tag: tags, series, author: authors };
export const NAMES = {
	category: 'categories',
	tag: 'tags',
	series: 'series',
	author: 'authors',
} as const;

/** The columns that a form changes, as they are stored. */
export type Row = {
	name: string;
	slug: string;
	description: string | null;
	color?: string;
	position?: number | null;
	/** JSON. */
	articles?: string;
	picture?: string;
	/** JSON. */
	links?: string;
};

/** Returns the consequence that gives the posts of a tag, whose forms hold its name, another version: an open editor notices. */
export function touchPosts(db: Db, id: string): Consequence {
	return {
		change: changeOfRows(
			'posts',
			{ id: sql`post_id` },
			{},
			{},
			sql`from post_tags where tag_id = ${id}`,
		),
		statement: db.run(sql`update posts set version = version + 1
			where id in (select post_id from post_tags where tag_id = ${id})`),
	};
}

/** Returns the consequence that changes a tag's name in drafts, or takes it out where there is no other. */
export function inDrafts(db: Db, name: string, other: string | undefined): Consequence {
	const isName = sql`lower(value) = lower(${name})`;
	const next = sql`json((select json_group_array(one) from (select case when ${isName} then ${other ?? null} else value end as one,
		min(key) as place from json_each(drafts.form, '$.tags') where not (${isName} and ${other ?? null} is null)
		group by 1 order by place)))`;
	const isWritten = sql`json_type(drafts.form, '$.tags') = 'array'
		and exists (select 1 from json_each(drafts.form, '$.tags') where ${isName})`;
	const before = { tags: sql`json(form -> '$.tags')` };
	const which = sql`from drafts where ${isWritten}`;
	const change = changeOfRows('drafts', asIs('post_id'), before, { tags: next }, which);
	const statement = db.run(
		sql`update drafts set form = json_set(form, '$.tags', ${next}) where ${isWritten}`,
	);
	return { change, statement };
}

export function quote(name: string): string {
	return `“${name}”`;
}
