// @vitest-environment jsdom
import { expect, test } from 'vitest';
import type { TextKey } from '#src/texts.ts';
import { findTexts, sayText, stillPage, withRows } from './page-texts.ts';

const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body;
const find = (html: string, said: { [Key in TextKey]?: string | string[] }) => {
	const body = bodyOf(html);
	const texts = new Map(
		Object.entries(said).map(([key, text]) => [key as TextKey, [text].flat()] as const),
	);
	return { body, places: findTexts(body, texts) };
};
const flat = (one: Element) => one.textContent.trim().replace(/\s+/g, ' ');

test('a text is found whatever its tokens stand for, in the innermost element that says it', () => {
	const { body, places } = find(
		'<main><section><p class="label">Weekly, usually on\n\tThursdays</p></section></main>',
		{ newsletterWhen: '%OFTEN%, usually %WHEN%' },
	);
	expect(places.map(({ key, at }) => [key, at.localName])).toEqual([['newsletterWhen', 'p']]);
	sayText(places, 'When I like');
	expect(body.innerHTML).toBe(
		'<main><section><p class="label" data-words="newsletterWhen"><span>When I like</span></p></section></main>',
	);
});

test('words that say the same keep their parts, which may be for other widths', () => {
	const { body, places } = find('<p>One. <span class="wide">Two.</span> Three.</p>', {
		homeText: 'One. Two. Three.',
	});
	sayText(places, 'One. Two. Three.');
	expect(body.querySelector('.wide')).not.toBeNull();
	sayText(places, 'Four.');
	expect(flat(body)).toBe('Four.');
});

test('two texts in one paragraph are two places, and what it says besides stays', () => {
	const { body, places } = find('<p>Write to us here. We answer within a few days.</p>', {
		contactReply: 'We answer within a few days.',
		contactText: 'Write to us here.',
	});
	expect(places.map(({ key, home }) => [key, home.textContent])).toEqual([
		['contactReply', 'We answer within a few days.'],
		['contactText', 'Write to us here.'],
	]);
	sayText(
		places.filter(({ key }) => key === 'contactReply'),
		'Soon.',
	);
	expect(flat(body)).toBe('Write to us here. Soon.');
});

test('what a page said before the last save is found as well', () => {
	const said = { notFound: ['Nothing is here.', 'There is nothing at this address.'] };
	expect(find('<p>There is nothing at this address.</p>', said).places).toHaveLength(1);
});

test('a short text is no part of other words, and scripts and menus say nothing', () => {
	const page = '<p>Soon or later</p><script>"Soon"</script><select><option>Soon</select>';
	expect(find(page, { contactReply: 'Soon' }).places).toEqual([]);
	expect(find('<p>There is no letter</p>', { contactReply: '' }).places).toEqual([]);
});

test('a list of promises grows and shrinks with its lines', () => {
	const row = (term: string, text: string) => `<div><dt>${term}</dt><dd>${text}</dd></div>`;
	const { body, places } = find(
		`<dl>${row('Free', 'No sign-in.')}${row('Short', 'Ten: no more.')}</dl>`,
		{
			promises: 'Free: No sign-in.\nShort: Ten: no more.',
		},
	);
	expect(places.map(({ home }) => home.textContent)).toEqual(['No sign-in.', 'Ten: no more.']);
	const said = () =>
		[...body.querySelectorAll('dl > div')].map((one) => [...one.children].map(flat));
	const more = 'Free: Always.\nShort: Ten.\nYours: To leave.';
	const three = withRows(places, more);
	sayText(three, more);
	expect(said()).toEqual([
		['Free', 'Always.'],
		['Short', 'Ten.'],
		['Yours', 'To leave.'],
	]);
	const one = withRows(three, 'Free: Always.');
	sayText(one, 'Free: Always.');
	expect(said()).toEqual([['Free', 'Always.']]);
});

test('topics are those of the menu that offers them all', () => {
	const { body, places } = find(
		'<select id="other"><option>Privacy</select><label>Topic <select id="topics"><option value="">Choose</option><option>Question</option><option>Privacy</option></select></label>',
		{ topics: 'Question\nPrivacy' },
	);
	expect(places.map(({ at }) => at.id)).toEqual(['topics']);
	sayText(places, 'Praise');
	expect([...body.querySelectorAll('#topics option')].map(flat)).toEqual(['Choose', 'Praise']);
});

test('a still page has nothing that runs, and no style that its frame would refuse', () => {
	const { html, styles } = stillPage(
		'<!doctype html><html><head><meta http-equiv="content-security-policy" content="x"><style>p{color:red}</style><link rel="stylesheet" href="/a.css"><link rel="preload" href="/b"><script>1</script></head><body><a href="/b">B</a><noscript>No</noscript><iframe src="/c"></iframe></body></html>',
	);
	expect(styles).toEqual(['p{color:red}']);
	expect(html).toBe(
		'<!doctype html><html><head><link rel="stylesheet" href="/a.css"></head><body><a href="/b" tabindex="-1">B</a></body></html>',
	);
});
