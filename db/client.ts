import type { Client } from '@libsql/client';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/libsql/web';
import * as schema from './schema.ts';

export type Db = LibSQLDatabase<typeof schema> & { $client: Client };

export type Statement = BatchItem<'sqlite'>;
/** What `db.batch` takes. */
export type Statements = [Statement, ...Statement[]];

let shared: Db | undefined;

/** The one connection of this process. Remote only, so a deployed function carries no native module; see local.ts. */
export function getDb(): Db {
	if (shared) return shared;
	const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = process.env;
	if (!url) throw new Error('DATABASE_URL is not set');
	return (shared = drizzle({ connection: authToken ? { url, authToken } : { url }, schema }));
}

/** Builds a query once for each database, because building one takes longer than running it. */
export function prepared<Query>(build: (db: Db) => Query): (db: Db) => Query {
	const built = new WeakMap<Db, Query>();
	return (db) => {
		const query = built.get(db) ?? build(db);
		built.set(db, query);
		return query;
	};
}

/** Makes `getDb` answer with this database: for the one-machine server, tests and scripts. */
export function setDb(db: Db): void {
	shared = db;
}
