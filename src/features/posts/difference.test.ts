import { expect, test } from 'vitest';
import { shortDifference } from './difference.ts';

const long = 'Words that stay as they were, one after another, far away from what was wrong. ';

test('a short difference shows what was replaced, and the words around it', () => {
	const pieces = shortDifference([
		{ old: null, new: 'A new passage.' },
		{ old: `${long}It took 12 minutes. ${long}`, new: `${long}It took 15 minutes. ${long}` },
		{ old: 'All of this was another text.', new: 'And now nothing here is the same.' },
	])!;
	expect(pieces.slice(1, 4)).toEqual([
		{ value: '12', removed: true },
		{ value: ' ' },
		{ value: '15', added: true },
	]);
	expect(pieces[0]!.value).toMatch(/^… .{20,50} It took $/);
	expect(pieces[4]!.value).toMatch(/^ minutes\. Words .{20,50} …$/);
});

test.each([
	['nothing was replaced', { old: null, new: 'A new passage.' }],
	['words were only added', { old: 'It is so.', new: 'It is so. At times.' }],
	['it is a formula', { old: '\\\\sqrt{n} so', new: '\\\\sqrt{k} so' }],
	['it is in a table', { old: '1 · 2', new: '1 · 3' }],
	['it is too long', { old: 'a '.repeat(200), new: 'b '.repeat(200) }],
])('there is none where %s', (_, passage) => {
	expect(shortDifference([passage])).toBeNull();
});
