import { sql } from 'drizzle-orm';
import {
	index,
	integer,
	primaryKey,
	sqliteTable,
	text,
	uniqueIndex,
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

// Specification section 3, in its order.

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
	/** Place in the home page's grid; categories without one come last, by name. */
	position: integer(),
	createdAt: createdAt(),
});

export const tags = sqliteTable('tags', {
	id: id(),
	name: text().notNull().unique(),
	slug: text().notNull().unique(),
	createdAt: createdAt(),
});

export const posts = sqliteTable(
	'posts',
	{
		id: id(),
		title: text().notNull(),
		slug: text().notNull().unique(),
		excerpt: text(),
		/** Sanitised HTML, without highlighting or heading ids: see `renderedPosts`. */
		content: text().notNull(),
		featuredImage: text('featured_image'),
		metaTitle: text('meta_title'),
		metaDescription: text('meta_description'),
		author: text().notNull(),
		categoryId: text('category_id')
			.notNull()
			.references(() => categories.id, { onDelete: 'restrict' }),
		published: flag('published').default(false),
		featured: flag('featured').default(false),
		/** Minutes. */
		readTime: integer('read_time').notNull().default(5),
		publishedAt: time('published_at'),
		createdAt: createdAt(),
		updatedAt: updatedAt(),
	},
	(t) => [
		index('posts_category').on(t.categoryId, t.published, t.publishedAt),
		index('posts_published').on(t.published, t.publishedAt),
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
		/** Place in the post's own list of tags. */
		position: integer().notNull().default(0),
	},
	(t) => [
		uniqueIndex('post_tags_post').on(t.postId, t.tagId),
		index('post_tags_tag').on(t.tagId, t.postId),
	],
);

export const subscribers = sqliteTable('subscribers', {
	id: id(),
	/** Lower case. */
	email: text().notNull().unique(),
	active: flag('active').default(true),
	/** Which form the address came from: one of the specification's source labels, or a mail list's company field. */
	source: text(),
	createdAt: createdAt(),
});

/** A published number with where it comes from. `value` is null where the source publishes none. */
export type Figure = {
	key: string;
	label: string;
	value: number | null;
	unit: 'people' | 'jobs' | 'US dollars a year' | 'per 1,000 jobs' | 'quotient';
	source: string;
	/** ISO date, or year and month. */
	asOf: string;
};

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
	/** Null where the Bureau of Labor Statistics publishes neither occupation. */
	aiJobs: integer('ai_jobs'),
	/** US dollars a year; null as above. */
	averageSalary: integer('average_salary'),
	keyIndustries: list('key_industries'),
	aiInitiatives: list('ai_initiatives'),
	researchCenters: list('research_centers'),
	startupEcosystem: text('startup_ecosystem').notNull(),
	governmentSupport: list('government_support'),
	description: text().notNull(),
	metaTitle: text('meta_title').notNull(),
	metaDescription: text('meta_description').notNull(),
	keywords: list('keywords'),
	/** Every number behind this state's page, each with its source and date. */
	figures: text({ mode: 'json' }).$type<Figure[]>().notNull(),
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
		createdAt: createdAt(),
		updatedAt: updatedAt(),
	},
	(t) => [
		index('comments_post').on(t.postId, t.approved, t.createdAt),
		index('comments_limit').on(t.email, t.postId, t.createdAt),
	],
);

// What the product needs beside the specification's entities.

/** Messages of the contact page. */
export const contactMessages = sqliteTable(
	'contact_messages',
	{
		id: id(),
		name: text().notNull(),
		email: text().notNull(),
		topic: text().notNull(),
		message: text().notNull(),
		createdAt: createdAt(),
	},
	(t) => [index('contact_messages_created').on(t.createdAt)],
);

/**
 * What is derived from a post: its article as the page shows it, and the text that search reads.
 * Triggers empty `digest` whenever the post or its tags change, so that stale rows are found without reading content.
 */
export const renderedPosts = sqliteTable('rendered_posts', {
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
});

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
	(t) => [primaryKey({ columns: [t.postId, t.day] }), index('post_counts_day').on(t.day)],
);

/** The admin's sign-ins. The cookie holds the id and a signature of it. */
export const sessions = sqliteTable(
	'sessions',
	{
		id: id(),
		userId: text('user_id')
			.notNull()
			.references(() => users.id, { onDelete: 'cascade' }),
		createdAt: createdAt(),
		expiresAt: time('expires_at').notNull(),
	},
	(t) => [index('sessions_user').on(t.userId), index('sessions_expires').on(t.expiresAt)],
);

/** One row per counted attempt; a limit is a count of rows in a window. */
export const rateLimits = sqliteTable(
	'rate_limits',
	{
		id: id(),
		/** Name of the limit and a keyed hash of whom it holds: never an address or an e-mail. */
		key: text().notNull(),
		createdAt: createdAt(),
	},
	(t) => [
		index('rate_limits_key').on(t.key, t.createdAt),
		index('rate_limits_created').on(t.createdAt),
	],
);

/** What must leave the building, written in the same batch as its cause (decisions, "Newsletter, mail, course"). */
export const outbox = sqliteTable(
	'outbox',
	{
		id: id(),
		kind: text().notNull(),
		/** Together with `kind`, says what must happen only once. */
		key: text().notNull(),
		payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
		attempts: integer().notNull().default(0),
		/** When the next attempt is due; null once delivered or given up. */
		dueAt: time('due_at'),
		/** A worker that holds the row gives it up at this time. */
		leasedUntil: time('leased_until'),
		deliveredAt: time('delivered_at'),
		lastError: text('last_error'),
		createdAt: createdAt(),
	},
	(t) => [uniqueIndex('outbox_once').on(t.kind, t.key), index('outbox_due').on(t.dueAt)],
);

/** Facts about the database itself: which content was seeded, when the site was last built. */
export const meta = sqliteTable('meta', {
	key: text().primaryKey(),
	value: text().notNull(),
});
