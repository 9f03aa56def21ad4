/** Returns whether each word of a query begins a word of a text: true for a query without words. */
export function hasWords(text: string, query: string): boolean {
	const own = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
	const wanted = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return wanted.every((word) => own.some((one) => one.startsWith(word)));
}
