// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import { sendVisit } from './beacon.ts';

let sent: Promise<unknown>[];
let visibility: DocumentVisibilityState;
/** Spies that know what listens: after a test it would hear the next one. */
let spies: (readonly [EventTarget, MockInstance<EventTarget['addEventListener']>])[];

beforeEach(() => {
	sent = [];
	spies = ([window, document] as EventTarget[]).map(
		(one) => [one, vi.spyOn(one, 'addEventListener')] as const,
	);
	visibility = 'visible';
	vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
	vi.stubGlobal('navigator', {
		sendBeacon: (path: string, body: Blob) =>
			sent.push(body.text().then((text) => [path, JSON.parse(text)])),
	});
	history.replaceState(null, '', '/blog/kalman');
});
afterEach(() => {
	for (const [target, spy] of spies)
		for (const [type, listener] of spy.mock.calls) target.removeEventListener(type, listener);
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
	document.body.replaceChildren();
});

function show(state: DocumentVisibilityState) {
	visibility = state;
	document.dispatchEvent(new Event('visibilitychange'));
}
const told = async () => (await Promise.all(sent)).map((one) => (one as [string, object])[1]);

test('of the page that led here only the host is told, and no query but the campaign', async () => {
	history.replaceState(
		null,
		'',
		'/blog/kalman?token=s3cret&utm_source=forum&utm_campaign=spring#x',
	);
	vi.spyOn(document, 'referrer', 'get').mockReturnValue('https://forum.example/t/1?user=ada');
	sendVisit();
	expect(await Promise.all(sent)).toEqual([
		[
			'/api/visits',
			{
				about: 'page',
				path: '/blog/kalman',
				referrer: 'forum.example',
				campaign: 'forum / spring',
			},
		],
	]);
});

test("the site's own pages are no referrer", async () => {
	vi.spyOn(document, 'referrer', 'get').mockReturnValue(`${location.origin}/blog`);
	sendVisit();
	expect(await told()).toEqual([{ about: 'page', path: '/blog/kalman' }]);
});

test('a page in the background is told once it is seen', async () => {
	visibility = 'hidden';
	sendVisit();
	expect(sent).toEqual([]);
	show('visible');
	show('hidden');
	show('visible');
	expect(await told()).toEqual([{ about: 'page', path: '/blog/kalman' }]);
});

test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
	'a browser that says %o tells nothing',
	(objection) => {
		vi.stubGlobal('navigator', { ...navigator, ...objection });
		sendVisit();
		dispatchEvent(new CustomEvent('searched', { detail: { query: 'kalman', found: 1 } }));
		expect(sent).toEqual([]);
	},
);

test('a search is told once', async () => {
	sendVisit();
	for (const query of ['kalman', 'kalman', 'markov'])
		dispatchEvent(new CustomEvent('searched', { detail: { query, found: 0 } }));
	expect((await told()).slice(1)).toEqual([
		{ about: 'search', path: '/blog/kalman', query: 'kalman', found: 0 },
		{ about: 'search', path: '/blog/kalman', query: 'markov', found: 0 },
	]);
});

test('leaving an article tells the last heading that was reached, once, and its end', async () => {
	const text = document.createElement('div');
	text.dataset['text'] = '';
	text.innerHTML = '<p></p><h2 id="one"></h2><h3 id="two"></h3><h2 id="three"></h2>';
	document.body.append(text);
	const tops = { one: 500, two: 1200, three: 5000 };
	const place = (element: Element, box: Partial<DOMRect>) =>
		vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(box as DOMRect);
	for (const [id, top] of Object.entries(tops)) place(document.getElementById(id)!, { top });
	place(text, { bottom: 9000 });
	sendVisit();
	const stops = async () =>
		(await told()).slice(1).map((one) => (one as { heading: string }).heading);
	show('hidden');
	expect(await stops()).toEqual(['']);
	dispatchEvent(new Event('scroll'));
	show('hidden');
	show('hidden');
	expect(await stops()).toEqual(['', 'one']);
	place(text, { bottom: 700 });
	dispatchEvent(new Event('scroll'));
	show('hidden');
	expect(await stops()).toEqual(['', 'one', '#end']);
});
