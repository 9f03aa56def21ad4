/**
 * Says on the rows of a list which articles were read in this browser, above the list how many, and where a button
 * begins a series, it goes on from there. The store itself would be more code than the page has.
 */
export function markRead(): void {
	const rows = [...document.querySelectorAll<HTMLElement>('.post-rows [data-post]')];
	const history = new Set(readingHistory().map(String));
	const read = rows.filter(({ dataset }) => history.has(dataset['post']!));
	for (const row of read) {
		const mark = document.createElement('li');
		mark.className = 'mark';
		mark.textContent = 'read';
		document.querySelector(`[data-segment="${row.dataset['post']}"]`)?.classList.add('read');
		const facts = row.querySelectorAll(':scope > ul > li:not(.line)');
		[...facts].at(-1)?.after(mark);
	}
	const told = document.querySelector('[data-progress]');
	if (!told || read.length === 0) return;
	// The history keeps the last articles only.
	told.append(` · ${read.length} of ${rows.length} read lately`);
	const next = rows.find((row) => !read.includes(row));
	const begin = document.querySelector<HTMLAnchorElement>('.begin a');
	if (!next || !begin) return;
	begin.href = next.querySelector('a')!.href;
	begin.textContent = `Go on with part ${rows.indexOf(next) + 1}`;
}

/** Ids of articles, as `$readingHistory` stores them. */
function readingHistory(): unknown[] {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem('readingHistory') ?? '[]');
		return Array.isArray(stored) ? stored : [];
	} catch {
		return [];
	}
}
