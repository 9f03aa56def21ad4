import { geoPath, type GeoContext } from 'd3-geo';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { feature, mesh, neighbors } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'us-atlas/states-albers-10m.json' with { type: 'json' };

type States = GeometryCollection<{ name: string }>;
type StatesTopology = Topology<{ states: States }>;
type Bounds = { x0: number; y0: number; x1: number; y1: number };

/** A state on the map, in units of `MAP_BOX`. */
export type Shape = {
	name: string;
	/** Path data. */
	d: string;
	bounds: Bounds;
	/** Position of its abbreviation. */
	label: { x: number; y: number };
	/** Names of states with a common border. */
	neighbors: string[];
};

/** The atlas has 975 units; half a unit is precise enough and short. */
const SCALE = 2;
/** Leaves room for the labels of small Atlantic states. The far end of Alaska's islands is outside. */
export const MAP_BOX = { x: 20, y: 10, width: 1990, height: 1210 } as const;
/** Smaller islands and those outside of the box are dropped, but never a state's largest part. */
const MIN_ISLAND_AREA = 18;

/** In the atlas, but not a state. */
const NOT_A_STATE = 'District of Columbia';

/** Offsets for states whose center is in water, in a panhandle or on an edge. */
const OFF_CENTER: Record<string, [number, number]> = {
	Alaska: [10, -12],
	California: [-14, 10],
	Florida: [44, 10],
	Hawaii: [40, 18],
	Idaho: [4, 60],
	Louisiana: [-26, -6],
	Michigan: [30, 60],
	'North Carolina': [14, -2],
	Oklahoma: [28, 0],
	Virginia: [14, 6],
	'West Virginia': [-12, 14],
};

const tag = (x: number, y: number, line: string) => ({ x, y, line });

/** Labels of states that are too small for them: position, and the line to the state. */
export const TAGS: Partial<Record<string, ReturnType<typeof tag>>> = {
	VT: tag(1676, 150, 'M1700 180L1738 246'),
	NH: tag(1772, 104, 'M1778 134L1786 270'),
	MA: tag(1940, 290, 'M1898 292L1806 340'),
	RI: tag(1940, 356, 'M1898 356L1812 366'),
	CT: tag(1940, 422, 'M1898 420L1776 382'),
	NJ: tag(1870, 496, 'M1828 494L1732 468'),
	DE: tag(1870, 562, 'M1828 560L1712 524'),
	MD: tag(1870, 628, 'M1828 626L1700 540'),
};

/** Returns the path of four corner marks around a state. */
export function frameAround({ x0, y0, x1, y1 }: Bounds, margin = 10): string {
	const [left, top, right, bottom] = [x0 - margin, y0 - margin, x1 + margin, y1 + margin];
	const mark = Math.round(Math.min(36, (right - left) / 3, (bottom - top) / 3));
	return (
		`M${left} ${top + mark}v${-mark}h${mark}M${right - mark} ${top}h${mark}v${mark}` +
		`M${right} ${bottom - mark}v${mark}h${-mark}M${left + mark} ${bottom}h${-mark}v${-mark}`
	);
}

/** Detail of the coast: the area in square units that dropping a point may change. */
const DETAIL = { map: 6, locator: 60, teaser: 120 } as const;
export type Detail = keyof typeof DETAIL;

/** Returns the fifty states by name. */
export function stateShapes(detail: Detail): Map<string, Shape> {
	return (cachedMaps[detail] ??= drawMap(detail)).shapes;
}

/** Returns the borders between states as one path, for a map without links. */
export function innerBorders(detail: Detail): string {
	return (cachedMaps[detail] ??= drawMap(detail)).borders;
}

const cachedMaps: Partial<Record<Detail, ReturnType<typeof drawMap>>> = {};

function drawMap(detail: Detail) {
	const topology = simplifyAtlas(DETAIL[detail]);
	const { states } = topology.objects;
	const beside = neighbors(states.geometries);
	const names = feature(topology, states).features.map(({ properties }) => properties.name);
	const shapes = new Map<string, Shape>();
	feature(topology, states).features.forEach((state, index) => {
		const { name } = state.properties;
		if (name === NOT_A_STATE) return;
		const area = dropSmallIslands(state as Feature<Polygon | MultiPolygon>);
		const [[x0, y0], [x1, y1]] = geoPath().bounds(area);
		const [x, y] = geoPath().centroid(area);
		const [dx, dy] = OFF_CENTER[name] ?? [0, 0];
		const [left, top, right, bottom] = [x0, y0, x1, y1].map(Math.round);
		shapes.set(name, {
			name,
			d: pathOf((path) => path(area)),
			bounds: { x0: left!, y0: top!, x1: right!, y1: bottom! },
			label: { x: Math.round(x + dx), y: Math.round(y + dy) },
			neighbors: beside[index]!.map((other) => names[other]!).filter(
				(other) => other !== NOT_A_STATE,
			),
		});
	});
	const inner = mesh(topology, states, (a, b) => a !== b);
	return { shapes, borders: pathOf((path) => path(inner)) };
}

/** Returns the atlas in map units with fewer points. Neighbors share arcs, so borders still meet. */
function simplifyAtlas(tolerance: number): StatesTopology {
	const { transform, ...topology } = atlas as unknown as StatesTopology;
	const { scale, translate } = transform!;
	const arcs = topology.arcs.map((arc) => {
		let [x, y] = [0, 0];
		const points = arc.map(([dx = 0, dy = 0]): Position => {
			x += dx;
			y += dy;
			return [(x * scale[0] + translate[0]) * SCALE, (y * scale[1] + translate[1]) * SCALE];
		});
		return simplifyLine(points, tolerance);
	});
	return { ...topology, arcs };
}

/** Repeatedly drops the point with the smallest triangle (Visvalingam and Whyatt). */
function simplifyLine(points: Position[], tolerance: number): Position[] {
	const kept = [...points];
	while (kept.length > 2) {
		let [smallest, at] = [tolerance, -1];
		for (let index = 1; index < kept.length - 1; index++) {
			const size = triangleArea(kept[index - 1]!, kept[index]!, kept[index + 1]!);
			if (size < smallest) [smallest, at] = [size, index];
		}
		if (at === -1) break;
		kept.splice(at, 1);
	}
	return kept;
}

function triangleArea(
	[ax = 0, ay = 0]: Position,
	[bx = 0, by = 0]: Position,
	[cx = 0, cy = 0]: Position,
) {
	return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
}

function dropSmallIslands({
	geometry,
	...rest
}: Feature<Polygon | MultiPolygon>): Feature<MultiPolygon> {
	const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
	const measured = parts
		.map((part) => {
			const polygon: Polygon = { type: 'Polygon', coordinates: part };
			return { part, area: geoPath().area(polygon), left: geoPath().bounds(polygon)[0][0] };
		})
		.sort((a, b) => b.area - a.area);
	const coordinates = measured
		.filter(({ area, left }, index) => index === 0 || (area >= MIN_ISLAND_AREA && left > MAP_BOX.x))
		.map(({ part }) => part);
	return { ...rest, geometry: { type: 'MultiPolygon', coordinates } };
}

/** Returns path data in whole numbers with relative steps, half as long as absolute ones. */
function pathOf(drawWith: (path: ReturnType<typeof geoPath>) => void): string {
	let d = '';
	let [x, y, startX, startY] = [0, 0, 0, 0];
	let drawing = false;
	const pen: GeoContext = {
		beginPath() {},
		arc() {},
		moveTo(toX, toY) {
			[x, y] = [startX, startY] = [Math.round(toX), Math.round(toY)];
			d += `M${pair(x, y)}`;
			drawing = false;
		},
		lineTo(toX, toY) {
			const [dx, dy] = [Math.round(toX) - x, Math.round(toY) - y];
			if (dx === 0 && dy === 0) return;
			d += (drawing ? (dx < 0 ? '' : ' ') : 'l') + pair(dx, dy);
			x += dx;
			y += dy;
			drawing = true;
		},
		closePath() {
			d += 'z';
			[x, y] = [startX, startY];
		},
	};
	drawWith(geoPath(null, pen));
	return d;
}

const pair = (x: number, y: number) => `${x}${y < 0 ? '' : ' '}${y}`;
