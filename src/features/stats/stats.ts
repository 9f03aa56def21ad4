import * as z from 'zod/mini';
import { DAY } from '#src/lib/dates.ts';
import { formatCount } from '#src/lib/text.ts';

/** Numbers of days to choose from. */
export const RANGES = [7, 30, 90, 365] as const;
const MAX_DAYS = 3700;

export const statsQuery = z.object({
	days: z._default(z.coerce.number('Choose a range').check(z.int(), z.gte(1), z.lte(MAX_DAYS)), 30),
	/** The last day, in UTC; today without it. */
	to: z.optional(z.iso.date('Give a date as YYYY-MM-DD')),
});

/** One number per day, oldest first. */
export type Series = number[];

export type Stats = {
	/** First day of the series (ISO date, UTC). */
	from: string;
	days: number;
	shares: Series;
	comments: Series;
	signups: Series;
	/** The same signups by source, most first; null is an unknown one. */
	sources: { source: string | null; signups: Series }[];
	/** Sums of the same number of days before. */
	before: { shares: number; comments: number; signups: number };
};

export const sum = (series: Series) => series.reduce((total, value) => total + value, 0);

export type Bar = { from: string; to: string; value: number };

/** Groups a series into bars: days, or weeks if there would be too many. The first week may be shorter. */
export function toBars(series: Series, from: string): Bar[] {
	const width = series.length > 90 ? 7 : 1;
	const start = Date.parse(from);
	const day = (index: number) => new Date(start + index * DAY).toISOString().slice(0, 10);
	const bars: Bar[] = [];
	for (let end = series.length; end > 0; end -= width) {
		const first = Math.max(0, end - width);
		bars.unshift({ from: day(first), to: day(end - 1), value: sum(series.slice(first, end)) });
	}
	return bars;
}

/** Returns the highest mark of an axis: 1, 2 or 5 times a power of ten, at least 5, not below the highest value. */
export function axisTop(highest: number): number {
	if (highest <= 5) return 5;
	const power = 10 ** Math.floor(Math.log10(highest));
	return [1, 2, 5, 10].map((step) => step * power).find((mark) => mark >= highest)!;
}

/** Returns "+12%", "−8%", or '' without earlier figures. */
export function formatChange(now: number, before: number): string {
	if (before === 0) return '';
	const percent = Math.round(((now - before) / before) * 100);
	return `${percent < 0 ? '−' : '+'}${formatCount(Math.abs(percent))}%`;
}
