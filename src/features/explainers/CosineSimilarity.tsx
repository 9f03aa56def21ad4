import { useState } from 'react';
import { Button } from '#src/components/ui/Button.tsx';
import { island } from '#src/components/ui/ErrorBoundary.tsx';
import { DOCUMENTS, measure, norm, winners, type Measured, type Vector } from './cosine.ts';
import { Explainer, fixed, Handle, Slider, Table } from './parts.tsx';

const INITIAL: Vector = [2, 1];
const LONGEST = 7;
const MAX_OFFSET = 6;

/** Five documents and a query, whose direction, length and origin can be changed. */
export const CosineSimilarity = island(View);

function View() {
	const [{ angle, length }, setPolar] = useState(polar(INITIAL));
	const [offset, setOffset] = useState(0);
	const query: Vector = [length * Math.cos(angle), length * Math.sin(angle)];
	const measured = measure(query, offset);
	const best = winners(measured);
	const result = resultOf(measured, best, offset);
	const degrees = Math.round((angle * 180) / Math.PI);

	return (
		<Explainer
			title="Try it: cosine similarity in two dimensions"
			label="try it: cosine"
			result={result}
			hint={
				<>
					Document E points away from the query, at a cosine of −1. Now add an offset of 6 to
					everything, which changes no distance, and look again: E has overtaken C.
				</>
			}
			picture={
				<Plane
					query={query}
					offset={offset}
					nearest={best.cosine}
					label={`Five documents and a query as arrows from the origin. ${result}`}
					onMove={(moved) => setPolar(polar(moved))}
				/>
			}
			table={
				<Table
					label="The query against each document"
					head={['Name', 'Cosine', 'Dot product', 'Distance']}
				>
					{measured.map(({ name, cosine, dot, distance }) => (
						<tr key={name}>
							<th scope="row">{name}</th>
							<Cell isBest={best.cosine === name}>
								{cosine === null ? 'none' : fixed(cosine, 3)}
							</Cell>
							<Cell isBest={best.dot === name}>{fixed(dot, 2)}</Cell>
							<Cell isBest={best.distance === name}>{fixed(distance, 2)}</Cell>
						</tr>
					))}
				</Table>
			}
		>
			<Slider
				label="Direction of the query"
				value={degrees}
				text={`${fixed(degrees, 0)}°`}
				range={[-180, 180, 1]}
				onChange={(value) => setPolar({ angle: (value * Math.PI) / 180, length })}
			/>
			<Slider
				label="Length of the query"
				value={length}
				text={fixed(length, 1)}
				range={[0.5, LONGEST, 0.1]}
				onChange={(value) => setPolar({ angle, length: value })}
			/>
			<Slider
				label="Offset added to every vector"
				value={offset}
				text={`(${fixed(offset, 1)}, ${fixed(offset, 1)})`}
				range={[0, MAX_OFFSET, 0.5]}
				onChange={setOffset}
			/>
			<p className="explainer-note">
				Adding an offset is moving the origin: the points keep their places among themselves.
			</p>
			<div className="explainer-buttons">
				<Button
					variant="quiet"
					onClick={() => {
						setPolar(polar(INITIAL));
						setOffset(0);
					}}
				>
					Reset
				</Button>
			</div>
		</Explainer>
	);
}

function Cell({ isBest, children }: { isBest: boolean; children: string }) {
	return (
		<td className={isBest ? 'align-right is-best' : 'align-right'}>
			{isBest ? <strong>{children}</strong> : children}
			{isBest && <span className="sr-only">, first</span>}
		</td>
	);
}

const polar = ([x, y]: Vector) => ({ angle: Math.atan2(y, x), length: norm([x, y]) });

function resultOf(
	measured: readonly Measured[],
	best: ReturnType<typeof winners>,
	offset: number,
): string {
	const of = (name: string) => measured.find((one) => one.name === name)!;
	const nearest = of(best.cosine).cosine;
	if (nearest === null)
		return 'The query lies on the origin: it has no direction there, and so no cosine with anything.';
	const least = measured.reduce((a, b) => ((b.cosine ?? 1) < (a.cosine ?? 1) ? b : a));
	const first =
		new Set(Object.values(best)).size === 1
			? `All three measures put ${best.cosine} first`
			: `First by cosine: ${best.cosine} (${fixed(nearest, 3)}). By dot product: ${best.dot}. By distance: ${best.distance}`;
	const lowest = `The lowest cosine is ${least.name}’s, ${fixed(least.cosine ?? 0, 3)}`;
	return `${first}. ${lowest}${offset > 0 && (least.cosine ?? 0) > 0.7 ? ': everything looks similar' : ''}.`;
}

/** The picture shows from -REACH to REACH on both axes. */
const REACH = 7.4;
const SIZE = 300;
const SCALE = SIZE / (2 * REACH);
const px = (x: number) => SIZE / 2 + x * SCALE;
const py = (y: number) => SIZE / 2 - y * SCALE;

type PlaneProps = {
	query: Vector;
	offset: number;
	nearest: string;
	label: string;
	onMove: (query: Vector) => void;
};

function Plane({ query, offset, nearest, label, onMove }: PlaneProps) {
	const [ox, oy] = [px(-offset), py(-offset)];
	return (
		<svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
			<path className="x-axis" d={`M0 ${oy}H${SIZE}M${ox} 0V${SIZE}`} />
			{[-4, 4, 8, 12]
				.filter((mark) => mark - offset > -REACH && mark - offset < REACH)
				.map((mark) => (
					<g key={mark} className="x-quiet">
						<text x={px(mark - offset)} y={oy + 14} textAnchor="middle">
							{fixed(mark, 0)}
						</text>
						<text x={ox - 6} y={py(mark - offset)} dy="0.35em" textAnchor="end">
							{fixed(mark, 0)}
						</text>
					</g>
				))}
			{Object.entries(DOCUMENTS).map(([name, [x, y]]) => (
				<g key={name} className={name === nearest ? 'x-best' : undefined}>
					<line className="x-vector" x1={ox} y1={oy} x2={px(x)} y2={py(y)} />
					<circle className="x-dot" cx={px(x)} cy={py(y)} r="4" />
					<text className="x-strong" x={px(x) + 8} y={py(y) + (y < 0 ? 14 : -7)}>
						{name}
					</text>
				</g>
			))}
			<line className="x-query" x1={ox} y1={oy} x2={px(query[0])} y2={py(query[1])} />
			<text
				className="x-strong x-accent"
				x={px(query[0]) + (query[0] < 0 ? -12 : 12)}
				y={py(query[1]) + 4}
				textAnchor={query[0] < 0 ? 'end' : 'start'}
			>
				query
			</text>
			<circle className="x-origin" cx={ox} cy={oy} r="3" />
			<text
				className="x-quiet"
				x={ox + (offset > 4 ? 6 : -6)}
				y={oy + (offset > 4 ? 14 : -6)}
				textAnchor={offset > 4 ? 'start' : 'end'}
			>
				origin
			</text>
			<Handle
				x={px(query[0])}
				y={py(query[1])}
				onDrag={(x, y) => {
					const moved: Vector = [(x - SIZE / 2) / SCALE, (SIZE / 2 - y) / SCALE];
					const size = norm(moved);
					if (size === 0) return;
					const wanted = Math.max(0.5, Math.min(LONGEST, size));
					onMove([(moved[0] * wanted) / size, (moved[1] * wanted) / size]);
				}}
			/>
		</svg>
	);
}
