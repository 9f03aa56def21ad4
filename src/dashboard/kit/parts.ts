/** A part of a screen, with a page of its own. Its fields are found by their labels as the part shows them, and other words. */
export type Part = {
	name: string;
	words?: string;
	fields: readonly { label: string; words?: string }[];
};

type Place = { part: string; field?: string };

/** Returns the name of the part that an address names, or of the first. */
export const partOf = (parts: readonly Part[], named?: string): string =>
	(parts.find(({ name }) => name === named) ?? parts[0]!).name;

/** Returns each part and each of its fields: where it is, its label, and all words by which it is found. */
export function placesOf(parts: readonly Part[]): (Place & { label: string; words: string })[] {
	return parts.flatMap(({ name, words = '', fields }) => [
		{ part: name, label: name, words },
		...fields.map(({ label, words: others = '' }) => ({
			...{ part: name, field: label, label },
			words: `${name} ${others}`,
		})),
	]);
}
