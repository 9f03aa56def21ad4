/** Requests to other sites. Each connection goes to a public address, whatever a name resolves to. */
import * as http from 'node:http';
import * as https from 'node:https';
import { useAgent as agentFor } from 'request-filtering-agent';

/** Addresses that a connection may lead to: by default only public ones. */
export type AddressPolicy = Parameters<typeof agentFor>[1];

type RequestOptions = {
	method?: 'GET' | 'HEAD' | 'POST';
	body?: string | Buffer;
	headers: Record<string, string>;
	signal: AbortSignal;
	reach: AddressPolicy;
};

/** IPv4 addresses in a form of IPv6 that is in no use. The agent takes it for public. */
const IPV4_COMPATIBLE = '::/96';

/** Asks for a page or file of another site. Resolves with the head of the answer; the caller reads or destroys the rest. */
export function requestPublicUrl(
	url: URL,
	{ method = 'GET', headers, body, signal, reach }: RequestOptions,
): Promise<http.IncomingMessage> {
	const { request } = url.protocol === 'https:' ? https : http;
	const agent = agentFor(url.href, { denyIPAddressList: [IPV4_COMPATIBLE], ...reach });
	return new Promise((resolve, reject) => {
		request(url, { method, agent, headers, signal }, resolve).on('error', reject).end(body);
	});
}

/** Returns where an answer leads on to, or null. */
export function redirectOf({ statusCode, headers }: http.IncomingMessage, from: URL): URL | null {
	if (![301, 302, 303, 307, 308].includes(statusCode ?? 0) || !headers.location) return null;
	return URL.parse(headers.location, from);
}

/** Reads an answer to its end. Returns null, and ends it, where it has more bytes. */
export async function readAtMost(
	response: http.IncomingMessage,
	most: number,
): Promise<Buffer | null> {
	const parts: Buffer[] = [];
	let size = 0;
	for await (const part of response as AsyncIterable<Buffer>) {
		size += part.length;
		if (size > most) return null;
		parts.push(part);
	}
	return Buffer.concat(parts);
}
