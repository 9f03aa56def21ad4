import { objects } from '#src/lib/objects.ts';
import { onScroll } from '#src/lib/scroll.ts';
import type { Searched, VisitInput } from './visits.ts';

/** Tells what is counted of a visit. Nobody waits for it, and it may fail. Nothing is told of a visitor who objects. */
function tell(visit: Omit<VisitInput, 'path'>): void {
	if (objects(navigator)) return;
	const text = JSON.stringify({ ...visit, path: decodeURI(location.pathname) });
	navigator.sendBeacon?.('/api/visits', new Blob([text], { type: 'application/json' }));
}

/**
 * Tells of this page once it is seen, how far down it an article's reader has come whenever the page is left, and what was
 * searched for. One module, and no island imports it, so that no page loads a file more.
 */
export function sendVisit(): void {
	tellPage();
	const text = document.querySelector<HTMLElement>('[data-text]');
	if (text) tellStops(text);
	const told = new Set<string>();
	addEventListener('searched', (event) => {
		const { query, found } = (event as CustomEvent<Searched>).detail;
		if (!told.has(query)) tell({ about: 'search', query, found });
		told.add(query);
	});
}

/** Tells of a page that is seen: a prerendered one, or one in a background tab, has not been yet. */
function tellPage(): void {
	if (document.visibilityState !== 'visible') {
		document.addEventListener('visibilitychange', tellPage, { once: true });
		return;
	}
	const given = new URLSearchParams(location.search);
	const campaign = ['source', 'medium', 'campaign'].map((name) => given.get(`utm_${name}`) ?? '');
	// Only the host leaves the browser.
	const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).hostname : '';
	tell({
		about: 'page',
		...(referrer && referrer !== location.hostname && { referrer }),
		...(campaign.some(Boolean) && { campaign: campaign.filter(Boolean).join(' / ') }),
	});
}

/** Follows how far down a text its reader comes. */
function tellStops(text: HTMLElement): void {
	const headings = [...text.querySelectorAll<HTMLElement>(':is(h2, h3, h4)[id]')];
	let next = 0;
	let reached = '';
	let told: string | undefined;
	onScroll((isJump) => {
		// Nobody reads what a jump passes; the next scroll is from where it led.
		if (isJump || reached === '#end') return;
		while (next < headings.length && headings[next]!.getBoundingClientRect().top < innerHeight)
			reached = headings[next++]!.id;
		if (text.getBoundingClientRect().bottom <= innerHeight) reached = '#end';
	});
	document.addEventListener('visibilitychange', () => {
		if (document.visibilityState !== 'hidden' || told === reached) return;
		told = reached;
		tell({ about: 'stop', heading: reached });
	});
}
