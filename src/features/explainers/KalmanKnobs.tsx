import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { account, follow, type Knobs, type Moment } from './kalman.ts';
import { Check, Explainer, Figures, fixed, significant, Slider } from './parts.tsx';

/** Powers of ten to which the two knobs can be turned. */
const TURNS = { q: 2, r: 1.5 } as const;
const INITIAL = { q: 0, r: 0, isBiased: false };
const BIAS = 2;
const ROWS: [name: string, Knobs][] = [
	['Correct', { q: 1, r: 1, bias: 0 }],
	['q / 100', { q: 0.01, r: 1, bias: 0 }],
	['q × 100', { q: 100, r: 1, bias: 0 }],
	['r / 25', { q: 1, r: 0.04, bias: 0 }],
	['r × 25', { q: 1, r: 25, bias: 0 }],
	['Both × 25', { q: 25, r: 25, bias: 0 }],
	['Biased sensor', { q: 1, r: 1, bias: BIAS }],
];

/** A tracking filter that is told the wrong noise, and what it then says of itself. */
export const KalmanKnobs = island(View);

function View() {
	const [turned, setTurned] = useState(INITIAL);
	const change = (changed: Partial<typeof INITIAL>) => setTurned({ ...turned, ...changed });
	const knobs = { q: 10 ** turned.q, r: 10 ** turned.r, bias: turned.isBiased ? BIAS : 0 };
	const { actual, claimed, nis } = account(knobs);
	const result =
		`The filter is off by ${fixed(actual, 2)} m and claims ${fixed(claimed, 2)} m. Its surprises are ${nis >= 0.995 && nis < 1.05 ? 'as large as it expects' : `${significant(nis)} times what it expects`}: ` +
		verdict(actual / claimed, nis);

	return (
		<Explainer
			title="Try it: the two knobs of a Kalman filter"
			label="try it: two knobs"
			isWide
			result={result}
			hint={
				<>
					Turn both knobs up by the same factor: the track hardly moves, and the band of what is
					claimed widens. Then reset and let the sensor read too far: the error triples, and the
					surprises stay what they were.
				</>
			}
			picture={<Track moments={follow(knobs, SHOWN)} result={result} />}
			table={
				<Figures
					summary="What settings do to the error and the claim"
					head={['Setting', 'Actual, m', 'Claimed, m', 'Mean NIS']}
					rows={ROWS.map(([name, row]) => {
						const { actual, claimed, nis } = account(row);
						return [name, fixed(actual, 3), fixed(claimed, 3), fixed(nis, 2)];
					})}
				/>
			}
		>
			<Slider
				label="q, how it may move"
				value={turned.q}
				text={factor(knobs.q)}
				range={[-TURNS.q, TURNS.q, 0.1]}
				onChange={(q) => change({ q })}
			/>
			<Slider
				label="r, how the sensor scatters"
				value={turned.r}
				text={factor(knobs.r)}
				range={[-TURNS.r, TURNS.r, 0.1]}
				onChange={(r) => change({ r })}
			/>
			<Check
				label="The sensor reads 2 m too far"
				checked={turned.isBiased}
				onChange={(isBiased) => change({ isBiased })}
			/>
			<div className="explainer-buttons">
				<Button variant="quiet" onClick={() => setTurned(INITIAL)}>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

/** How many times the truth the filter is told. */
function factor(value: number): string {
	if (Math.abs(value - 1) < 1e-9) return 'as it is';
	return value > 1 ? `× ${significant(value)}` : `/ ${significant(1 / value)}`;
}

function verdict(ratio: number, nis: number): string {
	const isQuiet = nis > 0.9 && nis < 1.1;
	if (ratio > 1.1) return isQuiet ? 'it is wrong, and cannot know.' : 'it is too sure of itself.';
	if (ratio < 0.9) return 'it is too modest.';
	return isQuiet ? 'it knows how good it is.' : 'its claim is about right.';
}

const SHOWN = 60;
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [340, 190, 30, 30, 18];
const REACH = 6;
const x = (step: number) => LEFT + ((step + 0.5) / SHOWN) * (WIDTH - LEFT - 4);
const y = (meters: number) =>
	TOP + ((REACH - clamped(meters)) / (2 * REACH)) * (HEIGHT - TOP - BOTTOM);
const clamped = (meters: number) => Math.max(-REACH, Math.min(REACH, meters));

/** Errors against the true place: of the readings, of the estimate, and what is claimed of it. */
function Track({ moments, result }: { moments: readonly Moment[]; result: string }) {
	const place = (value: (moment: Moment) => number) =>
		moments.map((moment, step) => `${x(step).toFixed(1)},${y(value(moment)).toFixed(1)}`);
	const upper = place((moment) => moment.estimate - moment.truth + 2 * moment.claimed);
	const lower = place((moment) => moment.estimate - moment.truth - 2 * moment.claimed);
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`Readings and the filter’s estimate, in meters from the true place, over 60 seconds, with a band of twice the claimed error. ${result}`}
		>
			<polygon className="x-band" points={[...upper, ...lower.toReversed()].join(' ')} />
			{[-4, -2, 0, 2, 4].map((mark) => (
				<g key={mark} className="x-quiet">
					<line
						className={mark === 0 ? 'x-axis' : 'x-grid'}
						x1={LEFT}
						x2={WIDTH - 4}
						y1={y(mark)}
						y2={y(mark)}
					/>
					<text x={LEFT - 5} y={y(mark)} dy="0.35em" textAnchor="end">
						{fixed(mark, 0)}
					</text>
				</g>
			))}
			{moments.map(({ reading, truth }, step) => (
				<circle key={step} className="x-dot" cx={x(step)} cy={y(reading - truth)} r="1.6" />
			))}
			<polyline
				className="x-line"
				points={place((moment) => moment.estimate - moment.truth).join(' ')}
			/>
			<g className="x-quiet">
				<text x={LEFT} y="9">
					meters from the true place
				</text>
				{[0, 15, 30, 45, 60].map((mark) => (
					<text
						key={mark}
						x={LEFT + (mark / SHOWN) * (WIDTH - LEFT - 4)}
						y={HEIGHT - 16}
						textAnchor={mark === SHOWN ? 'end' : 'middle'}
					>
						{mark}
					</text>
				))}
				<text x={(LEFT + WIDTH) / 2} y={HEIGHT - 3} textAnchor="middle">
					seconds
				</text>
			</g>
		</svg>
	);
}
