import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { attend, KEYS, QUERIES, type Row, type Settings, type Vector } from './attention.ts';
import { Check, Choice, Explainer, fixed, Handle, Slider, Table } from './parts.tsx';

/** How far a query goes along each axis. */
const REACH = 4;
const INITIAL = { queries: QUERIES, token: 2, isCausal: true, isScaled: true };
type Index = '0' | '1' | '2';
const TOKENS: Record<Index, string> = { 0: 'Token 1', 1: 'Token 2', 2: 'Token 3' };

/** Attention of three tokens, whose queries can be moved. */
export const AttentionWeights = island(View);

function View() {
	const [state, setState] = useState(INITIAL);
	const { queries, token, isCausal, isScaled } = state;
	const query = queries[token]!;
	// What is pressed answers at once; what follows from it is drawn after that.
	const drawn = useDeferredValue(state);
	const { result, picture, table } = useMemo(() => drawingOf(drawn, move), [drawn]);

	function move(moved: Vector) {
		setState((old) => ({
			...old,
			queries: old.queries.map((one, i) => (i === old.token ? moved : one)),
		}));
	}

	return (
		<Explainer
			title="Try it: attention of three tokens"
			label="try it: attention"
			result={result}
			hint={
				<>
					Make the query of token 3 twice as long, (4, 2): the favorite stays, its lead grows. Then
					choose token 1 and move its query anywhere.
				</>
			}
			picture={picture}
			table={table}
		>
			<Choice
				label="Query of"
				value={String(token) as Index}
				options={TOKENS}
				onChange={(value) => setState({ ...state, token: Number(value) })}
			/>
			<Slider
				label="First coordinate"
				value={query[0]}
				text={fixed(query[0], 2)}
				range={[-REACH, REACH, 0.25]}
				onChange={(x) => move([x, query[1]])}
			/>
			<Slider
				label="Second coordinate"
				value={query[1]}
				text={fixed(query[1], 2)}
				range={[-REACH, REACH, 0.25]}
				onChange={(y) => move([query[0], y])}
			/>
			<Check
				label="Causal mask: only itself and what came before"
				checked={isCausal}
				onChange={(checked) => setState({ ...state, isCausal: checked })}
			/>
			<Check
				label="Divide the scores by √2"
				checked={isScaled}
				onChange={(checked) => setState({ ...state, isScaled: checked })}
			/>
			<div className="explainer-buttons">
				<Button variant="quiet" onClick={() => setState(INITIAL)}>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

/** Returns the sentence, picture and table for the settings. */
function drawingOf(
	{ queries, token, isCausal, isScaled }: typeof INITIAL,
	onMove: (query: Vector) => void,
) {
	const rows = attend(queries, { isCausal, isScaled });
	const query = queries[token]!;
	const result = resultOf(rows[token]!, token, query, { isCausal, isScaled });
	const picture = (
		<Vectors
			query={query}
			row={rows[token]!}
			token={token}
			onMove={onMove}
			label={`Query ${token + 1} at ${printed(query)} among the keys ${KEYS.map(printed).join(', ')}. ${result}`}
		/>
	);
	const table = (
		<Table
			label="Attention weights"
			head={['Token', ...KEYS.map((_, i) => `at ${i + 1}`), 'Output']}
		>
			{rows.map(({ weights, output }, i) => (
				<tr key={i} className={i === token ? 'is-current' : undefined}>
					<th scope="row">{i + 1}</th>
					{weights.map((weight, j) => (
						<td
							key={j}
							className={`align-right ${weight === null ? 'x-masked' : 'x-weight'}`}
							style={{ '--weight': `${Math.round((weight ?? 0) * 60)}%` } as object}
						>
							{weight === null ? 'masked' : fixed(weight, 3)}
						</td>
					))}
					<td className="align-right x-output">{`${fixed(output[0], 2)}, ${fixed(output[1], 2)}`}</td>
				</tr>
			))}
		</Table>
	);
	return { result, picture, table };
}

const printed = ([x, y]: Vector) => `(${short(x)}, ${short(y)})`;
const short = (value: number) => fixed(value, 2).replace(/\.?0+$/, '');

function resultOf(
	{ weights, output }: Row,
	token: number,
	query: Vector,
	{ isCausal }: Settings,
): string {
	const name = `Token ${token + 1}`;
	const out = `its output is (${fixed(output[0], 2)}, ${fixed(output[1], 2)})`;
	if (isCausal && token === 0) return `${name} sees only itself: ${out}, whatever its query says.`;
	const seen = weights.flatMap((weight, i) => (weight === null ? [] : [{ weight, i }]));
	const most = Math.max(...seen.map(({ weight }) => weight));
	const best = seen.filter(({ weight }) => most - weight < 1e-9);
	if (query[0] === 0 && query[1] === 0)
		return `${name} asks for nothing, so all it sees weighs the same; ${out}.`;
	if (best.length === seen.length)
		return `${name} finds all it sees equally near, at ${fixed(most, 3)}; ${out}.`;
	const where = best.map(({ i }) => (i === token ? 'itself' : `token ${i + 1}`)).join(' and ');
	return `${name} looks most at ${where}, with a weight of ${fixed(most, 3)}${best.length > 1 ? ' each' : ''}; ${out}.`;
}

const SIZE = 300;
const SCALE = SIZE / (2 * REACH + 1.4);
const px = (x: number) => SIZE / 2 + x * SCALE;
const py = (y: number) => SIZE / 2 - y * SCALE;
const snapped = (value: number) =>
	Math.max(-REACH, Math.min(REACH, Math.round(value / SCALE / 0.25) * 0.25));

/** Beside the tips of the keys, clear of each other. */
const LABELS = [
	{ x: px(1), y: py(0) + 15, textAnchor: 'middle' as const },
	{ x: px(0) + 8, y: py(2) + 1 },
	{ x: px(1), y: py(1) - 8, textAnchor: 'middle' as const },
];

/** Beside the query's tip, on the side that has room. */
function queryLabel([x, y]: Vector) {
	const isFar = Math.abs(x) > 2.5;
	const side = x < 0 ? -1 : 1;
	return {
		x: px(x) + (isFar ? 0 : 13 * side),
		y: py(y) + (isFar ? (y < 0 ? 22 : -13) : 4),
		textAnchor: isFar === side > 0 ? ('end' as const) : ('start' as const),
	};
}

type VectorsProps = {
	query: Vector;
	row: Row;
	token: number;
	onMove: (query: Vector) => void;
	label: string;
};

function Vectors({ query, row, token, onMove, label }: VectorsProps) {
	const marks = [-4, -2, 2, 4];
	return (
		<svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
			<path className="x-axis" d={`M0 ${py(0)}H${SIZE}M${px(0)} 0V${SIZE}`} />
			<g className="x-quiet">
				<text x={SIZE} y={py(0) - 6} textAnchor="end">
					first
				</text>
				<text x={px(0) + 6} y="10">
					second
				</text>
			</g>
			{marks.map((mark) => (
				<g key={mark} className="x-quiet">
					<text x={px(mark)} y={py(0) + 14} textAnchor="middle">
						{fixed(mark, 0)}
					</text>
					<text x={px(0) - 6} y={py(mark)} dy="0.35em" textAnchor="end">
						{fixed(mark, 0)}
					</text>
				</g>
			))}
			{KEYS.map((key, i) => {
				const weight = row.weights[i] ?? null;
				return (
					<g key={i} className={weight === null ? 'x-out' : undefined}>
						<line
							className="x-key"
							x1={px(0)}
							y1={py(0)}
							x2={px(key[0])}
							y2={py(key[1])}
							strokeWidth={weight === null ? 1.5 : 1.5 + 7 * weight}
						/>
						<text {...LABELS[i]}>key {i + 1}</text>
					</g>
				);
			})}
			<line className="x-query" x1={px(0)} y1={py(0)} x2={px(query[0])} y2={py(query[1])} />
			<text className="x-strong x-accent" {...queryLabel(query)}>
				query {token + 1}
			</text>
			<Handle
				x={px(query[0])}
				y={py(query[1])}
				onDrag={(x, y) => onMove([snapped(x - SIZE / 2), snapped(SIZE / 2 - y)])}
			/>
		</svg>
	);
}
