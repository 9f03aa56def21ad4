import { sum, toBars, type Series, type Stats } from '#src/features/stats/stats.ts';
import { formatCount } from '#src/lib/text.ts';

/** Where signups came from. That there were none stands above. */
export function Sources({ sources, from }: Pick<Stats, 'sources' | 'from'>) {
	if (sources.length === 0) return null;
	return (
		<section className="visits-figure" aria-label="Where signups came from">
			<h2>Where signups came from</h2>
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
		</section>
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
