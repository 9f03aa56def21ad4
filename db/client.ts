import type { Client } from '@libsql/client';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/libsql/http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as schema from './schema.ts';

export type Db = LibSQLDatabase<typeof schema> & { $client: Client };

export type Statement = BatchItem<'sqlite'>;
/** What `db.batch` takes. */
export type Statements = [Statement, ...Statement[]];

/** What was opened so far. */
let shared: { primary?: Db; replicas?: Db; fresh?: Db } = {};

/** The database of this process, for whatever writes. Remote only, so a deployed function carries no native module; see local.ts. */
export function getDb(): Db {
	return (shared.primary ??= openServers([[primaryUrl()]]));
}

/** For public answers that may be a moment old: from the replicas by turns, or the primary where none answers. */
export function getReadDb(): Db {
	return (shared.replicas ??= openServers([replicaUrls(), [primaryUrl()]]));
}

/** For public answers in which people look for what they just wrote: from replicas only where the primary does not answer. */
export function getFreshDb(): Db {
	return (shared.fresh ??= openServers([[primaryUrl()], replicaUrls()]));
}

/** Makes this the only database: for an embedded one, tests and scripts. Without one, the environment tells again. */
export function setDb(db?: Db): void {
	shared = db ? { primary: db, replicas: db, fresh: db } : {};
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

function primaryUrl(): string {
	const { DATABASE_URL: url } = process.env;
	if (!url) throw new Error('DATABASE_URL is not set');
	return url;
}

function replicaUrls(): string[] {
	const urls = (process.env['DATABASE_READ_URL'] ?? '').split(',').map((url) => url.trim());
	return urls.filter(Boolean);
}

/** No server of the database answered: another try makes sense in a moment. */
class UnreachableError extends Error {
	override name = 'UnreachableError';
}

/** What keeps the database from answering for now, or undefined where a failure has another cause: then it is a bug. */
export function outageOf(error: unknown): string | undefined {
	if (!(error instanceof Error)) return undefined;
	// By its name: the dev server loads this file twice.
	const isOutage =
		error.name === UnreachableError.name ||
		('code' in error && /^SQLITE_(BUSY|FULL|IOERR)/.test(String(error.code)));
	return isOutage ? error.message : outageOf(error.cause);
}

/** How long a server may take to answer what a visitor waits for. */
const REQUEST_TIMEOUT_MS = 5000;
/** How long a server that did not answer is passed over while another does. */
const SKIP_SERVER_MS = 5000;
/** How many requests are sent at once: writes wait here, where nothing runs out, rather than at the server. */
const CONCURRENCY = 4;
/** What proxies say of a server behind them. */
const GATEWAY_STATUSES = [502, 503, 504];

/** As it is now: whoever replaces it later means calls of others. */
const { fetch } = globalThis;

/** Until when servers are passed over, by `performance.now()`. */
const skippedUntil = new Map<string, number>();

/** Opens a database of several servers: each request goes to the first that answers, by turns within a group. */
export function openServers(
	groups: string[][],
	{ authToken = process.env['DATABASE_AUTH_TOKEN'], patience: timeoutMs = REQUEST_TIMEOUT_MS } = {},
): Db {
	const servers = groups.map((group) => group.map(baseUrlOf));
	const url = servers.flat()[0]!;
	const connection = {
		url,
		fetch: createFetch(servers, url, timeoutMs),
		concurrency: CONCURRENCY,
		...(authToken && { authToken }),
	};
	return drizzle({ connection, schema });
}

function createFetch(groups: string[][], base: string, timeoutMs: number) {
	let turn = 0;
	return async (request: Request): Promise<Response> => {
		const path = request.url.slice(base.length);
		const { method, headers } = request;
		const body = replaceLoneSurrogates(await request.text());
		turn++;
		const servers = groups.flatMap((group) =>
			group.map((_, n) => group[(n + turn) % group.length]!),
		);
		const now = performance.now();
		const available = servers.filter((server) => (skippedUntil.get(server) ?? 0) <= now);
		let failure: unknown;
		for (const server of available.length > 0 ? available : servers) {
			try {
				const response = await fetchServer(server + path, { method, headers, body }, timeoutMs);
				skippedUntil.delete(server);
				return response;
			} catch (error) {
				failure = error;
				skippedUntil.set(server, performance.now() + SKIP_SERVER_MS);
			}
		}
		throw new UnreachableError(`The database cannot be reached: ${causeMessage(failure)}.`);
	};
}

/** What a server says that is busy with other writes: it has done nothing of what it was asked. */
const BUSY = '"code":"SQLITE_BUSY"';

/** Asks one server, and again where it is busy, for half of the time that it has. */
async function fetchServer(
	url: string,
	request: RequestInit,
	timeoutMs: number,
): Promise<Response> {
	const signal = AbortSignal.timeout(timeoutMs);
	const end = performance.now() + timeoutMs / 2;
	for (;;) {
		const response = await fetch(url, { ...request, signal });
		if (GATEWAY_STATUSES.includes(response.status))
			throw new Error(`it answered ${response.status}`);
		// Read whole, because a server can fall silent in the midst of an answer.
		const text = await response.text();
		if (!text.includes(BUSY) || performance.now() > end) return new Response(text, response);
		await sleep(Math.random() * 100);
	}
}

/** JSON without halves of characters, which a server refuses to read: an embedded database replaces them as well. */
function replaceLoneSurrogates(json: string): string {
	// What JSON escapes of them is never a whole character.
	return json.replace(/\\(u[dD][89a-fA-F][\da-fA-F]{2}|.)/g, (escape) =>
		escape.length === 6 ? '\\ufffd' : escape,
	);
}

function causeMessage(failure: unknown): string {
	const cause =
		failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
	return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
}

/** A server's address as the client's fetch sees it: by HTTP, and with a slash at its end. */
function baseUrlOf(url: string): string {
	const { protocol, host, pathname, searchParams } = new URL(url);
	if (!/^(https?|wss?|libsql):$/.test(protocol)) throw new Error('DATABASE_URL is no server');
	const isPlain = ['http:', 'ws:'].includes(protocol) || searchParams.get('tls') === '0';
	return new URL(pathname.replace(/\/*$/, '/'), `${isPlain ? 'http' : 'https'}://${host}`).href;
}

/** A failed query says its parameters, which may be what people typed: the log gets its SQL and its reason only. */
export function withoutValues(error: unknown): unknown {
	if (!(error instanceof DrizzleQueryError)) return error;
	return new Error(`Failed query: ${error.query}`, { cause: error.cause });
}
