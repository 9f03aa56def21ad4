/** Whether each word of a query begins a word of a text. A query without words is in every text. */
export function hasWords(text: string, query: string): boolean {
	const own = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
	const wanted = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
	return wanted.every((word) => own.some((one) => one.startsWith(word)));
}
