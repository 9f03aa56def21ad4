import * as z from 'zod/mini';
import { CSV_MARK, csvRow } from '#src/lib/csv.ts';
import { DAY, isoDay } from '#src/lib/dates.ts';

const LONGEST = { path: 300, host: 100, campaign: 100, query: 80 };

/** Message of a page about a visit. Whatever is too long or malformed is left out later, never refused. */
export const visitInput = z.object({
	about: z.enum(['page', 'stop', 'search'], { error: 'about must be page, stop or search' }),
	path: z.string().check(z.maxLength(LONGEST.path, 'Use 300 characters or fewer')),
	/** Host of the page that led here, if it is another site's. */
	referrer: z.optional(z.string()),
	campaign: z.optional(z.string()),
	/** Id of the last heading that was reached; empty above the first, `#end` at the end of the text. */
	heading: z.optional(z.string()),
	query: z.optional(z.string()),
	/** How many things a search found. A form sends it as text. */
	found: z.optional(
		z.pipe(
			z.transform((given) => (given === '' || typeof given !== 'string' ? given : Number(given))),
			z.number(),
		),
	),
});
export type VisitInput = z.infer<typeof visitInput>;

/** Detail of the event `searched`, which a search dispatches to the window. */
export type Searched = { query: string; found: number };

/** Days of the longer of two spans that visits are summed over. */
export const BLOCK_DAYS = 32;

/** Such spans, besides the current one, for which figures of one page or source are kept: more than a year. */
const KEPT_BLOCKS = 13;

/** Returns the first day, since 1970, of which figures of one page or source are still known. */
export const firstKeptDay = (now: Date) =>
	(Math.floor(now.getTime() / DAY / BLOCK_DAYS) - KEPT_BLOCKS) * BLOCK_DAYS;

/** Stands for the end of an article among its headings. */
export const END = '#end';

/** Returns the host of an address or a host, without `www.`; '' for what is neither. The rest of it is dropped here. */
export function hostOf(referrer: string | undefined): string {
	const address = referrer?.includes('://') ? referrer : `https://${referrer ?? ''}`;
	if (!URL.canParse(address)) return '';
	const { hostname } = new URL(address);
	const isHost = /^[\w-]+(\.[\w-]+)+$/.test(hostname) && hostname.length <= LONGEST.host;
	return isHost ? hostname.replace(/^www\./, '') : '';
}

/** Returns whether a text may identify a person: it holds an address or a long number. */
const isPersonal = (text: string) =>
	/@|%40|\d{6}/.test(text.replace(/(?<=\d)[\s().-]+(?=\d)/g, ''));
/** Dates are long numbers too, and name letters. */
const DATE = /\b\d{4}-\d\d-\d\d\b/g;

/** Returns a campaign's name as it is counted, or '' for one that may name a person. */
export function campaignOf(text = ''): string {
	const name = text
		.replace(/[\s\p{C}]+/gu, ' ')
		.trim()
		.slice(0, LONGEST.campaign)
		.trim();
	const withoutIds = name.replace(DATE, '').replace(UUID, '');
	return isPersonal(withoutIds) ? '' : name;
}
const UUID = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g;

/** Returns a search as it is counted, or '' for one that is too short or may name a person. */
export function searchOf(query = ''): string {
	const words = query
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s\p{C}]+/gu, ' ')
		.trim();
	return words.length < 3 || words.length > LONGEST.query || isPersonal(words) ? '' : words;
}

/** The figures, in the order of the screen. */
export const FIGURES = [
	'day',
	'hour',
	'page',
	'referrer',
	'campaign',
	'article',
	'stop',
	'search',
	'signup',
	'course',
	'download',
	'letter',
] as const;
export type Figure = (typeof FIGURES)[number];

type Description = {
	title: string;
	/** Heading of the first column. */
	key: string;
	/** The numbers of a row by their names in the answer. */
	columns: Readonly<Record<string, string>>;
	/** Whether the figure can be told for one page or one source. */
	filters?: true;
	empty: string;
};

/** Names of the figures and of their numbers. */
export const DESCRIBED: Record<Figure, Description> = {
	day: {
		title: 'Visitors a day',
		key: 'Day',
		columns: { visitors: 'Visitors', views: 'Views' },
		filters: true,
		empty: 'Nobody was counted in these days.',
	},
	hour: {
		title: 'Hours',
		key: 'Hour',
		columns: { visitors: 'Visitors', views: 'Views' },
		filters: true,
		empty: 'Nobody was counted in these days.',
	},
	page: {
		title: 'Pages',
		key: 'Page',
		columns: { views: 'Views', starts: 'First page' },
		filters: true,
		empty: 'No page was opened in these days.',
	},
	referrer: {
		title: 'Referring sites',
		key: 'Site',
		columns: { visitors: 'Visitors', views: 'Views' },
		filters: true,
		empty: 'No visits in these days.',
	},
	campaign: {
		title: 'Campaigns',
		key: 'Campaign',
		columns: { visitors: 'Visitors', views: 'Views' },
		filters: true,
		empty: 'No link with a campaign led here in these days.',
	},
	article: {
		title: 'Articles read through',
		key: 'Article',
		columns: { views: 'Views', finished: 'Read to the end', percent: '%' },
		empty: 'No article was opened in these days.',
	},
	stop: {
		title: 'Where readers stop',
		key: 'Last heading',
		columns: { readers: 'Stopped here', reached: 'Came this far' },
		empty: 'It is not known yet where readers of this article stop.',
	},
	search: {
		title: 'Searches',
		key: 'Words',
		columns: { searches: 'Searches', nothing: 'Found nothing' },
		empty: 'Nobody searched in these days.',
	},
	signup: {
		title: 'Signups by place and page',
		key: 'Place and page',
		columns: { signups: 'Signups' },
		empty: 'Nobody signed up in these days.',
	},
	course: {
		title: 'The course, of those who enrolled in these days',
		key: 'Step',
		columns: { readers: 'Readers', percent: '%' },
		empty: 'Nobody enrolled in these days.',
	},
	download: {
		title: 'Downloads',
		key: 'File',
		columns: { asked: 'Asked for it', fetched: 'Fetched it' },
		empty: 'Nobody asked for a download in these days.',
	},
	letter: {
		title: 'Letters',
		key: 'Letter',
		columns: { sent: 'Sent', visitors: 'Visitors', views: 'Views' },
		empty: 'No letter was sent in these days.',
	},
};

const day = z.string().check(
	z.regex(/^\d{4}-\d\d-\d\d$/, 'Give a date as YYYY-MM-DD'),
	z.refine((text) => !Number.isNaN(Date.parse(text)), 'There is no such day'),
);
const text = z.optional(z.string().check(z.maxLength(300, 'Use 300 characters or fewer')));

export const figuresQuery = z.object({
	/** First and last day, in UTC. The last 30 days without them. */
	from: z.optional(day),
	to: z.optional(day),
	by: z._default(z.enum(FIGURES, { error: `by must be one of ${FIGURES.join(', ')}` }), 'day'),
	path: text,
	/** Paths of the articles that are asked for; the key may be repeated. */
	paths: z.optional(
		z.pipe(
			z.transform((paths) => [paths].flat()),
			z.array(z.string()).check(z.maxLength(100, 'Ask for 100 articles or fewer')),
		),
	),
	/** Host; empty for visits without one. */
	referrer: text,
	campaign: text,
	format: z._default(z.enum(['json', 'csv'], { error: 'format must be json or csv' }), 'json'),
});
export type FiguresQuery = z.infer<typeof figuresQuery>;

/** A row of a figure: what it is about, and its numbers by name. */
export type FigureRow = { key: string; label?: string } & Record<
	string,
	string | number | undefined
>;

export type Figures = {
	by: Figure;
	from: string;
	to: string;
	/** Most first; hours and days in order. At most 1,000, days and hours excepted. */
	rows: FigureRow[];
	/** All visitors and views of these days and this filter, where rows are times. */
	total?: { visitors: number; views: number };
};

/** How far back a range may go, so that an answer stays small. */
const MAX_DAYS = 3660;

/** Returns the first and the last day of a range as days since 1970: the last 30 days where nothing is given. */
export function rangeOf({ from, to }: Pick<FiguresQuery, 'from' | 'to'>, now: Date) {
	const last = to ? Date.parse(to) / DAY : Math.floor(now.getTime() / DAY);
	const first = from ? Date.parse(from) / DAY : last - 29;
	return { first: Math.max(first, last - MAX_DAYS), last };
}

/** Returns a day since 1970 as an ISO date. */
export const dayText = (day: number) => isoDay(new Date(day * DAY));

/** Returns a figure as a CSV file. */
export function figuresCsv({ by, rows }: Figures): string {
	const { key, columns } = DESCRIBED[by];
	const names = Object.keys(columns);
	const head = csvRow([key, ...Object.values(columns)]);
	const line = (row: FigureRow) =>
		csvRow([row.label ?? row.key, ...names.map((name) => row[name] ?? null)]);
	return CSV_MARK + head + rows.map(line).join('');
}
