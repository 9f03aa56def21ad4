/** At most this many states stand side by side. */
export const MAX_STATES = 3;
const MIN_STATES = 2;

/**
 * The states that an address asks for, as in `?states=texas,ohio`: known ones, each once, the first three.
 * Fewer than two are filled up from `usual`.
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

/** The query of an address that shows these states. Commas stay readable. */
export function selectionQuery(slugs: string[]): string {
	return `?states=${slugs.map(encodeURIComponent).join(',')}`;
}
