import fc from 'fast-check';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { comments, subscribers } from '#db/schema.ts';
import type { Db } from '#db/client.ts';
import { loadFunctions } from '#src/build/functions.ts';
import { routeFunctions } from '#src/host/router.ts';
import { listen, type Server } from '#src/host/server.ts';
import { useTestDb } from '#tests/support/db.ts';
import { storedSite } from '#tests/support/stored-site.ts';

let folder: string;
let server: Server;
let db: Db;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'sockets-'));
	await writeFile(join(folder, 'package.json'), '{"name":"the-inside"}');
	const dir = join(folder, 'site');
	await mkdir(join(dir, 'blog'), { recursive: true });
	await writeFile(join(dir, 'index.html'), '<h1>Home</h1></html>');
	await writeFile(join(dir, 'blog/one.html'), '<h1>One</h1></html>');
	const site = await storedSite(dir);
	server = await listen({ host: '127.0.0.1', port: 0, trustProxy: false });
	server.setContent({ site, functions: routeFunctions(await loadFunctions()) });
	server.open();
});
beforeEach(async () => {
	db = await useTestDb();
});
afterAll(async () => {
	await server.close();
	await rm(folder, { recursive: true, force: true });
});

/**
 * Sends bytes as they are. Returns all that comes back until the server ends the connection, or within `patience`
 * milliseconds where it may wait for more.
 */
function send(bytes: string | Uint8Array, patience?: number): Promise<string> {
	return new Promise((resolve) => {
		const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
		let said = '';
		socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
		socket.on('error', () => {});
		socket.on('close', () => resolve(said));
		if (patience !== undefined) setTimeout(() => socket.destroy(), patience).unref();
	});
}
/** For what may wait for more. */
const BRIEFLY = 500;

const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(said)?.[1]);

const post = (headers: string[], body = '') =>
	['POST /api/subscribers HTTP/1.1', 'Host: here', 'Connection: close', ...headers, '', body].join(
		'\r\n',
	);
const JSON_BODY = '{"email":"ada@example.com"}';

test('the server takes a good request from a bare socket', async () => {
	const said = await send(
		post(['Content-Type: application/json', `Content-Length: ${JSON_BODY.length}`], JSON_BODY),
	);
	expect(statusOf(said)).toBe(201);
	expect(await db.$count(subscribers)).toBe(1);
});

test.each([
	['a length that is no number', ['Content-Length: many']],
	['a negative length', ['Content-Length: -5']],
	['two lengths', ['Content-Length: 5', 'Content-Length: 27']],
	['a length and chunks', ['Content-Length: 27', 'Transfer-Encoding: chunked']],
	['an unknown encoding', ['Transfer-Encoding: gzip, nonsense']],
	['chunks without sizes', ['Transfer-Encoding: chunked']],
	['a length beyond what is sent', ['Content-Length: 99999']],
	['a length beyond what is taken', ['Content-Length: 99999999999999999999']],
	['a header without a name', [': empty', 'Content-Length: 27']],
	['a header with a line break in it', ['X-A: a\rContent-Length: 27']],
	['a header with a null', ['X-A: a\0b', 'Content-Length: 27']],
	['a folded header', ['X-A: a', ' folded: 1', 'Content-Length: 27']],
	['a space before the colon', ['Content-Length : 27']],
])('%s stores nothing', async (_, headers) => {
	const said = await send(post(['Content-Type: application/json', ...headers], JSON_BODY), BRIEFLY);
	expect(said === '' || (statusOf(said) >= 400 && statusOf(said) < 500), said).toBe(true);
	expect(await db.$count(subscribers)).toBe(0);
	expect(said).not.toMatch(/node_modules|Error:|at /);
});

test('chunks of nonsense sizes store nothing, and good ones something', async () => {
	const chunked = (body: string) =>
		post(['Content-Type: application/json', 'Transfer-Encoding: chunked'], body);
	for (const body of [
		'zz\r\n{}\r\n0\r\n\r\n',
		'-1\r\n{}\r\n',
		'ffffffffffffffffff\r\n{}\r\n',
		'5\r\n{}',
	]) {
		const said = await send(chunked(body), BRIEFLY);
		expect(said === '' || (statusOf(said) >= 400 && statusOf(said) < 500), said).toBe(true);
	}
	expect(await db.$count(subscribers)).toBe(0);
	const size = JSON_BODY.length.toString(16);
	const said = await send(chunked(`${size}\r\n${JSON_BODY}\r\n0\r\n\r\n`));
	expect(statusOf(said)).toBe(201);
	expect(await db.$count(subscribers)).toBe(1);
});

test('a body in too many pieces is refused, and one in as many larger pieces is read', async () => {
	const inPieces = (body: string, size: number) => {
		const pieces = body.match(new RegExp(`.{1,${size}}`, 'g'))!;
		const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
		return `${chunks.join('')}0\r\n\r\n`;
	};
	const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
	const padded = (size: number) => `{"email":"ada@example.com"${' '.repeat(size)}}`;
	const said = await send(post(headers, inPieces(padded(9000), 1)));
	expect(said).toContain('Send the body in larger pieces.');
	expect(await db.$count(subscribers)).toBe(0);
	expect(statusOf(await send(post(headers, inPieces(padded(900), 1))))).toBe(201);
	await db.delete(subscribers);
	expect(statusOf(await send(post(headers, inPieces(padded(48_000), 64))))).toBe(201);
});

test('a second request hidden in a body is not answered', async () => {
	const hidden = 'GET /blog/one HTTP/1.1\r\nHost: here\r\n\r\n';
	const said = await send(
		post([`Content-Length: ${hidden.length}`, 'Content-Type: application/json'], hidden),
	);
	expect(statusOf(said)).toBe(400);
	expect(said).not.toContain('<h1>One</h1>');
});

test('headers beyond all measure are refused', async () => {
	for (const headers of [`Cookie: a=${'b'.repeat(100_000)}`, 'X-A: b\r\n'.repeat(5000).trim()]) {
		const said = await send(
			`GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${headers}\r\n\r\n`,
		);
		expect([431, 400, 200]).toContain(statusOf(said));
	}
});

test.each([
	'/..%2f..%2fpackage.json',
	'/%2e%2e/%2e%2e/package.json',
	'/blog/..%5c..%5cpackage.json',
	'/..;/package.json',
	'//package.json',
	'/blog/one.html/../../../package.json',
	'/./../package.json',
	'http://here/../package.json',
	'http://elsewhere.example/%2e%2e%2fpackage.json',
	'file:///package.json',
	'*',
	'package.json',
	'/%c0%ae%c0%ae/package.json',
	'/%252e%252e%252fpackage.json',
	'/package.json%00.html',
	'/\u0000',
	`/${'../'.repeat(500)}package.json`,
	`/${'%2e%2e%2f'.repeat(500)}package.json`,
])('%s leads nowhere', async (target) => {
	const said = await send(`GET ${target} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
	expect(said).not.toContain('the-inside');
	expect(said === '' || statusOf(said) < 500, said).toBe(true);
});

test('an address with its host in it is the same page', async () => {
	const said = await send(
		'GET http://here/blog/one HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
	);
	expect(statusOf(said)).toBe(200);
	expect(said).toContain('<h1>One</h1>');
});

test('an address for two hosts is refused, also where the answer is kept', async () => {
	const ask = (hosts: string) =>
		send(`GET /blog/one HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
	expect(statusOf(await ask('Host: here\r\n'))).toBe(200);
	expect(statusOf(await ask('Host: here\r\n'))).toBe(200);
	for (const hosts of ['Host: here\r\nHost: there\r\n', 'HOST: here\r\nhost: here\r\n']) {
		const said = await ask(hosts);
		expect(statusOf(said)).toBe(400);
		expect(said).not.toContain('<h1>One</h1>');
	}
	const twice = await send(post(['Host: there', `Content-Length: ${JSON_BODY.length}`], JSON_BODY));
	expect(statusOf(twice)).toBe(400);
	expect(await db.$count(subscribers)).toBe(0);
});

test('no line that a client can send ends the server or makes it fail', async () => {
	const word = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 40 }),
		fc.constantFrom(
			'GET',
			'POST',
			'/',
			'/blog/one',
			'/api/comments',
			'HTTP/1.1',
			'HTTP/9.9',
			'\0',
			'%',
		),
	);
	const lines = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), {
		minLength: 1,
		maxLength: 5,
	});
	const texts = fc.sample(fc.tuple(lines, fc.boolean()), { numRuns: 60, seed: 7 });
	await Promise.all(
		texts.map(async ([all, isClosed]) => {
			const text = all.map((line) => line.join(' ')).join('\r\n') + (isClosed ? '\r\n\r\n' : '');
			const said = await send(text, BRIEFLY);
			expect(said === '' || statusOf(said) < 500, said).toBe(true);
			expect(said).not.toContain('the-inside');
		}),
	);
	expect(statusOf(await send('GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'))).toBe(
		200,
	);
	expect(await db.$count(comments)).toBe(0);
}, 60_000);

test('a page that is sent again is the same answer, also where the client has it', async () => {
	const ask = (more = '') =>
		send(`GET /blog/one?from=mail HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${more}\r\n`);
	const [first, second] = [await ask(), await ask()];
	const known = (said: string) =>
		said
			.replace(/^(Date|X-Request-Id): .*\r\n/gim, '')
			.toLowerCase()
			.split('\r\n')
			.sort();
	expect(known(second)).toEqual(known(first));
	const etag = /^etag: (.*)$/im.exec(second)![1]!.trim();
	const same = await ask(`If-None-Match: ${etag}\r\n`);
	expect(statusOf(same)).toBe(304);
	expect(same).not.toContain('<h1>');
	expect(statusOf(await ask('If-None-Match: "other"\r\n'))).toBe(200);
	expect(statusOf(await ask('If-None-Match: *\r\n'))).toBe(304);
	expect(statusOf(await ask('Range: bytes=0-3\r\n'))).toBe(206);
});
