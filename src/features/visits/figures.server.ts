import { and, asc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { enrollments, letters, posts, renderedPosts, visitSources, visitSums } from '#db/schema.ts';
import { tolerant } from '#db/tolerant.ts';
import { among } from '#src/core/batches.server.ts';
import { LESSONS } from '#src/features/course/course.ts';
import { DOWNLOADS, UPGRADES } from '#src/features/downloads/download.ts';
import { LETTER_CAMPAIGN } from '#src/core/outbox/campaign.ts';
import { DAY, HOUR } from '#src/lib/dates.ts';
import { paths } from '#src/site.ts';
import {
	BLOCK_DAYS,
	DESCRIBED,
	END,
	dayText,
	firstKeptDay,
	rangeOf,
	type Figure,
	type FigureRow,
	type Figures,
	type FiguresQuery,
} from './visits.ts';

/** Rows of a list; days and hours are as many as there are. */
const MAX_ROWS = 1000;

type Range = { first: number; last: number };
type Filter = Pick<FiguresQuery, 'path' | 'referrer' | 'campaign'>;

/** Returns one figure of the visits between two days, both included. */
export async function getFigures(db: Db, query: FiguresQuery, now: Date): Promise<Figures> {
	const range = rangeOf(query, now);
	// The answer begins at the first day of which filtered figures are still stored.
	if (isFiltered(query) && DESCRIBED[query.by].filters)
		range.first = Math.max(range.first, firstKeptDay(now));
	const rows = await read[query.by](db, range, query);
	const sum = (name: string) => rows.reduce((all, row) => all + Number(row[name]), 0);
	return {
		...{ by: query.by, from: dayText(range.first), to: dayText(range.last), rows },
		...((query.by === 'day' || query.by === 'hour') && {
			total: { visitors: sum('visitors'), views: sum('views') },
		}),
	};
}

const read: Record<Figure, (db: Db, range: Range, query: FiguresQuery) => Promise<FigureRow[]>> = {
	day: (db, range, query) => readTimes(db, range, query, 'day'),
	hour: (db, range, query) => readTimes(db, range, query, 'hour'),
	page: async (db, range, query) =>
		(await readKeys(db, range, query, 'page')).map(({ key, views, visitors }) => ({
			key,
			views,
			starts: visitors,
		})),
	referrer: (db, range, query) => readKeys(db, range, query, 'referrer'),
	campaign: (db, range, query) => readKeys(db, range, query, 'campaign'),
	article: readArticles,
	stop: readStops,
	search: readSearches,
	signup: readSignups,
	course: readCourse,
	download: readDownloads,
	letter: readLetters,
};

/** Splits a range into whole blocks of days and the days around them. */
function spansOf({ first, last }: Range) {
	const [from, to] = [Math.ceil(first / BLOCK_DAYS), Math.floor((last + 1) / BLOCK_DAYS)];
	const days = (start: number, end: number) => ({ span: 'day' as const, from: start, to: end });
	if (from >= to) return [days(first, last)];
	return [
		{ span: 'block' as const, from, to: to - 1 },
		days(first, from * BLOCK_DAYS - 1),
		days(to * BLOCK_DAYS, last),
	].filter((span) => span.from <= span.to);
}

/** Returns what was counted by one thing in a range, as rows (key, views, visitors) of which each key has several. */
function sumsOf(by: string, range: Range): SQL {
	const parts = spansOf(range).map(
		({ span, from, to }) => sql`select key, views, visitors from ${visitSums}
			where by = ${by} and span = ${span} and at between ${from} and ${to}`,
	);
	return sql`(${sql.join(parts, sql` union all `)})`;
}

/** Returns the visits of a range that a filter leaves, as rows of `visit_sources` of which each may occur several times. */
function sourcesOf(range: Range, { path, referrer, campaign }: Filter): SQL {
	const parts = spansOf(range).map(({ span, from, to }) => {
		const [start, end] = span === 'day' ? [from * 24, to * 24 + 23] : [from, to];
		return sql`select * from ${visitSources}
			where span = ${span === 'day' ? 'hour' : span} and at between ${start} and ${end}
			${path === undefined ? sql`` : sql`and path = ${path}`}
			${referrer === undefined ? sql`` : sql`and referrer = ${referrer}`}
			${campaign === undefined ? sql`` : sql`and campaign = ${campaign}`}`;
	});
	return sql`(${sql.join(parts, sql` union all `)})`;
}

const isFiltered = (filter: Filter) => Object.keys(givenOf(filter)).length > 0;

const givenOf = ({ path, referrer, campaign }: Filter) => ({
	...(path !== undefined && { page: path }),
	...(referrer !== undefined && { referrer }),
	...(campaign !== undefined && { campaign }),
});

/** Returns the column that counts visitors once under a filter: a page's views are its visitors. */
function visitorsUnder({ path, referrer, campaign }: Filter): SQL {
	if (path !== undefined) return sql`views`;
	if (campaign !== undefined) return sql`from_campaign`;
	return referrer === undefined ? sql`starts` : sql`from_referrer`;
}

type Sums = { key: string; visitors: number; views: number };
type Times = { time: number; visitors: number; views: number };

/** Returns visitors and views by day or hour, in order; only those with some. */
async function readTimes(
	db: Db,
	{ first, last }: Range,
	filter: Filter,
	unit: 'day' | 'hour',
): Promise<FigureRow[]> {
	const [[by, key] = [], ...more] = Object.entries(givenOf(filter));
	const time = (hour: SQL) => (unit === 'hour' ? hour : sql`(${hour}) / 24`);
	let rows: Times[];
	if (by === undefined) {
		rows = await db.all<Times>(
			sql`select ${time(sql`at * 24 + cast(key as integer)`)} as time, sum(visitors) as visitors, sum(views) as views
				from ${visitSums} where by = 'hour' and span = 'day' and at between ${first} and ${last} group by 1 order by 1`,
		);
	} else if (unit === 'day' && more.length === 0) {
		// One row of each day, each found by its whole key.
		rows = await db.all<Times>(
			sql`with recursive days (day) as (
					select cast(${first} as integer) union all select day + 1 from days where day < ${last}
				)
				select day as time, ${by === 'page' ? sql`views` : sql`visitors`} as visitors, views
				from days join ${visitSums} on by = ${by} and span = 'day' and at = day and key = ${key}`,
		);
	} else {
		rows = await db.all<Times>(
			sql`select ${time(sql`at`)} as time, sum(${visitorsUnder(filter)}) as visitors, sum(views) as views
				from ${sourcesOf({ first, last }, filter)} group by 1 order by 1`,
		);
	}
	const text = (at: number) =>
		unit === 'day' ? dayText(at) : `${new Date(at * HOUR).toISOString().slice(0, 13)}:00Z`;
	return rows
		.filter(({ views }) => views > 0)
		.map(({ time: at, ...counts }) => ({ key: text(at), ...counts }));
}

/** Returns views and visitors by page, host or campaign, most views first. */
function readKeys(
	db: Db,
	range: Range,
	filter: Filter,
	by: 'page' | 'referrer' | 'campaign',
): Promise<Sums[]> {
	if (!isFiltered(filter)) return readSums(db, by, range);
	const [key, firsts] = {
		page: [sql`path`, sql`starts`],
		referrer: [sql`referrer`, sql`from_referrer`],
		campaign: [sql`campaign`, sql`from_campaign`],
	}[by] as [SQL, SQL];
	// Whoever came to one page counts there, whichever page came first.
	const visitors = filter.path !== undefined && by !== 'page' ? sql`views` : firsts;
	return db.all<Sums>(
		sql`select ${key} as key, sum(${visitors}) as visitors, sum(views) as views
			from ${sourcesOf(range, filter)} where ${by === 'campaign' ? sql`campaign <> ''` : sql`true`}
			group by 1 having sum(views) > 0 order by 3 desc, 1 limit ${MAX_ROWS}`,
	);
}

/** Returns what was counted by one thing, most first. */
const readSums = (db: Db, by: string, range: Range): Promise<Sums[]> =>
	db.all<Sums>(
		sql`select key, sum(visitors) as visitors, sum(views) as views from ${sumsOf(by, range)}
			group by key having sum(views) > 0 order by 3 desc, 1 limit ${MAX_ROWS}`,
	);

const percentOf = (part: number, whole: number) =>
	whole === 0 ? 0 : Math.round((part / whole) * 100);

/** Returns the views of articles, and how many of them reached the end. */
async function readArticles(
	db: Db,
	range: Range,
	{ path, paths: some = path === undefined ? undefined : [path] }: FiguresQuery,
): Promise<FigureRow[]> {
	const prefix = paths.post('');
	const which = some ? sql`key in ${among(some)}` : sql`key glob ${`${prefix}*`}`;
	const viewsOf = (by: string) =>
		db.all<{ key: string; views: number }>(
			sql`select key, sum(views) as views from ${sumsOf(by, range)} where ${which}
				group by key having sum(views) > 0 order by 2 desc, 1 limit ${MAX_ROWS}`,
		);
	const [views, ends] = await Promise.all([viewsOf('page'), viewsOf('end')]);
	const finished = new Map(ends.map((row) => [row.key, row.views]));
	const titles = await titlesOf(
		db,
		views.map(({ key }) => key.slice(prefix.length)),
	);
	return views.map((row) => {
		const count = finished.get(row.key) ?? 0;
		return {
			key: row.key,
			label: titles.get(row.key.slice(prefix.length)) ?? row.key,
			views: row.views,
			finished: count,
			percent: percentOf(count, row.views),
		};
	});
}

async function titlesOf(db: Db, slugs: string[]): Promise<Map<string, string>> {
	if (slugs.length === 0) return new Map();
	const rows = await db
		.select(tolerant({ slug: posts.slug, title: posts.title }))
		.from(posts)
		.where(inArray(posts.slug, slugs));
	return new Map(rows.map(({ slug, title }) => [slug, title]));
}

/** Returns where readers of one article stopped, in the order of its headings. */
async function readStops(db: Db, range: Range, { path = '' }: Filter): Promise<FigureRow[]> {
	const slug = path.slice(paths.post('').length);
	const [[article], counted] = await Promise.all([
		db
			.select({ headings: renderedPosts.headings })
			.from(renderedPosts)
			.innerJoin(posts, eq(posts.id, renderedPosts.postId))
			.where(eq(posts.slug, slug)),
		readSums(db, `stop ${path}`, range),
	]);
	const readers = new Map(counted.map((row) => [row.key, row.views]));
	if (!article || counted.length === 0) return [];
	const rows = [
		{ key: '', label: 'Before the first heading' },
		...article.headings.map((heading) => ({ key: heading.slug, label: heading.text })),
		{ key: END, label: 'Read to the end' },
	].map((row) => ({ ...row, readers: readers.get(row.key) ?? 0 }));
	return rows.map((row, index) => ({
		...row,
		reached: rows.slice(index).reduce((all, later) => all + later.readers, 0),
	}));
}

async function readSearches(db: Db, range: Range): Promise<FigureRow[]> {
	const rows = await db.all<{ key: string; searches: number; missed: number }>(
		sql`select key, sum(views) as searches, sum(missed) as missed from (
				select key, views, 0 as missed from ${sumsOf('search', range)}
				union all select key, 0, views from ${sumsOf('nothing', range)}
			) group by key order by 2 desc, 3 desc, 1 limit ${MAX_ROWS}`,
	);
	return rows.map(({ key, searches, missed }) => ({ key, searches, nothing: missed }));
}

async function readSignups(db: Db, range: Range, { path }: Filter): Promise<FigureRow[]> {
	return (await readSums(db, 'signup', range))
		.map(({ key, views: signups }) => {
			const [page = '', place = ''] = key.split('#');
			const label = `${place || 'Not known'} · ${page || 'not known'}`;
			return { key, label, page, place, signups };
		})
		.filter(({ page }) => path === undefined || page === path);
}

/** Returns how far those have come who enrolled in these days. */
async function readCourse(db: Db, { first, last }: Range): Promise<FigureRow[]> {
	const rows = await db
		.select({ lesson: enrollments.lesson, readers: sql<number>`count(*)` })
		.from(enrollments)
		.where(
			and(
				gte(enrollments.createdAt, new Date(first * DAY)),
				lt(enrollments.createdAt, new Date((last + 1) * DAY)),
			),
		)
		.groupBy(enrollments.lesson);
	const reached = (lesson: number) =>
		rows.filter((row) => row.lesson >= lesson).reduce((all, row) => all + row.readers, 0);
	const enrolled = reached(0);
	if (enrolled === 0) return [];
	return ['Enrolled', ...LESSONS].map((name, lesson) => ({
		key: String(lesson),
		label: lesson === 0 ? name : `Lesson ${lesson} sent: ${name}`,
		readers: reached(lesson),
		percent: percentOf(reached(lesson), enrolled),
	}));
}

async function readDownloads(db: Db, range: Range): Promise<FigureRow[]> {
	const [asked, fetched] = await Promise.all([
		readSums(db, 'asked', range),
		readSums(db, 'fetched', range),
	]);
	if (asked.length + fetched.length === 0) return [];
	const count = (rows: Sums[], kind: string) => rows.find(({ key }) => key === kind)?.views ?? 0;
	return UPGRADES.map((key) => ({
		key,
		label: DOWNLOADS[key].title,
		asked: count(asked, key),
		fetched: count(fetched, key),
	}));
}

/** Returns the letters that were begun in these days, and who came by their links since. */
async function readLetters(db: Db, { first, last }: Range): Promise<FigureRow[]> {
	const came = (column: 'views' | 'visitors') =>
		sql<number>`cast(coalesce((select sum(${sql.raw(column)}) from ${visitSums} where by = 'campaign'
			and span = 'block' and key = ${LETTER_CAMPAIGN} || ${letters.id}), 0) as integer)`;
	return db
		.select({
			...tolerant({ key: letters.id, label: letters.subject }),
			sent: letters.recipients,
			visitors: came('visitors'),
			views: came('views'),
		})
		.from(letters)
		.where(
			and(
				gte(letters.createdAt, new Date(first * DAY)),
				lt(letters.createdAt, new Date((last + 1) * DAY)),
			),
		)
		.orderBy(asc(letters.createdAt))
		.limit(MAX_ROWS);
}
