import type * as http from 'node:http';
import {
	readAtMost,
	requestPublicUrl,
	redirectOf,
	type AddressPolicy,
} from '#src/core/web.server.ts';
import { SECOND } from '#src/lib/dates.ts';
import { AppError, invalid } from '#src/lib/errors.ts';
import { byteSize } from '#src/lib/text.ts';
import { MAX_IMAGE_BYTES, type FetchedPicture } from './media.ts';

/** Time for all of it, redirects included. A function of Netlify has ten seconds. */
const TIMEOUT_MS = 8 * SECOND;
const MAX_REDIRECTS = 3;

/**
 * Returns a picture of another site. Throws `validation` for the field `url` if there is no picture that can be had.
 */
export function fetchPicture(address: string, reach?: AddressPolicy): Promise<FetchedPicture> {
	return fetchPublic(address, 'image/avif,image/webp,image/*', readPicture, reach);
}

/**
 * Returns what `read` makes of an answer of another site. Each connection, after a redirect too, goes to a public address.
 * Throws `validation` for the field `url` where there is none, or none in time.
 */
export async function fetchPublic<Made>(
	address: string,
	accept: string,
	read: (response: http.IncomingMessage, url: URL) => Promise<Made>,
	reach?: AddressPolicy,
): Promise<Made> {
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const headers = { Accept: accept, 'User-Agent': 'Mozilla/5.0 (compatible; link preview)' };
	let url = new URL(address);
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const { host } = url;
		try {
			const response = await requestPublicUrl(url, { headers, signal, reach });
			const next = redirectOf(response, url);
			if (!next) {
				if (response.statusCode === 200) return await read(response, url);
				throw end(response, `${host} answered ${response.statusCode}.`);
			}
			response.destroy();
			if (!/^https?:$/.test(next.protocol)) throw refusal(`${host} leads to no web address.`);
			url = next;
		} catch (error) {
			if (error instanceof AppError) throw error;
			// The same sentence for what is private and what is down: neither can be explored from here.
			throw refusal(
				signal.aborted ? `${host} took too long to answer.` : `${host} cannot be reached.`,
			);
		}
	}
	throw refusal(`${url.host} leads from address to address.`);
}

/** Returns what kind of file an answer says that it is. */
export function typeOf({ headers }: http.IncomingMessage): string {
	return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Ends an answer, and returns why as an error for the field `url`. */
export function end(response: http.IncomingMessage, reason: string): AppError {
	response.destroy();
	return refusal(reason);
}

/** Reads a picture to its end, as a `data:` URL. */
async function readPicture(response: http.IncomingMessage, url: URL): Promise<FetchedPicture> {
	const { host } = url;
	const type = typeOf(response);
	if (!/^image\/[\w.+-]+$/.test(type)) {
		const reason = `${host} sent ${type || 'something without a type'}, which is no picture.`;
		throw end(response, reason);
	}
	const tooLarge = `The picture at ${host} has more than ${byteSize(MAX_IMAGE_BYTES)}.`;
	const size = Number(response.headers['content-length'] ?? 0);
	const bytes = size > MAX_IMAGE_BYTES ? null : await readAtMost(response, MAX_IMAGE_BYTES);
	if (!bytes) throw end(response, tooLarge);
	const data = `data:${type};base64,${bytes.toString('base64')}`;
	return { name: nameOf(url), data };
}

/** Returns the name of the file in an address, or its host. */
function nameOf({ pathname, hostname }: URL): string {
	const last = pathname.split('/').at(-1) ?? '';
	try {
		return decodeURIComponent(last).slice(0, 200) || hostname;
	} catch {
		return last.slice(0, 200);
	}
}

const refusal = (message: string) => invalid({ url: message });
