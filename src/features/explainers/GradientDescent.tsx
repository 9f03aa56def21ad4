import { useEffect, useId, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { limit, loss, path, polyak, type Point } from './descent.ts';
import { Explainer, Figures, fixed, significant, Slider } from './parts.tsx';

/** The article's valley is curved 50 times as strongly across as along. */
const CURVATURE = 50;
const MAX_STEPS = 200;
const FRAME_MS = 30;
const INITIAL = { rate: 0.039, momentum: 0, steps: 12 };
const ROWS = [0, 1, 2, 3, 5, 10, 20, 50, 100, 200];

/** Gradient descent across and along a narrow valley. */
export const GradientDescent = island(View);

function View() {
	const [{ rate, momentum, steps }, setState] = useState(INITIAL);
	const [isRunning, setRunning] = useState(false);
	const descent = { curvature: CURVATURE, rate, momentum };
	const points = path(descent, MAX_STEPS);
	const losses = points.map((point) => loss(point, CURVATURE));
	const highest = limit(descent);
	const change = (changed: Partial<typeof INITIAL>) =>
		setState((state) => ({ ...state, ...changed }));

	useEffect(() => {
		if (!isRunning) return undefined;
		const timer = setInterval(
			() => setState((state) => ({ ...state, steps: Math.min(MAX_STEPS, state.steps + 1) })),
			FRAME_MS,
		);
		return () => clearInterval(timer);
	}, [isRunning]);
	if (isRunning && steps === MAX_STEPS) setRunning(false);

	function run() {
		const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
		const from = steps === MAX_STEPS ? 0 : steps;
		change({ steps: isStill ? MAX_STEPS : from });
		setRunning(!isStill);
	}

	const now = losses[steps]!;
	const least = losses.slice(0, steps + 1).reduce((a, b) => Math.min(a, b), Infinity);
	// On its limit a rate neither shrinks nor grows: rounding must not decide.
	const isStable = rate < highest - 1e-9;
	const isOut = Math.abs(points[steps]![1]) > REACH_Y || Math.abs(points[steps]![0]) > REACH_X;
	const result =
		`After ${steps} ${steps === 1 ? 'step' : 'steps'} the loss is ${significant(now)}, from 75 at the start. ` +
		(isStable
			? `A rate of ${rated(rate)} is below the limit of ${rated(highest)}: it converges.`
			: `A rate of ${rated(rate)} is not below the limit of ${rated(highest)}: ${
					now <= least && steps > 0
						? 'the loss still falls, but it will blow up.'
						: isOut
							? 'it blew up and left the picture.'
							: 'it does not converge.'
				}`);

	return (
		<Explainer
			title="Try it: gradient descent in the valley"
			label="try it: descent"
			isWide
			result={result}
			hint={
				<>
					Set the rate to 0.041, reset the steps to 0, and take one step at a time: the loss goes
					down three times before it explodes. Then press Polyak’s pair, whose rate is larger still.
				</>
			}
			picture={
				<>
					<Valley points={points.slice(0, steps + 1)} result={result} />
					<Losses losses={losses} steps={steps} />
				</>
			}
			table={
				<Figures
					summary="Steps and losses as a table"
					head={['Step', 'x, along', 'y, across', 'Loss']}
					current={ROWS.indexOf(steps)}
					rows={ROWS.map((step) => [
						step,
						...points[step]!.map((place) => significant(place).replace('-', '−')),
						significant(losses[step]!),
					])}
				/>
			}
		>
			<Slider
				label="Learning rate"
				value={rate}
				text={rated(rate)}
				range={[0.001, 0.08, 0.001]}
				onChange={(value) => change({ rate: value })}
			/>
			<Slider
				label="Momentum"
				value={momentum}
				text={fixed(momentum, 2)}
				range={[0, 0.99, 0.01]}
				onChange={(value) => change({ momentum: value })}
			/>
			<Slider
				label="Steps"
				value={steps}
				text={String(steps)}
				range={[0, MAX_STEPS, 1]}
				onChange={(value) => {
					setRunning(false);
					change({ steps: value });
				}}
			/>
			<div className="explainer-buttons">
				<Button
					aria-disabled={steps === MAX_STEPS}
					onClick={() => change({ steps: Math.min(MAX_STEPS, steps + 1) })}
				>
					Step
				</Button>
				<Button variant="quiet" onClick={() => (isRunning ? setRunning(false) : run())}>
					{isRunning ? 'Pause' : 'Run'}
				</Button>
				<Button
					variant="quiet"
					onClick={() => {
						setRunning(false);
						change({ ...polyak(CURVATURE) });
					}}
				>
					Polyak’s pair
				</Button>
				<Button
					variant="quiet"
					onClick={() => {
						setRunning(false);
						setState(INITIAL);
					}}
				>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

/** Three decimals, four where the third does not say it all. */
const rated = (rate: number) =>
	fixed(rate, Math.abs(rate * 1000 - Math.round(rate * 1000)) < 1e-6 ? 3 : 4);

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [340, 172, 30, 28];
const [REACH_X, REACH_Y] = [11, 1.55];
const inner = { width: WIDTH - LEFT - 4, height: HEIGHT - BOTTOM - 4 };
/** Clamps a coordinate that is far outside the picture. */
const near = (value: number) => Math.max(-1e4, Math.min(1e4, value));
const px = (x: number) => near((inner.width / 2) * (1 + x / REACH_X));
const py = (y: number) => near((inner.height / 2) * (1 - y / REACH_Y));
const LEVELS = [0.5, 2, 5, 12, 25, 45, 75, 120, 180];

function Valley({ points, result }: { points: readonly Point[]; result: string }) {
	const titleId = useId();
	const [x, y] = points.at(-1)!;
	const places = points.map((point) => [px(point[0]), py(point[1])] as const);
	return (
		<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={titleId}>
			<title id={titleId}>
				{`Lines of equal loss around the minimum, and the path from (10, 1) to (${significant(x)}, ${significant(y)}). ${result}`}
			</title>
			<svg x={LEFT} y="4" width={inner.width} height={inner.height}>
				{LEVELS.map((level) => (
					<ellipse
						key={level}
						className="x-contour"
						cx={px(0)}
						cy={py(0)}
						rx={px(Math.sqrt(2 * level)) - px(0)}
						ry={py(0) - py(Math.sqrt((2 * level) / CURVATURE))}
					/>
				))}
				<path
					className="x-axis"
					d={`M${px(-0.4)} ${py(0)}H${px(0.4)}M${px(0)} ${py(-0.08)}V${py(0.08)}`}
				/>
				<polyline
					className="x-line"
					points={places.map((place) => place.map((one) => one.toFixed(1)).join()).join(' ')}
				/>
				{places.map(([cx, cy], i) => (
					<circle key={i} className="x-step" cx={cx} cy={cy} r="1.8" />
				))}
				<circle className="x-start" cx={px(10)} cy={py(1)} r="5" />
				<circle className="x-here" cx={px(x)} cy={py(y)} r="5" />
			</svg>
			<rect className="x-edge" x={LEFT} y="4" width={inner.width} height={inner.height} />
			<g className="x-quiet">
				{[-10, -5, 0, 5, 10].map((mark) => (
					<text key={mark} x={LEFT + px(mark)} y={HEIGHT - 14} textAnchor="middle">
						{fixed(mark, 0)}
					</text>
				))}
				{[-1, 0, 1].map((mark) => (
					<text key={mark} x={LEFT - 5} y={4 + py(mark)} dy="0.35em" textAnchor="end">
						{fixed(mark, 0)}
					</text>
				))}
				<text x={LEFT + inner.width / 2} y={HEIGHT - 3} textAnchor="middle">
					x, along the valley
				</text>
				<text transform={`translate(8 ${4 + inner.height / 2}) rotate(-90)`} textAnchor="middle">
					y, across
				</text>
			</g>
		</svg>
	);
}

const PLOT = { height: 108, top: 14, bottom: 28 };
const [LOWEST, HIGHEST] = [-6, 10];

function Losses({ losses, steps }: { losses: readonly number[]; steps: number }) {
	const x = (step: number) => LEFT + 8 + (step / MAX_STEPS) * (inner.width - 8);
	const power = (value: number) =>
		Math.max(LOWEST - 0.5, Math.min(HIGHEST + 0.5, Math.log10(value)));
	const y = (value: number) =>
		PLOT.top + ((HIGHEST - value) / (HIGHEST - LOWEST)) * (PLOT.height - PLOT.top - PLOT.bottom);
	const place = (value: number, step: number) =>
		`${x(step).toFixed(1)},${y(power(value)).toFixed(1)}`;
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${PLOT.height}`}
			role="img"
			aria-label={`Loss by step on a logarithmic scale: 75 at step 0, ${significant(losses[steps]!)} at step ${steps}, ${significant(losses.at(-1)!)} at step ${MAX_STEPS}.`}
		>
			{[
				[-6, '10⁻⁶'],
				[0, '1'],
				[6, '10⁶'],
			].map(([mark, text]) => (
				<g key={mark}>
					<line
						className="x-grid"
						x1={LEFT + 8}
						x2={LEFT + inner.width}
						y1={y(Number(mark))}
						y2={y(Number(mark))}
					/>
					<text className="x-quiet" x={LEFT + 2} y={y(Number(mark))} dy="0.35em" textAnchor="end">
						{text}
					</text>
				</g>
			))}
			<polyline className="x-ghost" points={losses.map(place).join(' ')} />
			<polyline
				className="x-line"
				points={losses
					.slice(0, steps + 1)
					.map(place)
					.join(' ')}
			/>
			<circle className="x-here" cx={x(steps)} cy={y(power(losses[steps]!))} r="4" />
			<g className="x-quiet">
				<text x={LEFT + 8} y={8}>
					loss, logarithmic
				</text>
				{[0, 50, 100, 150, 200].map((mark) => (
					<text
						key={mark}
						x={x(mark)}
						y={PLOT.height - 14}
						textAnchor={mark === MAX_STEPS ? 'end' : 'middle'}
					>
						{mark}
					</text>
				))}
				<text x={LEFT + inner.width / 2} y={PLOT.height - 3} textAnchor="middle">
					step
				</text>
			</g>
		</svg>
	);
}
