import { expect, test } from 'vitest';
import { authorsOf, citeBibtex, citeRis, citeText } from './cite.ts';

const CITED = {
	title: 'Attention & 100% of {it}: $O(n^2)$ in a_b',
	author: 'Ada King and Émile Borel',
	site: 'Groundtruth',
	url: 'https://example.com/blog/que-%C3%A9?a=b_c&d',
	date: '2026-03-05',
};
const HOUSE = { ...CITED, title: 'What now?', author: 'Groundtruth' };

test('a line has the author, the year, the version and the address', () => {
	expect(citeText(CITED)).toBe(
		'Ada King and Émile Borel (2026). Attention & 100% of {it}: $O(n^2)$ in a_b. Groundtruth. Version of March 5, 2026. https://example.com/blog/que-%C3%A9?a=b_c&d',
	);
	expect(citeText(HOUSE)).toBe(
		'Groundtruth (2026). What now? Version of March 5, 2026. https://example.com/blog/que-%C3%A9?a=b_c&d',
	);
});

test('BibTeX has its signs escaped, but not those of an address', () => {
	expect(citeBibtex(CITED)).toBe(`@misc{king2026attention,
  author = {Ada King and Émile Borel},
  title = {{Attention \\& 100\\% of \\{it\\}: \\$O(n\\textasciicircum{}2)\\$ in a\\_b}},
  howpublished = {Groundtruth},
  year = {2026},
  month = {3},
  note = {Version of March 5, 2026},
  url = {https://example.com/blog/que-%C3%A9?a=b_c&d}
}
`);
	expect(citeBibtex({ ...HOUSE, author: 'Second & Co', site: 'Second & Co' })).toContain(
		'author = {{Second \\& Co}}',
	);
	expect(citeBibtex({ ...HOUSE, title: '要点', author: '王' })).toMatch(/^@misc\{2026,/);
});

test('RIS has one line for each author, last name first, and ends as it must', () => {
	expect(citeRis(CITED).split('\r\n')).toEqual([
		'TY  - BLOG',
		`TI  - ${CITED.title}`,
		'AU  - King, Ada',
		'AU  - Borel, Émile',
		'T2  - Groundtruth',
		'PY  - 2026',
		'DA  - 2026/03/05',
		'ET  - Version of March 5, 2026',
		`UR  - ${CITED.url}`,
		'ER  - ',
		'',
	]);
});

test.each([
	['Ada King', ['Ada King']],
	['Ada King, Grace Hopper, and Emil Post', ['Ada King', 'Grace Hopper', 'Emil Post']],
	['Anders Andersand & Co', ['Anders Andersand', 'Co']],
	['Sandy Brandt', ['Sandy Brandt']],
])('%s', (byline, names) => expect(authorsOf(byline)).toEqual(names));
