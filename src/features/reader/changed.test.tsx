// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { changesSince, digestsOf, markPassages, passagesIn } from './changed.ts';

function article(html: string): HTMLElement {
	document.body.innerHTML = `<div>${html}</div>`;
	return document.body.firstElementChild as HTMLElement;
}

const READ = `<h2>Title</h2><p>“One” and two.</p><p>Same</p><ul><li>First</li><li>Second</li></ul>
	<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`;

function since(html: string) {
	const stored = digestsOf(passagesIn(article(READ)));
	const { changed, removed } = changesSince(stored, passagesIn(article(html)));
	return { changed: changed.map(({ textContent }) => textContent), removed };
}

test.each([
	['nothing', READ, [], 0],
	['other quotation marks', READ.replace(/[“”]/g, '"'), [], 0],
	['an edit', READ.replace('two', 'three'), ['“One” and three.'], 0],
	['what was added', `${READ}<p>New</p>`, ['New'], 0],
	['what was removed', READ.replace('<p>Same</p>', ''), [], 1],
	['a move', READ.replace('<p>Same</p>', '').replace('<h2>', '<p>Same</p><h2>'), [], 0],
	['a row', READ.replace('<td>2', '<td>3'), ['13'], 0],
	[
		'an edit and a removal',
		READ.replace('two', 'three').replace('<li>First</li>', ''),
		['“One” and three.'],
		1,
	],
])('since an article was read, %s is told', (_what, html, changed, removed) => {
	expect(since(html)).toEqual({ changed, removed });
});

test('marks go as they came', () => {
	const text = article(READ);
	const before = text.innerHTML;
	const unmark = markPassages(passagesIn(text));
	expect(text.querySelectorAll('mark[data-changed]')).toHaveLength(7);
	unmark();
	expect(text.innerHTML).toBe(before);
});
