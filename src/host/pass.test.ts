import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
	createServer,
	request,
	type IncomingMessage,
	type RequestListener,
	type RequestOptions,
	type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { passTo } from './pass.ts';

/** A process in front and one behind, which answers as `behind` does. */
async function pair(behind: RequestListener) {
	const folder = await mkdtemp(join(tmpdir(), 'pass-'));
	const socket = join(folder, 's');
	const start = async () => {
		const server = createServer(behind);
		await once(server.listen(socket), 'listening');
		return server;
	};
	let back = await start();
	const pass = passTo(socket);
	const front = createServer((incoming, outgoing) =>
		pass(incoming, outgoing, { id: 'the-id-of-this', address: '192.0.2.7' }, () =>
			outgoing.writeHead(503).end('away'),
		),
	);
	await once(front.listen(0, '127.0.0.1'), 'listening');
	const end = async (server: Server) => {
		server.closeAllConnections();
		server.close();
		if (server.listening) await once(server, 'close');
	};
	onTestFinished(async () => {
		await Promise.all([end(front), end(back)]);
		await rm(folder, { recursive: true });
	});
	const { port } = front.address() as AddressInfo;
	return {
		ask: async (options: RequestOptions, body?: Buffer | Buffer[]): Promise<IncomingMessage> => {
			const asked = request({ port, host: '127.0.0.1', agent: false, ...options });
			for (const part of body ? [body].flat() : []) asked.write(part);
			asked.end();
			const [answer] = (await once(asked, 'response')) as [IncomingMessage];
			return answer;
		},
		port,
		stop: () => end(back),
		restart: async () => {
			await end(back);
			back = await start();
		},
	};
}

/** Handler that answers with what was asked. */
const echo: RequestListener = (incoming, outgoing) =>
	void buffer(incoming).then((body) => {
		const { method, url, rawHeaders } = incoming;
		outgoing.setHeader('Set-Cookie', ['a=1', 'b=2']);
		outgoing.setHeader('X-Request-Id', 'kept');
		outgoing.end(JSON.stringify({ method, url, rawHeaders, body: body.toString('base64') }));
	});

type Echo = { method: string; url: string; rawHeaders: string[]; body: string };

test('a request arrives as it was sent, but for what is about its connection or says who sent it', async () => {
	const { ask } = await pair(echo);
	const path = '/api/%20a//b?c=%00';
	const headers = {
		...{ 'X-Forwarded-For': '198.51.100.1', 'X-Request-Id': 'forged-by-them' },
		...{ Cookie: 'a=ü', 'X-Two': ['1', '2'], TE: 'trailers' },
	};
	const answer = await ask({ method: 'DELETE', path, headers });
	const { rawHeaders, ...rest } = JSON.parse(await text(answer)) as Echo;
	expect(rest).toEqual({ method: 'DELETE', url: path, body: '' });
	const of = (name: string) =>
		rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === name);
	expect(of('x-forwarded-for')).toEqual(['192.0.2.7']);
	expect(of('x-request-id')).toEqual(['the-id-of-this']);
	expect(of('x-two')).toEqual(['1', '2']);
	expect(of('cookie')).toEqual(['a=ü']);
	expect(of('te')).toEqual([]);
	expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
	expect(answer.headers['x-request-id']).toBe('kept');
});

test.each([
	['of a few bytes', [Buffer.from('{"a":1}')], true],
	['in pieces', [Buffer.from('one, '), Buffer.from('two')], false],
	['that is large', [Buffer.alloc(3_000_000, 'x')], true],
	['that is large and in pieces', [Buffer.alloc(300_000, 'x'), Buffer.alloc(5, 'y')], false],
])('a body %s arrives whole', async (_, parts, hasLength) => {
	const { ask } = await pair(echo);
	const whole = Buffer.concat(parts);
	const headers = hasLength ? { 'Content-Length': whole.length } : {};
	const answer = await ask({ method: 'POST', path: '/', headers }, parts);
	expect((JSON.parse(await text(answer)) as Echo).body === whole.toString('base64')).toBe(true);
});

test('answers without a body, and large ones, arrive as they are', async () => {
	const large = Buffer.alloc(2_000_000, 'z');
	const { ask } = await pair(({ url, method }, outgoing) => {
		if (url === '/none') outgoing.writeHead(204).end();
		else if (url === '/same') outgoing.writeHead(304, { ETag: '"a"' }).end();
		else outgoing.writeHead(200, { 'Content-Length': large.length });
		if (url === '/large') outgoing.end(method === 'HEAD' ? undefined : large);
	});
	expect((await ask({ path: '/none' })).statusCode).toBe(204);
	const same = await ask({ path: '/same' });
	expect([same.statusCode, same.headers.etag]).toEqual([304, '"a"']);
	const head = await ask({ path: '/large', method: 'HEAD' });
	expect([head.headers['content-length'], await text(head)]).toEqual(['2000000', '']);
	expect((await buffer(await ask({ path: '/large' }))).equals(large)).toBe(true);
});

test('who leaves is not answered any more', async () => {
	let left: Promise<unknown> | undefined;
	const { port } = await pair((_, outgoing) => {
		left = once(outgoing, 'close');
		outgoing.writeHead(200).write('a beginning');
	});
	const asked = request({ port, host: '127.0.0.1', agent: false }).end();
	await once(asked, 'response');
	asked.destroy();
	await left;
});

test('an answer that is cut off is cut off for its reader too', async () => {
	const { ask } = await pair((_, outgoing) => {
		outgoing.writeHead(200, { 'Content-Length': 500_000 }).write('a beginning', () => {
			outgoing.destroy();
		});
	});
	await expect(text(await ask({ path: '/' }))).rejects.toThrow('aborted');
});

test('nobody behind is told, and what ended meanwhile is no hindrance', async () => {
	const times: string[] = [];
	const { ask, stop, restart } = await pair((incoming, outgoing) => {
		times.push(incoming.method!);
		echo(incoming, outgoing);
	});
	expect((await ask({ path: '/' })).statusCode).toBe(200);
	await restart();
	expect((await ask({ path: '/' })).statusCode).toBe(200);
	await stop();
	for (const method of ['GET', 'POST']) {
		const answer = await ask({ method, path: '/', headers: { 'Content-Length': 0 } });
		expect([answer.statusCode, await text(answer)]).toEqual([503, 'away']);
	}
	expect(times).toEqual(['GET', 'GET']);
});

test('what was sent and may have been done is not sent again', async () => {
	let times = 0;
	const { ask } = await pair((incoming) => {
		times++;
		incoming.resume().once('end', () => incoming.socket.destroy());
	});
	const post = () => ask({ method: 'POST', path: '/' }, Buffer.from('{}'));
	expect((await post()).statusCode).toBe(503);
	await sleep(0);
	expect(times).toBe(1);
});
