import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
	.toString()
	.trim()
	.split('\n')
	.filter((path) => /\.(tsx?|mjs|astro|css|md|ya?ml|toml|example)$/.test(path))
	.filter((path) => path !== 'tests/structure/language.test.ts');

/** Files whose docstrings are not checked. */
const UNCHECKED = ['content/', 'tests/support/', 'tests/run.mjs'];
/** First words of docstrings that need a second reading: they begin neither with a verb nor with a noun. */
const RIDDLE = /\/\*\*[\s*]*((?:Answers|Whoever|Whom|What|Who|Of|Told)\b[^\n]*)/g;

test('docstrings begin with a verb or a noun', () => {
	const found = files
		.filter((path) => !UNCHECKED.some((prefix) => path.startsWith(prefix)))
		.flatMap((path) => [...read(path).matchAll(RIDDLE)].map(([, text]) => `${path}: ${text}`));
	expect(found).toEqual([]);
});

/** British spellings, and "email" in other spellings or as a countable "mail". */
const REFUSED = [
	/\be-mails?\b/gi,
	/\bmails\b/g,
	/\b(?:an?|each|every|one) mail\b(?! (?:account|box|client|domain|list|program|provider|queue|server|worker))/gi,
	/\b\w*(?:anonym|custom|final|initial|minim|normal|optim|organ|prior|random|recogn|sanit|serial|summar|synchron|token|util)is(?:e|ed|es|er|ing|ation)\b/gi,
	/\b\w*(?:behavi|col|fav|harb|hon|lab|neighb|rum)our\w*/gi,
	/\b\w*(?:cancell|labell|modell|signall|travell)(?:ed|ing)\b/gi,
	/\b(?:artefact|catalogue|centre|enrolment|grey|learnt|licence|misspelt|programme|whilst)s?\b/gi,
	/\banalys(?:e|ed|ing)\b/gi,
];
/** Files that hold such words for a reason, with the words. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
	'docs/licenses.md': /^colour$/,
	'src/features/import-export/read-markdown.ts': /^licence$/,
	// The key in a reader's data file.
	'src/features/people/person.server.ts': /^mails$/,
	'src/features/privacy/privacy.server.ts': /^mails$/,
	// Names of columns and words of other programs' files.
	'src/features/newsletter/files/': /^(?:e-mail|cancelled)$/i,
	// A name in Mastodon's API.
	'src/features/networks/client.server.ts': /^favourites_count$/,
	'tests/support/networks.ts': /^favourites_count$/,
	'src/features/search/search.test.ts': /./,
	'src/lib/stems.ts': /./,
	'tests/api/privacy.test.ts': /^mails$/,
	'tests/api/search.test.ts': /./,
	'tests/support/questions.ts': /./,
	// Passages as they were before they were corrected.
	'content/changes/': /./,
	// In the title of a source.
	'content/posts/agents-and-long-runs.md': /^modelling$/,
};

test('texts, comments and names are spelled in American English', () => {
	const found = files.flatMap((path) => {
		const text = read(path);
		const [, allowed] = Object.entries(ALLOWED).find(([prefix]) => path.startsWith(prefix)) ?? [];
		return REFUSED.flatMap((pattern) => [...text.matchAll(pattern)].map(([word]) => word))
			.filter((word) => !allowed?.test(word))
			.map((word) => `${path}: ${word}`);
	});
	expect(found).toEqual([]);
});

test('no two decisions have the same number', () => {
	const numbers = files.flatMap((path) => /^docs\/decisions\/(\d+)-/.exec(path)?.[1] ?? []);
	expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});
