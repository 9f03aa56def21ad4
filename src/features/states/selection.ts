/** Maximum number of states side by side. */
export const MAX_STATES = 3;
const MIN_STATES = 2;

/**
 * Returns the states in a query string such as `?states=texas,ohio`: known ones, each once, at most three.
 * Fewer than two are completed from `usual`.
 */
export function readSelection(search: string, known: string[], usual: string[]): string[] {
	const requested = new URLSearchParams(search)
		.getAll('states')
		.flatMap((value) => value.split(','))
		.map((slug) => slug.trim().toLowerCase())
		.filter((slug) => known.includes(slug));
	const chosen = [...new Set(requested)].slice(0, MAX_STATES);
	if (chosen.length === 0) return usual;
	const rest = usual.filter((slug) => !chosen.includes(slug));
	return [...chosen, ...rest.slice(0, Math.max(0, MIN_STATES - chosen.length))];
}

/** Returns the query string for these states, with readable commas. */
export function selectionQuery(slugs: string[]): string {
	return `?states=${slugs.map(encodeURIComponent).join(',')}`;
}
