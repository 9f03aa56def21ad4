import { useId } from 'react';
import { formatCount } from '#src/lib/text.ts';

type Bar = { label: string; value: number };
type Props = {
	/** Name of the counted quantity, such as "Views". */
	title: string;
	/** The same in a sentence, for screen readers. */
	summary: string;
	bars: readonly Bar[];
	/** Highest mark of the axis, at least the highest value. */
	top: number;
};

const WIDTH = 600;
const HEIGHT = 150;
/** Space for the axis's numbers and the first and last label. */
const LEFT = 44;
const BOTTOM = 22;
const TOP = 8;
const WIDEST_BAR = 72;
/** So few bars that each has room for its label. */
const FEW = 6;

/** Numbers over time as bars, and a table of the same numbers for screen readers. */
export function BarPlot({ title, summary, bars, top }: Props) {
	const id = useId();
	const room = (WIDTH - LEFT) / Math.max(1, bars.length);
	const barWidth = Math.min(room * 0.76, WIDEST_BAR);
	const middle = (index: number) => LEFT + (index + 0.5) * room;
	const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
	const marks = [0, top / 2, top].filter(Number.isInteger);
	return (
		<div className="plot">
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary}>
				{marks.map((mark) => (
					<g key={mark}>
						<line x1={LEFT} x2={WIDTH} y1={y(mark)} y2={y(mark)} className="plot-line" />
						<text x={LEFT - 8} y={y(mark)} dy="0.32em" textAnchor="end">
							{compact.format(mark)}
						</text>
					</g>
				))}
				{bars.map(({ label, value }, index) => (
					<rect
						key={label}
						className="plot-bar"
						x={middle(index) - barWidth / 2}
						width={barWidth}
						y={value ? Math.min(y(value), y(0) - 1.5) : y(0)}
						height={value ? Math.max(1.5, y(0) - y(value)) : 0}
					>
						<title>{`${label}: ${formatCount(value)}`}</title>
					</rect>
				))}
				{bars.length <= FEW ? (
					bars.map(({ label }, index) => (
						<text key={label} x={middle(index)} y={HEIGHT - 4} textAnchor="middle">
							{label}
						</text>
					))
				) : (
					<>
						<text x={LEFT} y={HEIGHT - 4}>
							{bars[0]?.label}
						</text>
						<text x={WIDTH} y={HEIGHT - 4} textAnchor="end">
							{bars.at(-1)?.label}
						</text>
					</>
				)}
			</svg>
			<details>
				<summary id={id}>As a table</summary>
				<div className="plot-table" tabIndex={0} role="group" aria-labelledby={id}>
					<table>
						<thead>
							<tr>
								<th scope="col">When</th>
								<th scope="col">{title}</th>
							</tr>
						</thead>
						<tbody>
							{bars.map(({ label, value }) => (
								<tr key={label}>
									<th scope="row">{label}</th>
									<td>{formatCount(value)}</td>
								</tr>
							))}
						</tbody>
					</table>
				</div>
			</details>
		</div>
	);
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
