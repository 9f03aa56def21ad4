/** Kinds of callouts in articles. */
export const CALLOUTS = ['note', 'tip', 'warning'] as const;

/** Alert kinds of other sites, by the kind of callout they become here. */
const KINDS: Record<string, string> = { important: 'note', caution: 'warning' };

/** Returns the kind of callout for an alert of this name. */
export function calloutKind(name: string): string {
	const kind = name.toLowerCase();
	return KINDS[kind] ?? kind;
}
