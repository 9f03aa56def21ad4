/**
 * Makes connections to embedded databases keep the statements that they compiled. The client compiles each one for each call,
 * which takes several times as long as running it (decision 103).
 */
import Database from 'libsql';

type Connection = Database.Database;
type Statement = ReturnType<Connection['prepare']>;
type Methods = {
	prepare: (this: Connection, text: string) => Statement;
	close: (this: Connection) => Connection;
};

/** Statements of one connection: more than the server has, but for those that are written for each call. */
const MAX_KEPT = 200;
/** Longer ones name each of many values, and are not asked for again. */
const MAX_LENGTH = 8000;
/** Others, such as pragmas, are rare, and may mean something else each time. */
const KEPT = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Columns that a change of a table adds to, where a kept statement has its names already. */
const ALL_COLUMNS = /(?:\b(?:select|returning)|,)\s+(?:\w+\.)?\*/i;

const kept = new WeakMap<Connection, Map<string, Statement>>();
const { prepare, close } = Database.prototype as Methods;

const methods: Methods = {
	prepare(text) {
		const statements = kept.get(this) ?? new Map<string, Statement>();
		const known = statements.get(text);
		if (known) {
			// To the end: the first one is the next to go.
			statements.delete(text);
			statements.set(text, known);
			return known;
		}
		const statement = endWhereBusy(
			this,
			released(() => prepare.call(this, text)),
		);
		if (text.length > MAX_LENGTH || !KEPT.test(text) || ALL_COLUMNS.test(text)) return statement;
		kept.set(this, statements.set(text, rememberShape(statement)));
		if (statements.size > MAX_KEPT) statements.delete(statements.keys().next().value!);
		return statement;
	},
	close() {
		// A closed file stays open until its statements are collected.
		kept.delete(this);
		return close.call(this);
	},
};
Object.assign(Database.prototype, methods);

/**
 * Makes a statement that found the database locked end: the driver leaves it in progress, so that whatever the connection
 * writes next is not committed (tursodatabase/libsql-client-ts#352). Run once more where nothing can be written, it ends.
 */
function endWhereBusy(connection: Connection, statement: Statement): Statement {
	for (const name of ['run', 'all'] as const) {
		const run = statement[name].bind(statement) as (...values: unknown[]) => never;
		statement[name] = (...values: unknown[]) => {
			try {
				return released(() => run(...values));
			} catch (error) {
				if (isBusy(error)) {
					connection.exec('pragma query_only = on');
					try {
						run([]);
					} catch {
						// It cannot write.
					} finally {
						connection.exec('pragma query_only = off');
					}
				}
				throw error;
			}
		};
	}
	return statement;
}

/** Runs work. Reads where it failed: for as long as nobody has, V8 keeps the connection, and so its file open, with the error. */
function released<Out>(work: () => Out): Out {
	try {
		return work();
	} catch (error) {
		if (error instanceof Error) String(error.stack);
		throw error;
	}
}

/** Returns whether a failure is SQLITE_BUSY (5) or one of its kind, which have higher bits besides. */
function isBusy(error: unknown): boolean {
	return error instanceof Database.SqliteError && (error.rawCode ?? 0) % 256 === 5;
}

/** Makes a statement answer from memory which columns it has, and that it has none. The client asks each time. */
function rememberShape(statement: Statement): Statement {
	const columns = statement.columns.bind(statement);
	const raw = statement.raw.bind(statement);
	let known: ReturnType<typeof columns> | undefined;
	let refusal: Error | undefined;
	statement.columns = () => (known ??= columns());
	statement.raw = (isRaw) => {
		if (refusal) throw refusal;
		try {
			return raw(isRaw);
		} catch (error) {
			throw (refusal = error as Error);
		}
	};
	return statement;
}
