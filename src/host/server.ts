import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECURITY } from '#functions/lib/headers.ts';
import { errorResponse } from '#functions/lib/http.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Functions } from './functions.ts';
import type { Site } from './site.ts';

/** What stops the server from starting. Its message is one sentence for a person. */
export class HostError extends Error {
	override name = 'HostError';
}

/** What a running server answers with. Replacing `site` swaps the whole site in one step. */
export type Content = { site: Site; functions: Functions };

export type Server = {
	port: number;
	/** Until it is called, everything is answered with 503. */
	show(content: Content): void;
	/** Takes no more requests, lets those in flight and their `waitUntil` work finish, for 10 seconds at most. */
	close(): Promise<void>;
};

const LONGEST_ADDRESS = 8000;
const GRACE_MS = 10_000;

/** Listens, or throws a `HostError` where the port cannot be had. */
export async function listen({
	host,
	port,
	trustProxy,
}: {
	host: string;
	port: number;
	trustProxy: boolean;
}): Promise<Server> {
	let content: Content | undefined;
	const answer = async (request: Request, incoming: IncomingMessage) => {
		if (!isWellFormed(incoming.url ?? '')) {
			return errorResponse(new AppError('validation', 'This address is malformed.'), request);
		}
		if (!content) return preparing();
		const { site, functions } = content;
		const url = new URL(request.url);
		const call = functions.match(url.pathname, request.method);
		if (call && !(call.preferStatic && site.has(url.pathname))) {
			return functions.call(call, request, addressOf(incoming, trustProxy));
		}
		return site.respond(request, url);
	};
	const listener = getRequestListener(
		async (request, { incoming }) => {
			try {
				return await answer(request, incoming as HttpBindings['incoming']);
			} catch (error) {
				return errorResponse(error, request);
			}
		},
		{ overrideGlobalObjects: false },
	);
	const server = createServer((incoming, outgoing) => {
		if (!content?.site.resend(incoming, outgoing)) void listener(incoming, outgoing);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) => {
			reject(new HostError(sentenceFor(error, host, port)));
		});
		server.listen(port, host, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		show(next) {
			content = next;
		},
		async close() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			// A connection is kept alive after its last answer; none may start another request.
			const idle = setInterval(() => server.closeIdleConnections(), 20);
			const finished = closed.then(() => content?.functions.settle());
			await Promise.race([
				finished,
				new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref()),
			]);
			clearInterval(idle);
			server.closeAllConnections();
		},
	};
}

/** The client's address: the socket's, or behind a proxy of ours the one that it saw, which it appends last. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
	const forwarded = trustProxy ? [headers['x-forwarded-for'] ?? []].flat().join() : '';
	const address = forwarded.split(',').at(-1)?.trim() || (socket.remoteAddress ?? '');
	return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

function isWellFormed(address: string): boolean {
	if (address.length > LONGEST_ADDRESS) return false;
	try {
		return !decodeURIComponent(address.split('?', 1)[0]!).includes('\0');
	} catch {
		return false;
	}
}

function preparing(): Response {
	return new Response('The site is being prepared: please try again in a moment.', {
		status: 503,
		headers: { ...SECURITY, 'Retry-After': '5', 'Cache-Control': 'no-store' },
	});
}

function sentenceFor({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
	if (code === 'EADDRINUSE') {
		return `Port ${port} on ${host} is taken: stop what listens there, or set PORT to another number.`;
	}
	if (code === 'EACCES') return `Port ${port} may not be used: set PORT to a number above 1023.`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return `HOST ${host} is not an address of this machine.`;
	}
	return `The server cannot listen on ${host}:${port}: ${message}.`;
}
