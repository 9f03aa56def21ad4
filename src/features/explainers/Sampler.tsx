import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { formatCount } from '#src/lib/text.ts';
import { Choice, Explainer, Figures, fixed, Slider } from './parts.tsx';
import { controlled, draw, LONG_TAIL, TAIL, temper, TEN, type Order } from './sampler.ts';

const SHAPES = { ten: 'Ten tokens', tail: 'Long tail: 50,000 tokens' };
const ORDERS: Record<Order, string> = {
	'temperature-first': 'Temperature, then top-p',
	'top-p-first': 'Top-p, then temperature',
};
/** How many tokens are drawn at a time. */
const DRAWN = 40;
const INITIAL = {
	shape: 'ten' as keyof typeof SHAPES,
	temperature: 1,
	p: 0.9,
	order: 'temperature-first' as Order,
};

/** Temperature and top-p on a distribution, and tokens drawn from it. */
export const Sampler = island(View);

function View() {
	const [settings, setSettings] = useState(INITIAL);
	const [drawn, setDrawn] = useState<string[]>([]);
	const { shape, temperature, p, order } = settings;
	const tokens = shape === 'ten' ? TEN : LONG_TAIL;
	const warm = temper(tokens, temperature);
	const left = controlled(tokens, temperature, p, order);
	const rows = tokens.map(({ label, count }, i) => ({
		label: label === TAIL ? '49,980 bad' : label,
		isTail: label === TAIL,
		of: count,
		before: warm[i]!.probability * count,
		kept: left[i]!.count,
		after: left[i]!.probability * left[i]!.count,
	}));
	const kept = rows.reduce((sum, row) => sum + row.kept, 0);
	const all = rows.reduce((sum, row) => sum + row.of, 0);
	const bad = rows.at(-1)!;

	function change(changed: Partial<typeof INITIAL>) {
		setSettings({ ...settings, ...changed });
		setDrawn([]);
	}

	const best = rows[0]!;
	const result =
		`${formatCount(kept)} of ${formatCount(all)} tokens can be drawn. ` +
		(bad.isTail
			? `${percent(bad.after)} of the draws are bad tokens.`
			: `“${best.label}” comes in ${percent(best.after)} of the draws.`);

	return (
		<Explainer
			title="Try it: temperature and top-p"
			label="try it: sampler"
			result={drawn.length > 0 ? `${result} ${summaryOf(drawn)}` : result}
			hint={
				<>
					Choose the long tail, set top-p to 0.95, and raise the temperature from 1.0 to 1.2. Then
					turn the order around.
				</>
			}
			picture={<Bars rows={rows} result={result} />}
			table={
				<Figures
					summary="Every token as a table"
					head={['Token', 'At this temperature', 'Can be drawn with']}
					rows={rows.map((row) => [
						row.label,
						fixed(row.before, 4),
						row.kept === 0 ? 'left out' : fixed(row.after, 4),
					])}
				/>
			}
		>
			<Choice
				label="Distribution"
				value={shape}
				options={SHAPES}
				onChange={(value) => change({ shape: value })}
			/>
			<Slider
				label="Temperature"
				value={temperature}
				text={fixed(temperature, 2)}
				range={[0.1, 2, 0.05]}
				onChange={(value) => change({ temperature: value })}
			/>
			<Slider
				label="Top-p"
				value={p}
				text={fixed(p, 2)}
				range={[0.05, 1, 0.01]}
				onChange={(value) => change({ p: value })}
			/>
			<Choice
				label="Order"
				value={order}
				options={ORDERS}
				onChange={(value) => change({ order: value })}
			/>
			<div className="explainer-buttons">
				<Button
					onClick={() => setDrawn(Array.from({ length: DRAWN }, () => draw(left, Math.random())))}
				>
					Draw {DRAWN}
				</Button>
				<Button
					variant="quiet"
					onClick={() => {
						setSettings(INITIAL);
						setDrawn([]);
					}}
				>
					Reset
				</Button>
			</div>
			{drawn.length > 0 && (
				<ol className="explainer-drawn" aria-label="Drawn">
					{drawn.map((label, i) => (
						<li key={i} className={label === TAIL ? 'is-bad' : undefined}>
							{label === TAIL ? 'bad' : label}
						</li>
					))}
				</ol>
			)}
		</Explainer>
	);
}

function summaryOf(drawn: readonly string[]): string {
	const counts = new Map<string, number>();
	for (const label of drawn) counts.set(label, (counts.get(label) ?? 0) + 1);
	const bad = counts.get(TAIL) ?? 0;
	if (bad > 0) return `Of ${drawn.length} drawn, ${bad} ${bad === 1 ? 'is' : 'are'} bad.`;
	const [label, times] = [...counts].sort((a, b) => b[1] - a[1])[0]!;
	return `Of ${drawn.length} drawn, ${times} are “${label}”; ${counts.size} different ones came.`;
}

const percent = (share: number) => `${fixed(100 * share, 1)}%`;

type Row = { label: string; isTail: boolean; before: number; kept: number; after: number };
const [WIDTH, LEFT, RIGHT, TOP] = [340, 78, 44, 4];

function Bars({ rows, result }: { rows: readonly Row[]; result: string }) {
	const step = rows.length > 10 ? 15 : 27;
	const bar = step * 0.64;
	const height = TOP + rows.length * step + 26;
	const top = Math.max(0.1, ...rows.map(({ before, after }) => Math.max(before, after)));
	const x = (share: number) => (share / top) * (WIDTH - LEFT - RIGHT);
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${height}`}
			role="img"
			aria-label={`Bars of the probability of each token. ${result}`}
		>
			{rows.map(({ label, isTail, before, kept, after }, i) => {
				const y = TOP + i * step;
				const classes = [isTail && 'x-danger', kept === 0 && 'x-out'].filter(Boolean).join(' ');
				return (
					<g key={label} className={classes || undefined}>
						<text x={LEFT - 8} y={y + bar / 2} dy="0.35em" textAnchor="end">
							{label}
						</text>
						<rect className="x-bar" x={LEFT} y={y} width={x(after)} height={bar} />
						<rect className="x-before" x={LEFT} y={y} width={x(before)} height={bar} />
						<text
							className="x-quiet"
							x={LEFT + 6 + x(Math.max(before, after))}
							y={y + bar / 2}
							dy="0.35em"
						>
							{kept === 0 ? 'out' : after < 0.0005 ? '<0.001' : fixed(after, 3)}
						</text>
					</g>
				);
			})}
			<line className="x-axis" x1={LEFT} x2={LEFT} y1={0} y2={height - 22} />
			<text className="x-quiet" x={LEFT} y={height - 5}>
				probability · outlined: before top-p
			</text>
		</svg>
	);
}
