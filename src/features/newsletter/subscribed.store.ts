import { atom } from 'nanostores';
import { track } from '#src/features/analytics/analytics.ts';
import { DAY } from '#src/lib/dates.ts';
import type { Source } from './subscriber.ts';

/** Names in local storage and of the cookie; and in session storage (specification section 3). */
const KEY = 'newsletter_subscribed';
const SESSION_KEY = 'newsletter-subscribed';
/** How long the cookie says it, where local storage was cleared (decisions, "Admin"). */
export const COOKIE_SECONDS = (30 * DAY) / 1000;

/**
 * Whether this visitor is subscribed, as far as this browser knows. Pages are built for one who is not:
 * read it with `useStore($subscribed, { ssr: () => false })`, and set it with `rememberSignup`.
 */
export const $subscribed = atom(typeof window !== 'undefined' && readSubscribed());

if (typeof window !== 'undefined') {
	// Another tab, or the page that was left for this one.
	for (const type of ['storage', 'pageshow'])
		addEventListener(type, () => $subscribed.set(readSubscribed()));
}

/** Remembers a signup, or that it ended: for good, for this session, and for 30 days as a cookie. */
export function setSubscribed(subscribed: boolean): void {
	const age = subscribed ? COOKIE_SECONDS : 0;
	const secure = location.protocol === 'https:' ? '; Secure' : '';
	document.cookie = `${KEY}=${subscribed}; Max-Age=${age}; Path=/; SameSite=Lax${secure}`;
	try {
		localStorage.setItem(KEY, String(subscribed));
		if (subscribed) sessionStorage.setItem(SESSION_KEY, 'true');
		else sessionStorage.removeItem(SESSION_KEY);
	} catch {
		// Storage may be missing or full: the cookie remembers.
	}
	$subscribed.set(subscribed);
	dispatchEvent(new Event(`use:${KEY}`));
}

/** A signup by one of our forms. */
export function rememberSignup(source: Source): void {
	setSubscribed(true);
	track('newsletter_signup', source);
}

/** What this browser remembers; where local storage was cleared, what cookie and session say. */
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
