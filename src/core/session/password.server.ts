import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { scrypt } from '#src/lib/scrypt.ts';

/** scrypt's cost: about 50 ms and 32 MB per attempt. Stored in each hash, so that it can be raised later. */
export const PASSWORD_COST = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;

/** Hashes a password for `users.password`: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
	const salt = randomBytes(16);
	const key = await deriveKey(password, salt, PASSWORD_COST);
	return [
		'scrypt',
		PASSWORD_COST.N,
		PASSWORD_COST.r,
		PASSWORD_COST.p,
		salt.toString('base64url'),
		key.toString('base64url'),
	].join('$');
}

/** Compares in constant time. Without a hash it takes as long and returns false, so that addresses cannot be probed. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [, N, r, p, salt, key] = (hash ?? dummyHash()).split('$');
	const expected = Buffer.from(key ?? '', 'base64url');
	const actual = await deriveKey(password, Buffer.from(salt ?? '', 'base64url'), {
		N: Number(N),
		r: Number(r),
		p: Number(p),
	});
	return (
		expected.length === actual.length && timingSafeEqual(expected, actual) && hash !== undefined
	);
}

function deriveKey(password: string, salt: Buffer, cost: typeof PASSWORD_COST): Promise<Buffer> {
	return scrypt(password.normalize('NFKC'), salt, KEY_BYTES, {
		...cost,
		maxmem: 256 * cost.N * cost.r,
	});
}

const dummyHash = () =>
	`scrypt$${PASSWORD_COST.N}$${PASSWORD_COST.r}$${PASSWORD_COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Returns a random password of about 100 bits that satisfies the rule of product.md section 5, without characters that
 * look alike.
 */
export function generatePassword(): string {
	const sets = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'];
	const pick = (set: string) => set[randomInt(set.length)]!;
	const rest = Array.from({ length: 15 }, () => pick(sets.join('')));
	const characters = [...sets.map(pick), ...rest];
	for (let i = characters.length - 1; i > 0; i--) {
		const j = randomInt(i + 1);
		[characters[i], characters[j]] = [characters[j]!, characters[i]!];
	}
	return characters.join('');
}
