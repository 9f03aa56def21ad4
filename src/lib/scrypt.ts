import { scrypt as derive } from 'node:crypto';
import { promisify } from 'node:util';

/** Derives a key of so many bytes from a password and a salt, off the main thread. */
export const scrypt = promisify<
	string,
	Buffer,
	number,
	{ N: number; r: number; p: number; maxmem: number },
	Buffer
>(derive);
