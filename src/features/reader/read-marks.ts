/** Says on the rows of a list which articles were read in this browser. The store itself would be more code than the page has. */
export function markRead(): void {
	for (const id of readingHistory()) {
		const facts = document.querySelector(`[data-post="${CSS.escape(String(id))}"] > ul`);
		if (!facts) continue;
		const mark = document.createElement('li');
		mark.className = 'mark';
		mark.textContent = 'read';
		facts.append(mark);
	}
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
