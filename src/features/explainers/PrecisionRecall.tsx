import { useMemo, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { formatCount } from '#src/lib/text.ts';
import { Explainer, fixed, Slider, Table } from './parts.tsx';
import {
	bestF1,
	breakEven,
	drawOrders,
	histogram,
	logistic,
	logit,
	outcome,
	type Costs,
	type Orders,
	type Outcome,
} from './threshold.ts';

/** The article's costs, in dollars. */
const COSTS: Costs = { falseAlarm: 10, missed: 200 };
/** Scores in log-odds; no order of the article's 20,000 lies above. */
const [FROM, TO] = [-8, 7];

/** The effect of a threshold on 20,000 orders, and its cost. */
export const PrecisionRecall = island(View);

function View() {
	const [z, setZ] = useState(logit(0.5));
	const [costs, setCosts] = useState(COSTS);
	const orders = useMemo(() => drawOrders(), []);
	const f1At = useMemo(() => bestF1(orders), [orders]);
	const now = outcome(orders, z, costs);
	const cheapest = breakEven(costs);
	const least = outcome(orders, logit(cheapest), costs).cost;
	const held = now.hits + now.falseAlarms;
	const extra = now.cost / least - 1;

	const result =
		(held === 0
			? `No score is ${score(z)} or more: nothing is held, so there is no precision, and recall is 0.`
			: `From ${score(z)} on, ${formatCount(held)} of 20,000 are held. Precision ${percent(now.precision)}, recall ${percent(now.recall)}, F1 ${fixed(now.f1, 3)}.`) +
		` Cost: ${dollars(now.cost)}, ${
			Math.abs(extra) < 0.005
				? 'as low as it gets.'
				: `${fixed(100 * Math.abs(extra), 0)}% ${extra > 0 ? 'more' : 'less'} than at break-even.`
		}`;

	return (
		<Explainer
			title="Try it: a threshold and its price"
			label="try it: threshold"
			isWide
			result={result}
			hint={
				<>
					Press Best F1, then Break-even: precision looks far worse, and the cost falls by more than
					a third. Then make a missed fraud as cheap as a false alarm.
				</>
			}
			picture={<Scores orders={orders} z={z} costs={costs} now={now} cheapest={cheapest} />}
			table={
				<Table
					label="What happens to the orders"
					head={['Orders', 'Held', 'Passed']}
					rows={[
						['Fraud', counted(now.hits, 'caught'), counted(now.missed, 'missed')],
						['Honest', counted(now.falseAlarms, 'by mistake'), counted(now.passed, 'rightly')],
					]}
				/>
			}
		>
			<Slider
				label="Threshold"
				value={z}
				text={score(z)}
				range={[FROM, TO, 0.05]}
				onChange={setZ}
			/>
			<Slider
				label="A false alarm costs"
				value={costs.falseAlarm}
				text={`$${costs.falseAlarm}`}
				range={[5, 200, 5]}
				onChange={(falseAlarm) => setCosts({ ...costs, falseAlarm })}
			/>
			<Slider
				label="A missed fraud costs"
				value={costs.missed}
				text={`$${costs.missed}`}
				range={[10, 500, 10]}
				onChange={(missed) => setCosts({ ...costs, missed })}
			/>
			<div className="explainer-buttons">
				<Button onClick={() => setZ(logit(cheapest))}>Break-even {fixed(cheapest, 3)}</Button>
				<Button variant="quiet" onClick={() => setZ(logit(f1At))}>
					Best F1 {fixed(f1At, 3)}
				</Button>
				<Button
					variant="quiet"
					onClick={() => {
						setZ(logit(0.5));
						setCosts(COSTS);
					}}
				>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' });
const dollars = (value: number) => `$${formatCount(value)}`;
const percent = (share: number | null) => (share === null ? 'none' : `${fixed(100 * share, 1)}%`);
const score = (z: number) => fixed(logistic(z), logistic(z) < 0.01 || logistic(z) > 0.99 ? 4 : 3);

const [WIDTH, LEFT, RIGHT] = [340, 8, 8];
const TOP = { from: 18, to: 90 };
const LOW = { from: 128, to: 198 };
const HEIGHT = 226;
const BINS = 60;
const TICKS = [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99];
const x = (z: number) => LEFT + ((z - FROM) / (TO - FROM)) * (WIDTH - LEFT - RIGHT);

type ScoresProps = { orders: Orders; z: number; costs: Costs; now: Outcome; cheapest: number };

/** The scores of both kinds; below, on the same axis, what each threshold would give. */
function Scores({ orders, z, costs, now, cheapest }: ScoresProps) {
	const groups = useMemo(
		() => ({
			honest: histogram(orders.honest, FROM, TO, BINS),
			fraud: histogram(orders.fraud, FROM, TO, BINS),
		}),
		[orders],
	);
	const curve = useMemo(
		() =>
			Array.from({ length: 151 }, (_, i) => {
				const at = FROM + ((TO - FROM) * i) / 150;
				return { at, ...outcome(orders, at, costs) };
			}),
		[orders, costs],
	);
	const highest = Math.max(...curve.map(({ cost }) => cost));
	const line = (value: (one: Outcome) => number | null) =>
		curve
			.flatMap((one) => {
				const height = value(one);
				return height === null ? [] : [`${x(one.at).toFixed(1)},${low(height).toFixed(1)}`];
			})
			.join(' ');
	const anchor = z > 0.5 ? 'end' : 'start';
	const legend = [
		['precision', 0, 'precision'],
		['recall', 104, 'recall'],
		['cost', 180, `cost, to ${compact.format(highest)}`],
	] as const;
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`Scores of honest and fraudulent orders, cut at ${score(z)}; below, precision ${now.precision === null ? 'undefined' : fixed(now.precision, 3)}, recall ${fixed(now.recall ?? 0, 3)} and cost ${dollars(now.cost)} at that threshold. The cost is lowest near ${fixed(cheapest, 3)}.`}
		>
			<Hills shares={groups.honest} className="x-honest" />
			<Hills shares={groups.fraud} className="x-fraud" />
			<line className="x-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={TOP.to} y2={TOP.to} />
			<text y={TOP.from + 8} className="x-honest-text">
				<tspan x={LEFT}>{formatCount(orders.honest.length)}</tspan>
				<tspan x={LEFT} dy="1.2em">
					honest
				</tspan>
			</text>
			<text y={TOP.from + 8} textAnchor="end" className="x-fraud-text">
				<tspan x={WIDTH - RIGHT}>{formatCount(orders.fraud.length)} fraud,</tspan>
				<tspan x={WIDTH - RIGHT} dy="1.2em">
					drawn ×{Math.round(orders.honest.length / orders.fraud.length)}
				</tspan>
			</text>
			{TICKS.map((tick) => (
				<g key={tick} className="x-quiet">
					<line
						className="x-axis"
						x1={x(logit(tick))}
						x2={x(logit(tick))}
						y1={TOP.to}
						y2={TOP.to + 4}
					/>
					<text x={x(logit(tick))} y={TOP.to + 14} textAnchor="middle">
						{String(tick).replace('0.', '.')}
					</text>
				</g>
			))}
			<text className="x-quiet" x={WIDTH / 2} y={TOP.to + 27} textAnchor="middle">
				score: probability of fraud
			</text>
			<line className="x-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={low(1)} y2={low(1)} />
			<line className="x-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={low(0)} y2={low(0)} />
			<polyline className="x-cost" points={line(({ cost }) => cost / highest)} />
			<polyline className="x-precision" points={line(({ precision }) => precision)} />
			<polyline className="x-recall" points={line(({ recall }) => recall)} />
			<path
				className="x-threshold"
				d={`M${x(z)} ${TOP.from - 14}V${TOP.to}M${x(z)} ${low(1)}V${low(0)}`}
			/>
			<text
				className="x-strong"
				x={x(z) + (anchor === 'start' ? 5 : -5)}
				y={TOP.from - 6}
				textAnchor={anchor}
			>
				{anchor === 'start' ? `held from ${score(z)} →` : `held from ${score(z)}`}
			</text>
			{now.precision !== null && (
				<circle className="x-precision-dot" cx={x(z)} cy={low(now.precision)} r="4" />
			)}
			<circle className="x-recall-dot" cx={x(z)} cy={low(now.recall ?? 0)} r="4" />
			<circle className="x-cost-dot" cx={x(z)} cy={low(now.cost / highest)} r="4" />
			{legend.map(([name, from, text]) => (
				<g key={name}>
					<line
						className={`x-${name}`}
						x1={LEFT + from}
						x2={LEFT + from + 18}
						y1={HEIGHT - 14}
						y2={HEIGHT - 14}
					/>
					<text x={LEFT + from + 23} y={HEIGHT - 10}>
						{text}
					</text>
				</g>
			))}
		</svg>
	);
}

const low = (share: number) => LOW.to - share * (LOW.to - LOW.from);

function Hills({ shares, className }: { shares: readonly number[]; className: string }) {
	const most = 0.11;
	const y = (share: number) => TOP.to - (share / most) * (TOP.to - TOP.from);
	const width = (WIDTH - LEFT - RIGHT) / shares.length;
	const steps = shares.map(
		(share, i) => `V${y(share).toFixed(1)}H${(LEFT + (i + 1) * width).toFixed(1)}`,
	);
	return <path className={className} d={`M${LEFT} ${TOP.to}${steps.join('')}V${TOP.to}Z`} />;
}

const counted = (orders: number, what: string) => (
	<>
		{formatCount(orders)} <small>{what}</small>
	</>
);
