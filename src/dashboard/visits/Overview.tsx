import { BarPlot } from '#src/components/ui/BarPlot.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import {
	axisTop,
	formatChange,
	sum,
	toBars,
	type Series,
	type Stats,
} from '#src/features/stats/stats.ts';
import { getFigures } from '#src/features/visits/visits.api.ts';
import { dayText, type Figures, type FiguresQuery } from '#src/features/visits/visits.ts';
import { shortDate } from '#src/lib/dates.ts';
import { formatCount, plural } from '#src/lib/text.ts';

const TILES = [
	{ key: 'visitors', title: 'Visitors', one: 'visitor', when: 'somebody opens a page, once a day' },
	{ key: 'signups', title: 'Signups', one: 'signup', when: 'a reader joins the newsletter' },
	{ key: 'comments', title: 'Comments', one: 'comment', when: 'a reader writes below an article' },
	{ key: 'shares', title: 'Shares', one: 'share', when: 'a reader uses a share button' },
] as const;
type Tile = (typeof TILES)[number];
type Counted = { series: Series; total: number; before: number; note?: string };

type Props = {
	/** Days since 1970. */
	first: number;
	last: number;
	/** One page or source: then only visitors can be told. */
	filter: Pick<FiguresQuery, 'path' | 'referrer' | 'campaign'>;
	visits: ReturnType<typeof useAnswer<FiguresQuery, Figures>>;
	stats: ReturnType<typeof useAnswer<object, Stats>>;
	/** Whether something else says that nobody was counted. */
	isQuiet: boolean;
	/** Which of them is drawn over the days. */
	chosen: string | undefined;
	onChoose: (key: string) => void;
};

/** Shows four numbers of some days beside those of as many days before, one of them drawn day by day. */
export function Overview({ first, last, filter, visits, stats, isQuiet, chosen, onChoose }: Props) {
	const days = last - first + 1;
	const earlier = useAnswer(getFigures, {
		...{ by: 'day', format: 'json', ...filter },
		...{ from: dayText(first - days), to: dayText(first - 1) },
	});
	const all = [visits, stats, earlier];
	const error = all.map((one) => one.error).find((message) => message !== undefined);
	if (error !== undefined)
		return <SectionError message={error} onRetry={() => all.forEach((one) => one.reload())} />;
	if (!visits.answer || !stats.answer || !earlier.answer)
		return <Skeleton label="Loading numbers" rows={6} />;

	const perDay = new Map(visits.answer.rows.map((row) => [row.key, Number(row['visitors'])]));
	const views = visits.answer.total?.views ?? 0;
	const counted: Record<Tile['key'], Counted> = {
		visitors: {
			series: Array.from({ length: days }, (_, day) => perDay.get(dayText(first + day)) ?? 0),
			total: visits.answer.total?.visitors ?? 0,
			before: earlier.answer.total?.visitors ?? 0,
			note: plural(views, 'page view'),
		},
		signups: countOf(stats.answer.signups, stats.answer.before.signups),
		comments: countOf(stats.answer.comments, stats.answer.before.comments),
		shares: countOf(stats.answer.shares, stats.answer.before.shares),
	};
	const tiles = Object.keys(filter).length > 0 ? TILES.slice(0, 1) : TILES;
	const drawn = tiles.find(({ key }) => key === chosen) ?? TILES[0];
	return (
		<section aria-label="Overview" aria-busy={all.some(({ loading }) => loading)}>
			<div className="tiles" role="group" aria-label="Drawn day by day">
				{tiles.map(({ key, title }) => {
					const { total, before, note } = counted[key];
					return (
						<button
							key={key}
							type="button"
							className="tile"
							aria-pressed={key === drawn.key}
							onClick={() => onChoose(key)}
						>
							<span className="label">{title}</span>
							<strong>{formatCount(total)}</strong>
							<span className="label">
								{formatChange(total, before) || (total > 0 ? 'none before' : 'none')}
								{note && total > 0 && ` · ${note}`}
							</span>
						</button>
					);
				})}
			</div>
			{!(isQuiet && drawn.key === 'visitors') && (
				<Plot tile={drawn} {...counted[drawn.key]} from={dayText(first)} />
			)}
			{tiles.some(({ key }) => counted[key].before > 0) && (
				<p className="field-hint mt-2">Changes are those from the {plural(days, 'day')} before.</p>
			)}
		</section>
	);
}

const countOf = (series: Series, before: number): Counted => ({
	...{ series, before },
	total: sum(series),
});

function Plot({ tile, series, total, from }: Counted & { tile: Tile; from: string }) {
	const { title, one, when } = tile;
	const days = plural(series.length, 'day');
	if (total === 0)
		return (
			<p className="plot-empty">
				No {title.toLowerCase()} in {days}. A {one} counts when {when}.
			</p>
		);
	const bars = toBars(series, from).map((bar) => ({
		label:
			bar.from === bar.to ? shortDate(bar.from) : `${shortDate(bar.from)} – ${shortDate(bar.to)}`,
		value: bar.value,
	}));
	const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best));
	return (
		<BarPlot
			title={title}
			summary={`${plural(total, one)} in ${days}, most on ${most.label}: ${most.value}.`}
			bars={bars}
			top={axisTop(most.value)}
		/>
	);
}
