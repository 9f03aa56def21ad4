/** Returns what the notes of a diagram say that it is: `%% title: …`, `%% description: …`. */
export function readNotes(source: string): Partial<Record<string, string>> {
	// White space without line ends: with them, each blank line would be read to the end of them all.
	const notes = source.matchAll(/^[^\S\n]*%%[^\S\n]*(title|description):[^\S\n]*(\S.*)$/gm);
	const words = Array.from(notes, ([, name, text]): [string, string] => [name!, text!.trim()]);
	// The first of a name counts.
	return Object.fromEntries(words.toReversed());
}
