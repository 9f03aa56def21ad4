/** What a Markdown twin says of its page before the text; nothing is left out silently but what is null. */
export type Facts = Record<string, string | number | string[] | null>;

/** A page as Markdown: its facts as YAML front matter, its title, its text. */
export function markdownVersion(title: string, facts: Facts, text: string): string {
	const lines = Object.entries({ title, ...facts })
		.filter(([, value]) => value !== null)
		// Every JSON value is a YAML value, whatever a title holds.
		.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	return `---\n${lines.join('\n')}\n---\n\n# ${escapeInline(title)}\n\n${text.trim()}\n`;
}

/** A Markdown link whose words cannot end it. */
export function markdownLink(label: string, address: string): string {
	return `[${escapeInline(label)}](${address})`;
}

/** Text that Markdown takes for nothing else. */
export function escapeInline(text: string): string {
	return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>]/g, '\\$&');
}
