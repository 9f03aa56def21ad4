/**
 * Gives the language's own Base64 to versions of Node that have none yet, by Node's Buffer. The client of libSQL servers uses it if it is
 * there as that client is loaded, or else turns every byte into a number of an array: five times the work for a picture or a list of rows.
 */

type WithBase64 = {
	fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
	prototype: { toBase64?: (this: Uint8Array) => string };
};

const bytes = Uint8Array as unknown as WithBase64;
// Copied, because Buffers share memory with each other.
bytes.fromBase64 ??= (text) => new Uint8Array(Buffer.from(text, 'base64'));
bytes.prototype.toBase64 ??= function () {
	return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
};
