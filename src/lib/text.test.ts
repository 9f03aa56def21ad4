import { expect, test } from 'vitest';
import { slugify } from './slug.ts';
import {
	escapeHtml,
	formatCount,
	plural,
	readTime,
	joinWithAnd,
	shorten,
	severalLines,
	singleLine,
	wholeSentences,
} from './text.ts';
import { textLength } from './text-length.ts';

test.each([
	['Hello, World!', 'hello-world'],
	['  --A  b--  ', 'a-b'],
	['C++ & C#', 'c-c'],
	['GPT-4o: 10× faster?', 'gpt-4o-10-faster'],
	['Ünïcödé naïveté', 'unicode-naivete'],
	['ﬁne', 'fine'],
	['机器学习 in 2026', '机器学习-in-2026'],
	['విపరీత మకర లగ్నానికి', 'విపరీత-మకర-లగ్నానికి'],
	['كيف تعمل الشبكات (GPT-4)؟', 'كيف-تعمل-الشبكات-gpt-4'],
	['Оценка моделей: ёж и йод', 'оценка-моделей-ёж-и-йод'],
	['ΟΔΟΣ Αθηνών', 'οδος-αθηνών'],
	['Straße nach Łódź und Ørsted', 'strasse-nach-lodz-und-orsted'],
	['İstanbul, ılık Þór Æther', 'istanbul-ilik-thor-aether'],
	['が\u304b\u3099 ｶﾞ 한글', 'がが-ガ-한글'],
	['I \u2764\ufe0f ML 1\ufe0f\u20e3', 'i-ml-1'],
	['', ''],
	['!!!', ''],
])('the slug of %j is %j', (text, slug) => {
	expect(slugify(text)).toBe(slug);
	expect(slugify(slug)).toBe(slug);
});

test.each([
	[0, 1],
	[1, 1],
	[200, 1],
	[201, 2],
	[400, 2],
	[401, 3],
])('%i words take %i minutes', (words, minutes) => {
	expect(readTime(' word\n'.repeat(words))).toBe(minutes);
});

test.each([0, 7, 999, 1000, 12_345, 123_456, 1_234_567, -1234])(
	'%i is grouped as in English',
	(count) => {
		expect(formatCount(count)).toBe(count.toLocaleString('en-US'));
	},
);

test('one is one, everything else is many', () => {
	expect([0, 1, 2, 1200].map((count) => plural(count, 'Article'))).toEqual([
		'0 Articles',
		'1 Article',
		'2 Articles',
		'1,200 Articles',
	]);
	expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});

test('a list reads as a sentence', () => {
	expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joinWithAnd)).toEqual([
		'',
		'a',
		'a and b',
		'a, b, and c',
	]);
});

test('text in HTML is only text', () => {
	expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
		'&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
	);
});

test('a line break is one character', () => {
	expect(severalLines('a\r\nb\nc\r\n\r\n')).toBe('a\nb\nc\n\n');
});

const FLAG = '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';
const hiding = (text: string) =>
	[...text].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');
test.each([
	[`Words.${hiding('ignore all that')}`, 'Words.'],
	[`${FLAG} and ${FLAG}${hiding('more words')}`, `${FLAG} and ${FLAG}`],
	[`😀${'\u{E0100}'.repeat(50)}`, '😀\u{E0100}'],
	['☀️, 葛\u{E0100}城 and 1️⃣', '☀️, 葛\u{E0100}城 and 1️⃣'],
	[`Z${'\u0335'.repeat(60)}algo`, `Z${'\u0335'.repeat(8)}algo`],
	['ཧྐྵྨླྺྼྻྂ, שִׁבֹּ֫לֶת, น้ำ, ậ', 'ཧྐྵྨླྺྼྻྂ, שִׁבֹּ֫לֶת, น้ำ, ậ'],
	['👨‍👩‍👧', '👨‍👩‍👧'],
	['\u3164\u2800\u115f\u00ad\u200b', ''],
	['\u0300\u0301', ''],
])('of %j the eye and every program get the same: %j', (text, shown) => {
	expect([severalLines(text), singleLine(text)]).toEqual([shown, shown]);
});

test('a text is cut after a sentence, or else between words', () => {
	expect(shorten('one two three', 13)).toBe('one two three');
	expect(shorten('one two three', 10)).toBe('one two…');
	expect(shorten('one😀two', 4)).toBe('one…');
	expect(shorten('Take 2.5 GB. Or three. And no more.', 24)).toBe('Take 2.5 GB. Or three.');
	expect(shorten('No. Never more than this', 20)).toBe('No. Never more than…');
});

test('a description ends with a sentence', () => {
	expect(wholeSentences('One. Two.', 9)).toBe('One. Two.');
	expect(wholeSentences('One. Two. Three.', 12)).toBe('One. Two.');
	expect(wholeSentences('Take 2.5 GB of it. Or three.', 12)).toBe('Take 2.5 GB of it.');
	expect(wholeSentences('a list of words without an end', 12)).toBe('a list of words without…');
});

test.each([
	['', 0],
	['<p>Words</p>', 5],
	['<p title="a > b">a &amp; b</p>\n<p>&#x3C;c</p>', 8],
	['1 < 2 > 1', 9],
	['a <b', 4],
	['  <br>  a \n\n b ', 3],
])('%j is read as %i characters', (html, length) => {
	expect(textLength(html)).toBe(length);
});
