import { timingSafeEqual } from 'node:crypto';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';

/** A cookie's value if we signed it for this purpose, or null. */
export function signedValue(request: Request, name: string, purpose: string): string | null {
	const cookies = (request.headers.get('Cookie') ?? '').split(';').map((one) => one.trim());
	const found = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
	const [value = '', signature = ''] = found?.split('.') ?? [];
	const given = Buffer.from(signature);
	const right = Buffer.from(keyedHash(getSecret(), purpose, value));
	return value && given.length === right.length && timingSafeEqual(given, right) ? value : null;
}

/** A value that `signedValue` believes. It must hold no full stop. */
export const signed = (value: string, purpose: string) =>
	`${value}.${keyedHash(getSecret(), purpose, value)}`;

/** A `Set-Cookie` value that no script reads and no other site sends. */
export function cookie(name: string, value: string, path: string, days: number): string {
	const maxAge = Math.round((days * DAY) / 1000);
	const secure = getEnv().SITE_URL.startsWith('https:') ? '; Secure' : '';
	return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}
