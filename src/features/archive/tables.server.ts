/** Which tables an archive holds. They follow from the schema: what is not left out here is archived. */
import { getTableColumns, getTableName, is, sql, type SQL } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from '#db/schema.ts';

/** Tables of the schema that stay behind, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
	sessions: 'Whoever is signed in signs in again.',
	program_tokens: 'Whoever runs the restored site gives programs new tokens.',
	rate_limits: 'Attempts of the last minutes and hours.',
	spent_tokens: 'Links and challenges that were used in the last half hour.',
	counted_visits: 'Who was counted today, as hashes that change each day.',
	visits: 'Single visits of the last two days: their sums are archived.',
	rendered_posts: 'Articles as pages show them: the next build renders them.',
	search_entries: 'Pages as search knows them: the next build reads them.',
	meaning_words: 'What words mean: the next build learns it.',
	meanings: 'What texts mean: the next build compares them.',
	sources: 'Which sources of articles answer: the next check asks them again.',
	changed_posts: 'Which posts were written to: triggers note it as their rows come.',
	content_problems: 'What the last build could not show: the next one finds it again.',
};

/** Rows of `meta` that are about one machine. */
const LOCAL_FACTS = [
	'checked_at',
	'email_sent_at',
	'copied',
	'entries_digest',
	'meaning_basis',
	'sources_asked_at',
	'sources_listed_at',
];

export type ArchivedTable = {
	name: string;
	/** Columns by name, in the order of the schema. */
	columns: { name: string; isFile: boolean }[];
	/** Condition of the rows that are archived. */
	where: SQL | undefined;
};

/** The archived tables, by name. */
export const ARCHIVED: readonly ArchivedTable[] = Object.values<unknown>(schema)
	.filter((value): value is SQLiteTable => is(value, SQLiteTable))
	.filter((table) => !Object.hasOwn(LEFT_OUT, getTableName(table)))
	.map((table) => ({
		name: getTableName(table),
		columns: Object.values(getTableColumns(table)).map((column) => ({
			name: column.name,
			isFile: column.dataType === 'buffer',
		})),
		where:
			getTableName(table) === 'meta'
				? sql`key not in (${sql.join(
						LOCAL_FACTS.map((fact) => sql.raw(`'${fact}'`)),
						sql`, `,
					)})`
				: undefined,
	}))
	.sort((one, other) => (one.name < other.name ? -1 : 1));
