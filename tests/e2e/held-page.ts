import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves one page in parts, and all else from the site. The first part is sent at once, each other when `next` is called. */
export async function holdPage(site: string, path: string, parts: readonly string[]) {
	const gates = parts.map(() => Promise.withResolvers<void>());
	let sent = 0;
	const next = () => gates[sent++]!.resolve();
	next();
	const server = createServer((request, response) => {
		void (async () => {
			if (request.url === path) {
				response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
				for (const [at, part] of parts.entries()) {
					await gates[at]!.promise;
					response.write(part);
				}
				return void response.end();
			}
			if (request.method !== 'GET') return void response.writeHead(204).end();
			const answer = await fetch(new URL(request.url!, site));
			const type = answer.headers.get('Content-Type');
			response.writeHead(answer.status, type ? { 'Content-Type': type } : {});
			response.end(Buffer.from(await answer.arrayBuffer()));
		})();
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { address: `http://127.0.0.1:${port}${path}`, next, close };
}
