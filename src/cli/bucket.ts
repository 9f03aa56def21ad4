/** Keeps sealed copies in S3-compatible storage. */
import { createReadStream, openAsBlob } from 'node:fs';
import { createHash } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { createFile, sync, UNFINISHED } from '#src/cli/backup.ts';
import { HOUR, MINUTE } from '#src/lib/dates.ts';
import type { Env } from '#src/lib/env.ts';
import { seal, unseal } from '#src/lib/sealed.ts';
import { byteSize } from '#src/lib/text.ts';

/** Ending of the name of a sealed copy. */
const SEALED = '.sealed';
/** The most that storage takes in one request. */
const MAX_BYTES = 5 * 1024 ** 3;
/** How long an upload or download of one copy may take. */
const TRANSFER_MS = 6 * HOUR;

/** Storage that refused or did not answer. Its message is one sentence for a person. */
class BucketError extends Error {
	override name = 'BucketError';
}

/** Returns the storage that the environment names, or undefined. */
export function bucketOf(env: Env): Bucket | undefined {
	return env.BACKUP_S3_URL === undefined ? undefined : new Bucket(env);
}

export class Bucket {
	/** The host and the bucket, for a person. */
	readonly place: string;
	readonly #url: string;
	readonly #client: AwsClient;
	readonly #passphrase: string;

	constructor(env: Env) {
		const { host, pathname } = new URL(env.BACKUP_S3_URL!);
		this.place = host + pathname.replace(/\/$/, '');
		this.#url = env.BACKUP_S3_URL!;
		this.#passphrase = env.BACKUP_PASSPHRASE!;
		this.#client = new AwsClient({
			accessKeyId: env.BACKUP_S3_ACCESS_KEY!,
			secretAccessKey: env.BACKUP_S3_SECRET_KEY!,
			region: env.BACKUP_S3_REGION,
			service: 's3',
			retries: 2,
		});
	}

	/** Seals a file and uploads it under its name. It is there only when it is there whole. Returns how large it is. */
	async upload(file: string): Promise<number> {
		const sealed = file + SEALED + UNFINISHED;
		try {
			const hash = createHash('sha256');
			const passphrase = this.#passphrase;
			await pipeline(
				createReadStream(file),
				async function* (parts: AsyncIterable<Buffer>) {
					for await (const part of seal(parts, passphrase)) {
						hash.update(part);
						yield part;
					}
				},
				await createFile(sealed),
			);
			const { size } = await stat(sealed);
			if (size > MAX_BYTES) {
				throw new BucketError(`The copy has ${byteSize(size)}; storage takes 5 GB at the most.`);
			}
			const name = basename(file) + SEALED;
			await this.#ask('PUT', name, {
				body: await openAsBlob(sealed),
				// Storage compares it with what arrives.
				headers: { 'X-Amz-Content-Sha256': hash.digest('hex') },
			});
			const { headers } = await this.#ask('HEAD', name);
			if (Number(headers.get('Content-Length')) !== size) {
				throw new BucketError(`${this.place} holds another file than was sent to it.`);
			}
			return size;
		} finally {
			await rm(sealed, { force: true });
		}
	}

	/** Returns the names of the copies there, without the ending that they have as sealed ones. */
	async list(start: string): Promise<string[]> {
		const names: string[] = [];
		const prefix = this.#prefix + start;
		for (let after: string | undefined = ''; after !== undefined;) {
			const query = new URLSearchParams({
				'list-type': '2',
				prefix,
				...(after && { 'start-after': after }),
			});
			const text = await (await this.#ask('GET', undefined, {}, query)).text();
			const { ListBucketResult: listed } = parser.parse(text) as { ListBucketResult?: Listed };
			if (!listed) throw new BucketError(`${this.place} does not answer as S3 does.`);
			const keys = (listed.Contents ?? []).map(({ Key }) => Key);
			names.push(...keys);
			after = listed.IsTruncated === 'true' ? keys.at(-1) : undefined;
		}
		return names
			.filter((key) => key.endsWith(SEALED))
			.map((key) => key.slice(this.#prefix.length, -SEALED.length));
	}

	async remove(name: string): Promise<void> {
		await this.#ask('DELETE', name + SEALED);
	}

	/** Downloads a copy and opens it into a file, which has its name when every byte proved to be as it was sealed. */
	async download(name: string, file: string): Promise<void> {
		const { body } = await this.#ask('GET', name + SEALED);
		const unfinished = file + UNFINISHED;
		try {
			await pipeline(
				Readable.fromWeb(body as never),
				(parts: AsyncIterable<Buffer>) => unseal(parts, this.#passphrase),
				await createFile(unfinished),
			);
			await sync(unfinished);
			await rename(unfinished, file);
		} finally {
			await rm(unfinished, { force: true });
		}
	}

	/** Path below the bucket that the address names, which keys begin with. */
	get #prefix(): string {
		const [, ...folders] = new URL(this.#url).pathname.split('/').filter(Boolean);
		return folders.map((folder) => `${decodeURIComponent(folder)}/`).join('');
	}

	async #ask(
		method: string,
		name: string | undefined,
		init: RequestInit = {},
		query?: URLSearchParams,
	): Promise<Response> {
		const { origin, pathname } = new URL(this.#url);
		const bucket = `${origin}/${pathname.split('/').find(Boolean) ?? ''}`;
		const key =
			name === undefined
				? ''
				: `/${(this.#prefix + name).split('/').map(encodeURIComponent).join('/')}`;
		const isTransfer = name !== undefined && (method === 'PUT' || method === 'GET');
		let response: Response;
		try {
			response = await this.#client.fetch(`${bucket}${key}${query ? `?${query}` : ''}`, {
				...init,
				method,
				signal: AbortSignal.timeout(isTransfer ? TRANSFER_MS : MINUTE),
			});
		} catch (error) {
			const cause = (error as Error).cause ?? error;
			throw new BucketError(`${this.place} does not answer: ${(cause as Error).message}.`, {
				cause,
			});
		}
		if (response.ok) return response;
		const text = await response.text();
		const { Error: said } = (text.startsWith('<') ? parser.parse(text) : {}) as {
			Error?: { Message?: string; Code?: string };
		};
		const reason = said?.Message ?? said?.Code ?? response.statusText;
		throw new BucketError(
			`${this.place} refuses with status ${response.status}: ${reason.replace(/\.$/, '')}.`,
		);
	}
}

type Listed = { IsTruncated?: string; Contents?: { Key: string }[] };
const parser = new XMLParser({
	parseTagValue: false,
	isArray: (name) => name === 'Contents',
});
