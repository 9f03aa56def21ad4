import { atom } from 'nanostores';
import { track } from '#src/features/analytics/track.ts';
import { SUBSCRIBED_KEY as KEY, subscribedCookie } from './subscribed-cookie.ts';
import type { Source } from './subscriber.ts';

/** Key in session storage (product.md section 3). */
const SESSION_KEY = 'newsletter-subscribed';

/**
 * Whether this visitor is subscribed, as far as this browser knows. Pages are built for visitors who are not:
 * read it with `useStore($subscribed, { ssr: () => false })`, and set it with `rememberSignup`.
 */
export const $subscribed = atom(typeof window !== 'undefined' && readSubscribed());

if (typeof window !== 'undefined') {
	// Changed by another tab, or by the page that led here.
	for (const type of ['storage', 'pageshow'])
		addEventListener(type, () => $subscribed.set(readSubscribed()));
}

/** Stores a signup or its end: permanently, for the session, and for 30 days as a cookie. */
export function setSubscribed(subscribed: boolean): void {
	document.cookie = subscribedCookie(subscribed, location.protocol === 'https:');
	try {
		localStorage.setItem(KEY, String(subscribed));
		if (subscribed) sessionStorage.setItem(SESSION_KEY, 'true');
		else sessionStorage.removeItem(SESSION_KEY);
	} catch {
		// Storage may be missing or full; the cookie remains.
	}
	$subscribed.set(subscribed);
	dispatchEvent(new Event(`use:${KEY}`));
}

/** Stores and tracks a signup by one of our forms. */
export function rememberSignup(source: Source): void {
	setSubscribed(true);
	track('newsletter_signup', source);
}

/** Returns what this browser has stored: in local storage, or if that was cleared, in the cookie or the session. */
function readSubscribed(): boolean {
	const inCookie = document.cookie.split('; ').includes(`${KEY}=true`);
	try {
		const kept = localStorage.getItem(KEY);
		if (kept !== null) return kept === 'true';
		return inCookie || sessionStorage.getItem(SESSION_KEY) === 'true';
	} catch {
		return inCookie;
	}
}
