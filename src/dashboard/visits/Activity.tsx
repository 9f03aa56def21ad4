import { BarPlot } from '#src/components/ui/BarPlot.tsx';
import { SectionError } from '#src/components/ui/ErrorBoundary.tsx';
import { Skeleton } from '#src/components/ui/Skeleton.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { formatCount, plural } from '#src/lib/text.ts';
import { paths } from '#src/site.ts';
import { getStats } from '#src/features/stats/stats.api.ts';
import {
	axisTop,
	toBars,
	formatChange,
	sum,
	type Stats,
	type Series,
} from '#src/features/stats/stats.ts';

const PLOTS = [
	{ key: 'views', title: 'Article views', one: 'view', when: 'a reader opens an article' },
	{ key: 'signups', title: 'Signups', one: 'signup', when: 'a reader joins the newsletter' },
	{ key: 'comments', title: 'Comments', one: 'comment', when: 'a reader writes below an article' },
	{ key: 'shares', title: 'Shares', one: 'share', when: 'a reader uses a share button' },
] as const;

/** Statistics of readers between two days: figures over time with the change, sources of signups, and the most-read posts. */
export function Activity({ days, to }: { days: number; to: string }) {
	const { answer, error, loading, reload } = useAnswer(getStats, { days, to });
	return (
		<>
			{error !== undefined && <SectionError message={error} onRetry={reload} />}
			{!answer && error === undefined && <Skeleton label="Loading numbers" rows={6} />}
			{answer && error === undefined && (
				<div aria-busy={loading}>
					<Figures numbers={answer} />
				</div>
			)}
		</>
	);
}

function Figures({ numbers }: { numbers: Stats }) {
	const { from, days, before, sources, topPosts } = numbers;
	const isQuiet = sources.length === 0 && topPosts.length === 0;
	return (
		<>
			<div className="figures">
				{PLOTS.map(({ key, title, one: label, when }) => {
					const series = numbers[key];
					const total = sum(series);
					const change = formatChange(total, before[key]);
					return (
						<section key={key} className="figure" aria-label={title}>
							<h2 className="label">{title}</h2>
							<p>
								<strong>{formatCount(total)}</strong>
								<span className="label">
									{change
										? `${change} vs. previous ${days} days`
										: before[key] === total
											? 'no data in previous period'
											: 'none in previous period'}
								</span>
							</p>
							<Plot {...{ title, label, when, series, from, days }} />
						</section>
					);
				})}
			</div>
			<div className="figure-tables" hidden={isQuiet}>
				<section>
					<h2>Where signups came from</h2>
					{sources.length === 0 ? (
						<p className="mt-3 text-muted">Nobody signed up in these {days} days.</p>
					) : (
						<table className="data-table mt-3">
							<thead>
								<tr>
									<th scope="col">Source</th>
									<th scope="col" className="data-wide">
										<span className="sr-only">Over time</span>
									</th>
									<th scope="col" className="data-end">
										Signups
									</th>
								</tr>
							</thead>
							<tbody>
								{sources.map(({ source, signups }) => (
									<tr key={source}>
										<td>{source ?? 'Not known'}</td>
										<td className="data-wide">
											<Spark series={signups} from={from} />
										</td>
										<td className="data-end">{formatCount(sum(signups))}</td>
									</tr>
								))}
							</tbody>
						</table>
					)}
				</section>
				<section>
					<h2>Most read</h2>
					{topPosts.length === 0 ? (
						<p className="mt-3 text-muted">No post was read in these {days} days.</p>
					) : (
						<table className="data-table mt-3">
							<thead>
								<tr>
									<th scope="col">Post</th>
									<th scope="col" className="data-end">
										Views
									</th>
									<th scope="col" className="data-end data-wide">
										Shares
									</th>
									<th scope="col" className="data-end data-wide">
										Comments
									</th>
								</tr>
							</thead>
							<tbody>
								{topPosts.map((post) => (
									<tr key={post.id}>
										<td>
											<a className="link" href={paths.post(post.slug)}>
												{post.title}
											</a>
										</td>
										<td className="data-end">{formatCount(post.views)}</td>
										<td className="data-end data-wide">{formatCount(post.shares)}</td>
										<td className="data-end data-wide">{formatCount(post.comments)}</td>
									</tr>
								))}
							</tbody>
						</table>
					)}
				</section>
			</div>
		</>
	);
}

type PlotProps = {
	title: string;
	label: string;
	/** The event that counts as one. */
	when: string;
	series: Series;
	from: string;
	days: number;
};

function Plot({ title, label, when, series, from, days }: PlotProps) {
	const total = sum(series);
	if (total === 0) {
		return (
			<p className="plot-empty">
				No {title.toLowerCase()} in these {days} days. A {label} counts when {when}.
			</p>
		);
	}
	const bars = toBars(series, from);
	const most = bars.reduce((best, bar) => (bar.value > best.value ? bar : best));
	return (
		<BarPlot
			title={title}
			summary={`${plural(total, label)} in ${days} days, most on ${labelOf(most)}: ${most.value}.`}
			bars={bars.map((bar) => ({ label: labelOf(bar), value: bar.value }))}
			top={axisTop(most.value)}
		/>
	);
}

/** A series as small bars, for the eye: the number stands beside it. */
function Spark({ series, from }: { series: Series; from: string }) {
	const bars = toBars(series, from);
	const most = Math.max(1, ...bars.map(({ value }) => value));
	return (
		<svg
			className="spark"
			viewBox={`0 0 ${bars.length} 20`}
			preserveAspectRatio="none"
			aria-hidden="true"
		>
			{bars.map(({ from: day, value }, index) => (
				<rect
					key={day}
					className="plot-bar"
					x={index + 0.1}
					width={0.8}
					y={20 - (value / most) * 20}
					height={(value / most) * 20}
				/>
			))}
		</svg>
	);
}

const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

function labelOf({ from, to }: { from: string; to: string }): string {
	const text = (day: string) => short.format(new Date(day));
	return from === to ? text(from) : `${text(from)} – ${text(to)}`;
}
