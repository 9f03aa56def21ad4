import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { plural } from '#src/lib/text.ts';
import { Choice, Explainer, Figures, fixed, Slider } from './parts.tsx';
import { latency, loadFor, loadWithOneLess, type Queue } from './queue.ts';

/** The article's three kinds of work, by the spread of the work over its mean. */
const WORK = {
	fixed: { name: 'Always the same', variation: 0 },
	exponential: { name: 'Exponential', variation: 1 },
	mixed: { name: 'One in ten is eleven times as long', variation: 1.5 },
} as const;
type Work = keyof typeof WORK;
const WORK_NAMES = {
	fixed: WORK.fixed.name,
	exponential: WORK.exponential.name,
	mixed: WORK.mixed.name,
};
/** How long a request takes by itself in the article. */
const SERVICE_MS = 40;
const INITIAL = { load: 0.7, servers: 1, work: 'exponential' as Work };
const ROWS = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95];

/** The time that a request takes, against the share of time that its server works. */
export const QueueLoad = island(View);

function View() {
	const [state, setState] = useState(INITIAL);
	const { load, servers, work } = state;
	const change = (changed: Partial<typeof INITIAL>) => setState({ ...state, ...changed });
	const kind = { servers, variation: WORK[work].variation };
	const time = latency({ load, ...kind });
	const less = loadWithOneLess({ load, ...kind });
	const result =
		`At ${percent(load)} load, ${plural(servers, 'server')} with one line take${servers === 1 ? 's' : ''} ${fixed(time, 1)} service times from arrival to answer: ${Math.round(time * SERVICE_MS)} ms where the work takes ${SERVICE_MS}.` +
		(servers === 1
			? ''
			: less < 1
				? ` If one fails, the others run at ${percent(less)} and take ${fixed(latency({ load: less, servers: servers - 1, variation: kind.variation }), 1)}.`
				: ` If one fails, the others would need ${percent(less)}: the line grows without end.`);

	return (
		<Explainer
			title="Try it: load and waiting"
			label="try it: a queue"
			result={result}
			hint={
				<>
					Go from 50% to 90% with one server. Then take eight at the same 90%: the work is the same,
					and nearly all of the wait is gone. Then let one of them fail.
				</>
			}
			picture={<Curve load={load} kind={kind} result={result} />}
			table={
				<Figures
					summary="Mean times by load"
					head={['Load', 'Service times', 'Of 40 ms']}
					current={ROWS.indexOf(load)}
					rows={ROWS.map((row) => {
						const taken = latency({ load: row, ...kind });
						return [percent(row), fixed(taken, 1), `${Math.round(taken * SERVICE_MS)} ms`];
					})}
				/>
			}
		>
			<Slider
				label="Load"
				value={load}
				text={percent(load)}
				range={[0.05, 0.98, 0.01]}
				onChange={(value) => change({ load: value })}
			/>
			<Slider
				label="Servers with one line"
				value={servers}
				text={String(servers)}
				range={[1, 16, 1]}
				onChange={(value) => change({ servers: value })}
			/>
			<Choice
				label="The work of a request"
				value={work}
				options={WORK_NAMES}
				onChange={(value) => change({ work: value })}
			/>
			<div className="explainer-buttons">
				<Button
					variant="quiet"
					aria-disabled={less >= 0.985}
					onClick={() => {
						if (less < 0.985) change({ servers: servers - 1, load: Math.round(100 * less) / 100 });
					}}
				>
					One server fails
				</Button>
				<Button variant="quiet" onClick={() => setState(INITIAL)}>
					Reset
				</Button>
			</div>
			<p className="explainer-note">
				{`Twice the time of the work is reached at ${percent(loadFor(2, kind))} load, five times at ${percent(loadFor(5, kind))}.`}
			</p>
		</Explainer>
	);
}

const percent = (share: number) => `${Math.round(100 * share)}%`;

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [340, 210, 30, 6, 20, 32];
const MAX_TIME = 20;
const x = (load: number) => LEFT + load * (WIDTH - LEFT - RIGHT);
const y = (time: number) => TOP + ((MAX_TIME - time) / MAX_TIME) * (HEIGHT - TOP - BOTTOM);
const LOADS = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
const line = (kind: Omit<Queue, 'load'>) =>
	LOADS.map((load) => [load, latency({ load, ...kind })] as const)
		.filter(([, time]) => time <= MAX_TIME)
		.map(([load, time]) => `${x(load).toFixed(1)},${y(time).toFixed(1)}`)
		.join(' ');

type CurveProps = { load: number; kind: Omit<Queue, 'load'>; result: string };

function Curve({ load, kind, result }: CurveProps) {
	const time = latency({ load, ...kind });
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`Mean time in service times against the load; dashed, one server with exponential work. ${result}`}
		>
			{[1, 5, 10, 15, 20].map((mark) => (
				<g key={mark} className="x-quiet">
					<line className="x-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(mark)} y2={y(mark)} />
					<text x={LEFT - 5} y={y(mark)} dy="0.35em" textAnchor="end">
						{mark}
					</text>
				</g>
			))}
			<line className="x-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={y(0)} y2={y(0)} />
			<polyline className="x-ghost" points={line({ servers: 1, variation: 1 })} />
			<polyline className="x-line" points={line(kind)} />
			<line
				className="x-mark"
				x1={x(load)}
				x2={x(load)}
				y1={y(Math.min(MAX_TIME, time))}
				y2={y(0)}
			/>
			{time <= MAX_TIME ? (
				<circle className="x-here" cx={x(load)} cy={y(time)} r="5" />
			) : (
				<text className="x-strong" x={x(load) - 5} y={y(MAX_TIME) + 12} textAnchor="end">
					{`${fixed(time, 0)}, above the picture`}
				</text>
			)}
			<g className="x-quiet">
				{[0.2, 0.4, 0.6, 0.8, 1].map((mark) => (
					<text key={mark} x={x(mark)} y={HEIGHT - 18} textAnchor={mark === 1 ? 'end' : 'middle'}>
						{percent(mark)}
					</text>
				))}
				<text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} textAnchor="middle">
					load
				</text>
				<text x={LEFT} y={10}>
					mean time, in service times
				</text>
			</g>
		</svg>
	);
}
