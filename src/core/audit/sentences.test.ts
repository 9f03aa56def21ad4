import { expect, test } from 'vitest';
import { sentenceOf } from './sentences.ts';

const told = (action: string, subject: string, detail: string | null) =>
	sentenceOf({ action, subject, detail });

/** Acts of each kind: what is stored, what is read of it, and of its undoing. */
const ACTS: [action: string, subject: string, detail: string, done: string, back: string][] = [
	[
		...(['published', 'posts', '2 posts: “A: B”, “C”'] as const),
		...(['Published 2 posts: “A: B”, “C”', 'Unpublished 2 posts again: “A: B”, “C”'] as const),
	],
	[
		...(['unpublished', 'posts', '1,204 posts: “A” and 1,203 more'] as const),
		'Unpublished 1,204 posts: “A” and 1,203 more',
		'Published 1,204 posts again: “A” and 1,203 more',
	],
	[
		...(['featured', 'post 1', '1 post: “A”'] as const),
		...(['Featured 1 post: “A”', 'No longer featured 1 post: “A”'] as const),
	],
	[
		...(['unfeatured', 'post 1', '1 post: “A”'] as const),
		...(['No longer featured 1 post: “A”', 'Featured 1 post again: “A”'] as const),
	],
	[
		...(['tagged', 'posts', '2 posts to “AI: law”: “A”, “B”'] as const),
		...([
			'Tagged 2 posts with “AI: law”: “A”, “B”',
			'Took the tag “AI: law” off 2 posts: “A”, “B”',
		] as const),
	],
	[
		...(['untagged', 'posts', '2 posts from “AI”: “A”, “B”'] as const),
		...([
			'Took the tag “AI” off 2 posts: “A”, “B”',
			'Tagged 2 posts with “AI” again: “A”, “B”',
		] as const),
	],
	[
		...(['moved', 'posts', '2 posts to “MLOps”: “A”, “B”'] as const),
		...([
			'Moved 2 posts to “MLOps”: “A”, “B”',
			'Moved 2 posts back from “MLOps”: “A”, “B”',
		] as const),
	],
	[
		...(['moved', 'category 1', '“MLOps”'] as const),
		...(['Moved the category “MLOps”', 'Moved the category “MLOps” back to its place'] as const),
	],
	[
		...(['deleted', 'page 1', '“Imprint: who we are”'] as const),
		...([
			'Deleted the page “Imprint: who we are”',
			'Brought back the page “Imprint: who we are”',
		] as const),
	],
	[
		...(['deleted', 'image 1', '2 unused images'] as const),
		...(['Deleted 2 unused images', 'Brought back 2 unused images'] as const),
	],
	[
		...(['deleted', 'comment 1', '3 comments'] as const),
		...(['Deleted 3 comments', 'Brought back 3 comments'] as const),
	],
	[
		...(['removed', 'redirects', 'the way from /a to /b'] as const),
		...(['Removed the way from /a to /b', 'Brought back the way from /a to /b'] as const),
	],
	[
		...(['redirected', 'redirects', '/a to /b'] as const),
		...(['Redirected /a to /b', 'No longer redirected /a to /b'] as const),
	],
	[
		...(['replaced', 'image 1', 'dot.gif'] as const),
		...([
			'Replaced the picture dot.gif',
			'Brought back what the picture dot.gif showed before',
		] as const),
	],
	[
		...(['kept', 'state 1', '“Ohio”: the newer file was left'] as const),
		...([
			'Kept the state “Ohio”: the newer file was left',
			'Offered the newer file of the state “Ohio” again',
		] as const),
	],
	[
		...(['changed', 'state 1', '“Ohio”: summary and outlook'] as const),
		...([
			'Changed the state “Ohio”: summary and outlook',
			'Changed the state “Ohio” back: summary and outlook',
		] as const),
	],
	[
		...(['renamed', 'tag 1', '“LLM” to “Language models”'] as const),
		...([
			'Renamed the tag “LLM” to “Language models”',
			'Renamed the tag “Language models” back to “LLM”',
		] as const),
	],
	[
		...(['renamed', 'tag 1', '“LLM”: llm to llms'] as const),
		...([
			'Renamed the tag “LLM”: llm to llms',
			'Gave the tag “LLM” its former address again: llm to llms',
		] as const),
	],
	[
		...(['merged', 'category 1', '“A” into “B”'] as const),
		...(['Merged the category “A” into “B”', 'Separated the category “A” from “B” again'] as const),
	],
	[
		...(['added', 'states', '50 states'] as const),
		...(['Added 50 states', 'Took 50 states away again'] as const),
	],
	[
		...(['imported', 'states', '3 figures of 2 states'] as const),
		...([
			'Imported 3 figures of 2 states',
			'Brought back what 3 figures of 2 states were before',
		] as const),
	],
	[
		...(['changed a setting', 'setting comments', 'publish to hold-all'] as const),
		...([
			'Changed the setting “New comments”: publish to hold-all',
			'Changed the setting “New comments” back: publish again, no longer hold-all',
		] as const),
	],
	[
		...(['changed a setting', 'setting refusedWords', 'added crypto'] as const),
		...([
			'Changed the setting “Refused words”: added crypto',
			'Changed the setting “Refused words” back: as it was before',
		] as const),
	],
	[
		...(['changed the site', 'site settings', 'name: “A” to “B”; logo'] as const),
		...([
			'Changed the site: name: “A” to “B”; logo',
			'Changed the site back: name: “A” instead of “B”; logo',
		] as const),
	],
	[
		...([
			'changed the site',
			'site settings',
			'removed the sample content: 73 articles, 50 states',
		] as const),
		...([
			'Removed the sample content: 73 articles, 50 states',
			'Brought back the sample content: 73 articles, 50 states',
		] as const),
	],
	[
		...([
			'changed the site',
			'site settings',
			'removed the sample content: 1 article, 0 states; name: “A” to “B”',
		] as const),
		'Removed the sample content: 1 article, 0 states; changed the site: name: “A” to “B”',
		'Brought back the sample content: 1 article, 0 states; changed the site back: name: “A” instead of “B”',
	],
];

test.each(ACTS)('%s of %s, %s', (action, subject, detail, done, back) => {
	expect(told(action, subject, detail)).toBe(done);
	expect(told('undid', subject, `${action} ${detail}`)).toBe(back);
});

test.each([
	['published', 'post 1', '“A: B”', 'Published the article “A: B”'],
	['saved', 'post 1', '“A”', 'Saved the draft of the article “A”'],
	['created', 'tag 1', '“A”', 'Created the tag “A”'],
	['answered a comment', 'comment 1', 'Ada', 'Answered a comment by Ada'],
	['approved comments', 'comment 1', '2 comments', 'Approved 2 comments'],
	[
		'labeled subscribers',
		'subscribers',
		'“a: b”: 1,000 subscribers',
		'Gave 1,000 subscribers the label “a: b”',
	],
	[
		'removed a label from subscribers',
		'subscribers',
		'“vip”: 1 subscriber',
		'Took the label “vip” from 1 subscriber',
	],
	['made subscribers active', 'subscriber 1', '2 subscribers', 'Made 2 subscribers active'],
	['sent a letter', 'letter News: of May', '', 'Sent the letter “News: of May”'],
	['revoked', 'program 1', '“Obsidian”', 'Took the token of the program “Obsidian” away'],
	['signed out', 'session 1', null, 'Signed out'],
	['failed to sign in', 'account a@b.example', 'Firefox', 'Failed to sign in: Firefox'],
	[
		'undid an import',
		'import 1',
		'ghost.json: 5 posts removed, 2 kept',
		'Took the import of ghost.json back: 5 posts removed, 2 kept',
	],
])('%s of %s, %s', (action, subject, detail, sentence) => {
	expect(told(action, subject, detail)).toBe(sentence);
});
