import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of requests on the line: `hangs` takes them and never answers, `fails` answers 503, a login wall answers 200 in
 * place of the site or leads away to its own, and an answer ends before its time: as if it were whole, or not.
 */
export const FAULTS = ['hangs', 'fails', 'wall', 'leads away', 'cut', 'broken'] as const;
type Fault = (typeof FAULTS)[number];

export type BadLine = {
	address: string;
	/** What is wrong with the line from now on, for paths that match. */
	set(fault: Fault | undefined, paths?: RegExp): void;
	/** Answers are changed before they are sent. */
	change:
		| ((
				path: string,
				html: string,
		  ) => { body: string; headers?: Record<string, string>; status?: number })
		| undefined;
	close(): void;
};

const WALL = '<!doctype html><html><body><h1>Hotel wifi login</h1></body></html>';

/** How the bundled service worker says how long a request may take, and how a hurried line lets it say that. */
const PATIENCE = { usual: 'request:2e4', short: 'request:5e3' };

/**
 * Opens a line to the site at an address, on any port, that can go bad in several ways. With `isHurried`, pages wait for what hangs
 * no longer than tests must.
 */
export async function openBadLine(to: string, isHurried = false): Promise<BadLine> {
	let fault: Fault | undefined;
	let wrong = /./;
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url!;
		const now = wrong.test(path) ? fault : undefined;
		if (now === 'hangs') return;
		if (now === 'fails') return void response.writeHead(503).end('Service Unavailable');
		const html = { 'Content-Type': 'text/html; charset=utf-8' };
		if (now === 'wall' || request.headers.host?.startsWith('localhost'))
			return void response.writeHead(200, html).end(WALL);
		if (now === 'leads away') {
			const { port } = server.address() as AddressInfo;
			return void response.writeHead(302, { Location: `http://localhost:${port}/login` }).end();
		}
		if (request.method !== 'GET') return void response.writeHead(204).end();
		const got = await fetch(new URL(path, to), { redirect: 'manual' });
		const headers: Record<string, string> = {};
		for (const name of ['content-type', 'location', 'cache-control']) {
			const value = got.headers.get(name);
			if (value) headers[name] = value;
		}
		let { status } = got;
		let body = Buffer.from(await got.arrayBuffer());
		if (headers['content-type']?.startsWith('text/html')) {
			const changed = line.change?.(path, body.toString());
			if (changed) {
				body = Buffer.from(changed.body);
				Object.assign(headers, changed.headers);
				status = changed.status ?? status;
			}
		}
		if (isHurried && path === '/sw.js') {
			const script = body.toString();
			if (!script.includes(PATIENCE.usual)) throw new Error(`${PATIENCE.usual} is not in /sw.js`);
			body = Buffer.from(script.replace(PATIENCE.usual, PATIENCE.short));
		}
		if (!now)
			return void response
				.writeHead(status, { ...headers, 'Content-Length': body.length })
				.end(body);
		// A line that ends with the connection says no length: what has come looks whole.
		if (now === 'broken') headers['Content-Length'] = String(body.length);
		else response.useChunkedEncodingByDefault = false;
		response.writeHead(status, { ...headers, Connection: 'close' });
		response.write(body.subarray(0, body.length / 2), () => response.socket?.end());
	}
	const server = createServer((request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const line: BadLine = {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		set(wanted, paths = /./) {
			fault = wanted;
			wrong = paths;
		},
		change: undefined,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
	return line;
}
