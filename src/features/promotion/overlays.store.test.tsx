// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import { HOUR } from '#src/lib/dates.ts';
import { Countdown } from './Countdown.tsx';
import { ScarcityMeter } from './ScarcityMeter.tsx';

type Store = typeof import('./overlays.store.ts');
let store: Store;
let subscribed: typeof import('#src/features/newsletter/subscribed.store.ts');

/** A page that was just opened, in the same session as the ones before, which hear nothing any more. */
async function openPage({ isArticle = false } = {}) {
	vi.resetModules();
	leavePage();
	subscribed = await import('#src/features/newsletter/subscribed.store.ts');
	store = await import('./overlays.store.ts');
	store.watchReader({ isArticle });
}

type Listening = MockInstance<EventTarget['addEventListener']>;
let listening: { target: EventTarget; spy: Listening }[] = [];
function leavePage() {
	for (const { target, spy } of listening) {
		for (const call of spy.mock.calls) target.removeEventListener(...call);
		spy.mockRestore();
	}
	vi.clearAllTimers();
	listening = [globalThis.window, document.documentElement].map((target) => ({
		target,
		spy: vi.spyOn(target === window ? globalThis : target, 'addEventListener') as Listening,
	}));
}

/** Mocks the page's height and the pointer type. */
function arrange({ height = 3000, mouse = true } = {}) {
	Object.defineProperty(document.documentElement, 'scrollHeight', {
		configurable: true,
		value: height + innerHeight,
	});
	vi.stubGlobal('matchMedia', () => ({ matches: mouse }));
}

function scrollTo(y: number) {
	vi.stubGlobal('scrollY', y);
	dispatchEvent(new Event('scroll'));
}

function leaveByTheTop() {
	document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY: -1 }));
}

beforeEach(() => {
	vi.useFakeTimers();
	arrange();
	scrollTo(0);
});
afterEach(() => {
	cleanup();
	leavePage();
	subscribed?.setSubscribed(false);
	sessionStorage.clear();
	localStorage.clear();
	document.body.replaceChildren();
	vi.restoreAllMocks();
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

test('the widget comes minimized after three seconds', async () => {
	await openPage();
	vi.advanceTimersByTime(2999);
	expect(store.$widget.get()).toBe('hidden');
	vi.advanceTimersByTime(1);
	expect(store.$widget.get()).toBe('minimized');
});

test('a page that comes back knows what was dismissed while it was away', async () => {
	await openPage();
	vi.advanceTimersByTime(3000);
	sessionStorage.setItem('floating_newsletter_dismissed', 'true');
	dispatchEvent(new Event('pageshow'));
	expect(store.$widget.get()).toBe('hidden');
});

test('a dismissed widget stays away for the session', async () => {
	await openPage();
	vi.advanceTimersByTime(3000);
	store.dismissWidget();
	expect(store.$widget.get()).toBe('hidden');
	await openPage();
	vi.advanceTimersByTime(10_000);
	expect(store.$widget.get()).toBe('hidden');
});

test('a subscriber sees no widget, no modal and no popup', async () => {
	await openPage({ isArticle: true });
	subscribed.setSubscribed(true);
	vi.advanceTimersByTime(20_000);
	scrollTo(2000);
	vi.advanceTimersByTime(1000);
	leaveByTheTop();
	expect(store.$widget.get()).toBe('hidden');
	expect(store.$overlay.get()).toBe(null);
});

test('the modal opens 600 ms after half of the article was passed, once', async () => {
	await openPage({ isArticle: true });
	scrollTo(1500);
	vi.advanceTimersByTime(599);
	expect(store.$overlay.get()).toBe(null);
	vi.advanceTimersByTime(1);
	expect(store.$overlay.get()).toBe('modal');
	store.closeOverlay();
	scrollTo(1800);
	vi.advanceTimersByTime(HOUR + 1000);
	expect(store.$overlay.get()).toBe(null);
});

test('a jump past the half opens nothing, nor does reading on from there; going back and reading does', async () => {
	await openPage({ isArticle: true });
	dispatchEvent(new Event('popstate'));
	scrollTo(2600);
	dispatchEvent(new Event('scrollend'));
	vi.advanceTimersByTime(1000);
	scrollTo(2900);
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe(null);
	scrollTo(1200);
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe(null);
	scrollTo(1700);
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe('modal');
});

test('a session that has seen the modal does not see it on the next article', async () => {
	await openPage({ isArticle: true });
	scrollTo(1500);
	vi.advanceTimersByTime(600);
	store.closeOverlay();
	scrollTo(0);
	await openPage({ isArticle: true });
	scrollTo(2500);
	vi.advanceTimersByTime(HOUR + 1000);
	expect(store.$overlay.get()).toBe(null);
});

test('other pages have no modal', async () => {
	await openPage();
	scrollTo(2500);
	vi.advanceTimersByTime(5000);
	expect(store.$overlay.get()).toBe(null);
});

test('a pointer that leaves by the top opens the exit popup from ten seconds on, once a session', async () => {
	await openPage();
	vi.advanceTimersByTime(9999);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe(null);
	vi.advanceTimersByTime(1);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe('exit');
	store.closeOverlay();
	await openPage();
	vi.advanceTimersByTime(HOUR + 10_000);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe(null);
});

test('a touch screen has no exit popup', async () => {
	arrange({ mouse: false });
	await openPage();
	vi.advanceTimersByTime(20_000);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe(null);
});

test('after one overlay no other opens in that session, on no page of it', async () => {
	await openPage({ isArticle: true });
	scrollTo(1500);
	vi.advanceTimersByTime(600);
	store.closeOverlay();
	await openPage();
	vi.advanceTimersByTime(15_000);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe(null);
	vi.advanceTimersByTime(HOUR);
	leaveByTheTop();
	expect(store.$overlay.get()).toBe(null);
});

test('whoever dismissed the widget is not asked by anything else in that session', async () => {
	await openPage({ isArticle: true });
	store.dismissWidget();
	scrollTo(2000);
	await vi.advanceTimersByTimeAsync(10_600);
	leaveByTheTop();
	expect(store.$overlay.get()).toBeNull();
	await openPage({ isArticle: true });
	scrollTo(2000);
	await vi.advanceTimersByTimeAsync(10_600);
	leaveByTheTop();
	expect(store.$overlay.get()).toBeNull();
});

test('nothing opens over a form that the reader has come to', async () => {
	document.body.innerHTML = '<main><form><input name="email" /></form></main>';
	const form = document.querySelector('form')!;
	const place = vi.spyOn(form, 'getBoundingClientRect');
	place.mockReturnValue(new DOMRect(0, 100, 300, 200));
	await openPage({ isArticle: true });
	scrollTo(1500);
	vi.advanceTimersByTime(5000);
	expect(store.$overlay.get()).toBe(null);
	place.mockReturnValue(new DOMRect(0, -900, 300, 200));
	dispatchEvent(new Event('focusout'));
	vi.advanceTimersByTime(1);
	expect(store.$overlay.get()).toBe('modal');
});

test('the modal waits while somebody types, and opens afterwards', async () => {
	const field = document.body.appendChild(document.createElement('textarea'));
	await openPage({ isArticle: true });
	field.focus();
	scrollTo(1500);
	vi.advanceTimersByTime(5000);
	expect(store.$overlay.get()).toBe(null);
	field.blur();
	vi.advanceTimersByTime(1);
	expect(store.$overlay.get()).toBe('modal');
});

test('the modal that waits for a signup to be typed does not come once it is sent', async () => {
	const field = document.body.appendChild(document.createElement('input'));
	await openPage({ isArticle: true });
	field.focus();
	scrollTo(1500);
	vi.advanceTimersByTime(1000);
	subscribed.setSubscribed(true);
	field.blur();
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe(null);
});

test('the exit popup does not wait: its moment is now or never', async () => {
	const field = document.body.appendChild(document.createElement('input'));
	await openPage();
	vi.advanceTimersByTime(10_000);
	field.focus();
	leaveByTheTop();
	field.blur();
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe(null);
});

test('nothing opens while the page is printed', async () => {
	await openPage({ isArticle: true });
	dispatchEvent(new Event('beforeprint'));
	scrollTo(1500);
	vi.advanceTimersByTime(1000);
	expect(store.$overlay.get()).toBe(null);
	dispatchEvent(new Event('afterprint'));
	vi.advanceTimersByTime(1);
	expect(store.$overlay.get()).toBe('modal');
});

test('a signup in another tab closes what is open here', async () => {
	await openPage({ isArticle: true });
	scrollTo(1500);
	vi.advanceTimersByTime(600);
	localStorage.setItem('newsletter_subscribed', 'true');
	dispatchEvent(
		new StorageEvent('storage', {
			key: 'newsletter_subscribed',
			newValue: 'true',
			storageArea: localStorage,
		}),
	);
	expect(store.$overlay.get()).toBe(null);
	expect(store.$widget.get()).toBe('hidden');
});

test('where nothing can be stored, a session is a page', async () => {
	vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
		throw new Error('full');
	});
	await openPage();
	vi.advanceTimersByTime(3000);
	store.dismissWidget();
	expect(store.$widget.get()).toBe('hidden');
	vi.advanceTimersByTime(10_000);
	expect(store.$widget.get()).toBe('hidden');
});

test('a countdown tells what is left, says when it ran out, and starts again with 6 to 12 hours', () => {
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
	const onExpire = vi.fn();
	render(<Countdown ms={10_000} onExpire={onExpire} />);
	expect(screen.getByRole('timer').textContent).toBe('0d 00h 00m 10s');
	act(() => void vi.advanceTimersByTime(4000));
	expect(screen.getByRole('timer').textContent).toBe('0d 00h 00m 06s');
	expect(onExpire).not.toHaveBeenCalled();
	act(() => void vi.advanceTimersByTime(6000));
	expect(onExpire).toHaveBeenCalledTimes(1);
	expect(screen.getByRole('timer').textContent).toBe('0d 09h 00m 00s');
});

test('the meter of the masterclass starts at 12 of 50 and drops by one every 45 seconds', () => {
	render(<ScarcityMeter total={50} left={12} />);
	const text = () => screen.getByLabelText('Spots left').parentElement?.textContent;
	expect(text()).toBe('12 of 50 spots left');
	act(() => void vi.advanceTimersByTime(45_000));
	expect(text()).toBe('11 of 50 spots left');
	act(() => void vi.advanceTimersByTime(45_000 * 20));
	expect(text()).toBe('3 of 50 spots left');
});
