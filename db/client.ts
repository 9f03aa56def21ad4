// First, before the client is loaded.
import './base64.ts';
import type { Client, Transaction } from '@libsql/client';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/libsql/http';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnreachableError } from './outage.ts';
import * as schema from './schema.ts';

export type Db = LibSQLDatabase<typeof schema> & { $client: Client };

export type Statement = BatchItem<'sqlite'>;
/** Arguments of `db.batch`. */
export type Statements = [Statement, ...Statement[]];

/** Connections opened so far. */
let shared: { primary?: Db; replicas?: Db; fresh?: Db } = {};

/**
 * Returns the database of this process, for everything that writes. Remote only, so that a deployed function
 * carries no native module; see local.ts.
 */
export function getDb(): Db {
	return (shared.primary ??= openServers([[primaryUrl()]]));
}

/**
 * Returns the database for public responses that may be slightly stale: the replicas in turn, or the primary if
 * none responds.
 */
export function getReadDb(): Db {
	return (shared.replicas ??= openServers([replicaUrls(), [primaryUrl()]]));
}

/**
 * Returns the database for public responses in which people look for what they just wrote: the primary, or a
 * replica while it does not respond.
 */
export function getFreshDb(): Db {
	return (shared.fresh ??= openServers([[primaryUrl()], replicaUrls()]));
}

/**
 * Makes this the only database: for an embedded one, tests and scripts. Without an argument the environment
 * decides again.
 */
export function setDb(db?: Db): void {
	shared = db ? { primary: db, replicas: db, fresh: db } : {};
}

/** One state of a database, whatever is written meanwhile. */
export type Snapshot = Pick<Transaction, 'execute'>;

/** How to open embedded databases once more: a transaction would keep others from their only connection. */
const openers = new WeakMap<Db, () => Client>();

/** Remembers how to open another connection to an embedded database. */
export function setOpener(db: Db, open: () => Client): void {
	openers.set(db, open);
}

/** A server ends a transaction in which nothing is asked for some seconds. */
const KEEP_ALIVE_MS = 2000;

/** Runs work on one state of the database. Nobody waits for it to end. */
export async function withSnapshot<Out>(
	db: Db,
	work: (snapshot: Snapshot) => Promise<Out>,
): Promise<Out> {
	const opened = openers.get(db)?.();
	// One in memory has a single connection, and no other process.
	if (!opened && db.$client.protocol === 'file') return work(db.$client);
	let transaction: Transaction | undefined;
	let kept: NodeJS.Timeout | undefined;
	try {
		transaction = await (opened ?? db.$client).transaction('read');
		const keepAlive = () => void transaction?.execute('select 1').catch(() => {});
		if (!opened) kept = setInterval(keepAlive, KEEP_ALIVE_MS);
		return await work(transaction);
	} finally {
		clearInterval(kept);
		transaction?.close();
		opened?.close();
	}
}

/** From so many rows on, a batch takes longer than others should wait for. */
const LONG = 500;
/** Whether batches are long ones, for clients whose driver is synchronous. */
export const longBatches = new AsyncLocalStorage<true>();

/**
 * Runs a batch of statements that are about so many rows: of a file, from some hundred on in a thread of its own, so that
 * nothing but other writes waits for it. As much of it is done as of any batch: all or nothing.
 */
export async function batchOfMany(db: Db, rows: number, statements: Statements): Promise<void> {
	if (rows < LONG) await db.batch(statements);
	else await longBatches.run(true, () => db.batch(statements));
}

/** Tells clients whose driver is synchronous that reads may take long. */
export const readsBeside = new AsyncLocalStorage<true>();

/**
 * Runs work whose reads may take long, such as those of whole lists: of a file, each in a thread of its own, so that nobody else waits
 * for them (decision 174). What they return is handled here, so what reads many rows reads them in pieces.
 */
export function readingBeside<Out>(work: () => PromiseLike<Out>): Promise<Out> {
	// A query begins when it is awaited.
	return readsBeside.run(true, async () => await work());
}

/** Builds a query once per database, because building one takes longer than running it. */
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

/** Writes that embedded databases refused, with the time on the clock of `performance.now()`, until another is stored. */
const refusals = new WeakMap<Client, { message: string; at: number }>();
/** How long a full disk is remembered: it still takes what is small. */
const FULL_MS = 10_000;

/** Remembers a write of a client that was refused until another is stored; that a disk is full, for ten seconds at least. */
export function noteWrite(client: Client, refused?: Error): void {
	const last = refusals.get(client);
	if (refused) refusals.set(client, { message: refused.message, at: performance.now() });
	else if (last && !(isFull(last.message) && performance.now() - last.at < FULL_MS))
		refusals.delete(client);
}

const isFull = (message: string) => message.startsWith('SQLITE_FULL');

/** Returns what the last write was refused with, or undefined where it was stored. */
export function refusalOf({ $client }: Db): string | undefined {
	return refusals.get($client)?.message;
}

/** How long a server may take when a visitor waits for the page. */
const REQUEST_TIMEOUT_MS = 5000;
/** How long a server that did not respond is skipped while another one does. */
const SKIP_SERVER_MS = 5000;
/** Requests sent at once. Writes queue here, where nothing runs out, rather than at the server. */
const CONCURRENCY = 4;
/** Statuses with which proxies report that the server behind them is down. */
const GATEWAY_STATUSES = [502, 503, 504];
/** Statuses with which a server refuses a token. */
const REFUSED_STATUSES = [401, 403];

/** How long servers are waited for, where that is not `REQUEST_TIMEOUT_MS`. */
const patience = new WeakMap<Db, number>();

/** Returns how long the servers of a database may take for an answer, in milliseconds: what needs none waits for a part of it. */
export function requestTimeoutOf(db: Db): number {
	return patience.get(db) ?? REQUEST_TIMEOUT_MS;
}

/** Captured now: code that replaces the global later means its own calls. */
const { fetch } = globalThis;

/** Times until which servers are skipped, on the clock of `performance.now()`. */
const skippedUntil = new Map<string, number>();

/** Opens a database of several servers. Each request goes to the first server that responds, in turn within a group. */
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
	const db = drizzle({ connection, schema });
	patience.set(db, timeoutMs);
	return db;
}

function createFetch(groups: string[][], base: string, timeoutMs: number) {
	let turn = 0;
	return async (request: Request): Promise<Response> => {
		const path = request.url.slice(base.length);
		const { method, headers } = request;
		// A server packs each value by itself, which takes both sides ten times as long as sending it as it is.
		headers.set('Accept-Encoding', 'identity');
		const body = replaceLoneSurrogates(await request.text());
		turn++;
		const servers = groups.flatMap((group) =>
			group.map((_, n) => group[(n + turn) % group.length]!),
		);
		const now = performance.now();
		const available = servers.filter((server) => (skippedUntil.get(server) ?? 0) <= now);
		let why = '';
		for (const server of available.length > 0 ? available : servers) {
			try {
				const response = await fetchServer(server + path, { method, headers, body }, timeoutMs);
				skippedUntil.delete(server);
				return response;
			} catch (error) {
				why = whyUnreached(new URL(server).host, error);
				skippedUntil.set(server, performance.now() + SKIP_SERVER_MS);
			}
		}
		throw new UnreachableError(`The database cannot be reached: ${why}.`);
	};
}

/** Part of the response of a server that is busy with other writes and has done nothing yet. */
const BUSY = '"code":"SQLITE_BUSY"';

/** Sends a request to one server, and repeats it while the server is busy, for up to half of the timeout. */
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
		if (REFUSED_STATUSES.includes(response.status))
			throw new Error('it refuses DATABASE_AUTH_TOKEN, which is missing, wrong or out of date');
		if (response.status === 404 && request.method === 'POST')
			throw new Error('it answers, but is no libSQL server (404): correct the address');
		// Read to the end here, because a server can stall in the middle of a response.
		const text = await response.text();
		if (!text.includes(BUSY) || performance.now() > end) return new Response(text, response);
		await sleep(Math.random() * 100);
	}
}

/** Replaces lone surrogates in JSON, which a server refuses to parse. An embedded database replaces them as well. */
function replaceLoneSurrogates(json: string): string {
	// A surrogate that JSON escapes is never part of a whole character.
	return json.replace(/\\(u[dD][89a-fA-F][\da-fA-F]{2}|.)/g, (escape) =>
		escape.length === 6 ? '\\ufffd' : escape,
	);
}

/** Meanings of a failed connection for whoever set the address, by its code or words. */
const FAILURES: [RegExp, string][] = [
	[/^ECONNREFUSED$/, 'nothing answers there: start the server, or correct the address'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'this name has no address: correct it, or look at the network'],
	[/^(EPROTO|ERR_SSL_.*)$/, 'it does not speak TLS: use an address that begins with http://'],
	[/^bad port$/, 'nothing may ask at this port, which belongs to another protocol: use another'],
];

/** Returns why a server cannot be reached, in one line. */
function whyUnreached(host: string, failure: unknown): string {
	const cause =
		failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
	const message = (cause instanceof Error ? cause.message : String(cause)).trim();
	const code = cause instanceof Error && 'code' in cause ? String(cause.code) : message;
	const means = FAILURES.find(([pattern]) => pattern.test(code))?.[1];
	return means ? `${host}, ${means} (${code})` : `${host}, ${message.replace(/\.$/, '')}`;
}

/** Returns a server's base URL for `fetch`: HTTP or HTTPS, with a trailing slash. */
function baseUrlOf(url: string): string {
	const { protocol, host, pathname, searchParams } = new URL(url);
	if (!/^(https?|wss?|libsql):$/.test(protocol)) throw new Error('DATABASE_URL is no server');
	const isPlain = ['http:', 'ws:'].includes(protocol) || searchParams.get('tls') === '0';
	return new URL(pathname.replace(/\/*$/, '/'), `${isPlain ? 'http' : 'https'}://${host}`).href;
}
