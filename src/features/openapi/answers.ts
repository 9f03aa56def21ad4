/**
 * Schemas of the answers: all that the public may see. The compiler compares each with the type of its endpoint, and
 * a test with real answers, which must have nothing else in them.
 */
import * as z from 'zod/mini';
import { PUBLIC, POST_FIELDS, record, type PublicName } from '#src/features/posts/fields.ts';
import { REQUIRED_TEXTS, type Post } from '#src/features/posts/post.ts';
import { KINDS, type Kind } from '#src/features/search/search.ts';

/** Returns the schema of an object that the document describes by name, once for all answers that have it. */
function named<Shape extends z.core.$ZodShape>(id: string, description: string, shape: Shape) {
	return z.object(shape).check(z.meta({ id, description }));
}

const text = z.string();
const texts = z.array(text);
const time = z.iso.datetime();
/** Returns a schema with words for the document. */
const about = <T extends z.ZodMiniType>(description: string, schema: T) =>
	schema.check(z.meta({ description }));
const minutes = about('Minutes.', z.number());

export const category = named('Category', 'A category.', {
	id: text,
	slug: text,
	name: text,
	description: z.nullable(text),
	color: about('CSS hex color.', text),
});

const categoryRef = named('CategoryRef', 'A category as other things name it.', {
	name: text,
	slug: text,
});

const tagRef = named('TagRef', 'A tag as other things name it.', {
	id: text,
	name: text,
	slug: text,
});

/** Fields of a post that all lists have. */
const row = {
	id: text,
	slug: text,
	title: text,
	excerpt: z.nullable(text),
	featuredImage: z.nullable(text),
	category: categoryRef,
	readTime: minutes,
	publishedAt: z.nullable(time),
};

export const relatedPost = named(
	'RelatedPost',
	'A related post or a search result: what their rows show, no more.',
	row,
);

export const postSummary = named('PostSummary', 'A post in a list.', {
	...row,
	author: text,
	views: z.number(),
	shareCount: z.number(),
});

export const searchResult = named('SearchResult', 'A post in the results.', {
	...row,
	passage: about('A passage of its text with the words.', text),
	marks: about('Words and phrases to mark in title and passage.', texts),
	corrected: z.exactOptional(
		about('The question as understood, if a word of it occurs in no article.', text),
	),
	partial: z.exactOptional(
		about('No article has all words of the question; these have most of them.', z.literal(true)),
	),
});

const kind = z.enum(Object.keys(KINDS) as Kind[]);
const found = named('Found', 'Something that was found.', {
	kind,
	title: text,
	url: about("Its path, with the heading's id and a text fragment where the words stand.", text),
	snippet: about('A passage of its text with the words.', text),
	by: about(
		'How it was found: by words of the question, or because it means something near.',
		z.enum(['words', 'meaning']),
	),
	note: about("An article's category, date and length; empty for all else.", text),
	marks: about('Words and phrases to mark in title and snippet.', texts),
	less: z.exactOptional(
		about('It is much less close than the best, and given because few are close.', z.literal(true)),
	),
});
export const findings = named('Findings', 'What was found, best first.', {
	results: z.array(found),
	total: about('How many are close, with those that the limit left out; at most 40.', z.number()),
	more: z.exactOptional(about('There is more than was ranked.', z.literal(true))),
	kinds: about('Every kind that has something for this question.', z.array(kind)),
	corrected: z.exactOptional(
		about('The question as understood, if a word of it occurs nowhere.', text),
	),
	partial: z.exactOptional(
		about('Nothing has all words of the question; these have most of them.', z.literal(true)),
	),
});

/** Public fields of a post whose answer is what their column holds. */
type PlainName = Exclude<PublicName, 'content' | 'tags' | 'readTime' | 'publishedAt'>;
const plainFields = record(
	PUBLIC.filter(
		(name): name is PlainName => !['content', 'tags', 'readTime', 'publishedAt'].includes(name),
	),
	(name) => {
		if (POST_FIELDS[name].kind === 'flag') return z.boolean();
		const isRequired =
			POST_FIELDS[name].kind === 'id' || REQUIRED_TEXTS.some((one) => one === name);
		return isRequired ? text : z.nullable(text);
	},
) as { [Name in PlainName]: z.ZodMiniType<Post[Name]> };

export const post = named('Post', 'A post as its article shows it.', {
	...plainFields,
	id: text,
	content: about('Sanitized HTML.', text),
	category: categoryRef,
	tags: z.array(tagRef),
	readTime: minutes,
	publishedAt: z.nullable(time),
	createdAt: time,
	updatedAt: time,
});

export const articleChange = named('ArticleChange', 'A change that readers were told of.', {
	at: time,
	kind: z.enum(['update', 'correction']),
	note: about('What changed, in a sentence; may be empty.', text),
});

const figure = named(
	'Figure',
	'A published number and its source. `value` is null if the source publishes none.',
	{
		key: text,
		label: text,
		value: z.nullable(z.number()),
		unit: z.enum(['people', 'jobs', 'US dollars a year', 'per 1,000 jobs', 'quotient']),
		source: text,
		link: z.exactOptional(about("Address of the source's page.", text)),
		asOf: about('ISO date, or year and month.', text),
	},
);

export const state = named('State', "A state's guide. Numbers that no source publishes are null.", {
	id: text,
	name: text,
	slug: text,
	abbreviation: text,
	population: z.number(),
	capital: text,
	majorCities: texts,
	aiCompanies: texts,
	universities: texts,
	techHubs: texts,
	aiJobs: z.nullable(z.number()),
	averageSalary: about('US dollars a year.', z.nullable(z.number())),
	keyIndustries: texts,
	aiInitiatives: texts,
	researchCenters: texts,
	startupEcosystem: text,
	governmentSupport: texts,
	answers: z.object({
		companies: z.exactOptional(text),
		pay: z.exactOptional(text),
		study: z.exactOptional(text),
		industries: z.exactOptional(text),
		cities: z.exactOptional(text),
	}),
	description: text,
	metaTitle: text,
	metaDescription: text,
	keywords: texts,
	figures: about('The newest of each kind.', z.array(figure)),
	earlier: z.exactOptional(about('Those of earlier years.', z.array(figure))),
	createdAt: time,
	updatedAt: time,
});

const shownComment = {
	id: text,
	author: text,
	content: text,
	createdAt: time,
	parentId: about('The comment that it answers, which answers none itself.', z.nullable(text)),
	byOwner: about("Whether the site's owner wrote it.", z.boolean()),
	pinned: about('Whether it comes before all others.', z.boolean()),
	editedAt: about('When its author last changed it.', z.nullable(time)),
};

export const comment = named('CommentView', 'A comment as the public sees it.', shownComment);

export const postedComment = named(
	'PostedComment',
	'A comment that was just posted. One that `waits` is shown once the admin has approved it.',
	{ ...shownComment, waits: z.exactOptional(z.literal(true)) },
);

export const success = named('Success', 'It is done.', { success: z.literal(true) });

const done = { success: z.literal(true), message: text };
/** The site asks by email before it sends anything else. */
const sent = { ...done, unconfirmed: z.exactOptional(z.literal(true)) };

export const subscribed = named(
	'SubscribeResponse',
	'The same for a new and for a known address, so that nobody can find out who reads us. One that is `unconfirmed` is asked by email first.',
	sent,
);

export const subscribedToList = z.object({
	...sent,
	data: z.object({ email: text, status: z.enum(['active', 'unconfirmed']) }),
});

export const enrolled = named(
	'EnrollResponse',
	'The same whether or not the address was already enrolled. One that is `unconfirmed` is asked by email first.',
	sent,
);

export const upgradeSent = named(
	'UpgradeAnswer',
	'The same whether or not an email is sent. An `unconfirmed` address is asked by email first.',
	sent,
);

export const dataRequested = named(
	'DataResponse',
	'The same whether or not anything is stored, and whether or not an email was sent within the hour.',
	done,
);

export const health = named('Health', 'What the site can do now.', {
	status: about('The process is alive and serves pages.', z.literal('ok')),
	writes: about('Whether the database takes writes.', z.boolean()),
	refused: about(
		'What the last write was refused with, where none was stored since.',
		z.optional(z.string()),
	),
	schemaVersion: about(
		'Number of migrations applied, as far as the database has told; null where it never answered.',
		z.nullable(z.number()),
	),
	builtAt: about(
		'When the pages were last built, as far as the database has told; null where it never did.',
		z.nullable(time),
	),
});
