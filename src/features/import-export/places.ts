/** Where JSON is broken, in words. */
export function brokenJsonMessage(text: string, error: unknown): string {
	if (!/[}\]]\s*$/.test(text)) return cutOffMessage(text);
	const message = error instanceof Error ? error.message : '';
	const [, position] = /position (\d+)/.exec(message) ?? [];
	const [, line] = /line (\d+)/.exec(message) ?? [];
	const at = position ? lineAt(text, Number(position)) : line ? Number(line) : undefined;
	return at === undefined
		? 'This file looks like JSON, and is broken.'
		: `This file looks like JSON, and is broken at line ${at}.`;
}

/** Returns the message for a truncated file. */
export function cutOffMessage(text: string): string {
	return `This file ends in the middle, at line ${lineAt(text, text.length)}: it may be cut off.`;
}

function lineAt(text: string, position: number): number {
	let line = 1;
	for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) {
		line++;
	}
	return line;
}
