/** Stands in for S3-compatible storage: it checks signatures (version 4) and digests as AWS describes them, and lists in pages. */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string) =>
	createHmac('sha256', key).update(data).digest();

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

export const KEYS = {
	BACKUP_S3_ACCESS_KEY: 'AKIDEXAMPLE',
	BACKUP_S3_SECRET_KEY: 'wJalr/EXAMPLE+KEY',
};

export type S3 = {
	/** Address of the bucket. */
	url: string;
	objects: Map<string, Buffer>;
	/** Called before a request is answered; what it returns is the status of a refusal. */
	before: (method: string, key: string) => number | void | Promise<number | void>;
};

export async function startS3(pageSize = 3): Promise<S3> {
	const objects = new Map<string, Buffer>();
	const s3: S3 = { url: '', objects, before: () => {} };
	const server = createServer((request, response) => {
		void answer(request, response).catch(() => response.destroy());
	});

	async function answer(request: IncomingMessage, response: ServerResponse) {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const body = Buffer.concat(parts);
		const url = new URL(request.url!, 'http://s3');
		const key = decodeURIComponent(url.pathname.replace(/^\/copies\/?/, ''));
		const { method = '' } = request;
		const fail = (status: number, code: string) =>
			response
				.writeHead(status, { 'Content-Type': 'application/xml' })
				.end(
					`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code} it is.</Message></Error>`,
				);
		const status = await s3.before(method, key);
		if (status) return fail(status, 'SlowDown');
		if (!isSigned(request, url)) return fail(403, 'SignatureDoesNotMatch');
		const told = request.headers['x-amz-content-sha256'];
		if (method === 'PUT') {
			if (told !== sha256(body)) return fail(400, 'XAmzContentSHA256Mismatch');
			objects.set(key, body);
			return response.end();
		}
		if (method === 'GET' && key === '') {
			const query = url.searchParams;
			const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
			const found = [...objects.keys()]
				.filter((one) => one.startsWith(prefix) && one > after)
				.sort();
			const page = found.slice(0, pageSize);
			const list = page.map((one) => `<Contents><Key>${one}</Key></Contents>`).join('');
			return response.end(
				`<?xml version="1.0"?><ListBucketResult><IsTruncated>${found.length > page.length}</IsTruncated>${list}</ListBucketResult>`,
			);
		}
		const object = objects.get(key);
		if (method === 'DELETE') {
			objects.delete(key);
			return response.writeHead(204).end();
		}
		if (!object) return fail(404, 'NoSuchKey');
		return response
			.writeHead(200, { 'Content-Length': object.length })
			.end(method === 'HEAD' ? undefined : object);
	}

	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	closing.push(() => server.close().closeAllConnections());
	s3.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/copies`;
	return s3;
}

/** Computes the signature of a request as AWS Signature Version 4 says, and compares. */
function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
	const [, credential = '', signed = '', signature] =
		/Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)/.exec(
			headers.authorization ?? '',
		) ?? [];
	const [id, day = '', region = '', service = '', end = ''] = credential.split('/');
	const query = [...url.searchParams]
		.map((pair) => pair.map(encodeURIComponent).join('='))
		.sort()
		.join('&');
	const canonical = [
		method,
		url.pathname,
		query,
		...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
		'',
		signed,
		headers['x-amz-content-sha256'],
	].join('\n');
	const scope = [day, region, service, end].join('/');
	const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
	const key = [day, region, service, end].reduce<string | Buffer>(
		(secret, step) => hmac(secret, step),
		`AWS4${KEYS.BACKUP_S3_SECRET_KEY}`,
	);
	return id === KEYS.BACKUP_S3_ACCESS_KEY && hmac(key, text).toString('hex') === signature;
}
