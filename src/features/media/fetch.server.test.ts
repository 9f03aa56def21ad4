import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchCard } from './card.server.ts';
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
	'/hangs'() {},
	'/endless-page'(_, response) {
		response.writeHead(200, { 'Content-Type': 'text/html' });
		response.write('<title>Long</title><body>');
		const more = () => {
			while (!response.destroyed && response.write('<p>more'.repeat(9999)));
		};
		response.on('drain', more);
		more();
	},
	'/article': page(
		'<meta charset="utf-8"><title>Site | Said</title><meta property="og:title" content=" A &amp;\nB \u202e"><meta name="description" content="Plain"><meta property="og:description" content=""><meta property="og:image" content="//cdn.example/a.png?a=1&amp;b=2">',
	),
	'/japanese': page(
		Buffer.from(
			'3c6d65746120636861727365743d53686966745f4a49533e3c7469746c653e93fa967b8cea3c2f7469746c653e',
			'hex',
		),
	),
	'/by-header': page(Buffer.from('<title>na\xefve</title>', 'latin1'), 'text/html; charset=latin1'),
	'/unknown-charset': page('<meta charset="klingon"><title>Still</title>'),
	'/gzip'(_, response) {
		response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
		response.end(gzipSync('<title>Small</title>'));
	},
	'/bad-gzip'(_, response) {
		response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' });
		response.end('<title>Not small</title>');
	},
	'/untitled': page('<title> </title><body><title>Not here</title>'),
	'/png-as-page': page(Buffer.from('89504e470d0a1a0a00ff', 'hex')),
	'/script-picture': page('<title>T</title><meta property="og:image" content="javascript:x">'),
	'/long': page(`<title>${'word '.repeat(99)}</title>`),
	'/cut-off'(_, response) {
		response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': 1000 });
		response.write(BYTES, () => response.destroy());
	},
};

function page(html: string | Buffer, type = 'text/html'): RequestListener {
	return (_, response) => response.writeHead(200, { 'Content-Type': type }).end(html);
}

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

const cardHere = (path: string) => fetchCard(`http://127.0.0.1:${port}${path}`, HERE);

test.each([
	['/article', { title: 'A & B', text: 'Plain', picture: 'http://cdn.example/a.png?a=1&b=2' }],
	['/japanese', { title: '日本語', text: '', picture: null }],
	['/by-header', { title: 'naïve', text: '', picture: null }],
	['/unknown-charset', { title: 'Still', text: '', picture: null }],
	['/gzip', { title: 'Small', text: '', picture: null }],
	['/endless-page', { title: 'Long', text: '', picture: null }],
	['/script-picture', { title: 'T', text: '', picture: null }],
	['/long', { title: `${'word '.repeat(40).trim()}…`, text: '', picture: null }],
])('%s says what it is', async (path, card) => {
	expect(await cardHere(path)).toEqual(card);
});

test.each([
	['/nowhere', 'answered 404'],
	['/chart%20one.png', 'sent image/png, which is no page'],
	['/typeless', 'sent something without a type'],
	['/untitled', 'has no title'],
	['/png-as-page', 'has no title'],
	['/bad-gzip', 'cannot be reached'],
	['/inside', '127.0.0.2'],
	['/around', 'leads from address to address'],
])('%s is no page that a card can show', async (path, reason) => {
	await expect(cardHere(path)).rejects.toMatchObject({
		code: 'validation',
		fields: { url: expect.stringContaining(reason) as unknown },
	});
});

test('a page that hangs is waited for no longer than a function may take', async () => {
	vi.spyOn(AbortSignal, 'timeout').mockImplementation((time) => {
		expect(time).toBeLessThan(10_000);
		const aborter = new AbortController();
		setTimeout(() => aborter.abort(), 50);
		return aborter.signal;
	});
	await expect(cardHere('/hangs')).rejects.toMatchObject({
		fields: { url: expect.stringContaining('took too long') as unknown },
	});
	vi.restoreAllMocks();
});

test.each(['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]'])(
	'a page at %s is not asked what it is',
	async (host) => {
		asked.length = 0;
		await expect(fetchCard(`http://${host}:${port}/article`)).rejects.toMatchObject({
			fields: { url: expect.stringMatching(/cannot be reached\.$/) as unknown },
		});
		expect(asked).toEqual([]);
	},
);
