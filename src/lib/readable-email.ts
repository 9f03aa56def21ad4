import { toUnicode } from 'punycode/punycode.js';

/** Returns a stored address as people write it: `info@bücher.example` for `info@xn--bcher-kva.example`. */
export function readableEmail(address: string): string {
	try {
		return toUnicode(address);
	} catch {
		// Nothing keeps others from storing `xn--` before what is no encoding.
		return address;
	}
}
