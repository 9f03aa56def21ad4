/**
 * Opens embedded databases so that other processes' locks keep nobody waiting who only reads, and a failure of the file or its
 * disk never lets a write be acknowledged that is not stored (decision 107).
 */
import {
	createClient,
	LibsqlError,
	type Client,
	type InArgs,
	type InStatement,
	type ResultSet,
	type Transaction,
	type TransactionMode,
} from '@libsql/client';
import { randomInt } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { longBatches, noteWrite, readsBeside } from './client.ts';
import { isOutageCode } from './outage.ts';
import { StatementThread, ThreadEnded } from './threads.ts';

/** How long a statement waits for a lock. */
const PATIENCE_MS = 5000;
/** How long the driver itself waits for a lock: it is synchronous, so everything else waits as well. */
const BLOCKING_MS = 20;
const MAX_PAUSE_MS = 100;
/** How often at most a connection that no longer writes is replaced. */
const RENEWAL_MS = 2000;

/** Opens a file with one connection, because the driver is synchronous and a pragma applies to one connection only. */
export function openPatiently(url: string, patience = PATIENCE_MS): Client {
	const open = () => createClient({ url, concurrency: 1, timeout: BLOCKING_MS });
	const client = open();
	const execute =
		client.execute.bind<(statement: InStatement, args?: InArgs) => Promise<ResultSet>>(client);
	const batch = client.batch.bind(client);
	const migrate = client.migrate.bind(client);
	const transaction =
		client.transaction.bind<(mode: TransactionMode) => Promise<Transaction>>(client);
	const close = client.close.bind(client);
	/** Another connection, which sees what is stored rather than what the first believes. */
	let witness: Client | undefined;
	/** Whether a statement failed since a transaction was last read back. */
	let isInDoubt = false;
	let renewableAt = 0;
	/** The replacement of the connection, which nobody may open another one during. */
	let renewal: Promise<void> | undefined;
	let lastWrite = Promise.resolve();
	const reader = new StatementThread(url, 'read');

	/** Reads in a thread, whose end changes nothing: this one reads then. */
	async function readBeside(
		statements: Parameters<StatementThread['run']>[0],
		here: () => Promise<ResultSet[]>,
	): Promise<ResultSet[]> {
		try {
			return await reader.run(statements);
		} catch (error) {
			if (!(error instanceof ThreadEnded)) throw error;
			return here();
		}
	}

	/** Repeats work that has done nothing yet because another process writes. Others go on meanwhile. */
	async function untilFree<Out>(work: () => Promise<Out>, asked = performance.now()): Promise<Out> {
		for (;;) {
			try {
				await renewal;
				return await work();
			} catch (error) {
				if (!isOutage(error)) throw error;
				isInDoubt = true;
				if (!isBusy(error) || performance.now() - asked > patience) throw error;
			}
			await sleep(Math.random() * MAX_PAUSE_MS);
		}
	}

	let refusal: { error: unknown; at: number } | undefined;
	/** Writes one after another. Whoever waited behind a write that was refused is refused with it. */
	function write<Out>(work: () => Promise<Out>): Promise<Out> {
		const asked = performance.now();
		const done = lastWrite.then(async () => {
			try {
				const isBehindRefused = refusal !== undefined && refusal.at > asked;
				if (isBehindRefused && performance.now() - asked > patience) throw refusal!.error;
				// Behind a long write of our own, no other process kept it waiting.
				const since = isBehindRefused ? asked : performance.now();
				const written = await untilFree(async () => {
					if (isInDoubt) await prove();
					return work();
				}, since);
				noteWrite(client);
				return written;
			} catch (error) {
				if (isOutage(error)) {
					noteWrite(client, error);
					if (refusal?.error !== error) refusal = { error, at: performance.now() };
				}
				throw error;
			}
		});
		lastWrite = done.then(
			() => {},
			() => {},
		);
		return done;
	}

	/** Commits a transaction and reads it back by the other connection. */
	async function commit(by: Pick<Client, 'batch'>): Promise<void> {
		const mark = randomInt(2 ** 31);
		await by.batch([`pragma user_version = ${mark}`], 'write');
		witness ??= open();
		const { rows } = await witness.execute('pragma user_version');
		// Another process may have proven the same since.
		if (rows[0]?.[0] !== mark) throw new LibsqlError('another process writes', 'SQLITE_BUSY');
	}

	/** Makes sure that what is written from now on is stored, by another connection if need be. */
	async function prove(): Promise<void> {
		try {
			await commit({ batch });
		} catch (error) {
			const isStuck = /in progress/.test(String(error));
			if ((!isStuck && isBusy(error)) || performance.now() < renewableAt) throw error;
			renewableAt = performance.now() + RENEWAL_MS;
			// One that still reads is not given up for one that does not write either.
			if (!isStuck) await assertWritable();
			renewal = renew().finally(() => (renewal = undefined));
			await renewal;
			await commit({ batch });
		}
		isInDoubt = false;
	}

	/** Throws if no new connection could write. */
	async function assertWritable(): Promise<void> {
		const other = open();
		try {
			await commit(other);
		} catch (error) {
			if (!isOutage(error) || !error.code.startsWith('SQLITE_READONLY')) throw error;
			// Beside a connection that was opened when the disk was read-only, each one is.
			const [database] = (await execute('pragma database_list')).rows;
			await access(database!['file'] as string, constants.W_OK).catch(() => {
				throw error;
			});
		} finally {
			other.close();
		}
	}

	/** Replaces the connection by one that is opened when there is no other: those of a process share what the first found. */
	async function renew(): Promise<void> {
		await reader.end();
		witness?.close();
		witness = undefined;
		client.reconnect();
		await finalizeStatements();
		await execute('pragma synchronous = normal');
	}

	client.execute = (statement: InStatement, args?: InArgs) => {
		const work = () => execute(statement, args);
		if (!isRead(statement)) return write(work);
		if (!readsBeside.getStore()) return untilFree(work);
		const one = typeof statement === 'string' && args ? { sql: statement, args } : statement;
		return untilFree(async () => (await readBeside([one], async () => [await work()]))[0]!);
	};
	// One that reads before it writes waits for its turn from its first statement on, as single writes do.
	client.batch = (statements, mode) => {
		const onlyReads = mode !== 'write' && statements.every(isRead);
		if (!onlyReads && longBatches.getStore()) return write(() => batchInThread(url, statements));
		const work = () => batch(statements, mode ?? (onlyReads ? 'deferred' : 'write'));
		if (!onlyReads) return write(work);
		return untilFree(readsBeside.getStore() ? () => readBeside(statements, work) : work);
	};
	client.migrate = (statements) => write(() => migrate(statements));
	client.transaction = (mode: TransactionMode = 'write') =>
		(mode === 'read' ? untilFree : write)(() => transaction(mode));
	client.close = () => {
		void reader.end();
		witness?.close();
		close();
	};
	return client;
}

/** Runs a batch of writes while this thread goes on. */
async function batchInThread(
	url: string,
	batch: Parameters<StatementThread['run']>[0],
): Promise<ResultSet[]> {
	const thread = new StatementThread(url, 'write');
	try {
		return await thread.run(batch);
	} finally {
		await thread.end();
	}
}

function isRead(statement: InStatement | [string, InArgs?]): boolean {
	const [sql] =
		typeof statement === 'string'
			? [statement]
			: Array.isArray(statement)
				? statement
				: [statement.sql];
	return (
		/^\s*(?:select|with|explain|values)\b/i.test(sql) &&
		!/^\s*with\b.*\b(?:insert|replace|update|delete)\b/is.test(sql)
	);
}

function isOutage(error: unknown): error is LibsqlError {
	return error instanceof Error && 'code' in error && isOutageCode(String(error.code));
}

function isBusy(error: unknown): boolean {
	return isOutage(error) && error.code === 'SQLITE_BUSY';
}

/** Finalizes the statements of connections that were closed: until then those keep their locks. */
async function finalizeStatements(): Promise<void> {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	await setImmediate();
}
