import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { formatCount, plural } from '#src/lib/text.ts';
import { ceiling, choose, MEAN } from './budget.ts';
import { Explainer, Figures, fixed, Slider } from './parts.tsx';

/** Sliders move along these, since what matters is the factor. */
const MODELS = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 100, 150, 200, 300, 500, 800, 1200, 2000];
const EXAMPLES = [100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 10_000, 20_000];
const INITIAL = { models: 20, examples: 1000, spread: 0 };
const ROWS = [1, 5, 20, 100, 500, 2000];

/** How the best score of many goes up while the best model stays what it is. */
export const ValidationBudget = island(View);

function View() {
	const [search, setSearch] = useState(INITIAL);
	const { models, examples, spread } = search;
	const change = (changed: Partial<typeof INITIAL>) => setSearch({ ...search, ...changed });
	const chosen = choose(search);
	const optimism = chosen.reported - chosen.true;
	const result =
		`Of ${plural(models, 'model')}, judged on ${formatCount(examples)} examples, the best is reported at ${percent(chosen.reported)} and is truly at ${percent(chosen.true)}: ${points(optimism)} points of luck.` +
		(spread > 0
			? ` It is really ${points(chosen.true - MEAN)} points better than the average of them.`
			: ' All of them are equally good, so there was nothing to find.');

	return (
		<Explainer
			title="Try it: wear out a validation set"
			label="try it: the budget"
			result={result}
			hint={
				<>
					Start with one model and go up: the first five comparisons cost 1.5 points, the last 1,200
					almost nothing. Then give the models a true spread of one point and see how much of the
					lead is real.
				</>
			}
			picture={<Curves search={search} result={result} />}
			table={
				<Figures
					summary="The winner by number of models"
					head={['Models', 'Reported', 'True', 'Luck', 'Ceiling of luck']}
					current={ROWS.indexOf(models)}
					rows={ROWS.map((count) => {
						const row = choose({ ...search, models: count });
						const luck = [points(row.reported - row.true), points(ceiling(count, row.noise))];
						return [formatCount(count), percent(row.reported), percent(row.true), ...luck];
					})}
				/>
			}
		>
			<Slider
				label="Models compared"
				value={MODELS.indexOf(models)}
				text={formatCount(models)}
				range={[0, MODELS.length - 1, 1]}
				onChange={(value) => change({ models: MODELS[value]! })}
			/>
			<Slider
				label="Validation examples"
				value={EXAMPLES.indexOf(examples)}
				text={formatCount(examples)}
				range={[0, EXAMPLES.length - 1, 1]}
				onChange={(value) => change({ examples: EXAMPLES[value]! })}
			/>
			<Slider
				label="True spread of the models"
				value={spread}
				text={`${points(spread)} points`}
				range={[0, 0.03, 0.001]}
				onChange={(value) => change({ spread: value })}
			/>
			<div className="explainer-buttons">
				<Button variant="quiet" onClick={() => setSearch(INITIAL)}>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

const percent = (share: number) => `${fixed(100 * share, 1)}%`;
const points = (share: number) => fixed(100 * share, 1);

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [340, 210, 34, 6, 20, 32];
const MAX_TIME = 2000;
const x = (models: number) =>
	LEFT + (Math.log(models) / Math.log(MAX_TIME)) * (WIDTH - LEFT - RIGHT);

function Curves({ search, result }: { search: typeof INITIAL; result: string }) {
	const { models } = search;
	const rows = MODELS.map((count) => ({ count, ...choose({ ...search, models: count }) }));
	const chosen = choose(search);
	const highest = Math.max(0.85, Math.ceil(20 * rows.at(-1)!.reported) / 20);
	const lowest = 0.78;
	const y = (share: number) =>
		TOP + ((highest - share) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM);
	const line = (value: (row: (typeof rows)[number]) => number) =>
		rows.map((row) => `${x(row.count).toFixed(1)},${y(value(row)).toFixed(1)}`).join(' ');
	const marks =
		highest > 0.9 ? [0.8, 0.85, 0.9, 0.95].filter((m) => m <= highest) : [0.8, 0.82, 0.84];
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`Reported and true accuracy of the best model against the number of models. ${result}`}
		>
			{marks.map((mark) => (
				<g key={mark} className="x-quiet">
					<line className="x-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(mark)} y2={y(mark)} />
					<text x={LEFT - 5} y={y(mark)} dy="0.35em" textAnchor="end">
						{Math.round(100 * mark)}%
					</text>
				</g>
			))}
			<line className="x-axis" x1={LEFT} x2={WIDTH - RIGHT} y1={y(lowest)} y2={y(lowest)} />
			<polyline className="x-line" points={line((row) => row.reported)} />
			<polyline className="x-recall" points={line((row) => row.true)} />
			<line
				className="x-mark"
				x1={x(models)}
				x2={x(models)}
				y1={y(chosen.reported)}
				y2={y(lowest)}
			/>
			<circle className="x-here" cx={x(models)} cy={y(chosen.reported)} r="5" />
			<circle className="x-recall-dot" cx={x(models)} cy={y(chosen.true)} r="4" />
			<g className="x-quiet">
				{[1, 5, 20, 100, 500, MAX_TIME].map((mark) => (
					<text
						key={mark}
						x={x(mark)}
						y={HEIGHT - 18}
						textAnchor={mark === MAX_TIME ? 'end' : 'middle'}
					>
						{formatCount(mark)}
					</text>
				))}
				<text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} textAnchor="middle">
					models compared
				</text>
			</g>
			{(
				[
					['x-line', LEFT, 'reported'],
					['x-recall', LEFT + 110, 'true'],
				] as const
			).map(([name, from, text]) => (
				<g key={name}>
					<line className={name} x1={from} x2={from + 18} y1={6} y2={6} />
					<text x={from + 23} y={10}>
						{text}
					</text>
				</g>
			))}
		</svg>
	);
}
