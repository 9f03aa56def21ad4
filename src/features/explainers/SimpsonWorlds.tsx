import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { Choice, Explainer, fixed, Slider, Table } from './parts.tsx';
import { differences, EFFECTS, type Differences, type World, type WorldName } from './worlds.ts';

const NAMES: Record<WorldName, string> = {
	before: 'Before: g decides about both',
	between: 'Between: g is a step on the way',
	after: 'After: g is decided by both',
};
/** The meaning of g in each world, and the comparison that is right there. */
const STORIES: Record<WorldName, { g: string; right: 'adjusted' | 'pooled' }> = {
	before: { g: 'a hard case', right: 'adjusted' },
	between: { g: 'low pressure', right: 'pooled' },
	after: { g: 'an answer', right: 'pooled' },
};
const initial = (name: WorldName): World => ({ name, strength: 1, effect: EFFECTS[name] });

/** One table, three ways in which it can have come about, and the comparison that is right in each. */
export const SimpsonWorlds = island(View);

function View() {
	const [world, setWorld] = useState(initial('before'));
	const { name, strength, effect } = world;
	const found = differences(world);
	const { g, right } = STORIES[name];
	const other = right === 'pooled' ? 'adjusted' : 'pooled';
	const gap = Math.abs(found[other] - found.true);
	const result =
		`Here g is ${g}. The treatment truly changes success by ${points(found.true)} points. The pooled table says ${points(found.pooled)}, the split one ${points(found.adjusted)} on average: ` +
		(gap < 0.0005
			? 'they agree.'
			: `the ${right === 'pooled' ? 'pool' : 'split'} is right, the ${right === 'pooled' ? 'split' : 'pool'} is off by ${fixed(100 * gap, 1)}.`);

	return (
		<Explainer
			title="Try it: three worlds behind one table"
			label="try it: three worlds"
			result={result}
			hint={
				<>
					In the first world, lower the link to 0.4: no sign turns around any more, and the pooled
					table is still wrong by four points. Then change the world and leave the rest: what was
					right is wrong.
				</>
			}
			picture={
				<>
					<Graph name={name} result={result} />
					<Rows found={found} right={right} />
				</>
			}
			table={
				<Table
					label="Differences between treated and untreated"
					head={['Comparison', 'Points', 'Off by']}
					rows={rowsOf(found).map(([label, value]) => [
						label,
						points(value),
						points(value - found.true),
					])}
				/>
			}
		>
			<Choice
				label="World"
				value={name}
				options={NAMES}
				onChange={(value) => setWorld({ ...world, name: value, effect: EFFECTS[value] })}
			/>
			<Slider
				label="Strength of the link to g"
				value={strength}
				text={fixed(strength, 2)}
				range={[0, 1, 0.05]}
				onChange={(value) => setWorld({ ...world, strength: value })}
			/>
			<Slider
				label="What the treatment does by itself"
				value={effect}
				text={`${points(effect)} points`}
				range={[-0.1, 0.1, 0.01]}
				onChange={(value) => setWorld({ ...world, effect: value })}
			/>
			<div className="explainer-buttons">
				<Button variant="quiet" onClick={() => setWorld(initial(name))}>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

const points = (share: number) => fixed(100 * share, 1);
const rowsOf = ({ pooled, split, adjusted, true: truth }: Differences) =>
	[
		['Pooled', pooled],
		['Split: with g', split[0]],
		['Split: without g', split[1]],
		['Adjusted', adjusted],
		['True', truth],
	] as const;

const WIDTH = 340;
/** Places of the three variables, and the arrows of each world. */
const PLACES = { g: [170, 22], t: [50, 84], ok: [290, 84] } as const;
const ARROWS: Record<WorldName, (readonly [keyof typeof PLACES, keyof typeof PLACES])[]> = {
	before: [
		['g', 't'],
		['g', 'ok'],
		['t', 'ok'],
	],
	between: [
		['t', 'g'],
		['g', 'ok'],
		['t', 'ok'],
	],
	after: [
		['t', 'g'],
		['ok', 'g'],
		['t', 'ok'],
	],
};
const LABELS = { t: 'treatment', ok: 'outcome' };

function Graph({ name, result }: { name: WorldName; result: string }) {
	return (
		<svg
			viewBox={`0 0 ${WIDTH} 106`}
			role="img"
			aria-label={`Arrows say what has a part in what: ${ARROWS[name].map(([from, to]) => `${word(from, name)} in ${word(to, name)}`).join(', ')}. ${result}`}
		>
			{ARROWS[name].map(([from, to]) => (
				<path key={from + to} className="x-arrow" d={arrow(PLACES[from], PLACES[to])} />
			))}
			{(['g', 't', 'ok'] as const).map((node) => (
				<g key={node}>
					<rect
						className="x-node"
						x={PLACES[node][0] - 50}
						y={PLACES[node][1] - 13}
						width="100"
						height="26"
					/>
					<text x={PLACES[node][0]} y={PLACES[node][1]} dy="0.35em" textAnchor="middle">
						{word(node, name)}
					</text>
				</g>
			))}
		</svg>
	);
}

const word = (node: keyof typeof PLACES, name: WorldName) =>
	node === 'g' ? STORIES[name].g : LABELS[node];

/** A line that ends at the box of its target, with a head. */
function arrow([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): string {
	const flat = y1 === y2;
	const from = flat ? [x1 + 52, y1] : [x1 + 0.3 * (x2 - x1), y1 + Math.sign(y2 - y1) * 15];
	const to = flat ? [x2 - 52, y2] : [x2 - 0.3 * (x2 - x1), y2 - Math.sign(y2 - y1) * 15];
	const angle = Math.atan2(to[1]! - from[1]!, to[0]! - from[0]!);
	const barb = (turn: number) =>
		`${(to[0]! - 8 * Math.cos(angle + turn)).toFixed(1)} ${(to[1]! - 8 * Math.sin(angle + turn)).toFixed(1)}`;
	return `M${from.join(' ')}L${to.join(' ')}M${barb(0.5)}L${to.join(' ')}L${barb(-0.5)}`;
}

const [LEFT, HEIGHT, REACH] = [116, 128, 0.28];
const x = (share: number) => LEFT + ((share + REACH) / (2 * REACH)) * (WIDTH - LEFT - 8);

function Rows({ found, right }: { found: Differences; right: 'adjusted' | 'pooled' }) {
	const rows = rowsOf(found);
	return (
		<svg
			viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
			role="img"
			aria-label={`Differences in percentage points: ${rows.map(([label, value]) => `${label.toLowerCase()} ${points(value)}`).join(', ')}.`}
		>
			<line className="x-axis" x1={x(0)} x2={x(0)} y1="2" y2={HEIGHT - 22} />
			<line className="x-mark" x1={x(found.true)} x2={x(found.true)} y1="2" y2={HEIGHT - 22} />
			{rows.map(([label, value], i) => (
				<g key={label} className={label.toLowerCase() === right ? 'x-best' : undefined}>
					<text
						x={LEFT - 6}
						y={14 + 20 * i}
						dy="0.35em"
						textAnchor="end"
						className={label === 'True' ? undefined : 'x-quiet'}
					>
						{label}
					</text>
					<line className="x-grid" x1={x(0)} x2={x(value)} y1={14 + 20 * i} y2={14 + 20 * i} />
					<circle
						className={label === 'True' || label.toLowerCase() === right ? 'x-here' : 'x-dot'}
						cx={x(value)}
						cy={14 + 20 * i}
						r="5"
					/>
				</g>
			))}
			<g className="x-quiet">
				{[-0.2, -0.1, 0, 0.1, 0.2].map((mark) => (
					<text key={mark} x={x(mark)} y={HEIGHT - 6} textAnchor="middle">
						{fixed(100 * mark, 0)}
					</text>
				))}
			</g>
		</svg>
	);
}
