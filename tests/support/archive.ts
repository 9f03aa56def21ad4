/** Rows for every table, and what an archive holds of them. */
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '#db/client.ts';
import * as schema from '#db/schema.ts';
import { ARCHIVED } from '#src/features/archive/tables.server.ts';
import { Archive } from '#src/features/archive/read.server.ts';

export const TABLES = Object.values<unknown>(schema).filter((value): value is SQLiteTable =>
	is(value, SQLiteTable),
);

const TEXT = 'He said “no”: "\\n" isn\'t \n a new line \u0001 — naïve 😀 \u2028 </script>';

/** Stores two rows in every table, whose references lead to each other and whose values are hard to carry. */
export async function fillEverything(db: Db): Promise<void> {
	const statements = TABLES.flatMap((table) => [1, 2].map((number) => rowOf(table, number)));
	// In one request, without foreign keys.
	await db.$client.migrate(statements);
}

function rowOf(table: SQLiteTable, number: number) {
	const columns = Object.values(getTableColumns(table));
	const { foreignKeys } = getTableConfig(table);
	const targets = new Map(
		foreignKeys.map((key) => {
			const { columns: own, foreignTable } = key.reference();
			return [own[0]!.name, getTableName(foreignTable)];
		}),
	);
	const args = columns.map(({ name, dataType, columnType }) => {
		const target = targets.get(name);
		if (target) return `${target} ${number}`;
		if (dataType === 'buffer') return Buffer.from([0, 255, 10, 13, number, ...Buffer.from(TEXT)]);
		// A vector of as many numbers as the column is declared with.
		if (dataType === 'custom') return Buffer.from(new Float32Array(64).fill(number).buffer);
		if (dataType === 'json') return JSON.stringify({ text: TEXT, list: [number, null, 0.1] });
		if (name === 'id' && dataType === 'string') return `${getTableName(table)} ${number}`;
		if (dataType === 'string') return `${number} ${name} ${TEXT}`;
		if (columnType === 'SQLiteReal') return number / 3;
		return name === 'id' ? number * 7 : 1_700_000_000_000 + number;
	});
	const names = columns.map(({ name }) => `"${name}"`).join(', ');
	return {
		sql: `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => '?').join(', ')})`,
		args,
	};
}

/** Every archived row of a database with the types of its values, by table. */
export async function rowsOf(db: Db): Promise<Record<string, unknown[][]>> {
	const found: Record<string, unknown[][]> = {};
	for (const { name, columns, where } of ARCHIVED) {
		const values = columns.flatMap((column) => {
			const value = sql.identifier(column.name);
			return [sql`typeof(${value})`, sql`hex(${value})`];
		});
		found[name] = await db.values(
			sql`select ${sql.join(values, sql`, `)} from ${sql.identifier(name)} where ${where ?? sql`true`} order by rowid`,
		);
	}
	return found;
}

/** Digests of all that an archive holds but the time at which it was made. */
export async function digestsOf(file: string): Promise<unknown> {
	const archive = await Archive.open(file);
	archive.close();
	const { madeAt: _, ...manifest } = archive.manifest;
	const { 'archive.json': __, ...files } = archive.contents.files;
	return { manifest, files };
}
