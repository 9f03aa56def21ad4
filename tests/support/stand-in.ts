import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a third party is asked. */
type Asked = { method: string; path: string; body: string };

/** Starts a third party that gives the status that `answer` returns, and a page. */
export async function standIn(answer: (asked: Asked) => number) {
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk) => (body += String(chunk)));
		request.on('end', () => {
			const { method = '', url: path = '' } = request;
			response.writeHead(answer({ method, path, body })).end('<p>Whatever</p>');
		});
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	return { address: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
