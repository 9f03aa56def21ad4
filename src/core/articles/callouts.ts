/** Kinds of boxes beside the text. */
export const CALLOUTS = ['note', 'tip', 'warning'] as const;

/** Alerts of other sites that are callouts here, by the callout's kind. */
const KINDS: Record<string, string> = { important: 'note', caution: 'warning' };

/** The kind of callout that an alert of this name is. */
export function calloutKind(name: string): string {
	const kind = name.toLowerCase();
	return KINDS[kind] ?? kind;
}
