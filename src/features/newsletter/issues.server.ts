import { and, desc, eq, gt, inArray, lt, lte, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import {
	categories,
	importItems,
	issues,
	letters,
	meta,
	posts,
	renderedPosts,
	users,
} from '#db/schema.ts';
import {
	readerLinks,
	renderEmail,
	type RenderedEmail,
	type Writer,
} from '#src/core/outbox/mail.server.ts';
import { WithdrawnError } from '#src/core/outbox/outbox.ts';
import { plotIn, undrawnFigures, withoutPictures } from '#src/core/figures/pictures.server.ts';
import { isReadable } from '#src/core/builds/rows.server.ts';
import { tolerant } from '#db/tolerant.ts';
import { getSettings } from '#src/core/settings/settings.server.ts';
import { listCorrections, type Correction } from '#src/features/posts/changes.server.ts';
import { categoryRef, isPublic, newestFirst } from '#src/features/posts/posts.server.ts';
import { plainText } from '#src/core/outbox/plain-text.ts';
import { getEnv, getSecret } from '#src/lib/env.ts';
import { DAY, isoDay } from '#src/lib/dates.ts';
import { paths, site } from '#src/site.ts';
import { cadenceOf, cadenceWords, subjectOf, titleOf } from './cadence.ts';
import {
	CAMPAIGN,
	headlineOf,
	issueEmail,
	issueSubject,
	MAX_POSTS,
	welcomeEmail,
	type Issue,
	type IssueCorrection,
	type IssuePost,
} from './issue.ts';
import {
	activeReader,
	forReader,
	readerOfLetter,
	sharedLinks,
	topicsOf,
} from './letters.server.ts';
import { readLinks, type IssueLink } from './next-issue.ts';

/** Number of articles in a welcome email. */
const WELCOME_POSTS = 3;

const isShown = isReadable('issue row', issues.date);

const postColumns = {
	id: posts.id,
	slug: posts.slug,
	title: posts.title,
	excerpt: posts.excerpt,
	category: categoryRef.name,
	minutes: posts.readTime,
};

/** Posts that were public elsewhere before they were imported are not news, whatever their date. */
const isNews = sql`not exists (select 1 from ${importItems}
	where ${importItems.itemId} = ${posts.id} and ${importItems.wasPublic} = 1)`;

/** Returns public posts that match a condition, newest first. */
export function selectPosts(db: Db, now: Date, where?: SQL, limit = -1): Promise<IssuePost[]> {
	return db
		.select(postColumns)
		.from(posts)
		.innerJoin(categories, eq(categories.id, posts.categoryId))
		.where(and(isPublic(now), where))
		.orderBy(...newestFirst)
		.limit(limit);
}

/** Returns posts that were first published here after `since`, and not after `until`. */
export function selectNews(db: Db, now: Date, since: Date, until = now): Promise<IssuePost[]> {
	const isBetween = and(gt(posts.publishedAt, since), lte(posts.publishedAt, until));
	return selectPosts(db, now, and(isBetween, isNews));
}

/**
 * Returns the corrections of public articles that an issue created at `until` tells of: those since the issue before it,
 * and for the first one those since the site has its admin. Sample articles came with corrections of their own.
 */
export async function correctionsUntil(
	db: Db,
	all: Correction[],
	until: Date,
): Promise<IssueCorrection[]> {
	const [before] = await db
		.select({ createdAt: issues.createdAt })
		.from(issues)
		.where(and(lt(issues.createdAt, until), isShown))
		.orderBy(desc(issues.createdAt))
		.limit(1);
	const [started] = before
		? [before]
		: await db.select({ createdAt: users.createdAt }).from(users).limit(1);
	const since = (started?.createdAt ?? until).toISOString();
	return all
		.filter(({ kind, at }) => kind === 'correction' && at > since && at <= until.toISOString())
		.map(({ slug, title, note }) => ({ slug, title, note }));
}

/** `words` is the HTML of the editor's words. */
type StoredIssue = Issue & { words: string; links: IssueLink[]; createdAt: Date };

const SAMPLE_POSTS = 3;

/** Returns an issue of the articles that come with the site, dated on a Thursday: what the archive shows before the first one. */
async function sampleIssue(db: Db): Promise<StoredIssue[]> {
	if (!site.hasSamples) return [];
	const now = new Date();
	const isSample = sql`exists (select 1 from ${meta} where ${meta.key} = 'seed:post/' || ${posts.slug})`;
	const [newest] = await db
		.select({ at: posts.publishedAt })
		.from(posts)
		.where(and(isPublic(now), isSample))
		.orderBy(desc(posts.publishedAt))
		.limit(1);
	if (!newest?.at) return [];
	const date = isoDay(new Date(newest.at.getTime() - ((newest.at.getUTCDay() + 3) % 7) * DAY));
	const createdAt = new Date(`${date}T23:59:59Z`);
	const told = await selectPosts(
		db,
		now,
		and(isSample, lte(posts.publishedAt, createdAt)),
		SAMPLE_POSTS,
	);
	if (told.length === 0) return [];
	const words = '<p>A sample of the letter: the newest articles, each with what it found.</p>';
	return [{ date, subject: issueSubject(told), posts: told, words, links: [], createdAt }];
}

/** Returns the issues that can be read, newest first. */
export async function listIssues(db: Db): Promise<StoredIssue[]> {
	const rows = await db
		.select({ issue: issues, ...tolerant({ words: letters.content, links: letters.links }) })
		.from(issues)
		.leftJoin(letters, eq(letters.id, issues.date))
		.where(isShown)
		.orderBy(desc(issues.date));
	if (rows.length === 0) return sampleIssue(db);
	return rows.map(({ issue: { date, subject, posts: issuePosts, createdAt }, words, links }) => ({
		date,
		subject,
		posts: issuePosts as IssuePost[],
		words: words ?? '',
		links: readLinks(links),
		createdAt,
	}));
}

/** Writes the emails of issues, with the articles of the reader's topics. */
export function digestWriter(db: Db): Writer {
	const known = new Map<string, ReturnType<typeof readIssue>>();
	const rendered = new Map<string, Promise<RenderedEmail>>();
	return async (delivery, now) => {
		const { recipient, payload } = delivery;
		const { issue: date, online } = payload as { issue: string; online: boolean };
		const { topics, wantsWhole } = await readerOfLetter(db, date, delivery, now);
		if (!known.has(date)) known.set(date, readIssue(db, date));
		const { issue, topicOf } = await known.get(date)!;
		const wanted = issue.posts.filter(
			({ id }) => topics.length === 0 || topics.includes(topicOf.get(id) ?? ''),
		);
		if (wanted.length === 0 && !issue.note && !issue.links?.length)
			throw new WithdrawnError('It has no article of the topics that the reader chose.');
		const key = JSON.stringify([date, online, wantsWhole, wanted.map(({ id }) => id)]);
		if (!rendered.has(key)) {
			const isUsual = issue.subject === subjectOf(date, issue.posts);
			const subject = isUsual ? subjectOf(date, wanted) : issue.subject;
			const render = async () => {
				const shown = wantsWhole ? await withWholeArticles(db, wanted, now) : wanted;
				const posts = await withLead(db, shown, now);
				const isClaim = posts[0]?.lead && cadenceOf(date) !== 'monthly';
				const title = isClaim ? headlineOf(posts) : titleOf(date, posts.length);
				const told = { ...issue, subject, title, posts };
				return renderEmail(issueEmail(told, getEnv().SITE_URL, sharedLinks(), online));
			};
			rendered.set(key, render());
		}
		return forReader(await rendered.get(key)!, recipient!);
	};
}

async function readIssue(db: Db, date: string) {
	const [row] = await db
		.select({ letter: tolerant(letters), ...tolerant({ listed: issues.posts }) })
		.from(letters)
		.leftJoin(issues, eq(letters.id, issues.date))
		.where(eq(letters.id, date));
	if (!row) throw new WithdrawnError('There is no such issue any more.');
	const { subject, preview, html, text, links, createdAt } = row.letter;
	// Null where it is no issue.
	const told = row.listed ?? row.letter.posts;
	const all = await listCorrections(db, new Date());
	const issue: Issue = {
		...{ date, subject, preview },
		day: row.listed ? date : isoDay(createdAt),
		posts: told as IssuePost[],
		links: readLinks(links),
		...(cadenceOf(date) === 'monthly' && { most: 3 * MAX_POSTS }),
		...(row.listed && { corrections: await correctionsUntil(db, all, createdAt) }),
		...(html && { note: { html, text } }),
	};
	return { issue, topicOf: await topicsOf(db, told) };
}

/** Adds what the first plot of the first of these articles says and shows. */
export async function withLead(db: Db, listed: IssuePost[], now: Date): Promise<IssuePost[]> {
	const [first, ...others] = listed;
	const [row] = await db
		.select(tolerant({ html: renderedPosts.html }))
		.from(renderedPosts)
		.innerJoin(posts, eq(posts.id, renderedPosts.postId))
		.where(and(eq(posts.id, first?.id ?? ''), isPublic(now)));
	const plot = row && plotIn(row.html, await undrawnFigures(db));
	if (!first || !plot) return listed;
	const { caption, ...picture } = plot;
	return [{ ...first, lead: { claim: caption.replace(/\.$/, ''), picture } }, ...others];
}

/** Gmail cuts an email off after 102 KB. The letter around the articles takes less than the rest. */
const MAX_WHOLE_BYTES = 80_000;

/** Returns articles with their text, as many of the first ones as an email can hold. The others stay excerpts. */
async function withWholeArticles(db: Db, listed: IssuePost[], now: Date): Promise<IssuePost[]> {
	const { id, slug } = posts;
	const { html, markdown } = renderedPosts;
	const articles = await db
		.select(tolerant({ id, slug, html, markdown }))
		.from(posts)
		.innerJoin(renderedPosts, eq(renderedPosts.postId, id))
		.where(and(inArray(id, ['', ...listed.map((post) => post.id)]), isPublic(now)));
	// Slow to load, and most letters bring excerpts.
	const { emailHtml } = await import('#src/core/outbox/email-html.server.ts');
	const sender = { siteUrl: getEnv().SITE_URL, campaign: CAMPAIGN };
	const undrawn = [...(await undrawnFigures(db))];
	const found: IssuePost[] = [];
	let left = MAX_WHOLE_BYTES;
	for (const post of listed) {
		const article = articles.find((one) => one.id === post.id);
		const page = paths.post(post.slug);
		const from = { ...sender, page };
		const email = article ? await emailHtml(withoutPictures(article.html, undrawn), from) : '';
		const size = Buffer.byteLength(email);
		const fits = article !== undefined && size <= left;
		if (fits) left -= size;
		found.push(
			fits ? { ...post, whole: { html: email, text: plainText(article.markdown, from) } } : post,
		);
	}
	return found;
}

/** Writes the welcome email of a subscriber who has not left again. */
export function welcomeWriter(db: Db): Writer {
	const env = { ...getEnv(), SECRET: getSecret() };
	return async ({ recipient, payload }, now) => {
		const email = recipient ?? (payload as { email: string }).email;
		const reader = await activeReader(db, email, now);
		const links = readerLinks(env, 'weekly', email);
		const latest = await selectPosts(db, now, undefined, WELCOME_POSTS);
		const { letterCadence: cadence, letterDay: day } = await getSettings(db);
		return welcomeEmail(
			latest,
			env.SITE_URL,
			links,
			cadenceWords(reader.cadence, { cadence, day }),
		);
	};
}
