/**
 * Counts the characters of HTML as read: no markup, a character reference is one character, and so is a run of
 * spaces.
 */
export function textLength(html: string): number {
	return withoutTags(html)
		.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi, '.')
		.replace(/\s+/g, ' ')
		.trim().length;
}

/** Returns the text between tags in one pass, with `gap` for each tag. An unclosed tag is text. */
export function withoutTags(html: string, gap = ''): string {
	let text = '';
	let from = 0;
	for (const start of html.matchAll(/<\/?[a-z]/gi)) {
		if (start.index < from) continue;
		const end = endOfTag(html, start.index + start[0].length);
		if (end === 0) break;
		text += html.slice(from, start.index) + gap;
		from = end;
	}
	return text + html.slice(from);
}

/** Returns where a tag ends whose name begins before `at`, skipping quoted values, or 0 if it does not end. */
function endOfTag(html: string, at: number): number {
	let quote = '';
	for (let index = at; index < html.length; index++) {
		const sign = html[index]!;
		if (quote) {
			if (sign === quote) quote = '';
		} else if (sign === '>') return index + 1;
		else if (sign === '"' || sign === "'") quote = sign;
	}
	return 0;
}
