import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { getEnv } from '#src/lib/env.ts';
import { REQUEST_ID_HEADER } from '#src/core/request-context.ts';

/** How long an idle connection to the other process is kept: less than that process keeps it, so that none is used as it ends. */
const IDLE_MS = 60_000;
/** Smaller bodies are passed on whole, in one piece with what stands before them. */
const MAX_BUFFERED_BYTES = 64 * 1024;
/** Headers that are about one connection. */
const OF_CONNECTION =
	/^(?:connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade|expect)$/i;
/** Headers that the other process believes. */
const OURS = /^(?:x-forwarded-for|x-request-id)$/i;

export type Pass = (
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	from: { id: string; address: string },
	/** Called where the other process does not answer. */
	onFailure: () => void,
	/** How long it may take until it answers. */
	patienceMs?: number,
) => void;

/** Returns the function that passes requests on to the process that listens on a socket of this machine, and its answers back. */
export function passTo(socketPath: string): Pass {
	const agent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS });
	return (incoming, outgoing, { id, address }, onFailure, patienceMs) => {
		const isChunked = incoming.headers['transfer-encoding'] !== undefined;
		const size = Number(incoming.headers['content-length'] ?? 0);
		const headers = without(incoming.rawHeaders, OF_CONNECTION, OURS);
		headers.push('X-Forwarded-For', address, REQUEST_ID_HEADER, id);
		if (isChunked) headers.push('Transfer-Encoding', 'chunked');
		if (incoming.headers.host === undefined) headers.push('Host', new URL(getEnv().SITE_URL).host);
		const ask = (body?: Buffer, isAgain = patienceMs !== undefined) => {
			const asked = request(
				{
					...{ socketPath, agent, headers, method: incoming.method, path: incoming.url },
					...{ setHost: false, setDefaultHeaders: false },
				},
				(answer) => {
					clearTimeout(impatience);
					const { statusCode, statusMessage, rawHeaders } = answer;
					outgoing.writeHead(statusCode!, statusMessage, without(rawHeaders, OF_CONNECTION));
					if (Number(answer.headers['content-length'] ?? Infinity) <= MAX_BUFFERED_BYTES)
						whole(answer, (bytes) => outgoing.end(bytes));
					else answer.pipe(outgoing);
					// A part of an answer is no answer.
					answer.once('error', () => outgoing.destroy());
				},
			);
			const impatience =
				patienceMs && setTimeout(() => asked.destroy(new Error('It takes too long.')), patienceMs);
			outgoing.once('close', () => asked.destroy());
			asked.on('error', () => {
				if (outgoing.destroyed || outgoing.writableEnded) return;
				if (outgoing.headersSent) outgoing.destroy();
				// The connection had ended, and nobody has read this.
				else if (asked.reusedSocket && !isAgain && isRepeatable) ask(body, true);
				else onFailure();
			});
			if (body || !hasBody) asked.end(body);
			return asked;
		};
		const hasBody = isChunked || size > 0;
		const isRepeatable = !hasBody && (incoming.method === 'GET' || incoming.method === 'HEAD');
		if (isChunked || size > MAX_BUFFERED_BYTES) incoming.pipe(ask());
		else if (hasBody) whole(incoming, (bytes) => ask(bytes));
		else ask();
	};
}

/** Reads a small message to its end. One that is cut off is nothing. */
function whole(message: IncomingMessage, use: (bytes: Buffer) => void): void {
	const chunks: Buffer[] = [];
	message.on('data', (chunk: Buffer) => chunks.push(chunk));
	message.once('end', () => use(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
}

function without(rawHeaders: string[], ...patterns: RegExp[]): string[] {
	const headers: string[] = [];
	for (let index = 0; index < rawHeaders.length; index += 2) {
		const name = rawHeaders[index]!;
		if (!patterns.some((one) => one.test(name))) headers.push(name, rawHeaders[index + 1]!);
	}
	return headers;
}
