import { timingSafeEqual } from 'node:crypto';
import { DAY } from '#src/lib/dates.ts';
import { keyedHash } from '#src/lib/digest.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';

/** Returns a cookie's value if we signed it for this purpose, or null. */
export function readSignedCookie(request: Request, name: string, purpose: string): string | null {
	const cookies = (request.headers.get('Cookie') ?? '').split(';').map((part) => part.trim());
	const found = cookies.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
	const [value = '', signature = ''] = found?.split('.') ?? [];
	const given = Buffer.from(signature);
	const expected = Buffer.from(keyedHash(getSecret(), purpose, value));
	return value && given.length === expected.length && timingSafeEqual(given, expected)
		? value
		: null;
}

/** Returns a value that `readSignedCookie` accepts. It must not contain a period. */
export const sign = (value: string, purpose: string) =>
	`${value}.${keyedHash(getSecret(), purpose, value)}`;

/** Returns a `Set-Cookie` value for a cookie that no script can read and no other site can send. */
export function setCookie(name: string, value: string, path: string, days: number): string {
	const maxAge = Math.round((days * DAY) / 1000);
	const secure = getEnv().SITE_URL.startsWith('https:') ? '; Secure' : '';
	return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}
