// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { changesSince, markPassages, passagesIn, readDigests } from './changed.ts';

function article(html: string): HTMLElement {
	document.body.innerHTML = `<div>${html}</div>`;
	return document.body.firstElementChild as HTMLElement;
}

const READ = `<h2>Title</h2><p>“One” and two.</p><p>Same</p><ul><li>First</li><li>Second</li></ul>
	<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>`;

function since(html: string) {
	const stored = readDigests(article(READ))();
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

test('digests are read a few at a time, or all at once for who asks before', () => {
	vi.useFakeTimers();
	const text = article(Array.from({ length: 50 }, (_, at) => `<p>${at}</p>`).join(''));
	const last = text.lastElementChild!;
	const [early, late] = [readDigests(text), readDigests(text)];
	const all = early();
	expect(new Set(all.split('.')).size).toBe(50);
	vi.advanceTimersToNextTimer();
	last.textContent = 'Changed before it was read';
	vi.runAllTimers();
	const [first, second] = [all, late()].map((digests) => digests.split('.'));
	expect(second!.slice(0, -1)).toEqual(first!.slice(0, -1));
	expect(second!.at(-1)).not.toBe(first!.at(-1));
	last.textContent = '49';
	expect(late().split('.')).toEqual(second);
	vi.useRealTimers();
});

test('marks go as they came', () => {
	const text = article(READ);
	const before = text.innerHTML;
	const unmark = markPassages(passagesIn(text));
	expect(text.querySelectorAll('mark[data-changed]')).toHaveLength(7);
	unmark();
	expect(text.innerHTML).toBe(before);
});
