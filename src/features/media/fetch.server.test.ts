import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchPicture } from './fetch.server.ts';
import { MAX_IMAGE_BYTES } from './media.ts';

const BYTES = Buffer.from('a picture, as far as its sender says');
const HERE = { allowIPAddressList: ['127.0.0.1'] };

const answers: Record<string, RequestListener> = {
	'/chart%20one.png'(_, response) {
		response.writeHead(200, { 'Content-Type': 'image/png; charset=binary' }).end(BYTES);
	},
	'/moved'(_, response) {
		response.writeHead(302, { Location: '/chart%20one.png' }).end();
	},
	'/around'(_, response) {
		response.writeHead(301, { Location: '/around' }).end();
	},
	'/to-a-file'(_, response) {
		response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
	},
	'/inside'(_, response) {
		response.writeHead(302, { Location: `http://127.0.0.2:${port}/chart%20one.png` }).end();
	},
	'/page'(_, response) {
		response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1>');
	},
	'/typeless'(_, response) {
		response.writeHead(200).end(BYTES);
	},
	'/said-large'(_, response) {
		response.writeHead(200, {
			'Content-Type': 'image/png',
			'Content-Length': MAX_IMAGE_BYTES + 1,
		});
		response.write(BYTES);
	},
	'/endless'(_, response) {
		response.writeHead(200, { 'Content-Type': 'image/png' });
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(65_536)));
		};
		response.on('drain', more);
		more();
	},
	'/cut-off'(_, response) {
		response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 1000 });
		response.write(BYTES, () => response.destroy());
	},
};

let port: number;
/** Paths that the server was asked for. */
const asked: string[] = [];
const server = createServer((request, response) => {
	asked.push(request.url!);
	const answer = answers[request.url!];
	if (answer) answer(request, response);
	else response.writeHead(404).end();
});
beforeAll(async () => {
	server.listen(0, '0.0.0.0');
	await once(server, 'listening');
	port = (server.address() as AddressInfo).port;
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const fetchHere = (path: string) => fetchPicture(`http://127.0.0.1:${port}${path}`, HERE);

test.each(['/chart%20one.png', '/moved'])('%s is fetched with its name', async (path) => {
	expect(await fetchHere(path)).toEqual({
		name: 'chart one.png',
		data: `data:image/png;base64,${BYTES.toString('base64')}`,
	});
});

test.each([
	['/nowhere', 'answered 404'],
	['/around', 'leads from address to address'],
	['/to-a-file', 'leads to no web address'],
	['/page', 'sent text/html, which is no picture'],
	['/typeless', 'sent something without a type'],
	['/said-large', 'has more than 4 MB'],
	['/endless', 'has more than 4 MB'],
	['/cut-off', 'cannot be reached'],
	['/inside', '127.0.0.2'],
])('%s is refused in a sentence', async (path, reason) => {
	await expect(fetchHere(path)).rejects.toMatchObject({
		code: 'validation',
		fields: { url: expect.stringContaining(reason) as unknown },
	});
});

test.each([
	'127.0.0.1',
	'localhost',
	'2130706433',
	'0x7f.1',
	'0177.0.0.1',
	'0.0.0.0',
	'[::1]',
	'[::]',
	'[::ffff:127.0.0.1]',
	'[::ffff:7f00:1]',
])('%s is this machine, which is not asked', async (host) => {
	asked.length = 0;
	await expect(fetchPicture(`http://${host}:${port}/chart%20one.png`)).rejects.toMatchObject({
		fields: { url: expect.stringMatching(/cannot be reached\.$/) as unknown },
	});
	expect(asked).toEqual([]);
});

test.each([
	'10.0.0.1',
	'172.16.0.1',
	'192.168.1.1',
	'169.254.169.254',
	'100.64.0.1',
	'224.0.0.1',
	'[fe80::1]',
	'[fd00::1]',
	'[64:ff9b::7f00:1]',
	'[::127.0.0.1]',
])('%s is on a private network, which is not asked', async (host) => {
	await expect(fetchPicture(`https://${host}/a.png`)).rejects.toMatchObject({
		fields: { url: expect.stringMatching(/cannot be reached\.$/) as unknown },
	});
});
