import { DAY } from '#src/lib/dates.ts';

/** Key in local storage and name of the cookie (product.md section 3). */
export const SUBSCRIBED_KEY = 'newsletter_subscribed';
/** Lifetime of the cookie, for when local storage is cleared. */
export const COOKIE_SECONDS = (30 * DAY) / 1000;

/** Returns the cookie that remembers a signup, or removes it. */
export function subscribedCookie(subscribed: boolean, isSecure: boolean): string {
	const age = subscribed ? COOKIE_SECONDS : 0;
	return `${SUBSCRIBED_KEY}=${subscribed}; Max-Age=${age}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
