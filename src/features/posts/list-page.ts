import { dateSpan } from '#src/lib/dates.ts';
import { pageCount } from '#src/lib/paging.ts';
import { joinWithAnd, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { PAGE_SIZE, type Card } from './post.ts';

/** A page of a list, by the numbers that addresses have: 1 is the first page, 2 the last one, and higher ones come before. */
type Cut<Row> = {
	rows: Row[];
	page: number;
	/** The numbers of the pages beside it. */
	newer: number | null;
	older: number | null;
};

/** A page of a list of articles, newest first. */
export type ListPage = Cut<Card> & {
	/** The number of articles on all pages. Only the first one has it: the others do not change with a new article. */
	total: number | null;
};

/** The number of the page with the oldest articles, where there is more than one page. */
export const OLDEST_PAGE = 2;

/**
 * Cuts a list into pages in reading order, at least one. The first has the newest rows. The others are counted from the
 * oldest, so that a row that has left the first page stays where it is; the page before them grows until it is full.
 */
export function cutPages<Row>(rows: readonly Row[], size: number = PAGE_SIZE): Cut<Row>[] {
	const newest = pageCount(rows.length, size);
	const first = {
		rows: rows.slice(0, size),
		...{ page: 1, newer: null, older: newest > 1 ? newest : null },
	};
	const later = Array.from({ length: newest - 1 }, (_, index): Cut<Row> => {
		const page = newest - index;
		const end = rows.length - (page - OLDEST_PAGE) * size;
		return {
			rows: rows.slice(Math.max(size, end - size), end),
			page,
			newer: page === newest ? 1 : page + 1,
			older: page > OLDEST_PAGE ? page - 1 : null,
		};
	});
	return [first, ...later];
}

/** Returns what is in a list, or null where that says too little: of which categories most are, how long they take, and how many run. */
export function contentsOf(
	rows: readonly Pick<Card, 'category' | 'marks' | 'readTime'>[],
): string | null {
	const { length: total } = rows;
	if (total < 2) return null;
	const sizes = [...Map.groupBy(rows, ({ category }) => category.name)]
		.map(([name, { length }]) => ({ name, length }))
		.sort((a, b) => b.length - a.length);
	const [first, second] = sizes;
	if (!first) return null;
	const areApart = first.length === 1 && sizes.length <= 3;
	const others = total - first.length - (second?.length ?? 0);
	const running = rows.filter(({ marks }) => marks.includes('runs')).length;
	const minutes = rows.reduce((sum, { readTime }) => sum + readTime, 0);
	const places = areApart
		? `One each in ${joinWithAnd(sizes.map(({ name }) => name))}`
		: second
			? `${first.length} ${first.length === 1 ? 'is' : 'are'} in ${first.name}, ${second.length} in ${second.name}`
			: `${total === 2 ? 'Both' : `All ${total}`} are in ${first.name}`;
	const rest = others > 0 && !areApart ? `, ${others} in other categories` : '';
	const some = running === total ? 'all' : running;
	const runs = running > 0 ? `; ${some} ${running === 1 ? 'has' : 'have'} code that runs` : '';
	return `${places}${rest}${runs}. ${minutes} minutes of reading.`;
}

/** Rows with which a page fills a screen. */
const FEW = 6;

/** Returns the pages behind the first one. One with too few articles to fill a screen goes on with some of the next. */
export function laterPages(pages: readonly ListPage[]): { list: ListPage; next?: ListPage }[] {
	return pages.slice(1).map((list, at, later) => {
		const next = later[at + 1];
		return next && list.rows.length < FEW ? { list, next } : { list };
	});
}

/** Returns the rows of the next page that such a page shows. */
export const firstOf = ({ rows }: ListPage): Card[] => rows.slice(0, FEW);

/** Rows of a page that stand together below a name. */
export type Section = {
	name: string;
	slug: string;
	/** The page that has all of them, and what is said of those that are here. */
	href?: string;
	label?: string;
	/** Its rows have one series. */
	hides?: 'series';
	rows: Card[];
};

/**
 * Puts the articles of a page together by their categories, that of the first one first. Returns none where there is one, or where
 * most have but one article: their names would be as many as the rows.
 */
export function topicsOf(rows: readonly Card[]): Section[] {
	const topics = Map.groupBy(rows, ({ category }) => category.slug);
	if (topics.size < 2 || rows.length < 2 * topics.size) return [];
	return [...topics].map(([slug, rows]) => {
		const { name } = rows[0]!.category;
		return { name, slug, href: paths.category(slug), rows };
	});
}

/** Returns the rows of each series that has some here, in order: first those that begin here, then by how many there are. */
function seriesAmong(rows: readonly Card[]): Card[][] {
	const parts = Map.groupBy(rows, ({ place }) => place?.name);
	parts.delete(undefined);
	const partOf = ([row]: Card[]) => row!.place!.part;
	const begins = (rows: Card[]) => Number(rows.length > 1 && partOf(rows) === 1);
	return [...parts.values()]
		.map((rows) => rows.toSorted((a, b) => a.place!.part - b.place!.part))
		.sort((a, b) => begins(b) - begins(a) || b.length - a.length || partOf(a) - partOf(b));
}

/** Returns the rows in an order to read them in: the parts of each series together, then the others, newest first. */
export function inReadingOrder(rows: readonly Card[]): Card[] {
	return [...seriesAmong(rows).flat(), ...rows.filter(({ place }) => !place)];
}

/** Returns whether a list in that order starts with the first part of a series. */
export const isBegun = ([first]: readonly Card[]): boolean => first?.place?.part === 1;

/** Puts the articles of a page together by their series, and those that are alone below `rest`. Returns none where all are. */
export function seriesSections(
	rows: readonly Card[],
	series: readonly SeriesFacts[],
	rest: string,
): Section[] {
	const sections = seriesAmong(rows).flatMap((rows): Section[] => {
		const facts = series.find(({ name }) => name === rows[0]!.place!.name);
		if (!facts || rows.length < 2) return [];
		const { name, slug } = facts;
		return [
			{ name, slug, href: paths.series(slug), label: partsText(facts), hides: 'series', rows },
		];
	});
	if (sections.length === 0) return [];
	const placed = new Set(sections.flatMap(({ rows }) => rows));
	const others = rows.filter((row) => !placed.has(row));
	return others.length > 0 ? [...sections, { name: rest, slug: 'rest', rows: others }] : sections;
}

/** Returns how many articles there are, or on an older page when those on it were published. */
export function listTitle({ total, rows }: ListPage): string {
	if (total !== null) return plural(total, 'Article');
	const times = rows.flatMap(({ publishedAt }) => publishedAt ?? []);
	if (times.length === 0) return 'Older articles';
	return `Articles from ${dateSpan(times.at(-1)!, times[0]!)}`;
}

/** A series as lists name it. */
export type SeriesFacts = {
	name: string;
	slug: string;
	parts: number;
	minutes: number;
	/** Parts that are on the page. */
	here?: number;
};
type SeriesRows = {
	name: string;
	slug: string;
	articles: readonly { post: { readTime: number } }[];
};

/** Says how many parts a series has, and how many of them are on the page. */
function partsText({ parts, here = parts }: SeriesFacts): string {
	return `${here < parts ? `${here} of ` : ''}${plural(parts, 'part')}`;
}

/** Returns how many parts each series has, and how long they take. */
export function factsOf(series: readonly SeriesRows[]): SeriesFacts[] {
	return series.map(({ name, slug, articles }) => ({
		...{ name, slug, parts: articles.length },
		minutes: articles.reduce((sum, { post }) => sum + post.readTime, 0),
	}));
}

/** Returns those of the series that articles of the page are parts of, the one with most of them first. */
export function seriesOn({ rows }: ListPage, series: readonly SeriesRows[]): SeriesFacts[] {
	return factsOf(series)
		.map((facts) => {
			const here = rows.filter(({ place }) => place?.name === facts.name).length;
			return { ...facts, here };
		})
		.filter(({ here }) => here > 0)
		.sort((a, b) => b.here - a.here);
}
