import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '#db/client.ts';
import * as schema from '#db/schema.ts';
import { WISHES } from '#src/features/confirmation/confirmation.ts';
import { slugify } from '#src/lib/slug.ts';
import { TEXTS as SENTENCES } from '#src/texts.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { ANSWERS, FEEDBACK_STATES, WORDS_LIMIT } from '#src/features/feedback/feedback.ts';
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '#src/features/media/media.ts';
import { NOTE_LIMIT } from '#src/features/posts/changes.ts';
import { draftForm, lengthOf, POST_LIMITS } from '#src/features/posts/editing.ts';
import { FLAGS, record, TEXTS } from '#src/features/posts/fields.ts';
import { DIMENSIONS } from '#src/core/meaning/meaning.ts';
import { settingsInput } from '#src/core/settings/setting.ts';
import { email } from '#src/lib/email.ts';

const text = (max: number, min = 0) => z.string().check(z.minLength(min), z.maxLength(max));
const id = text(100, 1);
/** An address made of words, of any script. */
const slug = z.string().check(
	z.minLength(1),
	z.maxLength(100),
	z.refine((one) => slugify(one) === one),
);
const time = z.date();
const when = z.nullable(time);
const count = z.int().check(z.gte(0));
/** Without a query, and a host without anything else. */
const visitedPath = z.string().check(z.regex(/^\/[^?#]*$/), z.maxLength(300));
const visitedHost = z.string().check(z.regex(/^[\w.-]*$/), z.maxLength(100));
const direction = z.custom<Float32Array>(
	(value) =>
		value instanceof Float32Array && value.length === DIMENSIONS && value.every(Number.isFinite),
);
const json = z.record(z.string(), z.unknown());
const words = z.nullable(text(100));
/** An archive may bring longer texts than the editor takes: they stay as long. */
const imported = text(2_000_000);

/** Rules for the rows of each table, whoever wrote them. */
const ROWS: Record<string, z.ZodMiniType> = {
	users: z.object({ id, username: text(100, 1), email: email(), password: text(500, 1) }),
	categories: z.object({
		id,
		name: text(100, 1),
		slug: text(100, 1),
		description: z.nullable(text(500)),
		color: z.string().check(z.regex(/^#[0-9a-f]{6}$/i)),
		position: z.nullable(count),
		cover: z.nullable(text(100, 1)),
		version: z.int().check(z.gte(1)),
	}),
	tags: z.object({
		id,
		name: text(500, 1),
		slug: text(100, 1),
		description: z.nullable(text(500)),
		version: z.int().check(z.gte(1)),
	}),
	series: z.object({
		id,
		name: text(100, 1),
		slug: text(100, 1),
		description: z.nullable(text(500)),
		articles: z.array(id),
		version: z.int().check(z.gte(1)),
	}),
	authors: z.object({
		id,
		name: text(100, 1),
		slug: text(100, 1),
		description: z.nullable(text(1000)),
		picture: z.string(),
		links: z.array(z.object({ label: text(60), href: text(500) })),
		version: z.int().check(z.gte(1)),
	}),
	term_redirects: z.object({
		kind: z.enum(['category', 'tag', 'series', 'author', 'page']),
		slug: text(100, 1),
		termId: id,
		createdAt: time,
	}),
	path_redirects: z.object({ path: text(500, 2), target: text(1000, 1), createdAt: time }),
	redirect_hits: z.object({ path: text(500, 1), hits: z.int().check(z.gte(1)), lastAt: time }),
	program_tokens: z.object({
		id,
		name: text(60, 1),
		hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
		createdAt: time,
		usedAt: when,
		revokedAt: when,
	}),
	program_drafts: z.object({ postId: id, tokenId: id, program: text(60, 1), createdAt: time }),
	unconfirmed: z.object({
		id,
		email: email(),
		wish: z.enum(WISHES),
		details: json,
		page: text(200),
		asked: z.int().check(z.gte(1), z.lte(2)),
		askedAt: time,
		confirmedAt: when,
		createdAt: time,
	}),
	undo: z.object({
		token: id,
		auditId: count,
		steps: z.object({ steps: z.array(z.unknown()), builds: z.boolean() }),
		undoneAt: when,
		createdAt: time,
	}),
	posts: z.object({
		id,
		...record(TEXTS, () => z.nullable(text(2000))),
		title: text(2000, 1),
		slug,
		excerpt: z.nullable(imported),
		content: z.string(),
		author: text(2000, 1),
		...record(FLAGS, () => z.boolean()),
		readTime: z.int().check(z.gte(1)),
		publishedAt: when,
		version: z.int().check(z.gte(1)),
		deletedAt: when,
		createdAt: time,
		updatedAt: time,
	}),
	post_tags: z.object({ id, position: count }),
	subscribers: z.object({
		id,
		email: email(),
		active: z.boolean(),
		source: words,
		name: words,
		lastName: words,
		pausedUntil: when,
		leftAt: when,
		hardBounces: count,
		labels: z.array(text(60, 1)).check(z.maxLength(20)),
		createdAt: time,
	}),
	signup_days: z.object({ day: count, source: text(100), signups: z.int().check(z.gte(1)) }),
	states: z.object({ id, slug }),
	state_revisions: z.object({
		id,
		stateId: id,
		version: z.int().check(z.gte(1)),
		columns: z.looseObject({ capital: z.string(), description: z.string() }),
		createdAt: time,
	}),
	pages: z.object({
		id,
		slug,
		title: text(200, 1),
		description: text(500),
		dated: z.string(),
		published: z.boolean(),
		footer: z.boolean(),
		questions: z.array(z.object({ question: text(300, 1), answer: text(3000, 1) })),
		testimonials: z.array(
			z.object({
				name: text(100, 1),
				role: text(200),
				content: text(2000, 1),
				rating: z.int().check(z.gte(1), z.lte(5)),
				invented: z.boolean(),
			}),
		),
		version: z.int().check(z.gte(1)),
		createdAt: time,
		updatedAt: time,
	}),
	page_revisions: z.object({
		id,
		pageId: id,
		version: z.int().check(z.gte(1)),
		columns: z.looseObject({ slug }),
		createdAt: time,
	}),
	comments: z.object({
		id,
		author: text(100),
		email: text(255),
		content: text(20_000),
		approved: z.boolean(),
		parentId: z.nullable(id),
		byOwner: z.boolean(),
		pinnedAt: when,
		editedAt: when,
		notify: z.boolean(),
		earlier: z.array(text(20_000)),
		reviewedAt: when,
		createdAt: time,
		updatedAt: time,
	}),
	contact_messages: z.object({
		id,
		name: text(100, 1),
		email: email(),
		topic: z.enum(SENTENCES.topics.sample.split('\n')),
		message: text(5000, 1),
		state: z.enum(['new', 'read', 'archived', 'spam']),
		version: z.int().check(z.gte(1)),
		deletedAt: when,
		createdAt: time,
	}),
	feedback: z.object({
		id,
		postId: id,
		answer: z.nullable(z.enum(ANSWERS)),
		words: text(WORDS_LIMIT, 1),
		state: z.enum(FEEDBACK_STATES),
		stateAt: when,
		createdAt: time,
	}),
	contact_replies: z.object({ id, messageId: id, text: text(10_000, 1), createdAt: time }),
	rendered_posts: z.object({ postId: id, digest: z.string(), html: z.string() }),
	post_counts: z.object({ day: count, views: count, shares: count }),
	post_totals: z.object({ views: count, shares: count, heat: z.number() }),
	counted_visits: z.object({ key: text(100, 1), day: count }),
	visits: z.object({
		visitor: z.string().check(z.regex(/^[\w-]{43}$/)),
		path: visitedPath,
		id,
		createdAt: time,
		hour: count,
		referrer: visitedHost,
		campaign: text(100),
		starts: count,
		fromReferrer: count,
		fromCampaign: count,
		heading: z.nullable(text(300)),
		place: z.int().check(z.gte(-1)),
		isBot: z.boolean(),
	}),
	visit_sources: z.object({
		span: z.enum(['hour', 'block']),
		at: count,
		path: visitedPath,
		referrer: visitedHost,
		campaign: text(100),
		views: count,
		starts: count,
		fromReferrer: count,
		fromCampaign: count,
	}),
	visit_sums: z.object({
		by: z
			.string()
			.check(
				z.regex(
					/^(page|referrer|campaign|hour|end|stop \/blog\/[^?#]+|search|nothing|signup|asked|fetched|answered|helped)$/,
				),
			),
		span: z.enum(['day', 'block']),
		at: count,
		key: text(400),
		views: count,
		visitors: count,
	}),
	drafts: z.object({
		postId: id,
		form: draftForm,
		baseVersion: z.int().check(z.gte(0)),
		version: z.int().check(z.gte(1)),
		updatedAt: time,
	}),
	post_offers: z.object({ postId: id, form: z.record(z.string(), z.unknown()) }),
	sources: z.object({
		url: z.string().check(z.regex(/^https?:\/\/[^#]+$/)),
		articles: z.array(id),
		checkedAt: when,
		failures: count,
		said: text(200),
	}),
	revisions: z.object({
		id,
		reason: z.enum(['publish', 'pause', 'restore', 'import']),
		form: draftForm,
		createdAt: time,
	}),
	search_entries: z.object({
		id: count,
		kind: text(20, 1),
		url: text(2000, 1),
		title: imported,
		excerpt: imported,
		tags: imported,
		headings: z.array(z.object({ slug: text(500, 1), text: imported })),
		body: imported,
		digest: text(100, 1),
	}),
	meaning_words: z.object({ basis: count, word: text(32, 1), vector: direction }),
	meanings: z.object({ id: count, basis: count, vector: direction }),
	changed_posts: z.object({ postId: id, write: count }),
	post_changes: z.object({
		id,
		kind: z.enum(['update', 'correction']),
		note: text(NOTE_LIMIT),
		title: imported,
		html: z.nullable(z.string()),
		passages: z.array(z.object({ old: z.nullable(z.string()), new: z.nullable(z.string()) })),
		createdAt: time,
	}),
	redirects: z.object({ slug: text(2000, 1), createdAt: time }),
	media: z.object({
		id,
		name: text(500, 1),
		type: z.enum(IMAGE_TYPES),
		width: z.int().check(z.gte(1)),
		height: z.int().check(z.gte(1)),
		size: z.int().check(z.gte(1), z.lte(MAX_IMAGE_BYTES)),
		alt: text(500),
		digest: text(64, 64),
		createdAt: time,
	}),
	builds: z.object({
		id,
		state: z.enum(['queued', 'building', 'live', 'failed']),
		cause: text(10_000, 1),
		requestedAt: time,
	}),
	audit_log: z.object({
		actor: text(255, 1),
		action: text(100, 1),
		subject: text(500, 1),
		createdAt: time,
	}),
	imports: z.object({ id, name: text(500), kind: text(50, 1), undoneAt: when, createdAt: time }),
	content_problems: z.object({
		kind: z.enum([
			'post',
			'image',
			'category color',
			'download',
			'post row',
			'category row',
			'tag row',
			'series row',
			'author row',
			'comment row',
			'redirect row',
			'term redirect row',
			'path redirect row',
			'image row',
			'issue row',
			'state row',
			'page row',
		]),
		subjectId: id,
		reason: text(300),
		createdAt: time,
	}),
	import_items: z.object({
		importId: id,
		kind: z.enum(['post', 'page', 'category', 'image', 'subscriber', 'changed-subscriber']),
		itemId: id,
		key: text(500),
	}),
	settings: z.object({
		key: z.enum([...Object.keys(settingsInput.shape), 'next-issue']),
		value: z.unknown(),
	}),
	enrollments: z.object({
		id,
		email: email(),
		lesson: z.int().check(z.gte(0), z.lte(LESSONS.length)),
		nextAt: when,
		pausedAt: when,
		stoppedAt: when,
		createdAt: time,
	}),
	mentions: z.object({ postId: id, replies: count, likes: count, createdAt: time }),
	issues: z.object({ date: z.iso.date() }),
	letters: z.object({ subject: text(150, 1), recipients: count, readings: count, comments: count }),
	sessions: z.object({ id, userAgent: text(300), expiresAt: time }),
	authenticators: z.object({ userId: id, key: text(500, 1), usedStep: count, createdAt: time }),
	passkeys: z.object({
		id: text(1400, 1),
		userId: id,
		name: text(60, 1),
		publicKey: text(10_000, 1),
		counter: count,
		transports: z.array(text(30)),
		createdAt: time,
		lastUsedAt: when,
	}),
	spent_tokens: z.object({ hash: z.string().check(z.regex(/^[\w-]{43}$/)), expiresAt: time }),
	page_errors: z.object({
		id: text(32, 1),
		message: text(200),
		stack: text(2000, 1),
		path: text(200),
		browser: text(100, 1),
		firstVersion: text(8, 8),
		lastVersion: text(8, 8),
		count: z.int().check(z.gte(1)),
		firstAt: time,
		lastAt: time,
	}),
	recovery_codes: z.object({ hash: z.string().check(z.regex(/^[\w-]{43}$/)), userId: id }),
	rate_limits: z.object({
		key: z.string().check(z.regex(/^[a-z-]+:[\w-]{20,100}$/)),
		createdAt: time,
	}),
	outbox: z.object({
		id,
		kind: text(50, 1),
		key: text(500, 1),
		recipient: z.nullable(email()),
		payload: json,
		attempts: count,
		dueAt: when,
		createdAt: time,
	}),
	meta: z.object({ key: text(100, 1), value: z.string() }),
};

/** Returns what is stored and should not be: rows that break a rule, references that lead nowhere, a damaged file or index. */
export async function wrongRows(db: Db): Promise<{ rows: number; problems: string[] }> {
	const problems: string[] = [];
	let rows = 0;
	const tables = Object.values(schema).filter((one) => is(one, SQLiteTable));
	for (const table of tables) {
		const name = getTableName(table);
		const rule = ROWS[name];
		if (!rule) {
			problems.push(`${name}: no rule says what its rows may be`);
			continue;
		}
		const columns = Object.fromEntries(
			Object.entries(getTableColumns(table)).filter(([column]) => column !== 'bytes'),
		);
		for (const row of await db.select(columns).from(table)) {
			rows++;
			const { error } = rule.safeParse(row);
			for (const { path, message } of error?.issues ?? []) {
				const value = JSON.stringify((row as Record<string, unknown>)[String(path[0])]);
				problems.push(`${name}.${path.join('.')}: ${message}: ${value?.slice(0, 100)}`);
			}
		}
	}
	// What was imported may be longer.
	const typed = await db.all<{ slug: string; title: string; excerpt: string; content: string }>(
		sql`select slug, title, coalesce(excerpt, '') as excerpt, content from posts
			where not exists (select 1 from revisions r where r.post_id = posts.id and r.reason = 'import')`,
	);
	const fields = ['title', 'excerpt', 'content'] as const;
	const long = typed.filter((post) =>
		fields.some((field) => lengthOf(field, post[field]) > POST_LIMITS[field]),
	);
	for (const one of long) problems.push(`posts: ${one.slug} is longer than its form takes`);
	const integrity = await db.all<{ integrity_check: string }>(sql`pragma integrity_check`);
	if (integrity[0]?.integrity_check !== 'ok')
		problems.push(`integrity: ${JSON.stringify(integrity)}`);
	const foreign = await db.all<object>(sql`pragma foreign_key_check`);
	if (foreign.length > 0) problems.push(`foreign keys: ${JSON.stringify(foreign.slice(0, 5))}`);
	return { rows, problems };
}
