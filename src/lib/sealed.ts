/** Files that only a passphrase opens: scrypt makes the key, AES-256-GCM encrypts and proves that nothing was changed. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { scrypt } from '#src/lib/scrypt.ts';

/** First bytes of a sealed file. Another version of the format has another first line. */
const MAGIC = Buffer.from('groundtruth sealed 1\n');
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = MAGIC.length + SALT_BYTES + IV_BYTES;
/** Cost of scrypt: 64 MB and some tenths of a second, once a file. */
export const SEALING_COST = { N: 2 ** 16, r: 8, p: 2 };

/** A file that cannot be opened. Its message is one sentence for a person. */
class SealError extends Error {
	override name = 'SealError';
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Seals bytes while they pass: a header, what is encrypted, and the tag that proves it. */
export async function* seal(bytes: Bytes, passphrase: string): AsyncGenerator<Buffer> {
	const header = Buffer.concat([MAGIC, randomBytes(SALT_BYTES + IV_BYTES)]);
	const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, header), ivOf(header));
	cipher.setAAD(header);
	yield header;
	for await (const part of bytes) yield cipher.update(part);
	yield cipher.final();
	yield cipher.getAuthTag();
}

/**
 * Opens what `seal` sealed, while it passes. Throws a `SealError` at the end if the passphrase is another or a bit was changed: until
 * then nothing that came out may be believed.
 */
export async function* unseal(bytes: Bytes, passphrase: string): AsyncGenerator<Buffer> {
	let held: Buffer = Buffer.alloc(0);
	let decipher: ReturnType<typeof createDecipheriv> | undefined;
	for await (const part of bytes) {
		held = Buffer.concat([held, part]);
		if (!decipher) {
			if (held.length < HEADER_BYTES) continue;
			decipher = await openHeader(held.subarray(0, HEADER_BYTES), passphrase);
			held = held.subarray(HEADER_BYTES);
		}
		// The last bytes so far may be the tag.
		const sure = held.length - TAG_BYTES;
		if (sure <= 0) continue;
		yield decipher.update(held.subarray(0, sure));
		held = held.subarray(sure);
	}
	if (!decipher || held.length < TAG_BYTES)
		throw new SealError('It is no sealed file, or cut off.');
	(decipher as ReturnType<typeof createDecipheriv> & { setAuthTag(tag: Buffer): void }).setAuthTag(
		held,
	);
	try {
		yield decipher.final();
	} catch {
		throw new SealError('The passphrase is another, or the file is damaged.');
	}
}

async function openHeader(header: Buffer, passphrase: string) {
	if (!header.subarray(0, MAGIC.length).equals(MAGIC)) {
		throw new SealError('It is no sealed file of this program.');
	}
	const key = await keyOf(passphrase, header);
	const decipher = createDecipheriv('aes-256-gcm', key, ivOf(header), {
		authTagLength: TAG_BYTES,
	});
	decipher.setAAD(header);
	return decipher;
}

const ivOf = (header: Buffer) => header.subarray(MAGIC.length + SALT_BYTES);

function keyOf(passphrase: string, header: Buffer): Promise<Buffer> {
	const salt = header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
	return scrypt(passphrase.normalize('NFKC'), salt, 32, {
		...SEALING_COST,
		maxmem: 256 * SEALING_COST.N * SEALING_COST.r,
	});
}
