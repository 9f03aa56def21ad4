// Reads the article that a check is named after: the programs in it, and the sentences that the check is held against.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const slug = basename(process.argv[1], '.mjs');
const text = readFileSync(new URL(`../posts/${slug}.md`, import.meta.url), 'utf8');
const plain = (words) => words.replace(/\s+/g, ' ');

/** Returns the source of the article's own blocks of JavaScript with these marks. */
export function programs(marks = 'run') {
	const blocks = text.matchAll(new RegExp(`^\`\`\`js (?:${marks})\\n(.*?)^\`\`\``, 'gms'));
	return [...blocks].map(([, source]) => source).join('\n');
}

/** Ends the check where the article does not say this, or where what was measured does not bear it out. */
export function claim(sentence, holds) {
	const fault = !plain(text).includes(plain(sentence))
		? 'The article does not say'
		: !holds && 'Does not hold when varied';
	if (fault) {
		console.error(`${fault}: ${sentence}`);
		process.exit(1);
	}
	console.error(`holds: ${sentence}`);
}
