/** Facts at the top of a page's Markdown version. Null values are omitted. */
export type Facts = Record<string, string | number | string[] | null>;

/** Returns a page as Markdown: facts as YAML front matter, title and text. */
export function markdownVersion(title: string, facts: Facts, text: string): string {
	const lines = Object.entries({ title, ...facts })
		.filter(([, value]) => value !== null)
		// Every JSON value is a YAML value, whatever a title contains.
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	return `---\n${lines.join('\n')}\n---\n\n# ${escapeInline(title)}\n\n${text.trim()}\n`;
}

/** Returns a Markdown link whose label cannot end it. */
export function markdownLink(label: string, address: string): string {
	return `[${escapeInline(label)}](${address})`;
}

/** Escapes text so that Markdown leaves it as it is. */
export function escapeInline(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>]/g, '\\$&');
}
