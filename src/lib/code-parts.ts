import { cut } from './text.ts';

/** A part of what somebody wrote: a paragraph, or code between lines of three backticks. */
export type TextPart = { isCode: boolean; text: string };

/** Splits plain text into words and fenced code. A fence that is never closed is text. */
export function codeParts(content: string): TextPart[] {
	const parts: TextPart[] = [];
	let after = 0;
	for (const fence of content.matchAll(/^```[^\n`]*\n([^]*?)\n?^```[ \t]*$/gm)) {
		parts.push({ isCode: false, text: content.slice(after, fence.index).trim() });
		parts.push({ isCode: true, text: fence[1]! });
		after = fence.index + fence[0].length;
	}
	parts.push({ isCode: false, text: content.slice(after).trim() });
	return parts.filter(({ text }) => text !== '');
}

/** Returns the beginning of a text. Code that the cut would leave open is closed. */
export function beginning(content: string, length: number): string {
	if (content.length <= length) return content;
	const start = `${cut(content, length).trimEnd()}…`;
	const isOpen = (start.match(/^```/gm)?.length ?? 0) % 2 === 1;
	return isOpen ? `${start}\n\`\`\`` : start;
}
