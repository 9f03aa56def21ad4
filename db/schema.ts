import { sql } from 'drizzle-orm';
import {
	blob,
	customType,
	index,
	integer,
	primaryKey,
	real,
	sqliteTable,
	text,
	uniqueIndex,
	type AnySQLiteColumn,
} from 'drizzle-orm/sqlite-core';

const id = () =>
	text()
		.primaryKey()
		.$defaultFn(() => crypto.randomUUID());
const time = (name: string) => integer(name, { mode: 'timestamp_ms' });
const now = sql`(cast(unixepoch('subsec') * 1000 as integer))`;
const createdAt = () => time('created_at').notNull().default(now);
const updatedAt = () => time('updated_at').notNull().default(now);
const flag = (name: string) => integer(name, { mode: 'boolean' }).notNull();
const list = (name: string) => text(name, { mode: 'json' }).$type<string[]>().notNull();

// The entities of product.md section 3, in its order.

export const users = sqliteTable('users', {
	id: id(),
	username: text().notNull().unique(),
	email: text().notNull().unique(),
	/** A scrypt hash with its parameters, never the password. */
	password: text().notNull(),
	createdAt: createdAt(),
});

export const categories = sqliteTable('categories', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	description: text(),
	color: text().notNull().default('#0E7490'),
	/** Position in lists of categories; those without one come last, by name. */
	position: integer(),
	/** No longer read: it chose among drawings that all categories had. */
	cover: text(),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
});

export const tags = sqliteTable('tags', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	description: text(),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
});

/** Articles to be read one after the other. */
export const series = sqliteTable('series', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	description: text(),
	/** Ids of posts, in order. One of them may have been deleted since. */
	articles: list('articles'),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
});

/** A link of an author's page. */
export type AuthorLink = { label: string; href: string };

/** Those whom bylines name. The posts of an author are those whose byline is the name. */
export const authors = sqliteTable('authors', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	/** A few sentences about the person. */
	description: text(),
	/** Path of an image of the library; empty for none. */
	picture: text().notNull().default(''),
	links: text({ mode: 'json' }).$type<AuthorLink[]>().notNull().default([]),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
});

export const posts = sqliteTable(
	'posts',
	{
		id: id(),
		title: text().notNull(),
		slug: text().notNull().unique(),
		excerpt: text(),
		/** Sanitized HTML, without highlighting or heading ids: see `renderedPosts`. */
		content: text().notNull(),
		featuredImage: text('featured_image'),
		metaTitle: text('meta_title'),
		metaDescription: text('meta_description'),
		/** Words that readers may use instead of the article's, separated by commas or lines: only search reads them. */
		searchedAs: text('searched_as'),
		/** Up to three slugs, separated by commas, of articles that come first among the related ones. */
		related: text(),
		/** Questions of readers, each on its line, followed by the answer. */
		questions: text(),
		/** The ISO date after which something in it may no longer be true, and what that is. */
		staleAfter: text('stale_after'),
		author: text().notNull(),
		categoryId: text('category_id')
			.notNull()
			.references(() => categories.id, { onDelete: 'restrict' }),
		published: flag('published').default(false),
		featured: flag('featured').default(false),
		/** Minutes. */
		readTime: integer('read_time').notNull().default(5),
		publishedAt: time('published_at'),
		/** Counts saved changes, so that a stale editor is noticed. */
		version: integer().notNull().default(1),
		/** Deleted posts can be restored for 30 days. */
		deletedAt: time('deleted_at'),
		createdAt: createdAt(),
		/** When it was last saved. */
		updatedAt: updatedAt(),
		/** When it last changed in a way that readers are told of; null where that is when it was last saved. */
		changedAt: time('changed_at'),
		/** When it was last found to be still true as it is. */
		reviewedAt: time('reviewed_at'),
	},
	(t) => [
		index('posts_updated').on(t.updatedAt),
		index('posts_category').on(t.categoryId, t.published, t.publishedAt),
		index('posts_published').on(t.published, t.publishedAt),
		// Builds look for posts that have a picture: without it, through the texts of all.
		index('posts_featured_image')
			.on(t.published, t.publishedAt, t.featuredImage, t.deletedAt, t.id)
			.where(sql`featured_image is not null`),
		// Answers which posts are due, and how many are in each state, without reading their texts.
		index('posts_due').on(
			t.published,
			t.publishedAt,
			t.deletedAt,
			t.changedAt,
			t.updatedAt,
			t.reviewedAt,
			t.staleAfter,
			t.id,
		),
		index('posts_featured').on(t.featured, t.published, t.publishedAt),
	],
);

export const postTags = sqliteTable(
	'post_tags',
	{
		id: id(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		tagId: text('tag_id')
			.notNull()
			.references(() => tags.id, { onDelete: 'cascade' }),
		/** Position in the post's own list of tags. */
		position: integer().notNull().default(0),
	},
	(t) => [
		uniqueIndex('post_tags_post').on(t.postId, t.tagId),
		index('post_tags_tag').on(t.tagId, t.postId),
	],
);

/** The part of a subscriber's address after the @, as it is indexed. */
export const domainOfAddress = sql`substr(email, instr(email, '@') + 1)`;

export const subscribers = sqliteTable(
	'subscribers',
	{
		id: id(),
		/** Lower case. */
		email: text().notNull().unique(),
		active: flag('active').default(true),
		/** The form that the address came from: one of the product's source labels, or a mail list's company field. */
		source: text(),
		/** First name and the rest (product.md section 5), if a form asked for them. */
		name: text(),
		lastName: text('last_name'),
		/** Ids of the only categories whose articles and letters are wanted. Empty for all. */
		topics: text({ mode: 'json' }).$type<string[]>().notNull().default([]),
		/** Whether letters bring whole articles, not excerpts. */
		wantsWhole: flag('wants_whole').default(false),
		/** How often letters are wanted: of each article, as the site sends its issues, or once a month. */
		cadence: text().$type<'each' | 'weekly' | 'monthly'>().notNull().default('weekly'),
		/** No weekly letter is sent before this time. */
		pausedUntil: time('paused_until'),
		/** When it was imported from a file; null for a signup. */
		importedAt: time('imported_at'),
		/** How an address agreed to get letters: as its owner confirmed it, or as whoever imported it or the file stated. */
		consent: text(),
		/** The owner's own words for a group of people. */
		labels: list('labels').default([]),
		/** When the address was last deactivated. */
		leftAt: time('left_at'),
		/**
		 * Permanent refusals of this recipient by a mail server (SMTP 5xx). The second one deactivates the
		 * subscriber; one that is clear counts as two.
		 */
		hardBounces: integer('hard_bounces').notNull().default(0),
		createdAt: createdAt(),
	},
	(t) => [
		index('subscribers_created').on(t.createdAt),
		index('subscribers_active').on(t.active, t.id),
		index('subscribers_source').on(t.source, t.createdAt),
		// Few have labels.
		index('subscribers_labels')
			.on(t.labels)
			.where(sql`labels <> '[]'`),
		// Covering index for the totals.
		index('subscribers_totals').on(t.source, t.active),
		// Covering index for the readers of a mail domain, and those who left lately.
		index('subscribers_domain').on(domainOfAddress, t.leftAt, t.active, t.hardBounces),
	],
);

/** Signups per UTC day and source as they were: nothing that becomes of an address changes them. */
export const signupDays = sqliteTable(
	'signup_days',
	{
		/** Days since 1970-01-01. */
		day: integer().notNull(),
		/** Empty where it is not known. */
		source: text().notNull(),
		signups: integer().notNull(),
	},
	(t) => [primaryKey({ columns: [t.day, t.source] })],
);

/** Requests for the letter, the course or a download that wait for a yes of the address's owner, where the site asks first. */
export const unconfirmed = sqliteTable(
	'unconfirmed',
	{
		/** Sealed in the link of the email that asks. */
		id: id(),
		/** Lower case. */
		email: text().notNull(),
		/** `newsletter`, `course`, or a download. */
		wish: text().notNull(),
		/** The rest of what the form said. */
		details: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		/** Path of the page that the form was on, or empty. */
		page: text().notNull().default(''),
		/** Emails that asked, one or two, and when the last one did. */
		asked: integer().notNull().default(1),
		askedAt: time('asked_at').notNull(),
		/** Kept for a while, so that the link, pressed again, says what has happened. */
		confirmedAt: time('confirmed_at'),
		createdAt: createdAt(),
	},
	(t) => [
		uniqueIndex('unconfirmed_wish').on(t.email, t.wish),
		index('unconfirmed_asked').on(t.askedAt),
	],
);

/** A published number and its source. `value` is null if the source publishes none. */
export type Figure = {
	key: string;
	label: string;
	value: number | null;
	unit: 'people' | 'jobs' | 'US dollars a year' | 'per 1,000 jobs' | 'quotient';
	source: string;
	/** Address of the source's page. */
	link?: string;
	/** ISO date, or year and month. */
	asOf: string;
};

/** The answers on a state's page: who works with AI, the pay, where to study, and the industries and cities. */
export type StateAnswers = Record<'companies' | 'pay' | 'study' | 'industries' | 'cities', string>;

export const states = sqliteTable('states', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	abbreviation: text().notNull(),
	population: integer().notNull(),
	capital: text().notNull(),
	majorCities: list('major_cities'),
	aiCompanies: list('ai_companies'),
	universities: list('universities'),
	techHubs: list('tech_hubs'),
	/** Null if the Bureau of Labor Statistics publishes neither occupation. */
	aiJobs: integer('ai_jobs'),
	/** US dollars a year; null as above. */
	averageSalary: integer('average_salary'),
	keyIndustries: list('key_industries'),
	aiInitiatives: list('ai_initiatives'),
	researchCenters: list('research_centers'),
	startupEcosystem: text('startup_ecosystem').notNull(),
	governmentSupport: list('government_support'),
	answers: text({ mode: 'json' }).$type<Partial<StateAnswers>>().notNull().default({}),
	description: text().notNull(),
	metaTitle: text('meta_title').notNull(),
	metaDescription: text('meta_description').notNull(),
	keywords: list('keywords'),
	/** Every number behind this state's page, each with its source and date; of each kind at most one a year. */
	figures: text({ mode: 'json' }).$type<Figure[]>().notNull(),
	/** Fields as a newer file of content/ has them, until the admin takes or leaves them. Empty if there is none. */
	offer: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

/** A question that a page answers. */
export type Question = { question: string; answer: string };

/** A reader's words on a page. An invented one is only shown while invented proof is on. */
export type Testimonial = {
	name: string;
	role: string;
	content: string;
	/** Out of 5. */
	rating: number;
	invented: boolean;
};

/** Pages that the admin edits: a text of their own, or the lists of a page that is part of the program. */
export const pages = sqliteTable('pages', {
	id: id(),
	slug: text().notNull().unique(),
	title: text().notNull(),
	description: text().notNull().default(''),
	/** Sanitized HTML. */
	content: text().notNull().default(''),
	/** ISO date of the last change that readers should know of; empty for none. */
	dated: text().notNull().default(''),
	published: flag('published').default(false),
	/** Whether the footer links to it. */
	footer: flag('footer').default(false),
	questions: text({ mode: 'json' }).$type<Question[]>().notNull().default([]),
	testimonials: text({ mode: 'json' }).$type<Testimonial[]>().notNull().default([]),
	/** Fields as a newer file of content/ has them, until the admin takes or leaves them. Empty if there is none. */
	offer: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
	/** Counts saved changes, so that a stale form is noticed. */
	version: integer().notNull().default(1),
	createdAt: createdAt(),
	updatedAt: updatedAt(),
});

export const comments = sqliteTable(
	'comments',
	{
		id: id(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		author: text({ length: 100 }).notNull(),
		email: text({ length: 255 }).notNull(),
		/** Plain text, never HTML. */
		content: text().notNull(),
		approved: flag('approved').default(true),
		/** When the admin decided on it. A comment that is neither approved nor reviewed is waiting. */
		reviewedAt: time('reviewed_at'),
		/** A deleted comment is not approved either, and gone for good after 30 days. */
		deletedAt: time('deleted_at'),
		/** The comment that it answers, which answers none itself. Without that one it stands on its own. */
		parentId: text('parent_id').references((): AnySQLiteColumn => comments.id, {
			onDelete: 'set null',
		}),
		/** Whether the admin wrote it, at the desk. */
		byOwner: flag('by_owner').default(false),
		/** Since when it is the first of its post; null for all others. */
		pinnedAt: time('pinned_at'),
		editedAt: time('edited_at'),
		/** Whether its author asked for an email when it is approved or answered. */
		notify: flag('notify').default(false),
		/** Texts before its author edited it, oldest first. */
		earlier: list('earlier').default([]),
		createdAt: createdAt(),
		updatedAt: updatedAt(),
	},
	(t) => [
		index('comments_parent').on(t.parentId),
		index('comments_created').on(t.createdAt),
		index('comments_post').on(t.postId, t.approved, t.createdAt),
		index('comments_limit').on(t.email, t.postId, t.createdAt),
	],
);

// Tables that the product needs besides the entities of product.md section 3.

/** Messages from the contact page. */
export const contactMessages = sqliteTable(
	'contact_messages',
	{
		id: id(),
		name: text().notNull(),
		email: text().notNull(),
		topic: text().notNull(),
		message: text().notNull(),
		state: text().$type<'new' | 'read' | 'archived' | 'spam'>().notNull().default('new'),
		version: integer().notNull().default(1),
		/** When the admin deleted it. It can be restored for 30 days. */
		deletedAt: time('deleted_at'),
		createdAt: createdAt(),
	},
	(t) => [index('contact_messages_created').on(t.createdAt)],
);

/** The admin's replies to a message, each sent as an email of its own. */
export const contactReplies = sqliteTable(
	'contact_replies',
	{
		/** Also the key of its delivery. */
		id: id(),
		messageId: text('message_id')
			.notNull()
			.references(() => contactMessages.id, { onDelete: 'cascade' }),
		text: text().notNull(),
		createdAt: createdAt(),
	},
	(t) => [index('contact_replies_message').on(t.messageId, t.createdAt)],
);

/** Words of readers under an article that asks whether it answered their question. Yes and no are counted as visits are. */
export const feedback = sqliteTable(
	'feedback',
	{
		id: id(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		/** Null where neither was chosen. */
		answer: text().$type<'yes' | 'no'>(),
		words: text().notNull(),
		state: text().$type<'open' | 'done' | 'deleted'>().notNull().default('open'),
		/** When the admin last gave it another state. A deleted one can be restored for 30 days. */
		stateAt: time('state_at'),
		createdAt: createdAt(),
	},
	(t) => [index('feedback_post').on(t.postId), index('feedback_created').on(t.createdAt)],
);

/**
 * Data derived from a post: the article as its page shows it, and the text that search reads. Triggers empty
 * `digest` whenever the post or its tags change, so that stale rows are found without reading content.
 */
export const renderedPosts = sqliteTable(
	'rendered_posts',
	{
		/** Also the rowid of the search index. */
		id: integer().primaryKey(),
		postId: text('post_id')
			.notNull()
			.unique()
			.references(() => posts.id, { onDelete: 'cascade' }),
		/** SHA-256 of `html`, empty when stale. */
		digest: text().notNull(),
		/** Version of the renderer that made the row. */
		renderer: text().notNull(),
		html: text().notNull(),
		headings: text({ mode: 'json' })
			.$type<{ depth: number; slug: string; text: string }[]>()
			.notNull(),
		title: text().notNull(),
		excerpt: text().notNull(),
		tags: text().notNull(),
		/** The article's words, without markup. */
		body: text().notNull(),
		/** The article as Markdown. */
		markdown: text().notNull().default(''),
		searchedAs: text('searched_as').notNull().default(''),
		/** Number of words of `body`: read for all articles at once, from the index alone. */
		words: integer().notNull().default(0),
		/** Marks of the article, as `marksIn` returns them: read likewise. */
		marks: text().notNull().default(''),
		/** The first plot of the article as its cover shows it, as `artOf` writes it, or nothing: read likewise. */
		cover: text().notNull().default(''),
	},
	(t) => [index('rendered_posts_words').on(t.postId, t.digest, t.words, t.marks, t.cover)],
);

/**
 * Pages that readers can find besides articles, and lessons, as the last build read them. Triggers index them as they do
 * `renderedPosts`.
 */
export const searchEntries = sqliteTable('search_entries', {
	/** Also the rowid of its search index. */
	id: integer().primaryKey(),
	/** One of `KINDS`. */
	kind: text().notNull(),
	/** Path of the page. */
	url: text().notNull(),
	title: text().notNull(),
	excerpt: text().notNull(),
	tags: text().notNull(),
	headings: text({ mode: 'json' }).$type<{ slug: string; text: string }[]>().notNull(),
	/** The page's words; each heading has a line of its own. */
	body: text().notNull(),
	/** Digest of the other columns. */
	digest: text().notNull().unique(),
});

/** Numbers of 32 bits, little end first, as libSQL's functions for vectors read them. */
const vector = customType<{ data: Float32Array; driverData: ArrayBuffer | Uint8Array }>({
	// As many numbers as `DIMENSIONS` in src/core/meaning.
	dataType: () => 'F32_BLOB(64)',
	toDriver: (numbers) => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength),
	fromDriver: (stored) =>
		new Float32Array(
			stored instanceof ArrayBuffer ? stored.slice(0) : Uint8Array.from(stored).buffer,
		),
});

/** Meanings of words on this site, as a build has learned them from its texts. */
export const meaningWords = sqliteTable(
	'meaning_words',
	{
		/** Number of the build that learned it; `meaning_basis` in `meta` names the current one. */
		basis: integer().notNull(),
		/** A stem. */
		word: text().notNull(),
		vector: vector().notNull(),
	},
	(t) => [primaryKey({ columns: [t.basis, t.word] })],
);

/** Meanings of texts: sums of their words. A trigger drops rows of articles that change. */
export const meanings = sqliteTable(
	'meanings',
	{
		id: integer().primaryKey(),
		basis: integer().notNull(),
		/** Either an article or something else that is found. */
		articleId: integer('article_id').references(() => renderedPosts.id, { onDelete: 'cascade' }),
		entryId: integer('entry_id').references(() => searchEntries.id, { onDelete: 'cascade' }),
		vector: vector().notNull(),
	},
	(t) => [
		uniqueIndex('meanings_article').on(t.articleId, t.basis),
		uniqueIndex('meanings_entry').on(t.entryId, t.basis),
	],
);

/**
 * Posts of which something that pages show was written, with the number of the last such write. Triggers keep it: a build that
 * knows the site as of one number reads what has a higher one. A deleted post stays in it.
 */
export const changedPosts = sqliteTable(
	'changed_posts',
	{
		postId: text('post_id').primaryKey(),
		write: integer().notNull(),
	},
	(t) => [index('changed_posts_write').on(t.write)],
);

/** Real views and shares, one row per post and UTC day. */
export const postCounts = sqliteTable(
	'post_counts',
	{
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		/** Days since 1970-01-01. */
		day: integer().notNull(),
		views: integer().notNull().default(0),
		shares: integer().notNull().default(0),
	},
	(t) => [
		primaryKey({ columns: [t.postId, t.day] }),
		// Covering index for the sums of a year.
		index('post_counts_day').on(t.day, t.postId, t.views, t.shares),
	],
);

/** Running totals of `post_counts`, updated together with it. Lists of all posts are sorted by them. */
export const postTotals = sqliteTable(
	'post_totals',
	{
		postId: text('post_id')
			.primaryKey()
			.references(() => posts.id, { onDelete: 'cascade' }),
		views: integer().notNull(),
		shares: integer().notNull(),
		/**
		 * Views weighted so that each week counts twice as much as the one before. The order is stable while
		 * old views fade.
		 */
		heat: real().notNull(),
	},
	(t) => [index('post_totals_heat').on(t.heat), index('post_totals_shares').on(t.shares)],
);

/** One row per visitor, post, kind of event and day, so that each counts once. The key is a hash that changes daily. */
export const countedVisits = sqliteTable(
	'counted_visits',
	{
		key: text().primaryKey(),
		/** Days since 1970-01-01. */
		day: integer().notNull(),
	},
	(t) => [index('counted_visits_day').on(t.day)],
);

/**
 * Pages that a visitor opened today, for 48 hours: each once a day. The visitor is a hash that changes daily; of the
 * page that led here only its host is known.
 */
export const visits = sqliteTable(
	'visits',
	{
		visitor: text().notNull(),
		path: text().notNull(),
		/** Chosen by who adds a row, so that its batch can tell the row from one that was there. */
		id: text().notNull(),
		createdAt: createdAt(),
		/** Hours since 1970-01-01. */
		hour: integer().notNull(),
		/** Host, or empty. */
		referrer: text().notNull(),
		/** Source, medium and name of the campaign that the address named, or empty. */
		campaign: text().notNull(),
		/** 1 for the first page of a visitor, and for the first one from this host or campaign; otherwise 0. */
		starts: integer().notNull(),
		fromReferrer: integer('from_referrer').notNull(),
		fromCampaign: integer('from_campaign').notNull(),
		/** Id of the last heading that was reached, and its place among the headings. */
		heading: text(),
		place: integer().notNull().default(-1),
		/** True once the visitor behaved like a program. */
		isBot: flag('is_bot').default(false),
	},
	(t) => [
		primaryKey({ columns: [t.visitor, t.path] }),
		uniqueIndex('visits_id').on(t.id),
		index('visits_created').on(t.createdAt),
	],
);

/** Sums of `visits` by page, host and campaign together, for figures of one page or one source. */
export const visitSources = sqliteTable(
	'visit_sources',
	{
		/** An hour, or 32 days, so that a year is not read by its hours. */
		span: text().$type<'hour' | 'block'>().notNull(),
		/** Number of the span since 1970-01-01. */
		at: integer().notNull(),
		path: text().notNull(),
		referrer: text().notNull(),
		campaign: text().notNull(),
		views: integer().notNull(),
		starts: integer().notNull(),
		fromReferrer: integer('from_referrer').notNull(),
		fromCampaign: integer('from_campaign').notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.span, t.at, t.path, t.referrer, t.campaign] }),
		index('visit_sources_path').on(t.path, t.span, t.at),
		index('visit_sources_referrer').on(t.referrer, t.span, t.at),
		index('visit_sources_campaign').on(t.campaign, t.span, t.at),
	],
);

/** Sums by one thing at a time: pages, hosts, campaigns, hours, searches and what else is counted. */
export const visitSums = sqliteTable(
	'visit_sums',
	{
		/** Name of what is counted: see `visits.server.ts`. */
		by: text().notNull(),
		/** A day, or 32 days, as above. */
		span: text().$type<'day' | 'block'>().notNull(),
		/** Number of the span since 1970-01-01. */
		at: integer().notNull(),
		key: text().notNull(),
		/** How often, by the rule of what is counted. */
		views: integer().notNull(),
		/** How many of them were the first of a visitor. */
		visitors: integer().notNull(),
	},
	(t) => [primaryKey({ columns: [t.by, t.span, t.at, t.key] })],
);

/** Unsaved work on a post: one working copy per post. */
export const drafts = sqliteTable('drafts', {
	postId: text('post_id')
		.primaryKey()
		.references(() => posts.id, { onDelete: 'cascade' }),
	/** The editor's form. */
	form: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
	/** The `posts.version` that it was started from. */
	baseVersion: integer('base_version').notNull(),
	/** Counts autosaves, so that two tabs notice each other. */
	version: integer().notNull().default(1),
	updatedAt: updatedAt(),
});

/** Fields of a post as a newer file of content/ has them, until the admin takes or leaves them. */
export const postOffers = sqliteTable('post_offers', {
	postId: text('post_id')
		.primaryKey()
		.references(() => posts.id, { onDelete: 'cascade' }),
	/** Fields of the editor's form. */
	form: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
});

/** Earlier versions of a post: one per publish and per long pause in writing. */
export const revisions = sqliteTable(
	'revisions',
	{
		id: id(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		reason: text().$type<'publish' | 'pause' | 'restore' | 'import'>().notNull(),
		form: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		createdAt: createdAt(),
	},
	(t) => [index('revisions_post').on(t.postId, t.createdAt)],
);

/** Changes of public posts that readers are told of. */
export const postChanges = sqliteTable(
	'post_changes',
	{
		id: id(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		kind: text().$type<'update' | 'correction'>().notNull(),
		/** A sentence for readers; may be empty. */
		note: text().notNull(),
		/** Passages that differ between the text before and after it, in order. */
		passages: text({ mode: 'json' })
			.$type<{ old: string | null; new: string | null }[]>()
			.notNull(),
		/** The article before it: its title, and its HTML as readers had it, if it was rendered by then. */
		title: text().notNull(),
		html: text(),
		createdAt: createdAt(),
	},
	(t) => [index('post_changes_post').on(t.postId, t.createdAt)],
);

/** Web addresses that public articles link to, and whether they answer. */
export const sources = sqliteTable(
	'sources',
	{
		/** Without a fragment. */
		url: text().primaryKey(),
		/** Ids of the articles. */
		articles: list('articles'),
		checkedAt: time('checked_at'),
		/** Checks in a row that failed. */
		failures: integer().notNull().default(0),
		/** Fault that the last one found; empty for none. */
		said: text().notNull().default(''),
	},
	(t) => [index('sources_checked').on(t.checkedAt)],
);

/** Earlier versions of a state's guide. A trigger keeps each one that a change replaces. */
export const stateRevisions = sqliteTable(
	'state_revisions',
	{
		id: id(),
		stateId: text('state_id')
			.notNull()
			.references(() => states.id, { onDelete: 'cascade' }),
		version: integer().notNull(),
		/** The row's columns as they were stored. */
		columns: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		/** When this version was saved. */
		createdAt: createdAt(),
	},
	(t) => [uniqueIndex('state_revisions_version').on(t.stateId, t.version)],
);

/**
 * Earlier versions of a page. A trigger keeps each one that a change replaces. They outlive a page that is deleted, as long
 * as that can be undone.
 */
export const pageRevisions = sqliteTable(
	'page_revisions',
	{
		id: id(),
		pageId: text('page_id').notNull(),
		version: integer().notNull(),
		/** The row's columns as they were stored. */
		columns: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		/** When this version was saved. */
		createdAt: createdAt(),
	},
	(t) => [uniqueIndex('page_revisions_version').on(t.pageId, t.version)],
);

/** Tables of what is edited whole: its undo takes back all of an action, or nothing. */
export const EDITED_WHOLE = [categories, tags, series, authors, states, pages] as const;

/** Former slugs of posts that have been public. */
export const redirects = sqliteTable(
	'redirects',
	{
		slug: text().primaryKey(),
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		createdAt: createdAt(),
	},
	(t) => [index('redirects_post').on(t.postId)],
);

/**
 * Former slugs of categories, tags, series, authors and pages, renamed or merged. They name the target itself, so that each leads there in one
 * step. A current slug wins over a former one.
 */
export const termRedirects = sqliteTable(
	'term_redirects',
	{
		kind: text().$type<'category' | 'tag' | 'series' | 'author' | 'page'>().notNull(),
		slug: text().notNull(),
		termId: text('term_id').notNull(),
		createdAt: createdAt(),
	},
	(t) => [
		primaryKey({ columns: [t.kind, t.slug] }),
		index('term_redirects_term').on(t.kind, t.termId),
	],
);

/** Former addresses that the admin leads elsewhere. */
export const pathRedirects = sqliteTable('path_redirects', {
	/** A path, perhaps with one `*` in place of a part, `:name` for others, and a `*` at its end for all below it. */
	path: text().primaryKey(),
	/** A path of the site, or an address of another one. */
	target: text().notNull(),
	createdAt: createdAt(),
});

/** How often each former address was asked for, by its rule. Those that lead nowhere any more are kept with their number. */
export const redirectHits = sqliteTable('redirect_hits', {
	path: text().primaryKey(),
	hits: integer().notNull(),
	lastAt: time('last_at').notNull(),
});

/** Images that articles use. */
export const media = sqliteTable(
	'media',
	{
		id: id(),
		/** Original file name. */
		name: text().notNull(),
		/** Detected from the content, never from the name: `image/png` and the like. */
		type: text().notNull(),
		/** Pixels. */
		width: integer().notNull(),
		height: integer().notNull(),
		/** Bytes, at most 4 MB. */
		size: integer().notNull(),
		alt: text().notNull().default(''),
		/** The point that crops keep in sight, as CSS says it: `30% 70%` from the left and from the top. */
		focus: text().notNull().default('50% 50%'),
		/** SHA-256 of the bytes. The same file is stored once. */
		digest: text().notNull().unique(),
		/** A deleted image is served to nobody, and gone for good after 30 days. */
		deletedAt: time('deleted_at'),
		createdAt: createdAt(),
		/** The last column, so that reading the others does not read it. */
		bytes: blob({ mode: 'buffer' }).notNull(),
	},
	(t) => [index('media_created').on(t.createdAt)],
);

/**
 * Articles and images that a build could not show as they are, and why. An article keeps its last rendering; an
 * image is left out. Also rows that no page can be made of, which are left out.
 */
export const contentProblems = sqliteTable(
	'content_problems',
	{
		kind: text()
			.$type<
				| 'post'
				| 'image'
				| 'figure'
				| 'category color'
				| 'download'
				| `${'post' | 'category' | 'tag' | 'series' | 'author' | 'comment' | 'redirect' | 'term redirect' | 'path redirect' | 'image' | 'issue' | 'state' | 'page'} row`
			>()
			.notNull(),
		subjectId: text('subject_id').notNull(),
		/** One sentence. */
		reason: text().notNull(),
		createdAt: createdAt(),
	},
	(t) => [primaryKey({ columns: [t.kind, t.subjectId] })],
);

/** The publish timeline: one row per requested build. */
export const builds = sqliteTable(
	'builds',
	{
		id: id(),
		state: text().$type<'queued' | 'building' | 'live' | 'failed'>().notNull(),
		/** The reason for the build, as text. */
		cause: text().notNull(),
		doing: text(),
		done: integer(),
		total: integer(),
		/** Why it failed, in one sentence. */
		reason: text(),
		requestedAt: time('requested_at').notNull(),
		startedAt: time('started_at'),
		endedAt: time('ended_at'),
	},
	(t) => [index('builds_requested').on(t.requestedAt)],
);

/** The audit log: actor, action, subject and time. Triggers reject updates and deletes. */
export const auditLog = sqliteTable(
	'audit_log',
	{
		id: integer().primaryKey(),
		/** The admin's email address, or the name of a command. */
		actor: text().notNull(),
		/** A verb in the past: `published`, `signed in`. */
		action: text().notNull(),
		/** The target: a kind and an id. */
		subject: text().notNull(),
		/** Details in words, for a person. */
		detail: text(),
		createdAt: createdAt(),
	},
	(t) => [index('audit_log_created').on(t.createdAt)],
);

/** Inverses of actions, by which each can be taken back as a whole. Kept for some weeks. */
export const undo = sqliteTable(
	'undo',
	{
		token: id(),
		/** The action's entry in the log. */
		auditId: integer('audit_id').notNull(),
		/** The rows that it changed, as they were and as it left them. */
		steps: text({ mode: 'json' }).$type<unknown>().notNull(),
		undoneAt: time('undone_at'),
		createdAt: createdAt(),
	},
	(t) => [index('undo_audit').on(t.auditId), index('undo_created').on(t.createdAt)],
);

/** Imported files. Each import can be undone as a whole. */
export const imports = sqliteTable('imports', {
	/** Chosen by the browser, so that a part that is sent again belongs to the same import. */
	id: text().primaryKey(),
	/** The file's name. */
	name: text().notNull(),
	/** The kind of file, such as "WordPress export". */
	kind: text().notNull(),
	undoneAt: time('undone_at'),
	createdAt: createdAt(),
});

/** Rows that an import created or changed. Comments and tags are removed with their posts. */
export const importItems = sqliteTable(
	'import_items',
	{
		importId: text('import_id')
			.notNull()
			.references(() => imports.id, { onDelete: 'cascade' }),
		kind: text()
			.$type<'post' | 'page' | 'category' | 'image' | 'subscriber' | 'changed-subscriber'>()
			.notNull(),
		itemId: text('item_id').notNull(),
		/** The item's own id in the file; of what was changed, its values before and after as JSON. */
		key: text().notNull().default(''),
		/** Whether a post was already public when imported, so that it is no news here. */
		wasPublic: flag('was_public').default(false),
	},
	(t) => [
		primaryKey({ columns: [t.importId, t.kind, t.itemId] }),
		index('import_items_item').on(t.itemId),
	],
);

/** The admin's settings. A missing row means the default. */
export const settings = sqliteTable('settings', {
	key: text().primaryKey(),
	value: text({ mode: 'json' }).$type<unknown>().notNull(),
	updatedAt: updatedAt(),
});

/** Enrollments in the seven-day course. */
export const enrollments = sqliteTable(
	'enrollments',
	{
		id: id(),
		/** Lower case. */
		email: text().notNull().unique(),
		/** Lessons sent or skipped, 0 to 7. */
		lesson: integer().notNull().default(0),
		/** When the next lesson is due; null when done, paused or stopped. */
		nextAt: time('next_at'),
		pausedAt: time('paused_at'),
		stoppedAt: time('stopped_at'),
		/** How its address agreed to get it, where it was asked. */
		consent: text(),
		createdAt: createdAt(),
	},
	(t) => [index('enrollments_next').on(t.nextAt), index('enrollments_created').on(t.createdAt)],
);

/** Issues of the weekly letter, stored before the first email is sent. Each is sent as the letter with its date as id. */
export const issues = sqliteTable('issues', {
	/** ISO date, which is the address of its page. */
	date: text().primaryKey(),
	subject: text().notNull(),
	/** The posts of the issue as they were: id, slug, title, excerpt, category, minutes. */
	posts: text({ mode: 'json' }).$type<Record<string, unknown>[]>().notNull(),
	createdAt: createdAt(),
});

/** Letters to subscribers: issues of the newsletter, and letters of their own. */
export const letters = sqliteTable(
	'letters',
	{
		/** The date of an issue, or an id. */
		id: text().primaryKey(),
		subject: text().notNull(),
		/** Shown after the subject in an inbox. Empty for what follows from the letter. */
		preview: text().notNull().default(''),
		/** The editor's words, as HTML. */
		content: text().notNull().default(''),
		/** The same, ready for email: as HTML, and as plain text. */
		html: text().notNull().default(''),
		text: text().notNull().default(''),
		/** Id of the only category whose readers get it. */
		topic: text(),
		/** The only source of signup whose subscribers get it. */
		source: text(),
		/** The only label whose people get it. */
		label: text(),
		/** Not sent before this time. */
		dueAt: time('due_at'),
		/** Id of the last subscriber whose email is queued. Emails are queued in chunks, in the order of ids. */
		queuedUpTo: text('queued_up_to').notNull().default(''),
		recipients: integer().notNull().default(0),
		/** When the last recipient's email was queued. */
		queuedAt: time('queued_at'),
		/** Since when no more emails leave. */
		pausedAt: time('paused_at'),
		resumedAt: time('resumed_at'),
		/** When it was ended for those who do not have it. */
		stoppedAt: time('stopped_at'),
		/** True if the owner confirmed that readers may get a second letter within a day. */
		confirmed: flag('confirmed').default(false),
		/** Links of an issue besides its articles: title, href, text. */
		links: text({ mode: 'json' }).$type<Record<string, unknown>[]>().notNull().default([]),
		/** Posts of a letter of articles that is no issue, as those of `issues`. */
		posts: text({ mode: 'json' }).$type<Record<string, unknown>[]>().notNull().default([]),
		/** Articles that were opened by its links, and comments that their readers wrote. Nobody is stored with them. */
		readings: integer().notNull().default(0),
		comments: integer().notNull().default(0),
		/** Numbers of its emails by what became of them, kept before those are deleted. */
		outcome: text({ mode: 'json' }).$type<Record<string, unknown>>(),
		createdAt: createdAt(),
	},
	(t) => [
		// Few are open at a time, among all that were ever sent.
		index('letters_open')
			.on(t.createdAt)
			.where(sql`queued_at is null`),
	],
);

/** The admin's sessions. The cookie holds the id and its signature. */
export const sessions = sqliteTable(
	'sessions',
	{
		id: id(),
		userId: text('user_id')
			.notNull()
			.references(() => users.id, { onDelete: 'cascade' }),
		/** The browser's User-Agent. */
		userAgent: text('user_agent').notNull().default(''),
		createdAt: createdAt(),
		expiresAt: time('expires_at').notNull(),
	},
	(t) => [index('sessions_user').on(t.userId), index('sessions_expires').on(t.expiresAt)],
);

/** The app that makes the codes for an admin's sign-in. Without a row the password alone is enough. */
export const authenticators = sqliteTable('authenticators', {
	userId: text('user_id')
		.primaryKey()
		.references(() => users.id, { onDelete: 'cascade' }),
	/** The key that the app shares with us, sealed with the site's secret. */
	key: text().notNull(),
	/** The time step of the newest code that was accepted: it and older ones are refused. */
	usedStep: integer('used_step').notNull(),
	createdAt: createdAt(),
});

/** The codes that stand in for the app where it is lost. Each goes when it is used. */
export const recoveryCodes = sqliteTable(
	'recovery_codes',
	{
		/** A keyed hash of the code, never the code. */
		hash: text().primaryKey(),
		userId: text('user_id')
			.notNull()
			.references(() => users.id, { onDelete: 'cascade' }),
	},
	(t) => [index('recovery_codes_user').on(t.userId)],
);

/** Posts at networks that tell of articles, and articles of which none is to tell. */
export const mentions = sqliteTable(
	'mentions',
	{
		postId: text('post_id')
			.notNull()
			.references(() => posts.id, { onDelete: 'cascade' }),
		network: text().$type<'bluesky' | 'mastodon'>().notNull(),
		/** Address of the post; empty where the article is left out. */
		url: text().notNull().default(''),
		/** Name of the post at the network. */
		ref: text().notNull().default(''),
		replies: integer().notNull().default(0),
		likes: integer().notNull().default(0),
		createdAt: createdAt(),
	},
	(t) => [primaryKey({ columns: [t.postId, t.network] })],
);

/** Programs that may write drafts, and nothing else. One that was revoked is kept, so that the log can name it. */
export const programTokens = sqliteTable('program_tokens', {
	id: id(),
	name: text().notNull(),
	/** A digest of the token, never the token. */
	hash: text().notNull().unique(),
	createdAt: createdAt(),
	/** By the minute. */
	usedAt: time('used_at'),
	revokedAt: time('revoked_at'),
});

/** Posts that a program began. */
export const programDrafts = sqliteTable('program_drafts', {
	postId: text('post_id')
		.primaryKey()
		.references(() => posts.id, { onDelete: 'cascade' }),
	tokenId: text('token_id').notNull(),
	/** The program's name, which outlives its token. */
	program: text().notNull(),
	createdAt: createdAt(),
});

/** Keys of an admin's devices, which sign in without a password. */
export const passkeys = sqliteTable(
	'passkeys',
	{
		/** The credential's id, as the device made it (base64url). */
		id: text().primaryKey(),
		userId: text('user_id')
			.notNull()
			.references(() => users.id, { onDelete: 'cascade' }),
		name: text().notNull(),
		/** COSE, base64url. */
		publicKey: text('public_key').notNull(),
		/** How often the device says it was used; 0 where it does not count. */
		counter: integer().notNull(),
		/** How browsers reach the device. */
		transports: list('transports'),
		createdAt: createdAt(),
		lastUsedAt: time('last_used_at'),
	},
	(t) => [index('passkeys_user').on(t.userId)],
);

/** Tokens that work once and were used: challenges to passkeys and links to a new password. */
export const spentTokens = sqliteTable('spent_tokens', {
	/** A keyed hash of the token, never the token. */
	hash: text().primaryKey(),
	/** When it would have ended by itself. */
	expiresAt: time('expires_at').notNull(),
});

/** Uncaught errors in readers' browsers, one row for each place in the code. Nothing about who had them. */
export const pageErrors = sqliteTable(
	'page_errors',
	{
		/** Digest of the scrubbed message and stack. */
		id: text().primaryKey(),
		message: text().notNull(),
		stack: text().notNull(),
		/** Path of the page where it was seen last, without query. */
		path: text().notNull(),
		/** The browser in which it was seen last: "Firefox on Linux". */
		browser: text().notNull(),
		/** Versions of the site's code in which it was seen first and last. */
		firstVersion: text('first_version').notNull(),
		lastVersion: text('last_version').notNull(),
		count: integer().notNull().default(1),
		firstAt: time('first_at').notNull(),
		lastAt: time('last_at').notNull(),
	},
	(t) => [index('page_errors_last').on(t.lastAt)],
);

/** One row per counted attempt; a limit is a count of rows in a window. */
export const rateLimits = sqliteTable(
	'rate_limits',
	{
		id: id(),
		/** Name of the limit and a keyed hash of its subject, never an IP or email address. */
		key: text().notNull(),
		createdAt: createdAt(),
	},
	(t) => [
		index('rate_limits_key').on(t.key, t.createdAt),
		index('rate_limits_created').on(t.createdAt),
	],
);

/** Everything that is sent to the outside, written in the same batch as its cause. */
export const outbox = sqliteTable(
	'outbox',
	{
		id: id(),
		kind: text().notNull(),
		/** Together with `kind` identifies what must happen only once. */
		key: text().notNull(),
		/** Recipient; null if it is not a person. */
		recipient: text(),
		payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		attempts: integer().notNull().default(0),
		/** When the next attempt is due; null once delivered or failed. */
		dueAt: time('due_at'),
		/** A worker that holds the row loses it at this time. */
		leasedUntil: time('leased_until'),
		deliveredAt: time('delivered_at'),
		/** When the last attempt failed permanently. */
		failedAt: time('failed_at'),
		lastError: text('last_error'),
		createdAt: createdAt(),
	},
	(t) => [
		uniqueIndex('outbox_once').on(t.kind, t.key),
		// Open deliveries are queried all the time, among many more that are closed.
		index('outbox_due')
			.on(t.dueAt)
			.where(sql`due_at is not null`),
		index('outbox_failed')
			.on(t.failedAt)
			.where(sql`failed_at is not null`),
		index('outbox_created').on(t.createdAt),
		index('outbox_recipient').on(t.recipient, t.createdAt),
	],
);

/** Facts about the database itself: which content was seeded, when the site was last built. */
export const meta = sqliteTable('meta', {
	key: text().primaryKey(),
	value: text().notNull(),
});
