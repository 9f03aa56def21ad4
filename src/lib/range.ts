/**
 * Returns the range of a `Range` header, both ends included, or undefined if the whole file is to be sent:
 * without a range, with several, or with a malformed one.
 */
export function parseRange(header: string | null, size: number) {
	const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
	if (from === undefined || to === undefined || from + to === '') return undefined;
	const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
	const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
	if (start >= size) return 'unsatisfiable';
	return from !== '' && to !== '' && Number(to) < start ? undefined : { start, end };
}
