import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { markdownLink, markdownVersion } from './markdown-version.ts';

test('the front matter holds whatever a title is made of', () => {
	const title = 'a: "b"\n--- # [c](d) {e} 🦉';
	const [, head = '', text] = markdownVersion(
		title,
		{ url: 'u', gone: null, tags: ['x', "y: 'z'"] },
		' Text. ',
	).split(/^---$/m);
	expect(parse(head)).toEqual({ title, url: 'u', tags: ['x', "y: 'z'"] });
	expect(text).toBe('\n\n# a: "b" --- # \\[c\\](d) {e} 🦉\n\nText.\n');
});

test('words of a link cannot end it', () => {
	expect(markdownLink('a](b) *c*', '/d')).toBe('[a\\](b) \\*c\\*](/d)');
});
