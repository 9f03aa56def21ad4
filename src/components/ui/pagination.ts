/**
 * Returns the page numbers to show: first, last, and the current one with its neighbors. Zero stands for a gap
 * of two or more.
 */
export function pageNumbers(page: number, pages: number): number[] {
	const shown = [...new Set([1, page - 1, page, page + 1, pages])].filter(
		(n) => n >= 1 && n <= pages,
	);
	return shown.flatMap((n, index) => {
		const missing = n - (shown[index - 1] ?? 0) - 1;
		// A gap of one page would be as wide as its number.
		if (missing === 1) return [n - 1, n];
		return missing > 1 ? [0, n] : [n];
	});
}
