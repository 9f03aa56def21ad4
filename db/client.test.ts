import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LibsqlError } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#tests/support/ports.ts';
import { openServers } from './client.ts';
import { outageOf } from './outage.ts';

/** Requests that arrived, and the bytes that each is answered with. */
let asked: { headers: IncomingHttpHeaders; body: string }[] = [];
const bytes = randomBytes(100_001);

const server = createServer((request, response) => {
	let body = '';
	request.setEncoding('utf8').on('data', (part: string) => (body += part));
	request.on('end', () => {
		if (request.url!.startsWith('/elsewhere')) {
			response.writeHead(404).end('Not found');
			return;
		}
		if (request.headers.authorization === 'Bearer expired') {
			response.writeHead(401).end('{"error":"Authentication failed"}');
			return;
		}
		asked.push({ headers: request.headers, body });
		const cols = [{ name: 'bytes', decltype: null }];
		const rows = [[{ type: 'blob', base64: bytes.toString('base64').replace(/=*$/, '') }]];
		const result = { cols, rows, affected_row_count: 0, last_insert_rowid: null };
		const results = [
			{ type: 'ok', response: { type: 'execute', result } },
			{ type: 'ok', response: { type: 'close' } },
		];
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ baton: null, base_url: null, results }));
	});
});

beforeAll(async () => {
	await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

test('bytes go to a server and come from it as they are, in memory of their own, and unpacked', async () => {
	asked = [];
	const { port } = server.address() as AddressInfo;
	const db = openServers([[`http://127.0.0.1:${port}`]]);
	const { rows } = await db.$client.execute({ sql: 'select ?', args: [bytes] });
	const got = rows[0]![0] as ArrayBuffer;
	expect(got.byteLength).toBe(bytes.length);
	expect(bytes.equals(Buffer.from(got))).toBe(true);
	const [{ headers, body } = { headers: {}, body: '' }] = asked;
	expect(headers['accept-encoding']).toBe('identity');
	expect(body).toContain(bytes.toString('base64').replace(/=*$/, ''));
	expect(await db.values(sql`select 1`)).toHaveLength(1);
	db.$client.close();
});

test('a token that is refused is told in a sentence', async () => {
	const { port } = server.address() as AddressInfo;
	const db = openServers([[`http://127.0.0.1:${port}`]], { authToken: 'expired' });
	const failure = await db.values(sql`select 1`).catch((error: unknown) => error);
	expect(outageOf(failure)).toBe(
		`The database cannot be reached: 127.0.0.1:${port}, it refuses DATABASE_AUTH_TOKEN, which is missing, wrong or out of date.`,
	);
	db.$client.close();
});

test.each([
	['http://127.0.0.1:1', 'nothing may ask at this port'],
	['http://localhost:PORT', 'nothing answers there: start the server'],
	['http://database.invalid', 'this name has no address'],
	['https://127.0.0.1:OURS', 'it does not speak TLS: use an address that begins with http://'],
	['http://127.0.0.1:OURS/elsewhere', 'it answers, but is no libSQL server (404)'],
])('%s is refused in one line that says what to do', async (address, means) => {
	const { port } = server.address() as AddressInfo;
	const url = address.replace('PORT', String(await freePort())).replace('OURS', String(port));
	const db = openServers([[url]]);
	const why = outageOf(await db.values(sql`select 1`).catch((error: unknown) => error));
	expect(why).toMatch(/^The database cannot be reached: [^\n]+\.$/);
	expect(why).toContain(`${new URL(url).host}, ${means}`);
	expect(why).not.toContain('..');
	db.$client.close();
});

test('Base64 is read as the language reads it', () => {
	const { fromBase64 } = Uint8Array as unknown as { fromBase64: (text: string) => Uint8Array };
	for (let length = 0; length < 10; length++) {
		const some = randomBytes(length);
		const read = fromBase64(some.toString('base64'));
		expect([...read]).toEqual([...some]);
		// A view of shared memory would give other bytes away.
		expect(read.buffer.byteLength).toBe(length);
	}
});

test.each([
	['SQLITE_BUSY', 'database is locked', 'Another process keeps the database locked'],
	['SQLITE_FULL', 'database or disk is full', 'The disk of the database is full'],
	['SQLITE_IOERR_WRITE', 'disk I/O error', 'The disk of the database fails'],
	[
		'SQLITE_READONLY',
		'attempt to write a readonly database',
		'The database cannot be written, because its file or file system is read-only',
	],
	['SQLITE_CANTOPEN', 'unable to open database file', 'The file of the database cannot be opened'],
])('%s is told in a sentence, however deep it is', (code, words, why) => {
	const cause = new LibsqlError(words, code);
	const sentence = `${why} (${code}: ${words}).`;
	expect(outageOf(new Error('Failed query', { cause }))).toBe(sentence);
	expect(outageOf(new LibsqlError('no such table: meta', 'SQLITE_ERROR'))).toBeUndefined();
});
