/** A part of a screen, with a page of its own. Its fields are found by their labels as the part shows them, and other words. */
export type Part = {
	name: string;
	/** Under which it is listed. */
	group?: string;
	words?: string;
	fields: readonly { label: string; words?: string }[];
};

/** Somewhere that a search leads to: a part, one of its fields, or a screen. */
export type Place = {
	id: string;
	label: string;
	/** All words by which it is found beside its label. */
	words: string;
	/** Where it is. */
	hint: string;
	screen: string;
	query: Readonly<Record<string, string>>;
};

/** Returns the name of the part that an address names, or of the first. */
export const partOf = (parts: readonly Part[], named?: string): string =>
	(parts.find(({ name }) => name === named) ?? parts[0]!).name;

/** Returns each part of a screen and each of its fields. */
export const placesIn = (screen: string, of: string, parts: readonly Part[]): Place[] =>
	parts.flatMap(({ name, group = '', words = '', fields }) =>
		[{ label: name, words: '' }, ...fields].map((one, index) => {
			const field = index > 0 ? one.label : '';
			return {
				id: `${screen} ${name} ${field}`,
				label: one.label,
				words: `${of} ${group} ${field ? `${name} ${one.words ?? ''}` : words}`,
				hint: field ? name : of,
				query: { part: name, ...(field && { field }) },
				screen,
			};
		}),
	);
