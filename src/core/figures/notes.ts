/** Returns what the notes of a diagram say that it is: `%% title: …`, `%% description: …`. */
export function readNotes(source: string): Partial<Record<string, string>> {
	// White space without line ends: with them, each blank line would be read to the end of them all.
	const notes = source.matchAll(/^[^\S\n]*%%[^\S\n]*(title|description):[^\S\n]*(\S.*)$/gm);
	const words = Array.from(notes, ([, name, text]): [string, string] => [name!, text!.trim()]);
	// The first of a name counts.
	return Object.fromEntries(words.toReversed());
}

/** A diagram with what its notes say: its title, and the same in words. */
export type Diagram = { title: string; description: string; body: string };

/** Returns a diagram's notes and the rest of its block of code. */
export function readDiagram(source: string): Diagram {
	const { title = '', description = '' } = readNotes(source);
	let body = source;
	for (const name of ['title', 'description'])
		body = body.replace(new RegExp(`^[^\\S\\n]*%%[^\\S\\n]*${name}:.*\\n?`, 'm'), '');
	return { title, description, body };
}

/** Returns a diagram as the text of its block of code. */
export function composeDiagram({ title, description, body }: Diagram): string {
	const notes = Object.entries({ title, description }).filter(([, words]) => words.trim());
	return notes.map(([name, words]) => `%% ${name}: ${words.trim()}\n`).join('') + body;
}
