// Tries the cleaning on every code point that Unicode draws as nothing, on random strings, and the cut at every limit.
import { TextDecoder, TextEncoder } from 'node:util';
import { claim, programs } from './article.mjs';

const { clean, INVISIBLE, cut, key, strip, suspects } = new Function(
	'console',
	`${programs()}\nreturn { clean, INVISIBLE, cut, key, strip, suspects };`,
)({ log() {} });
const points = Array.from({ length: 0x110000 }, (_, i) => i).filter((i) => i < 0xd800 || i > 0xdfff);
const chars = points.map((i) => String.fromCodePoint(i));
const ignorable = chars.filter((c) => /\p{Default_Ignorable_Code_Point}/u.test(c));
const kept = ignorable.filter((c) => clean(`a${c}b`).includes(c));
const assigned = kept.filter((c) => !/\p{Cn}/u.test(c));
const hex = (c) => c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
console.log(`code points drawn as nothing: ${ignorable.length}, of category Cf ${ignorable.filter((c) => strip(c) === '').length}`);
console.log(`kept by clean: ${kept.length}, assigned ${assigned.length}`);
console.log(assigned.map(hex).join(' '));

const random = (() => { let s = 7; return (n) => { s = (s * 1103515245 + 12345) % 2147483648; return Math.floor((s / 2147483648) * n); }; })();
const marks = chars.filter((c) => /\p{M}/u.test(c));
const letters = chars.filter((c) => /\p{L}/u.test(c));
const pools = {
	'Latin letters, marks, invisible': [...'aeoAEO', ...'\u0301\u0308\u0323\u0327\u200b\u00ad\u200d\u00a0\r\n'],
	'any letters and marks': [letters, marks, ignorable],
	'any code points': [chars],
};
const swapped = (raw) => raw.toWellFormed().normalize('NFC').replace(INVISIBLE, '').replace(/\r\n?/g, '\n').replace(/\p{Zs}/gu, ' ');
const unstable = {};
console.log();
console.log('strings of 1 to 8 that change when cleaned again, of 40,000: in order, swapped');
for (const [name, pool] of Object.entries(pools)) {
	const pick = () => { const one = pool[random(pool.length)]; return Array.isArray(one) ? one[random(one.length)] : one; };
	const found = [clean, swapped].map(() => 0);
	for (let i = 0; i < 40_000; i++) {
		const text = Array.from({ length: 1 + random(8) }, pick).join('');
		[clean, swapped].forEach((one, at) => { found[at] += one(one(text)) !== one(text); });
	}
	unstable[name] = found;
	console.log(`${name.padEnd(34)}${found.join(', ')}`);
}

const texts = ['Fine 👍🏽 thanks', 'नमस्ते दुनिया', '👩\u200d👩\u200d👧 and 🇩🇪🇫🇷', 'cafe\u0301 na\u0308ive', 'ภาษาไทย', '한국어 각'];
let [limits, halves, split] = [0, 0, 0];
for (const text of texts)
	for (let limit = 0; limit <= text.length; limit++) {
		limits++;
		halves += !text.slice(0, limit).isWellFormed();
		const ends = [...new Intl.Segmenter('en').segment(text)].map(({ index, segment }) => index + segment.length);
		const end = cut(text, limit).length;
		split += !(end === 0 || ends.includes(end)) || end > limit || !cut(text, limit).isWellFormed();
	}
const slices = texts.flatMap((text) => Array.from({ length: text.length + 1 }, (_, limit) => [text, limit])).filter(([text, limit]) => limit > 0 && ![...new Intl.Segmenter('en').segment(text)].some(({ index, segment }) => index + segment.length === limit)).length;
console.log();
console.log(`six texts cut at ${limits} limits: slice leaves half a pair ${halves} times, splits a grapheme ${slices}; cut ${split}`);
const moved = chars.filter((c) => key(key(c)) !== key(c));
const longer = chars.filter((c) => c.toLowerCase().length !== c.length);
const upper = chars.filter((c) => c.toUpperCase().length !== c.length);
console.log(`keys that change when made again: ${moved.length}; code points whose length changes in lower case ${longer.length}, in upper case ${upper.length}`);
const old = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\u3164\ufe00-\ufe0d\ufeff\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/u;
const left = ignorable.filter((c) => !old.test(c) && !/\p{Cn}/u.test(c));
claim('the first version of this page left 37 assigned characters in', left.length === 37);
claim('the spaces and controls named above, the invisible operators U+2062 and U+2064', [...'\u2062\u2064\u200b\u202e\u00ad\u{e0041}'].every((c) => clean(`a${c}b`) === 'ab'));
claim('the joiners, the fillers, selectors and the vowel separator that Hangul and Mongolian spelling needs, and two selectors for emoji', kept.length === 12);
claim('the capital ẞ goes to ß, not to ss, unless it is lowercased before it is uppercased', 'ẞ'.toUpperCase().toLowerCase() === 'ß' && moved.length === 0
	&& chars.every((c) => key(c.toLowerCase()) === key(c) && key(c.toUpperCase()) === key(c)));
const wrong = [...'£°§©½±éèàöüçñí“”‘’–—…•™€\u00a0👍🙂🎉☀✅İığśąęłżčřěžīāŠĢ'].map((c) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(c)));
claim('Count strings that contain `Ã`, `Ä`, `Å`, `Â`, `â` or `ð` followed by a character beyond ASCII', wrong.every((text) => /[ÃÄÅÂâð][^\0-\x7f]/u.test(text))
	&& wrong.some((text) => !/Ã|â€/u.test(text)));
claim('Other scripts have other letters: `Ð` and `Ñ` for Cyrillic, `ã` for kana',
	[['абвгдежзиклмнопрстуфхцчшщыьэюяё', /^(?:[ÐÑ][^\0-\x7f])+$/u], ['あいうえおかきくけこアイウエオ', /^(?:ã[^\0-\x7f]{2})+$/u]]
		.every(([letters, shape]) => shape.test(new TextDecoder('windows-1252').decode(new TextEncoder().encode(letters)))));
claim('test whether one word mixes scripts', ['\u0440\u0430\u0301ypal', '\u0440\u0430\u200cypal', '\u0440\u0430\u200dypal'].every((word) => suspects(clean(word)).length === 1));
claim('without the joiners Persian ones do', 'می\u200cخواهم'.match(/[\p{L}\p{M}\u200c\u200d]+/gu).length === 1 && 'می\u200cخواهم'.match(/[\p{L}\p{M}]+/gu).length === 2);
claim('a word that is Cyrillic throughout, such as `раураӏ`, is no hit', suspects('раураӏ').length === 0);
claim('nor is `gօօgle` with an Armenian օ, since the list has three scripts', suspects('g\u0585\u0585gle').length === 0);
claim('control characters such as NUL and ESC, and the blank U+2800', [...'\0\x1b\u2800'].every((c) => clean(c) === c));
claim('of 40,000 random strings of up to eight Latin letters, marks and invisible characters 3% change when they are cleaned again; in this order none does', Math.round(Object.values(unstable)[0][1] / 400) === 3 && Object.values(unstable).every(([ordered]) => ordered === 0));
claim('NFC itself replaces 1,120 characters for good: the Kelvin sign by K, and 1,002 variants of Han characters', (() => { const gone = chars.filter((c) => c.normalize('NFC') !== c); return gone.length === 1120 && gone.filter((c) => /\p{Script=Han}/u.test(c)).length === 1002 && '\u212a'.normalize('NFC') === 'K'; })());
claim('Turn `\\r\\n` into `\\n`, with the separators U+2028 and U+2029', clean('a\u2028b\u2029c\r\nd') === 'a\nb\nc\nd');
claim('(this one makes ı and i one)', key('kısa') === key('kisa'));
claim('Clean words of Romanian or Icelandic hold such pairs, too: *câți*, *góðæri*', ['câți', 'góðæri'].every((word) => /[ÃÄÅÂâð][^\0-\x7f]/u.test(word)));
claim('The remedy is to cut at the last grapheme that fits', split === 0 && halves > 0);
