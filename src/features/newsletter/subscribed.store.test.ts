// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
	localStorage.clear();
	sessionStorage.clear();
	document.cookie = 'newsletter_subscribed=; Max-Age=0; Path=/';
});

/** The store as a page that is just being opened has it. */
async function freshPage() {
	vi.resetModules();
	return import('./subscribed.store.ts');
}

test('who never subscribed is not subscribed, and nothing is stored', async () => {
	const { $subscribed } = await freshPage();
	expect($subscribed.get()).toBe(false);
	expect(localStorage).toHaveLength(0);
	expect(document.cookie).toBe('');
});

test('a signup is remembered as the text true, for the session, and as a cookie for 30 days', async () => {
	const { $subscribed, setSubscribed } = await freshPage();
	const cookie = vi.spyOn(document, 'cookie', 'set');
	setSubscribed(true);
	expect($subscribed.get()).toBe(true);
	expect(localStorage.getItem('newsletter_subscribed')).toBe('true');
	expect(sessionStorage.getItem('newsletter-subscribed')).toBe('true');
	expect(cookie).toHaveBeenCalledExactlyOnceWith(
		'newsletter_subscribed=true; Max-Age=2592000; Path=/; SameSite=Lax',
	);
});

test('an ended subscription is the text false, and neither session nor cookie contradict it', async () => {
	const { $subscribed, setSubscribed } = await freshPage();
	setSubscribed(true);
	setSubscribed(false);
	expect($subscribed.get()).toBe(false);
	expect(localStorage.getItem('newsletter_subscribed')).toBe('false');
	expect(sessionStorage).toHaveLength(0);
	expect(document.cookie).toBe('');
});

test.each([
	['true', true],
	['false', false],
	['yes', false],
])('the stored text %s means %s', async (text, subscribed) => {
	localStorage.setItem('newsletter_subscribed', text);
	expect((await freshPage()).$subscribed.get()).toBe(subscribed);
});

test('where local storage was cleared, the cookie still says it; so does the session', async () => {
	(await freshPage()).setSubscribed(true);
	localStorage.clear();
	sessionStorage.clear();
	expect((await freshPage()).$subscribed.get()).toBe(true);
	(await freshPage()).setSubscribed(true);
	localStorage.clear();
	document.cookie = 'newsletter_subscribed=; Max-Age=0; Path=/';
	expect((await freshPage()).$subscribed.get()).toBe(true);
});

test('a full storage refuses nobody: the cookie remembers', async () => {
	const { $subscribed, setSubscribed } = await freshPage();
	vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
		throw new DOMException('full', 'QuotaExceededError');
	});
	expect(() => setSubscribed(true)).not.toThrow();
	expect(document.cookie).toBe('newsletter_subscribed=true');
	expect($subscribed.get()).toBe(true);
});

test('a signup in another tab is known here', async () => {
	const { $subscribed } = await freshPage();
	localStorage.setItem('newsletter_subscribed', 'true');
	dispatchEvent(new Event('storage'));
	expect($subscribed.get()).toBe(true);
});
