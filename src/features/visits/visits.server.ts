import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '#db/client.ts';
import {
	categories,
	countedVisits,
	issues,
	pages,
	posts,
	renderedPosts,
	series,
	states,
	tags,
	visitSources,
	visitSums,
	visits,
} from '#db/schema.ts';
import { deleteInPieces } from '#src/core/batches.server.ts';
import {
	countEvent,
	dayOf,
	retractViews,
	visitorKey,
	type Visitor,
} from '#src/features/counts/counts.server.ts';
import { isPublic } from '#src/features/posts/posts.server.ts';
import { LETTER_CAMPAIGN } from '#src/core/outbox/campaign.ts';
import { RETENTION_DAYS } from '#src/core/retention.ts';
import { DAY, HOUR, MINUTE } from '#src/lib/dates.ts';
import { getEnv } from '#src/lib/env.ts';
import { pageAt } from '#src/site.ts';
import {
	BLOCK_DAYS,
	END,
	campaignOf,
	firstKeptDay,
	hostOf,
	searchOf,
	type VisitInput,
} from './visits.ts';

/** Pages within a minute that nobody opens who reads: whoever does is a program, and nothing of it stays counted. */
const PACE = { pages: 30, ms: MINUTE };

/** Hidden pages that are counted all the same; the others are about one person, or for the admin. */
const COUNTED_HIDDEN = ['/search', '/saved'];

/** Counts what a page tells of a visit, if it is one. Programs, and visitors who object, must not come this far. */
export async function countVisit(
	db: Db,
	input: VisitInput,
	visitor: Visitor,
	secret: string,
	now: Date,
): Promise<void> {
	if (input.about === 'search') return countSearch(db, input, visitor, secret, now);
	const page = await findPage(db, input.path, now);
	if (!page) return;
	const key = visitorKey(secret, visitor, dayOf(now));
	if (input.about === 'stop') {
		if (page.postId) await countStop(db, { ...page, postId: page.postId }, input.heading, key);
		return;
	}
	await countPage(db, page.path, input, key, now);
	if (page.postId) {
		const campaign = campaignOf(input.campaign);
		const letter = campaign.startsWith(LETTER_CAMPAIGN)
			? campaign.slice(LETTER_CAMPAIGN.length)
			: undefined;
		const event = { postId: page.postId, kind: 'view', letter } as const;
		await countEvent(db, event, visitor, secret, now);
	}
	await retractProgram(db, key, now);
}

/** Name under which the headings of one article are counted, so that they stand beside each other. */
const STOPS_OF = sql`'stop ' || path`;

type Page = { path: string; postId?: string };

/** Returns the page at a path as it is counted, or null where there is none: later pages of a list are the list. */
async function findPage(db: Db, given: string, now: Date): Promise<Page | null> {
	const path = given.replace(/\/page\/\d{1,6}$/, '');
	const kind = pageAt(path);
	if (!kind || (kind.isHidden && !COUNTED_HIDDEN.includes(path))) return null;
	if (!kind.path.includes(':')) return { path };
	const slug = path.slice(path.lastIndexOf('/') + 1);
	const stored: Record<string, [SQLiteTable, SQL]> = {
		'/blog/:slug': [posts, and(eq(posts.slug, slug), isPublic(now))!],
		'/category/:slug': [categories, eq(categories.slug, slug)],
		'/tag/:slug': [tags, eq(tags.slug, slug)],
		'/series/:slug': [series, eq(series.slug, slug)],
		'/ai-best-practices/:state': [states, eq(states.slug, slug)],
		'/newsletter/:date': [issues, eq(issues.date, slug)],
		'/:slug': [pages, and(eq(pages.slug, slug), eq(pages.published, true))!],
	};
	const [table, isIt] = stored[kind.path] ?? [];
	if (!table || !isIt) return null;
	if (table === posts) {
		const [post] = await db.select({ id: posts.id }).from(posts).where(isIt);
		return post ? { path, postId: post.id } : null;
	}
	return (await db.$count(table, isIt)) > 0 ? { path } : null;
}

/** Adds a visitor's page, once a day, and its part of the sums. */
async function countPage(
	db: Db,
	path: string,
	{ referrer, campaign }: VisitInput,
	visitor: string,
	now: Date,
): Promise<void> {
	const host = hostOf(referrer);
	const source = {
		referrer: host === hostOf(getEnv().SITE_URL) ? '' : host,
		campaign: campaignOf(campaign),
	};
	const id = crypto.randomUUID();
	// A page that no other site led to belongs to what led to the page before.
	const isLed = source.referrer !== '' || source.campaign !== '';
	const earlier = sql`select referrer, campaign from ${visits}
		where visitor = ${visitor} and ${!isLed} order by created_at desc limit 1`;
	const own = sql`select ${source.referrer} as referrer, ${source.campaign} as campaign`;
	const known = (what: SQL) =>
		sql`exists (select 1 from ${visits} v where v.visitor = ${visitor} and ${what})`;
	await db.batch([
		db.run(sql`insert into ${visits} (visitor, path, id, created_at, hour, referrer, campaign, starts, from_referrer, from_campaign, place, is_bot)
			select ${visitor}, ${path}, ${id}, ${now.getTime()}, ${Math.floor(now.getTime() / HOUR)}, s.referrer, s.campaign,
				not ${known(sql`true`)}, not ${known(sql`v.referrer = s.referrer`)},
				s.campaign <> '' and not ${known(sql`v.campaign = s.campaign`)}, -1, false
			from (select * from (${earlier}) union all select * from (${own}) limit 1) s
			where not ${known(sql`v.is_bot`)}
			on conflict do nothing`),
		...sumUp(db, sql`id = ${id}`, 1),
	]);
}

/** Returns statements for one batch: they add these visits to the sums, or take them out. */
function sumUp(db: Db, which: SQL, sign: 1 | -1) {
	const by = (name: SQL, key: SQL, visitors: SQL, where = sql`true`) =>
		sql`select ${name}, hour / 24, ${key}, ${sign} * count(*), ${sign} * ${visitors} from ${visits}
			where ${which} and ${where} group by 1, 2, 3`;
	const parts = [
		by(sql`'page'`, sql`path`, sql`sum(starts)`),
		by(sql`'referrer'`, sql`referrer`, sql`sum(from_referrer)`),
		by(sql`'campaign'`, sql`campaign`, sql`sum(from_campaign)`, sql`campaign <> ''`),
		by(sql`'hour'`, sql`printf('%02d', hour % 24)`, sql`sum(starts)`),
		by(STOPS_OF, sql`heading`, sql`0`, sql`heading is not null`),
		by(sql`'end'`, sql`path`, sql`0`, sql`heading = ${END}`),
	];
	const add = (span: 'hour' | 'block', at: SQL) =>
		db.run(sql`insert into ${visitSources} (span, at, path, referrer, campaign, views, starts, from_referrer, from_campaign)
			select ${span}, ${at}, path, referrer, campaign, ${sign} * count(*), ${sign} * sum(starts),
				${sign} * sum(from_referrer), ${sign} * sum(from_campaign)
			from ${visits} where ${which} group by 2, path, referrer, campaign
			on conflict do update set views = views + excluded.views, starts = starts + excluded.starts,
				from_referrer = from_referrer + excluded.from_referrer,
				from_campaign = from_campaign + excluded.from_campaign`);
	return [
		add('hour', sql`hour`),
		add('block', sql.raw(`hour / ${24 * BLOCK_DAYS}`)),
		addSums(db, sql.join(parts, sql` union all `)),
	] as const;
}

/** Returns a statement that adds rows (by, day, key, views, visitors) to the sums of days and of blocks of days. */
const addSums = (db: Db, rows: SQL) =>
	db.run(sql`with rows (by, day, key, views, visitors) as materialized (${rows})
		insert into ${visitSums} (by, span, at, key, views, visitors)
		select * from (
			select by, 'day', cast(day as integer), key, views, visitors from rows
			union all select by, 'block', cast(day as integer) / ${sql.raw(String(BLOCK_DAYS))}, key, views, visitors from rows
		) where true
		on conflict do update set views = views + excluded.views, visitors = visitors + excluded.visitors`);

/** Takes back all that was counted of a visitor who opens pages faster than anybody reads, and counts no more. */
async function retractProgram(db: Db, visitor: string, now: Date): Promise<void> {
	const mine = eq(visits.visitor, visitor);
	const since = new Date(now.getTime() - PACE.ms);
	if ((await db.$count(visits, and(mine, gt(visits.createdAt, since)))) < PACE.pages) return;
	const which = sql`visitor = ${visitor} and not is_bot`;
	await db.batch([
		...sumUp(db, which, -1),
		...retractViews(
			db,
			sql`select p.id as post_id, v.hour / 24 as day from ${visits} v join ${posts} p on v.path = '/blog/' || p.slug
				where v.visitor = ${visitor} and not v.is_bot`,
			dayOf(now),
		),
		db.update(visits).set({ isBot: true }).where(mine),
	]);
}

/** Moves a reader of an article to the last heading that was reached, never back. */
async function countStop(
	db: Db,
	{ path, postId }: Required<Page>,
	heading: string | undefined,
	visitor: string,
): Promise<void> {
	const [row] = await db
		.select({ headings: renderedPosts.headings })
		.from(renderedPosts)
		.where(eq(renderedPosts.postId, postId));
	const slugs = ['', ...(row?.headings ?? []).map(({ slug }) => slug), END];
	const place = slugs.indexOf(heading ?? '');
	if (place < 0) return;
	const further = sql`visitor = ${visitor} and path = ${path} and place < ${place} and not is_bot`;
	await db.batch([
		addSums(
			db,
			sql`select ${STOPS_OF}, hour / 24, heading, -1, 0 from ${visits}
				where ${further} and heading is not null
				union all select ${STOPS_OF}, hour / 24, ${slugs[place]!}, 1, 0 from ${visits} where ${further}
				union all select 'end', hour / 24, path, 1, 0 from ${visits} where ${further} and ${slugs[place] === END}`,
		),
		db.run(sql`update ${visits} set heading = ${slugs[place]!}, place = ${place} where ${further}`),
	]);
}

async function countSearch(
	db: Db,
	{ query, found = 0 }: VisitInput,
	visitor: Visitor,
	secret: string,
	now: Date,
): Promise<void> {
	const words = searchOf(query);
	if (words)
		await countOnce(
			db,
			[['search', words], ...(found > 0 ? [] : ([['nothing', words]] as const))],
			visitor,
			secret,
			now,
		);
}

type Tally = readonly [
	by: 'search' | 'nothing' | 'signup' | 'asked' | 'fetched' | 'answered' | 'helped',
	key: string,
];

/** Counts something that is no page, once a day for each visitor; what belongs to it is counted with it. */
export async function countOnce(
	db: Db,
	tallies: readonly [Tally, ...Tally[]],
	visitor: Visitor,
	secret: string,
	now: Date,
): Promise<void> {
	const day = dayOf(now);
	const key = visitorKey(secret, visitor, day, ...tallies[0]);
	const rows = tallies.map(
		([by, about]) => sql`select ${by}, ${day}, ${about}, 1, 0 where changes() = 1`,
	);
	await db.batch([
		db.insert(countedVisits).values({ key, day }).onConflictDoNothing(),
		// Only for a new one: the previous statement changed a row.
		addSums(db, sql.join(rows, sql` union all `)),
	]);
}

/** Deletes the single visits once their sums are all that is asked for, and what is kept of pages by source for a year. */
export async function pruneSingleVisits(db: Db, now: Date): Promise<void> {
	const oldest = new Date(now.getTime() - RETENTION_DAYS.visits * DAY);
	const first = firstKeptDay(now);
	const before = (span: 'hour' | 'block', at: number) =>
		and(eq(visitSources.span, span), lt(visitSources.at, at))!;
	await deleteInPieces(db, visits, lt(visits.createdAt, oldest));
	await deleteInPieces(db, visitSources, before('hour', first * 24));
	await deleteInPieces(db, visitSources, before('block', first / BLOCK_DAYS));
}
