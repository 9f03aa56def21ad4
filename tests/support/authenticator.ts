import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** Writes CBOR: whole numbers below 256, texts, bytes and maps, which is all that a passkey needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
	const head = (kind: number, size: number) =>
		size < 24
			? Buffer.from([(kind << 5) | size])
			: size < 256
				? Buffer.from([(kind << 5) | 24, size])
				: Buffer.from([(kind << 5) | 25, size >> 8, size & 255]);
	if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
	if (typeof value === 'string')
		return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
	if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
	const parts = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as never)]);
	return Buffer.concat([head(5, value.size), ...parts]);
}

type Page = { challenge: string; origin?: string; rpId?: string };

/** A device that makes one passkey (ES256) and signs with it, as the WebAuthn specification says. */
export function makeAuthenticator({
	rpId = 'groundtruth.test',
	origin = 'https://groundtruth.test',
} = {}) {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
	const id = randomBytes(16);
	let counter = 0;

	const clientData = (type: string, page: Page) =>
		Buffer.from(
			JSON.stringify({
				type,
				challenge: page.challenge,
				origin: page.origin ?? origin,
				crossOrigin: false,
			}),
		);
	function authenticatorData(page: Page, flags: number): Buffer {
		const count = Buffer.alloc(4);
		count.writeUInt32BE(counter);
		return Buffer.concat([sha256(page.rpId ?? rpId), Buffer.from([flags]), count]);
	}
	const credential = { id: text(id), rawId: text(id), type: 'public-key' as const };

	return {
		id: text(id),
		/** Sets how often the device says it was used. */
		rewind: (to: number) => void (counter = to),
		register(page: Page) {
			const key = cbor(
				new Map<number, unknown>([
					[1, 2],
					[3, -7],
					[-1, 1],
					[-2, Buffer.from(x, 'base64url')],
					[-3, Buffer.from(y, 'base64url')],
				]),
			);
			const size = Buffer.from([0, id.length]);
			const data = Buffer.concat([authenticatorData(page, 0x45), Buffer.alloc(16), size, id, key]);
			const attestation = new Map<string, unknown>([
				['fmt', 'none'],
				['attStmt', new Map()],
				['authData', data],
			]);
			return {
				...credential,
				response: {
					clientDataJSON: text(clientData('webauthn.create', page)),
					attestationObject: text(cbor(attestation)),
					transports: ['internal'],
				},
			};
		},
		/** Signs a challenge; `verified` says whether the device asked for a finger, a face or a PIN. */
		sign(page: Page, verified = true) {
			counter++;
			const data = authenticatorData(page, verified ? 0x05 : 0x01);
			const client = clientData('webauthn.get', page);
			return {
				...credential,
				response: {
					clientDataJSON: text(client),
					authenticatorData: text(data),
					signature: text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
				},
			};
		},
	};
}
